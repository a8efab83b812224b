"""Inputs of a stage come from its source, and are recorded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cases import each_case
from exporter.build.inputs import Inputs, Question
from exporter.model.errors import ParameterError, Problem, SpecError


class Echo:
    """A source that answers with the question itself."""

    def __init__(self) -> None:
        self.refusals: list[tuple[Any, ...]] = []

    def answer(self, question: Question) -> Any:
        return question

    def key(self, question: Question) -> str | None:
        raise AssertionError("inputs ask for no keys")

    def depend(self, questions: Any) -> None:
        raise AssertionError("inputs settle no dependencies themselves")

    def level(self) -> Any:
        return "the level", (("spec", "size"), ("layers",))

    def error(self, path: Any, message: str, inside: Any = ()) -> SpecError:
        self.refusals.append((path, message, inside))
        return SpecError([Problem(message, "x.level.yaml")])


@each_case(
    ("ask", "question"),
    [
        (lambda inputs: inputs.spec("layers", "a"), ("spec", "layers", "a")),
        (lambda inputs: inputs.layer("a"), ("layer", "a")),
        (lambda inputs: inputs.layers["a"], ("layer", "a")),
        (lambda inputs: inputs.layer_names(), ("layer names",)),
        (lambda inputs: tuple(inputs.layers), ("layer names",)),
        (lambda inputs: inputs.all_layers(), ("layers",)),
        (lambda inputs: inputs.ground_layers(), ("ground layers",)),
        (lambda inputs: inputs.objects(), ("objects",)),
        (lambda inputs: inputs.objects_named("a"), ("objects named", "a")),
        (lambda inputs: inputs.group("a", 1), ("group", "a", 1)),
        (lambda inputs: inputs.unavailable("a", 1), ("taken", "a", 1)),
        (lambda inputs: inputs.object_cells("a", "b"), ("object cells", "a", "b")),
        (lambda inputs: inputs.ground(None), ("ground", "")),
        (lambda inputs: inputs.ground("a"), ("ground", "a")),
        (
            lambda inputs: inputs.walking_steps("a", ("b", "c"), aside=True),
            ("walking steps", "a", 1, "b", "c"),
        ),
        (lambda inputs: inputs.puzzles(), ("puzzles",)),
        (lambda inputs: inputs.sight_layer(), ("sight layer",)),
        (lambda inputs: inputs.visibility(), ("visibility",)),
        (lambda inputs: inputs.tileset(), ("tileset",)),
        (lambda inputs: inputs.file("a.png"), ("file", "a.png")),
    ],
)
def test_the_answer_is_that_of_the_source_and_the_question_is_noted(
    ask: Callable[[Inputs], Any], question: Question
) -> None:
    inputs = Inputs(Echo())
    assert ask(inputs) == question
    assert list(inputs.questions) == [question]


def test_the_number_of_layers_is_that_of_their_names() -> None:
    inputs = Inputs(Echo())
    assert len(inputs.layers) == 1
    assert list(inputs.questions) == [("layer names",)]


def test_a_question_is_noted_once_and_in_order() -> None:
    inputs = Inputs(Echo())
    for name in ("b", "a", "b"):
        inputs.layer(name)
    assert list(inputs.questions) == [("layer", "b"), ("layer", "a")]


def test_the_level_lies_for_all_that_it_was_assembled_from() -> None:
    inputs = Inputs(Echo())
    inputs.spec("size")
    assert inputs.level() == "the level"
    assert list(inputs.questions) == [("spec", "size"), ("layers",)]


def test_what_a_step_cannot_do_is_reported_at_a_position_of_the_spec() -> None:
    echo = Echo()
    inputs = Inputs(echo)
    assert inputs.attempt(("a",), max, 3, 5) == 5

    def refuse(message: str) -> None:
        raise ParameterError(message, ("size", 1))

    with pytest.raises(SpecError, match="too small"):
        inputs.attempt(("layers", "a"), refuse, "too small")
    assert echo.refusals == [(("layers", "a"), "too small", ("size", 1))]
