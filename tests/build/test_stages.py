"""A stage runs again if an answer to one of its questions changed, and only then."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from cases import each_case
from exporter.build.inputs import Inputs, Question
from exporter.build.stages import MAXIMUM_RECORDS, Stage, Stages, questions_key
from exporter.model.errors import SpecError
from exporter.model.keys import value_key
from memory_cache import MemoryCache


class Facts:
    """A source whose answers are a plain mapping by path."""

    def __init__(self, **facts: Any) -> None:
        self.facts = facts
        self.depended: list[Question] = []

    def answer(self, question: Question) -> Any:
        return self.facts[str(question[1])]

    def key(self, question: Question) -> str | None:
        value = self.facts.get(str(question[1]), "absent")
        return None if value == "no key" else value_key(value)

    def depend(self, questions: Any) -> None:
        self.depended += questions

    def level(self) -> Any:
        raise AssertionError("no stage of these tests asks for the level")

    def error(self, path: Any, message: str, inside: Any = ()) -> SpecError:
        raise AssertionError("no stage of these tests has a mistake to place")


class Bench:
    """Runs one stage over a memory, and counts how often it was made."""

    def __init__(self, make: Callable[[Inputs], Any], name: str = "stage") -> None:
        self.memory = MemoryCache()
        self.built = 0

        def counted(inputs: Inputs) -> Any:
            self.built += 1
            return make(inputs)

        self.stage: Stage[Any] = Stage((name,), counted, encode, json.loads)

    def run(self, identity: str = "", **facts: Any) -> tuple[Any, str | None]:
        stages = Stages(Facts(**facts), self.memory, identity)
        result = stages.run(self.stage)
        for key, data in stages.unsaved.items():
            self.memory.save(key, data)
        return result


def encode(value: Any) -> bytes | None:
    return None if value == "cannot be kept" else json.dumps(value).encode()


def branching(inputs: Inputs) -> Any:
    """Ask for `b` only where `a` says so."""
    return [inputs.spec("a"), inputs.spec("b") if inputs.spec("a") else None]


def test_the_same_answers_run_nothing() -> None:
    bench = Bench(branching)
    first = bench.run(a=1, b=2)
    assert bench.run(a=1, b=2) == first
    assert bench.built == 1
    assert first[0] == [1, 2]


def test_another_answer_runs_it_again_and_going_back_does_not() -> None:
    bench = Bench(branching)
    bench.run(a=1, b=2)
    assert bench.run(a=1, b=3)[0] == [1, 3]
    assert bench.built == 2
    assert bench.run(a=1, b=2)[0] == [1, 2]
    assert bench.built == 2


def test_what_was_not_requested_for_may_change() -> None:
    bench = Bench(branching)
    bench.run(a=0, b=2)
    assert bench.run(a=0, b=3)[0] == [0, None]
    assert bench.built == 1


def test_another_branch_has_questions_of_its_own() -> None:
    bench = Bench(branching)
    bench.run(a=0, b=2)
    assert bench.run(a=1, b=2)[0] == [1, 2]
    assert bench.run(a=1, b=5)[0] == [1, 5]
    assert bench.run(a=0, b=9)[0] == [0, None]
    assert bench.built == 3


@pytest.mark.parametrize("other", [{"identity": "newer"}, {"name": "other"}])
def test_other_code_and_other_stages_share_nothing(other: dict[str, str]) -> None:
    bench = Bench(branching)
    bench.run(a=1, b=2)
    another = Bench(branching, other.get("name", "stage"))
    another.memory = bench.memory
    another.run(other.get("identity", ""), a=1, b=2)
    assert another.built == 1


def test_1_and_true_are_different_answers() -> None:
    bench = Bench(lambda inputs: repr(inputs.spec("a")))
    assert bench.run(a=1)[0] == "1"
    assert bench.run(a=True)[0] == "True"
    assert bench.run(a=1.0)[0] == "1.0"


def test_an_equal_result_has_an_equal_key_however_it_was_created() -> None:
    bench = Bench(lambda inputs: inputs.spec("a") > 10)
    _, low = bench.run(a=1)
    _, also_low = bench.run(a=2)
    _, high = bench.run(a=11)
    assert low == also_low != high


def test_an_answer_without_a_key_is_never_remembered() -> None:
    bench = Bench(lambda inputs: inputs.spec("a"))
    assert bench.run(a="no key") == ("no key", None)
    assert bench.run(a="no key") == ("no key", None)
    assert bench.built == 2
    assert not bench.memory


def test_a_result_that_cannot_be_encoded_is_never_remembered() -> None:
    bench = Bench(lambda inputs: inputs.spec("a"))
    assert bench.run(a="cannot be kept")[1] is None
    assert bench.run(a="cannot be kept")[1] is None
    assert bench.built == 2


def test_without_a_memory_every_stage_runs() -> None:
    bench = Bench(branching)
    stages = Stages(Facts(a=1, b=2), None, "")
    assert stages.run(bench.stage) == ([1, 2], None)
    assert stages.run(bench.stage) == ([1, 2], None)
    assert bench.built == 2
    assert not stages.unsaved


def test_a_result_is_known_within_the_same_build() -> None:
    bench = Bench(branching)
    stages = Stages(Facts(a=1, b=2), bench.memory, "")
    first = stages.run(bench.stage)
    assert stages.run(bench.stage) == first
    assert bench.built == 1


def test_a_remembered_result_depends_on_what_it_had_requested() -> None:
    bench = Bench(branching)
    bench.run(a=1, b=2)
    facts = Facts(a=1, b=2)
    Stages(facts, bench.memory, "").run(bench.stage)
    assert facts.depended == [("spec", "a"), ("spec", "b")]


@each_case("damage", [b"", b"[", b"[[1]]", b'["a"]', b"{}", b"[[[null]]]", b"\xff", b"0" * 64])
def test_a_damaged_memory_costs_a_run_and_no_more(damage: bytes) -> None:
    bench = Bench(branching)
    bench.run(a=1, b=2)
    remaining = dict(bench.memory)
    for key in remaining:
        bench.memory.clear()
        bench.memory.update(remaining)
        bench.memory[key] = damage
        result, _ = bench.run(a=1, b=2)
        assert result == [1, 2]


def test_no_more_sets_of_questions_are_preserved_than_the_maximum() -> None:
    bench = Bench(lambda inputs: inputs.spec(inputs.spec("a")))
    for number in range(MAXIMUM_RECORDS + 3):
        bench.run(a=f"x{number}", **{f"x{number}": number})
    records = max(bench.memory.values(), key=len)
    assert len(json.loads(records)) == MAXIMUM_RECORDS
    # The newest are kept.
    result = bench.built
    bench.run(a=f"x{MAXIMUM_RECORDS + 2}", **{f"x{MAXIMUM_RECORDS + 2}": MAXIMUM_RECORDS + 2})
    assert bench.built == result
    bench.run(a="x0", x0=0)
    assert bench.built == result + 1


def test_equal_answers_to_different_questions_have_different_keys() -> None:
    facts = Facts(a=1, b=1)
    item, other = (questions_key(facts, [("spec", name)]) for name in ("a", "b"))
    assert item != other
    assert item == questions_key(Facts(a=1), [("spec", "a")])
    assert item != questions_key(facts, [("spec", "a")], "place")
