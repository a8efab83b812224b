"""A spec that searches for its seed: result, dependencies, and messages."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import exporter
from cases import each_case
from exporter.build.build import Build
from exporter.build.costs import check_costs, estimated_costs
from exporter.build.dependencies import prune_to_dependencies
from exporter.build.trials import Trials, candidate_seed
from exporter.measures.names import named_metrics
from exporter.model.errors import SpecError
from exporter.reading.reader import parse_level
from memory_cache import MemoryCache
from small_specs import CAVES, CROWDED


def searching(seed: str, content: bytes = CAVES, name: str = "caves") -> exporter.LevelSpec:
    return parse_level(content + f"seed: {seed}\n".encode(), f"{name}.level.yaml")


def measured(content: bytes, name: str, number: int) -> dict[str, float] | None:
    spec = parse_level(content, f"{name}.level.yaml").with_seed(candidate_seed(name, number))
    try:
        return exporter.measure(exporter.build_level(spec), ["farthest", "dead_ends", "floor"])
    except SpecError:
        return None


@each_case(
    ("seed", "condition", "rank"),
    [
        ("{search: 40, best: farthest}", lambda m: True, lambda m: m["farthest"]),
        ("{search: 40, best: -dead_ends}", lambda m: True, lambda m: -m["dead_ends"]),
        ("{search: 40, where: farthest >= 9}", lambda m: m["farthest"] >= 9, lambda m: 0),
        (
            "{search: 40, where: farthest >= 9, best: floor - farthest / 100}",
            lambda m: m["farthest"] >= 9,
            lambda m: m["floor"] - m["farthest"] / 100,
        ),
    ],
)
@each_case(("content", "name"), [(CAVES, "caves"), (CROWDED, "crowded")])
def test_the_best_candidate_is_built(seed, condition, rank, content, name) -> None:  # type: ignore[no-untyped-def]
    values = {number: measured(content, name, number) for number in range(40)}
    good = [n for n, item in values.items() if item is not None and condition(item)]
    best = max(good, key=lambda number: (rank(values[number]), -number))
    build = Build(searching(seed, content, name))
    level, _ = build.level()
    assert build.seed_result is not None
    assert (level.seed, build.seed_result.number) == (candidate_seed(name, best), best)
    plain = exporter.build_level(searching(str(level.seed), content, name))
    assert np.array_equal(plain.layers["ground"].cells, level.layers["ground"].cells)
    assert plain.objects == level.objects


def test_levels_of_other_names_find_other_seeds() -> None:
    seeds = {
        exporter.build_level(searching("{search: 9, best: farthest}", name=name)).seed
        for name in ("one", "two", "three")
    }
    assert len(seeds) > 1


def fault(seed: str, content: bytes = CAVES) -> str:
    with pytest.raises(SpecError) as caught:
        exporter.build_level(searching(seed, content))
    (problem,) = caught.value.problems
    return problem.render()


def test_when_none_will_do_the_nearest_is_named_at_the_condition() -> None:
    values = {number: measured(CAVES, "caves", number) for number in range(30)}
    best = max(values, key=lambda number: (values[number]["farthest"], -number))
    text = fault("{search: 30, where: farthest >= 900}")
    assert text.startswith("caves.level.yaml:4:27: error: none of 30 levels satisfies this")
    assert f"the seed {candidate_seed('caves', best)}: farthest >= 900 fails" in text
    assert f"(farthest is {values[best]['farthest']})" in text


def test_when_none_can_be_built_the_first_reason_is_reported() -> None:
    content = CROWDED.replace(b"count: 4", b"count: 60")
    text = fault("{search: 5, best: farthest}", content)
    assert "none of 5 levels can be built and measured; 5 failed, first with: " in text
    assert "chest" in text


@each_case(
    ("seed", "word", "words"),
    [
        ("{search: 5}", "search", "add `best: farthest`"),
        ("{search: 5, where: farthest >= 3 and flor > 1}", "flor", "did you mean 'floor'"),
        ("{search: 5, where: 'farthest >= 3 and flor > 1'}", "flor", "did you mean 'floor'"),
        ("{search: 5, best: farthest > 3}", "farthest", "this is a condition, not a number"),
        ("{search: 5, best: objects.chest}", "objects", "unknown object 'chest'"),
        ("{search: 5, best: exposure_mean}", "exposure", "needs the level's `visibility:`"),
        ("{search: 0, best: farthest}", "0", "allowed: 1 to 1000000"),
        ("{serch: 5, best: farthest}", "serch", "did you mean 'search'"),
        ("[1, 2]", "[", "not a list"),
    ],
)
def test_faults_stand_at_their_position_inside_the_text(seed: str, word: str, words: str) -> None:
    with pytest.raises(SpecError) as caught:
        searching(seed)
    (problem,) = caught.value.problems
    assert words in problem.message
    assert (problem.line, problem.column) == (4, len("seed: ") + seed.index(word) + 1)


def test_a_fault_in_a_text_over_several_lines_is_reported_at_its_beginning() -> None:
    content = CAVES + b"seed:\n  search: 5\n  where: >\n    farthest > 3\n    and flor > 1\n"
    with pytest.raises(SpecError, match="did you mean 'floor'") as caught:
        parse_level(content, "x.level.yaml")
    assert caught.value.line == 6


def steps_of(spec: exporter.LevelSpec, cache: MemoryCache) -> list[str]:
    steps: list[str] = []
    build = Build(spec, cache=cache, before_step=lambda step, path: steps.append(step))
    build.level()
    cache.keep(build)
    return [step for step in steps if "search" in step]


def test_a_search_is_done_again_only_if_its_result_may_change() -> None:
    cache = MemoryCache()
    first = searching("{search: 33, best: farthest}")
    assert len(steps_of(first, cache)) == 3  # reported every 16 candidates
    assert steps_of(first, cache) == []
    commented = parse_level(b"# new\n" + first.document.text.encode(), "caves.level.yaml")
    assert steps_of(commented, cache) == []
    for text in (
        first.document.text.replace("33", "34"),
        first.document.text.replace("42", "43"),
        first.document.text.replace("20, 14", "20, 15"),
        first.document.text.replace("best: farthest", "best: -farthest"),
    ):
        assert steps_of(parse_level(text.encode(), "caves.level.yaml"), cache)
    assert steps_of(parse_level(first.document.text.encode(), "other.level.yaml"), cache)


PARTS = """size: [20, 14]
seed: {search: 33, best: %s}
layers:
  ground: {generator: cellular_caves}
  back: {generator: cellular_caves, role: picture}
objects: [{name: chest, required: false, count: 2}]
puzzles: {vault: {kind: sudoku, clues: 40}}
tables: {things: {columns: {name: text}, rows: [[a]]}}
properties: {music: calm}
budget: {blob: 90 kB}
"""
CHANGES = [
    ("role: picture", "role: picture, wall_percent: 41"),
    ("count: 2", "count: 3"),
    ("clues: 40", "clues: 41"),
    ("[[a]]", "[[b]]"),
    ("calm", "loud"),
    ("90 kB", "91 kB"),
]


@each_case(("before", "after"), CHANGES)
def test_what_no_candidate_is_built_from_changes_without_a_search(before: str, after: str) -> None:
    assert steps_after_change("farthest", before, after) == []


def steps_after_change(best: str, before: str, after: str) -> list[str]:
    """Return the steps of a search that was done before, after a change of its spec."""
    cache = MemoryCache()
    text = PARTS % best
    assert steps_of(parse_level(text.encode(), "caves.level.yaml"), cache)
    changed = text.replace(before, after)
    assert changed != text
    return steps_of(parse_level(changed.encode(), "caves.level.yaml"), cache)


@each_case(
    ("best", "before", "after"),
    [
        ("objects.chest", "count: 2", "count: 3"),
        ("blob_bytes", "clues: 40", "clues: 41"),
        ("farthest", "required: false", "required: true"),
        ("farthest", "role: picture", "role: play"),
        ("farthest", "budget:", "require: {dead_ends: {at_most: 9}}\nbudget:"),
    ],
)
def test_what_a_candidate_is_built_from_is_searched_again(
    best: str, before: str, after: str
) -> None:
    assert steps_after_change(best, before, after)


def test_a_search_depends_on_the_files_of_the_spec(tmp_path: Path) -> None:
    from PIL import Image

    Image.new("L", (20, 14), 255).save(tmp_path / "a.png")
    path = tmp_path / "x.level.yaml"
    path.write_text(
        "size: [20, 14]\nseed: {search: 3, best: farthest}\n"
        "layers: {ground: {generator: from_image, image: a.png}}\n"
    )
    cache = MemoryCache()
    assert steps_of(exporter.load_level(path), cache)
    assert steps_of(exporter.load_level(path), cache) == []
    Image.new("L", (20, 14), 99).save(tmp_path / "a.png")
    assert steps_of(exporter.load_level(path), cache)


def test_a_search_costs_as_much_as_its_levels() -> None:
    plain = sum(estimated_cost.seconds for estimated_cost in estimated_costs(searching("1")))
    spec = searching("{search: 1000000, best: farthest}")
    assert estimated_costs(spec)[0].seconds == pytest.approx(1_000_000 * plain)
    with pytest.raises(SpecError, match="takes about") as caught:
        check_costs(spec, 10)
    assert (caught.value.line, caught.value.column) == (4, 16)


def test_what_no_metric_needs_is_not_built() -> None:
    content = b"""size: [20, 14]
layers:
  base: {generator: cellular_caves}
  other: {generator: drunkard}
  ground: {generator: union, of: [base, other]}
  heights: {generator: heightmap}
  notes: {generator: maze, role: data}
  limited: {generator: maze, role: data, require: {connected: true}}
  seen: {generator: exposure, of: ground}
visibility: {radius: 4}
objects:
  - {name: chest, required: false}
puzzles: {lock: {kind: sudoku}}
"""
    content = content.replace(b"of: [base, other]", b"layers: [base, other]")
    spec = parse_level(content, "x.level.yaml")
    part = prune_to_dependencies(spec, named_metrics(["farthest"]))
    assert list(part.layers) == ["base", "other", "ground", "limited"]
    assert (part.objects, part.puzzles) == ((), {})
    names = ["farthest", "floor", "objects.chest", "exposure_mean", "blob_bytes"]
    for chosen in (names[:1], names[:2], names[:3], names[:4], names):
        trials = Trials(spec, named_metrics(chosen), Build)
        for seed in range(3):
            level = exporter.build_level(spec.with_seed(seed))
            values = trials.run(seed).values
            assert values == tuple(exporter.measure(level, chosen).values())


def test_sight_is_computed_only_if_a_metric_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = parse_level(CAVES + b"visibility: {radius: 8}\n", "x.level.yaml")
    requested: list[str] = []
    monkeypatch.setattr(
        "exporter.build.level_steps.compute_sight",
        lambda request: requested.append("sight") or (_ for _ in ()).throw(ValueError("asked")),
    )
    assert Trials(spec, named_metrics(["farthest"]), Build).run(1).values is not None
    assert requested == []
    assert Trials(spec, named_metrics(["exposure_mean"]), Build).run(1).failure == "asked"


def test_candidates_that_break_what_is_required_show_the_nearest() -> None:
    content = CAVES + b"require: {farthest: {at_least: 900}}\n"
    values = {number: measured(CAVES, "caves", number) for number in range(10)}
    best = max(values, key=lambda number: (values[number]["farthest"], -number))
    text = fault("{search: 10, best: floor}", content)
    assert f"the nearest has the seed {candidate_seed('caves', best)}: farthest is " in text
    assert "(required: at least 900))" in text
    assert "failed" not in text


def test_candidates_for_which_a_condition_has_no_value_did_not_fail_to_be_built() -> None:
    text = fault("{search: 5, where: floor / 0 > 1}")
    assert (
        "none of 5 levels satisfies this; 5 have no value, first: the expression divides by zero"
        in text
    )


def test_hand_edits_are_in_every_candidate_and_are_named_if_none_will_do(tmp_path: Path) -> None:
    path = tmp_path / "caves.level.yaml"
    path.write_bytes(CAVES + b"seed: {search: 20, best: farthest}\n")
    cache = MemoryCache()
    before = Build(exporter.load_level(path), cache=cache)
    before.prepare()
    cache.update(before.stages.unsaved)
    assert before.seed_result is not None
    cells = before.layers["ground"].cells
    names = {tile.id: tile.name for tile in before.layers["ground"].tiles}
    walls = [
        exporter.CellEdit(at=(x, 5), was=names[int(cells[5, x])], now="wall")
        for x in range(cells.shape[1])
    ]
    exporter.write_edits(path, {"ground": walls})
    spec = exporter.load_level(path)
    after = Build(spec, cache=cache)
    after.prepare()
    assert after.seed_result is not None
    alone = Build(spec)
    alone.prepare()
    assert after.seed_result == alone.seed_result
    assert after.seed_result.metrics != before.seed_result.metrics
    path.write_bytes(CAVES + b"seed: {search: 5, where: farthest >= 900}\n")
    with pytest.raises(SpecError) as caught:
        exporter.build_level(exporter.load_level(path))
    assert f"every one has the {len(walls)} hand edits" in caught.value.problems[0].message
