"""A search against looking at every level by hand, in small spaces."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import exporter
from cases import each_case
from exporter.build.dependencies import prune_to_dependencies
from exporter.build.trials import Attempt, candidate_seed
from exporter.explore.finding import RunningSearch
from exporter.explore.journal import Journal
from exporter.explore.judging import sensible_jobs
from exporter.explore.search import SearchedLevels, search_for
from exporter.explore.varying import parse_varied, varied_parameters
from exporter.explore.writing import spec_text
from exporter.extend import Generated, Parameters, Request, Tile, generator
from exporter.generators import GENERATORS
from exporter.measures.names import named_metrics
from exporter.model.errors import ParameterError, SpecError
from exporter.model.expressions import ExpressionError
from small_specs import caves, crowded, optional_chests

METRICS = ["floor", "farthest", "dead_ends"]


def by_hand(spec: exporter.LevelSpec, number: int) -> dict[str, float] | None:
    """Build a candidate as anybody would, and measure it; None if it cannot be built."""
    try:
        level = exporter.build_level(spec.with_seed(candidate_seed(spec.level, number)))
    except SpecError:
        return None
    return exporter.measure(level, METRICS)


def test_the_first_levels_that_match_are_detected() -> None:
    seeds = exporter.find_seeds(
        caves(), count=3, where="farthest >= 22 and dead_ends < 3", budget=200
    )
    expected = []
    for number in range(200):
        values = by_hand(caves(), number)
        if values is not None and values["farthest"] >= 22 and values["dead_ends"] < 3:
            expected.append(candidate_seed("caves", number))
            if len(expected) == 3:
                break
    assert [item.seed for item in seeds] == expected
    assert seeds.tried == number + 1
    assert seeds.matched == len(seeds) == 3


@pytest.mark.parametrize(("sort", "sign"), [("farthest", 1), ("-farthest", -1)])
def test_sorted_levels_are_the_best_of_the_whole_budget(sort: str, sign: int) -> None:
    seeds = exporter.find_seeds(caves(), count=7, sort=sort, budget=60)
    values = {number: by_hand(caves(), number) for number in range(60)}
    order = sorted(values, key=lambda number: (sign * values[number]["farthest"], number))
    assert [item.number for item in seeds] == order[:7]
    assert seeds.tried == 60


def test_a_parameter_that_is_varied_is_that_of_the_level() -> None:
    spec = caves()
    seeds = exporter.find_seeds(spec, count=10, vary={"ground.wall_percent": (30, 55)})
    assert len({item.parameters["ground.wall_percent"] for item in seeds}) > 5
    for item in seeds:
        text = spec.document.text.replace("42", str(item.parameters["ground.wall_percent"]))
        again = exporter.measure(
            exporter.build_level(type(spec).with_seed(_parsed(text.encode()), item.seed)),
            list(item.metrics),
        )
        assert again == item.metrics


def _parsed(content: bytes) -> exporter.LevelSpec:
    from exporter.reading.reader import parse_level

    return parse_level(content, "caves.level.yaml")


def test_levels_that_fail_are_counted_and_do_not_match() -> None:
    seeds = exporter.find_seeds(crowded(), count=50, budget=50)
    failing = [number for number in range(50) if by_hand(crowded(), number) is None]
    assert 5 < len(failing) < 45
    assert seeds.failed == len(failing)
    assert seeds.matched == len(seeds) == 50 - len(failing)
    assert "chest" in seeds.first_failure


@dataclass(frozen=True, kw_only=True)
class Fussy(Parameters):
    """Fails for every seed that is odd."""


def fussy(parameters: Fussy, request: Request) -> Generated:
    if request.stream.draws("coin").next(0, 2):
        raise ParameterError("not for this seed")
    tiles = (Tile(0, "floor", True, False, "#ffffff"),)
    return Generated(np.zeros((request.height, request.width), np.uint8), tiles)


@pytest.fixture
def fussy_generator() -> Iterator[str]:
    generator("fussy", version=1)(fussy)
    yield "fussy"
    del GENERATORS._added["fussy"]


@pytest.mark.parametrize(
    "arguments",
    [{}, {"sort": "-farthest"}, {"spread": ("floor",)}],
    ids=["first", "sort", "spread"],
)
def test_of_a_level_that_is_detected_the_whole_can_be_built(
    arguments: dict[str, Any], fussy_generator: str
) -> None:
    # No metric needs the layer that fails for half of the seeds.
    spec = caves(b"  notes: {generator: %s, role: data}\n" % fussy_generator.encode())
    assert list(prune_to_dependencies(spec, named_metrics(["farthest"])).layers) == ["ground"]
    seeds = exporter.find_seeds(spec, count=5, budget=60, **arguments)
    assert len(seeds) == 5
    assert seeds.failed > 0
    assert seeds.first_failure == "not for this seed"
    for item in seeds:
        exporter.build_level(spec.with_seed(item.seed))


def test_objects_that_may_fail_to_find_a_position_are_placed_in_every_candidate() -> None:
    named = named_metrics(["farthest"])
    assert prune_to_dependencies(crowded(), named).objects == crowded().objects
    assert prune_to_dependencies(optional_chests(), named).objects == ()
    counted = named_metrics(["objects.chest"])
    assert prune_to_dependencies(optional_chests(), counted).objects == optional_chests().objects


def test_objects_that_a_needed_layer_names_are_placed_in_every_candidate() -> None:
    named = named_metrics(["farthest"])
    lamp = b"  glow: {generator: light, objects: [lamp], levels: 2, role: %s}\nvisibility: {}\n"
    lamp += b"objects: [{name: lamp, layer: deep, required: false}]\n"
    deep = b"  deep: {generator: cellular_caves, role: data}\n"
    needed = prune_to_dependencies(caves(deep + lamp % b"play"), named)
    assert list(needed.layers) == ["ground", "deep", "glow"]
    assert [item.name for item in needed.objects] == ["lamp"]
    seen = b"  seen: {generator: exposure, levels: 2, role: play}\n"
    without = prune_to_dependencies(caves(seen + deep + lamp % b"data"), named)
    assert list(without.layers) == ["ground", "seen", "deep"]
    assert without.objects == ()


def test_a_division_by_zero_does_not_match() -> None:
    seeds = exporter.find_seeds(caves(), where="farthest / dead_ends > 0", budget=30, count=30)
    zeros = [n for n in range(30) if by_hand(caves(), n)["dead_ends"] == 0]
    assert zeros
    assert seeds.failed == len(zeros)
    assert seeds.first_failure == "the condition has no value: the expression divides by zero"


def test_when_nothing_matches_the_nearest_level_is_named() -> None:
    seeds = exporter.find_seeds(caves(), where="farthest >= 1000", budget=40)
    values = {number: by_hand(caves(), number)["farthest"] for number in range(40)}
    best = max(values, key=lambda number: (values[number], -number))
    assert not seeds.levels
    assert seeds.nearest is not None
    assert seeds.nearest.level.number == best
    assert seeds.nearest.words == f"farthest >= 1000 fails (farthest is {values[best]})"


SPREAD = {
    "spread": ("floor", "farthest"),
    "vary": {"ground.wall_percent": (25, 60)},
    "count": 12,
    "budget": 700,
}


def test_levels_that_differ_fill_more_niches_than_seeds_alone() -> None:
    seeds = exporter.find_seeds(caves(), **SPREAD)
    alone = exporter.find_seeds(caves(), **{**SPREAD, "vary": {}})
    assert len(seeds) == len(alone) == 12
    floors = [item.metrics["floor"] for item in seeds]
    others = [item.metrics["floor"] for item in alone]
    assert max(floors) - min(floors) > 1.5 * (max(others) - min(others))


@each_case(
    ("jobs", "arguments"),
    [(2, SPREAD), (2, {"sort": "-farthest", "budget": 300}),
     (3, {"where": "farthest > 22", "count": 4})],
)  # fmt: skip
def test_the_answer_is_the_same_in_any_number_of_processes(
    jobs: int, arguments: dict[str, Any]
) -> None:
    seeds = exporter.find_seeds(caves(), **arguments)
    assert exporter.find_seeds(caves(), jobs=jobs, **arguments) == seeds


class Memory:
    """Lines that are kept in memory."""

    def __init__(self, most: int = 1_000_000) -> None:
        self.lines: list[str] = []
        self.most = most

    def read(self) -> Iterator[str]:
        yield from list(self.lines)

    def keep(self, count: int) -> None:
        del self.lines[count:]

    def append(self, lines: Sequence[str]) -> bool:
        if len(self.lines) + len(lines) > self.most:
            return False
        self.lines += lines
        return True

    def remove(self) -> None:
        self.lines = []


@each_case(
    ("kind", "stop"),
    [("spread", 1), ("spread", 199), ("spread", 200), ("spread", 201), ("sort", 200),
     ("where", 250)],
)  # fmt: skip
def test_a_search_that_was_interrupted_goes_on_to_the_same_end(stop: int, kind: str) -> None:
    arguments: dict[str, Any] = {"count": 6, "budget": 260}
    if kind == "spread":
        arguments |= {"spread": ["floor", "farthest"]}
    if kind == "sort":
        arguments |= {"sort": "-farthest"}
    if kind == "where":
        arguments |= {"where": "farthest > 1000"}
    varied = [parse_varied("ground.wall_percent=25..60", caves())]
    search = search_for(caves(), varied=varied, **arguments)
    whole = RunningSearch(search).run(1)

    def interrupt(done: int, _: int) -> None:
        if done == stop:
            raise KeyboardInterrupt

    memory = Memory()
    journal = Journal(memory, len(search.metrics))
    interrupted = RunningSearch(search, journal, interrupt)
    with pytest.raises(KeyboardInterrupt):
        interrupted.run(1)
    journal.save()
    part = interrupted.result()
    assert part.tried == stop
    journal = Journal(memory, len(search.metrics))
    assert len(memory.lines) == stop
    assert RunningSearch(search, journal).run(1) == whole
    assert journal.resumable >= stop


def test_a_damaged_journal_is_used_as_far_as_it_is_good() -> None:
    memory = Memory()
    journal = Journal(memory, 2)
    for number in range(5):
        journal.add(Attempt((number, 0.5)) if number else Attempt(None, "no room", 0.25))
    journal.save()
    journal.save()
    good = list(memory.lines)
    for damage in (
        [*good[:3], good[3][:4]],
        [*good[:3], "[]\n", good[4]],
        [*good[:3], good[4]],
        [*good[:3], '[3, [1, "x"]]\n'],
        [*good[:3], "[3, [1]]\n"],
        [*good[:3], "[3, [1, NaN]]\n"],
        [*good[:3], f"[3, [1{'0' * 400}, 1]]\n"],
        [*good[:3], '[3, ""]\n'],
        [*good[:3], '[3, "no room", NaN]\n'],
        [*good[:3], '[3, "no room", "x"]\n'],
        [*good[:3], "[" * 100_000 + "\n"],
        [*good[:3], good[3].rstrip()],
    ):
        memory.lines = damage
        again = Journal(memory, 2)
        assert len(all_known(again)) == 3
        again.add(Attempt((3, 0.5)))
        again.save()
        assert memory.lines == good[:4]
    memory.lines = [*good, *good]  # saved twice
    again = Journal(memory, 2)
    known = all_known(again)
    assert len(known) == again.resumable == 5
    assert known[0] == Attempt(None, "no room", 0.25)
    assert known[4] == Attempt((4, 0.5))
    assert all(json.loads(line) for line in good)


def all_known(journal: Journal) -> list[Attempt]:
    result = []
    while (attempted := journal.known()) is not None:
        result.append(attempted)
    return result


def test_a_journal_is_read_as_far_as_it_is_needed() -> None:
    class Counted(Memory):
        given = 0

        def read(self) -> Iterator[str]:
            for line in super().read():
                self.given += 1
                yield line

    memory = Counted()
    memory.lines = [f"[{number}, [1, 2]]\n" for number in range(1000)]
    journal = Journal(memory, 2)
    for number in range(5):
        assert journal.known() == Attempt((1, 2))
        assert memory.given == number + 1
    journal.save()  # interrupted while nothing is new
    assert len(memory.lines) == 1000


def test_a_journal_that_is_full_keeps_what_it_has() -> None:
    memory = Memory(most=300)
    journal = Journal(memory, 1)
    for number in range(1000):
        journal.add(Attempt((number,)))
    journal.save()
    assert journal.resumable == len(memory.lines) == 256
    assert all_known(Journal(memory, 1)) == [Attempt((number,)) for number in range(256)]


@each_case(
    ("arguments", "words"),
    [
        ({"where": "flor > 1"}, "did you mean 'floor'"),
        ({"where": "objects.chset > 1"}, "unknown object 'chset'"),
        ({"where": "exposure_mean > 0.1"}, "needs the level's `visibility:`"),
        ({"where": "farthest"}, "this is a number, not a condition"),
        ({"spread": ("floor", "flor")}, "did you mean 'floor'"),
        ({"spread": ("floor", "floor")}, "given twice"),
        ({"spread": ("floor", "farthest", "chokes", "loops")}, "allowed: 1 to 3"),
        ({"sort": "-flor"}, "did you mean 'floor'"),
        ({"count": 0}, "allowed: 1 to"),
        ({"budget": 0}, "allowed: 1 to"),
        ({"vary": {"ground.wall_percent": (1, 200)}}, "from 0 to 100"),
        ({"vary": {"ground.wall_percent": 40}}, "is neither a range nor a list"),
        ({"spread": "floor"}, "write ('floor',)"),
        ({"where": 5}, "5 is not text"),
        ({"sort": 5}, "5 is not text"),
        ({"count": 2.5}, "is not a whole number"),
        ({"budget": "9"}, "is not a whole number"),
        ({"jobs": 0}, "jobs: 0 is out of range"),
    ],
)
def test_what_is_requested_wrongly_is_refused(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises((ExpressionError, ParameterError)) as caught:
        exporter.find_seeds(caves(), **arguments)
    assert words in str(caught.value)


def test_a_parameter_cannot_be_varied_twice() -> None:
    (item,) = varied_parameters({"ground.wall_percent": (1, 2)}, caves())
    with pytest.raises(ParameterError, match="given twice"):
        search_for(caves(), varied=[item, item])


def test_a_seed_that_is_searched_for_is_not_used() -> None:
    spec = caves(b"seed: {search: 5, best: farthest}\n")
    assert exporter.find_seeds(spec, count=3).levels == exporter.find_seeds(caves(), count=3).levels


def test_detected_levels_are_a_sequence() -> None:
    seeds = exporter.find_seeds(caves(), count=2)
    assert isinstance(seeds, SearchedLevels)
    assert [item.seed for item in seeds] == [seeds[0].seed, seeds[1].seed]
    assert len(seeds) == 2
    assert list(seeds[0].metrics) == METRICS


MASKED = b"""  b: {generator: cellular_caves, wall_percent: 30}
  c: {generator: cellular_caves, wall_percent: 60}
  d: {generator: cellular_caves, wall_percent: 50}
  wet: {generator: mask, of: b, by: c}
  relief: {generator: heightmap}
"""


@pytest.mark.parametrize("arguments", [{}, {"spread": ("floor",)}], ids=["plain", "spread"])
def test_the_layers_that_choices_refer_to_are_there(arguments: dict[str, Any]) -> None:
    spec = caves(MASKED)
    seeds = exporter.find_seeds(
        spec, count=40, budget=40, vary={"wet.by": ["d", "c"]}, sort="floor", **arguments
    )
    assert seeds.failed == 0
    assert {item.parameters["wet.by"] for item in seeds} == {"c", "d"}
    for item in seeds:
        text = spec.document.text.replace("by: c", f"by: {item.parameters['wet.by']}")
        level = exporter.build_level(_parsed(text.encode()).with_seed(item.seed))
        assert exporter.measure(level, list(item.metrics)) == item.metrics


def test_a_layer_that_no_metric_needs_can_be_varied() -> None:
    spec = caves(MASKED)
    vary = {"relief.lacunarity": (2, 3)}
    assert "relief" not in prune_to_dependencies(spec, named_metrics(["farthest"])).layers
    seeds = exporter.find_seeds(spec, count=5, vary=vary)
    assert [item.metrics for item in seeds] == [
        find_seed.metrics for find_seed in exporter.find_seeds(spec, count=5)
    ]
    assert len({item.parameters["relief.lacunarity"] for item in seeds}) == 5
    assert len(exporter.find_seeds(spec, count=5, budget=20, vary=vary, spread=("floor",))) > 1


def test_no_more_processes_are_started_than_have_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    assert sensible_jobs(1000, 1.0, 3) == 3
    assert sensible_jobs(65, 1.0, 7) == 3
    assert sensible_jobs(1, 1.0, 7) == 1
    assert sensible_jobs(10**8, 1.0, 10**6) == 8
    assert sensible_jobs(10**8, 1.0, 8, at_once=200) == 7
    assert sensible_jobs(10**8, 1.0, None) == 2


def test_lists_are_varied_and_written() -> None:
    spec = caves(MASKED + b"  land: {generator: union, layers: [b, c]}\n")
    assert prune_to_dependencies(spec, named_metrics(["floor"])).layers.keys() < spec.layers.keys()
    seeds = exporter.find_seeds(
        spec, count=20, vary={"land.layers": [["b", "d"], ["c"]]}, sort="floor", budget=20
    )
    assert {item.parameters["land.layers"] for item in seeds} == {("b", "d"), ("c",)}
    assert seeds.failed == 0
    content = spec.document.text.encode()
    item = next(item for item in seeds if len(item.parameters["land.layers"]) == 2)
    written = _parsed(spec_text(spec, content, item))
    assert written.layers["land"].parameters.layers == ("b", "d")
    assert exporter.measure(exporter.build_level(written), ["floor"])["floor"] == pytest.approx(
        item.metrics["floor"]
    )
    with pytest.raises(ParameterError, match="did you mean"):
        exporter.find_seeds(spec, vary={"land.layers": [["b", "grund"]]})
