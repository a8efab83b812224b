"""Regions of worlds: joined as in a level, with their requirements."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from cases import each_case
from exporter.build.build import build_level
from exporter.build.requirements import UnmetError
from exporter.build.world import World
from exporter.build.world_making import WorldMaker
from exporter.build.world_surveying import WorldSurveys
from exporter.build.world_surveys import decode_surveyed, encode_surveyed, joined_surveys
from exporter.grids.certificates import certify
from exporter.grids.parted_joins import meetings_of_part
from exporter.model.errors import SpecError
from exporter.model.windows import Window
from exporter.reading.level_spec import LevelSpec
from exporter.reading.reader import parse_level
from world_parts import differences


def spec_of(body: str, size: str = "[120, 90]", chunk: int = 16, seed: int = 1) -> LevelSpec:
    text = f"size: {size}\nseed: {seed}\nchunk: 64\n{body}"
    return replace(parse_level(text.encode(), "w.level.yaml"), chunk=chunk)


def messages_of(body: str, size: str = "[120, 90]") -> list[str]:
    with pytest.raises(SpecError) as caught:
        spec_of(body, size)
    return [f"{problem.line}: {problem.message}" for problem in caught.value.problems]


@each_case("seed", range(2))
@each_case("walls", [35, 48, 60, 100])
def test_regions_are_joined_as_in_the_whole(seed: int, walls: int) -> None:
    body = (
        f"layers:\n  a: {{generator: cellular_caves, wall_percent: {walls}, blank_rows: 0, "
        "connect: guaranteed}\n  b: {generator: outline, of: a}\n"
    )
    spec = spec_of(body, seed=seed)
    assert differences(build_level(spec), World(spec)) == []


FAR_APART = [
    [(20, 20), (80, 25), (22, 70)],
    [(20, 20), (20, 44), (21, 70), (90, 70)],
    [(0, 0), (99, 79)],  # only along the border of the world
    [(0, 0), (50, 40), (99, 0), (0, 79), (99, 79), (40, 0)],
]


@each_case("chunk", [16, 64])
@each_case("cells", FAR_APART)
def test_regions_far_apart_are_joined_with_larger_halos(
    cells: list[tuple[int, int]], chunk: int
) -> None:
    spec = spec_of(islands(cells), "[100, 80]", chunk)
    whole = build_level(spec)
    assert differences(whole, World(spec)) == []
    certificate = whole.layers["a"].certificate
    assert certificate is not None
    assert (certificate.regions_before, certificate.regions_after) == (len(cells), 1)


@each_case(
    ("chunk", "cells"),
    [
        (16, [(20, 20), (20, 110), (110, 90), (200, 70)]),
        (64, [(5, 5), (110, 9), (111, 10), (200, 40), (290, 70)]),
        # Also along the border of the world.
        (64, [(0, 0), (299, 199), *product(range(30, 300, 60), range(30, 200, 40))]),
    ],
)
def test_regions_far_apart_in_a_world_too_large_to_be_seen_are_joined_in_blocks(
    chunk: int, cells: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = spec_of(islands(cells), "[300, 200]", chunk)
    whole = build_level(spec)
    monkeypatch.setattr("exporter.build.world_blocks.MAXIMUM_CELLS", 50_000)
    assert differences(whole, World(spec)) == []


def test_a_cave_with_a_wide_rock_in_it_is_joined_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    body = (
        "layers:\n  hills: {generator: heightmap, feature_size: 90, octaves: 1, normalise: false}\n"
        "  base:\n    generator: bands\n    of: hills\n"
        "    steps: [{below: 0.5, tile: wall}, {tile: floor}]\n"
        "  caves: {generator: cellular_caves, wall_percent: 47}\n"
        "  a: {generator: mask, of: caves, by: base, connect: guaranteed}\n"
    )
    spec = spec_of(body, "[300, 200]", seed=0)
    whole = build_level(spec)
    monkeypatch.setattr("exporter.build.world_blocks.MAXIMUM_CELLS", 50_000)
    assert differences(whole, World(spec)) == []


@pytest.mark.parametrize(("at_once", "most"), [(1 << 24, 11), (40_000, 15)])
def test_regions_far_apart_cost_little_more_than_the_world(
    at_once: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("exporter.build.world_blocks.MAXIMUM_CELLS", at_once)
    result = [0]
    separate = WorldSurveys._separate

    def counted(self: WorldSurveys, step: Any, window: Window, *rest: Any) -> Any:
        result[0] += window.width * window.height
        return separate(self, step, window, *rest)

    monkeypatch.setattr(WorldSurveys, "_separate", counted)
    World(spec_of(islands([(150, 9), (150, 91)]), "[450, 100]", 16)).surveyed()
    # Each part with its first halo is 9 times its cells; with the next it would be 81 times.
    assert result[0] <= most * 450 * 100


def test_only_parts_that_lie_far_from_regions_are_looked_at_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("exporter.build.world_blocks.MAXIMUM_CELLS", 40_000)
    looked: list[Window] = []

    def seen(walkable: Any, remaining: Any, window: Window, *rest: Any) -> Any:
        looked.append(window)
        return meetings_of_part(walkable, remaining, window, *rest)

    monkeypatch.setattr("exporter.build.world_surveying.meetings_of_part", seen)
    cells = [(x, y) for y in range(5, 60, 10) for x in range(5, 400, 10) if not 200 < x < 270]
    World(spec_of(islands(cells), "[400, 60]", 16)).surveyed()
    assert looked
    assert all(item.x >= 200 - 16 and item.right <= 270 + 16 for item in looked)


def test_regions_that_no_halo_shows_are_reported_at_the_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spec = spec_of(islands([(20, 20), (20, 44), (80, 70)]), "[100, 80]")
    monkeypatch.setattr("exporter.build.world_blocks.MAXIMUM_CELLS", 7000)
    with pytest.raises(SpecError) as caught:
        World(spec).surveyed()
    (problem,) = caught.value.problems
    assert problem.source == "    connect: guaranteed"
    assert problem.message == (
        "regions of 'a' lie more than 30 cells apart, and the joins of a world are found up to "
        "that distance (bring them nearer, or remove `connect`)"
    )


def islands(cells: list[tuple[int, int]]) -> str:
    """Return layers of a world: rock with single cells of floor, which are joined."""
    at = [list(cell) for cell in cells]
    return (
        "layers:\n  rock: {generator: blank, tile: wall, role: none}\n"
        f"  a:\n    generator: stamp\n    of: rock\n    art: '.'\n    at: {at}\n"
        "    connect: guaranteed\n"
    )


def test_joins_go_around_what_is_given() -> None:
    body = (
        "layers:\n  base: {generator: voronoi, relax_rounds: 0, draw: walls, sites: 40}\n"
        "  a: {generator: cellular_caves, wall_percent: 50, never_in: base, connect: guaranteed}\n"
        "  c: {generator: cellular_caves, wall_percent: 52, fixed: base, connect: guaranteed}\n"
        "  d: {generator: mask, of: c, by: a, connect: guaranteed}\n"
        "  hills: {generator: heightmap, feature_size: 9}\n"
        "  e: {generator: bands, of: hills, steps: [{below: 0.5, tile: water}, {tile: grass}], "
        "connect: guaranteed}\n"
    )
    spec = spec_of(body, "[90, 60]")
    whole = build_level(spec)
    world = World(spec)
    assert differences(whole, world) == []
    part = world.part(0, 0, world.surveyed())
    for name, layer in whole.layers.items():
        assert part.layers[name].complete == layer.complete
        assert part.layers[name].report.get("separate_regions") == layer.report.get(
            "separate_regions"
        )
    assert not whole.layers["c"].complete


BODY = (
    "layers:\n  a: {generator: cellular_caves, wall_percent: 47}\n"
    "  b: {generator: blank, border: 3}\n"
)


@each_case("at_once", [True, False])
@each_case("seed", range(2))
def test_what_is_known_of_a_world_is_what_a_level_proves(
    at_once: bool, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not at_once:
        monkeypatch.setattr("exporter.build.world_facts.MAXIMUM_CELLS", 100)
    body = BODY.replace("}\n  b", ", require: {min_floor: 0.1}}\n  b")
    spec = spec_of(body + "require: {max_floor: 0.99}\n", seed=seed)
    world = World(spec)
    known = world.surveyed()
    assert known == decode_surveyed(encode_surveyed(known))
    facts = world.facts(known)
    whole = build_level(spec)
    for name, walkable in (("a", whole.layers["a"].walkable), ("", whole.walkable())):
        assert walkable is not None
        expected, result = certify(walkable), facts[name]
        assert result.regions == expected.regions_after
        assert (result.floor, result.cells) == (expected.floor, expected.cells)
        assert (result.dead_ends, result.start) == (expected.dead_ends, expected.start)
        assert result.farthest == (expected.farthest if at_once else None)
        assert result.chokes == (expected.chokes if at_once else None)
    world.check(known)


@each_case(
    ("limit", "said"),
    [
        ("connected: true", "separate regions (required: true)"),
        ("min_floor: 0.9", "the share of walkable cells is"),
        ("max_floor: 0.1", "the share of walkable cells is"),
        ("max_dead_ends: 0", "dead ends (required: 0)"),
        ("min_distance: 9999", "the farthest cell is"),
        ("max_chokes: 0", "choke cells"),
        ("regions: {at_most: 1}", "regions is"),
        ("floor: {at_least: 0.9}", "floor is"),
        ("dead_ends: {equals: 0}", "dead_ends is"),
        ("farthest: {at_least: 9999}", "farthest is"),
        ("chokes: {at_most: 1}", "chokes is"),
    ],
)
def test_what_a_world_does_not_keep_is_reported_at_its_line(limit: str, said: str) -> None:
    spec = spec_of(BODY + f"require:\n  {limit}\n")
    with pytest.raises(UnmetError) as caught:
        World(spec).check(World(spec).surveyed())
    (problem,) = caught.value.problems
    assert problem.line == 8
    assert problem.message.startswith("the world: ")
    assert said in problem.message
    with pytest.raises(UnmetError) as of_level:
        build_level(spec)
    # The figures are those of the level.
    assert of_level.value.distance == caught.value.distance


def test_what_a_layer_does_not_keep_is_reported_at_its_line() -> None:
    body = BODY.replace("}\n  b", ", require: {connected: true, regions: {at_most: 2}}}\n  b")
    spec = spec_of(body)
    with pytest.raises(UnmetError) as caught:
        World(spec).check(World(spec).surveyed())
    assert [problem.line for problem in caught.value.problems] == [5, 5]
    assert all(problem.message.startswith("layer 'a': ") for problem in caught.value.problems)


def test_the_order_in_which_parts_are_surveyed_makes_no_difference() -> None:
    body = BODY.replace("}\n  b", ", connect: guaranteed}\n  b") + "require: {connected: true}\n"
    world = World(spec_of(body))
    known: dict[str, bytes] = {}
    for names in world.surveys():
        left = names
        while left:
            result: dict[str, bytes] = {}
            for window in reversed(list(world.windows())):
                result = joined_surveys(result, world.survey(left, window, known))
            known |= world.settle(left, result, known)
            left = world.unsettled(left, known)
    assert known == world.surveyed()
    assert world.surveys() == [("joins a",), ("cells ",)]


@each_case("data", [b"", b"[", b"3", b'[["a"]]', b'[["a", "?"]]', b'{"a": 1}'])
def test_surveys_that_are_not_ours_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="malformed survey result"):
        decode_surveyed(data)


LARGE = "[8192, 4096]"


@each_case(
    ("body", "line", "said"),
    [
        ("layers: {a: {generator: blank}}\nrequire: {min_distance: 3}\n", 5, "33,554,432"),
        ("layers: {a: {generator: blank}}\nrequire: {max_chokes: 3}\n", 5, "33,554,432"),
        ("layers: {a: {generator: blank}}\nrequire: {farthest: {at_least: 3}}\n", 5, "33,554,432"),
        ("layers: {a: {generator: blank, require: {max_chokes: 3}}}\n", 4, "33,554,432"),
    ],
)
def test_what_has_no_exact_way_by_parts_is_refused_in_larger_worlds(
    body: str, line: int, said: str
) -> None:
    (message,) = messages_of(body, LARGE)
    assert message.startswith(f"{line}: ")
    assert said in message
    assert "16,777,216" in message
    spec_of(body, "[4096, 4096]")


def test_regions_of_larger_worlds_can_be_required() -> None:
    body = "layers: {a: {generator: blank}}\nrequire: {connected: true, regions: {at_most: 1}}\n"
    assert spec_of(body, LARGE).chunk == 16


def test_only_layers_that_can_be_walked_on_are_created_for_the_regions_of_a_world(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    body = BODY + "  c: {generator: exposure}\nvisibility: {layer: a}\nrequire: {max_floor: 0.99}\n"
    world = World(spec_of(body))
    names = ("cells ",)
    assert world.surveys() == [("extremes c", "cells ")]

    def refuse(*_: object) -> None:
        raise AssertionError("sight was computed")

    monkeypatch.setattr(WorldMaker, "_sight", refuse)
    known: dict[str, bytes] = {}
    assert world.survey(names, world.window(0, 0), known)["cells "]
