"""The required distance from objects: its figure, its report, and its users."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import exporter
import slow_overlays as slow
from cases import each_case
from exporter.build.build import Build, build_level
from exporter.build.requirements import UnmetError
from exporter.build.trials import Trials
from exporter.explore.candidates import spread_candidate
from exporter.explore.proofs import SeedProver
from exporter.measures.names import named_metrics
from exporter.model.errors import SpecError
from exporter.reading.reader import parse_level
from spec_problems import problems_in

LEVEL = """\
size: [30, 20]
seed: {seed}
layers:
  ground: {{generator: {generator}}}
objects:
  - {{name: player, {player}}}
  - {{name: ghost, room: attic, required: false}}
require: {{{require}}}
"""


def messages_of(
    require: str, player: str = "count: 1", seed: int = 1, generator: str = "cellular_caves"
) -> list[str]:
    text = LEVEL.format(require=require, player=player, seed=seed, generator=generator)
    return problems_in(lambda: build_level(parse_level(text.encode(), "crypt.level.yaml")))


def farthest_from_players(player: str, seed: int) -> int:
    """Steps from the nearest player to the farthest cell, by a plain breadth-first search."""
    text = LEVEL.format(
        require="max_floor: 1", player=player, seed=seed, generator="cellular_caves"
    )
    level = build_level(parse_level(text.encode(), "crypt.level.yaml"))
    walkable = level.walkable()
    steps = slow.steps(
        walkable, [(item.x, item.y) for item in level.objects if item.name == "player"]
    )
    return max((steps[x, y] for x, y in steps if walkable[y, x]), default=0)


@each_case("player", ["count: 1", "count: 4", "on_tile: wall, count: 40", "clear_radius: 1"])
def test_the_distance_counts_from_the_nearest_of_the_objects(player: str) -> None:
    figures = set()
    for seed in range(4):
        steps = farthest_from_players(player, seed)
        figures.add(steps)
        assert messages_of(f"min_distance: {steps}, start: player", player, seed) == []
        assert messages_of(f"min_distance: {steps + 1}, start: player", player, seed) == [
            f"8:25: layer 'ground': the farthest cell is {steps} steps away from 'player' "
            f"(required: {steps + 1})"
        ]
    assert len(figures) > 1


def test_without_a_start_it_counts_from_the_first_cell_as_before() -> None:
    (message,) = messages_of("min_distance: 999")
    assert message.startswith("8:25: layer 'ground': the farthest cell is ")
    assert message.endswith(" steps away (required: 999)")
    assert message != messages_of("min_distance: 999, start: player")[0].replace(
        " from 'player'", ""
    )


@each_case(
    ("require", "messages"),
    [
        ("min_distance: 5, start: plaier",
         ["8:35: unknown object 'plaier' (did you mean 'player'?)"]),
        ("start: player",
         ["8:18: 'start' needs 'min_distance' (as in `{min_distance: 60, start: player}`)"]),
        ("min_distance: 5, start: ghost, max_floor: 0",
         [
             "8:35: no object 'ghost' is placed",
             "8:53: layer 'ground': the share of walkable cells is 0.6783 (required: 0.0)",
         ]),
        ("min_distance: 5, start: [player]",
         ["8:35: expected a name, not a list (write player without the brackets)"]),
        ("min_distance: 5, from: player", ["8:28: unknown key 'from' (did you mean 'start'?)"]),
    ],
)  # fmt: skip
def test_a_start_that_is_none_is_reported_at_its_position(
    require: str, messages: list[str]
) -> None:
    assert messages_of(require) == messages


def test_a_layer_has_no_objects_to_start_from() -> None:
    generator = "cellular_caves, require: {min_distance: 3, start: player}"
    assert messages_of("max_floor: 1", generator=generator) == [
        "4:66: `start` cannot be used in a layer: objects are placed when all layers are made "
        "(write `require: {min_distance: 60, start: player}` at the left margin)"
    ]


def test_objects_that_were_moved_by_hand_count_from_where_they_stand(tmp_path: Path) -> None:
    path = tmp_path / "crypt.level.yaml"
    text = LEVEL.format(
        require="min_distance: 999, start: player",
        player="at: [1, 1], on_tile: wall",
        seed=1,
        generator="blank, tile: wall",
    )
    path.write_text(text.replace("  - {name: ghost, room: attic, required: false}\n", ""))
    with pytest.raises(UnmetError, match="the farthest cell is 0 steps away from 'player'"):
        build_level(exporter.load_level(path))
    floor = text.replace("blank, tile: wall", "blank, tile: floor").replace(", on_tile: wall", "")
    path.write_text(floor.replace("  - {name: ghost, room: attic, required: false}\n", ""))
    with pytest.raises(UnmetError, match="the farthest cell is 46 steps away from 'player'"):
        build_level(exporter.load_level(path))
    edits = "objects:\n  - {name: player, ordinal: 1, was: [1, 1], now: [15, 10]}\n"
    (tmp_path / "crypt.edits.yaml").write_text(edits)
    with pytest.raises(UnmetError, match="the farthest cell is 25 steps away from 'player'"):
        build_level(exporter.load_level(path))


def spec_for_search(required: str):  # type: ignore[no-untyped-def]
    text = LEVEL.format(
        require="min_distance: 30, start: player",
        player=f"required: {required}",
        seed=1,
        generator="cellular_caves",
    )
    return parse_level(text.encode(), "crypt.level.yaml")


@pytest.mark.parametrize("required", ["true", "false"])
def test_a_search_keeps_the_objects_that_are_measured_from(required: str) -> None:
    """Without them every candidate would fail, or none."""
    spec = spec_for_search(required)
    trials = Trials(spec, tuple(named_metrics(["farthest"])), Build)
    result = set()
    for seed in range(30):
        attempted = trials.run(seed)
        try:
            build_level(spec.with_seed(seed))
        except UnmetError as error:
            assert (attempted.failure, attempted.distance) == (
                error.problems[0].message,
                error.distance,
            )
            assert 0 < error.distance < 1
        else:
            assert attempted.values is not None
        result.add(attempted.values is None)
    assert result == {True, False}


def test_a_layer_that_brings_objects_may_have_any_name_until_it_is_built(tmp_path: Path) -> None:
    import hand_tiled

    cells = np.ones((6, 8), np.uint32)
    hero = {"name": "hero", "x": 24, "y": 24, "point": True}
    layers = (hand_tiled.layer("Walls", cells), hand_tiled.things("Things", hero))
    tiles = hand_tiled.tileset({0: {"type": "floor"}, 1: {"type": "wall"}})
    (tmp_path / "walls.tsj").write_bytes(hand_tiled.tileset_file(tiles))
    drawn = hand_tiled.drawn(*layers, tilesets=[{"firstgid": 1, "source": "walls.tsj"}])
    (tmp_path / "village.tmj").write_bytes(drawn)
    for start, message in (
        ("hero", "6:25: error: layer 'ground': the farthest cell is "),
        ("heroo", "6:36: error: unknown object 'heroo' (did you mean 'hero'?)"),
    ):
        path = tmp_path / "crypt.level.yaml"
        path.write_text(
            "size: [8, 6]\nlayers:\n  ground:\n    generator: from_tiled\n"
            "    file: village.tmj\n"
            f"require: {{min_distance: 99, start: {start}}}\n"
        )
        with pytest.raises(SpecError) as caught:
            build_level(exporter.load_level(path))
        assert f"{path}:{message}" in str(caught.value)


def test_proofs_try_other_seeds_with_the_start() -> None:
    spec = spec_for_search("true")
    proof = SeedProver(spec, 40).run(jobs=1)
    seeds = [spread_candidate(spec.level, number, 0).seed for number in range(40)]
    assert proof.failed == tuple(seed for seed in seeds if not _meets_limits(spec, seed))
    assert 0 < proof.passed < 40


def _meets_limits(spec, seed: int) -> bool:  # type: ignore[no-untyped-def]
    try:
        build_level(spec.with_seed(seed))
    except UnmetError:
        return False
    return True
