"""Large levels in real Godot: they open without a line in the log, and are the level."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine_harness import Godot
from engine_harness.playable import (
    TILE,
    Answer,
    Probe,
    ask,
    crossings,
    export_godot,
    failed_paths,
    new_game,
    random_pairs,
    wrong_cells,
)
from exporter.build.build import build_level
from exporter.geometry.outlines import outlines
from exporter.model.level import Level
from exporter.reading.reader import parse_level

HARNESS = Path(__file__).parent / "engine_harness"
VISIT = HARNESS / "visit_level.gd"
NEAREST = HARNESS / "nearest_chunks.gd"
# Above the 200,000 cells up to which all nodes are in the scene: 10 x 7 chunks of 64 x 64, those at
# the edges cut off, and more than may be open.
WIDTH, HEIGHT = 580, 385
SPEC = f"""
size: [{WIDTH}, {HEIGHT}]
seed: 3
layers:
  ground: {{generator: cellular_caves, connect: guaranteed}}
""".encode()
# Godot looks at 4,096 polygons for a path by default, so not at all of the map.
NEAR_CELLS = 100
MOST_POLYGONS = 1_000_000
PAIRS = 100
CORNERS = {
    "upper left": (0, 0),
    "middle": (201, 187),
    "lower right": (WIDTH - 70, HEIGHT - 60),
}
AREA = (60, 70)
# Places of the camera in cells, and its zoom.
VISITS = ((30, 25, 1.0), (290, 190, 1.0), (577, 383, 1.0), (290, 190, 0.02), (30, 25, 1.0))


@pytest.fixture(scope="module")
def level() -> Level:
    return build_level(parse_level(SPEC, "large.level.yaml"))


@pytest.fixture(scope="module")
def project(godot: Godot, level: Level, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game with the level as it is exported by default, and with all nodes in the scene."""
    folder = new_game(godot, tmp_path_factory.mktemp("large"))
    assert export_godot(level, folder) == ()
    assert export_godot(replace(level, name="whole"), folder, chunks="never") == ()
    godot.import_project(folder)
    return folder


def probes(level: Level) -> dict[tuple[str, str], Probe]:
    """Questions about the cells in parts of the level, and in one also about paths."""
    result = {
        (name, where): Probe(name, AREA, CORNERS[where])
        for name, where in product(("large", "whole"), CORNERS)
        if name == "large" or where == "upper left"
    }
    near = level.walkable().copy()
    near[NEAR_CELLS:] = near[:, NEAR_CELLS:] = False
    pairs = random_pairs(near, PAIRS)
    for name in ("large", "whole"):
        result[name, "upper left"] = replace(result[name, "upper left"], pairs=pairs)
    result["large", "middle"] = replace(
        result["large", "middle"],
        pairs=random_pairs(level.walkable(), PAIRS),
        most_polygons=MOST_POLYGONS,
    )
    return result


@pytest.fixture(scope="module")
def answers(godot: Godot, level: Level, project: Path) -> dict[tuple[str, str], Answer]:
    requested = probes(level)
    return dict(zip(requested, ask(godot, project, requested.values()), strict=True))


def test_a_large_level_is_solid_and_free_everywhere_not_only_near_the_view(
    answers: dict[tuple[str, str], Answer], level: Level
) -> None:
    for (_, where), answer in answers.items():
        x, y = CORNERS[where]
        mask = level.walkable()[y : y + AREA[0], x : x + AREA[1]]
        assert 0 < mask.sum() < mask.size
        assert wrong_cells(answer, mask) == []


def test_paths_in_a_large_level_end_at_their_targets(
    answers: dict[tuple[str, str], Answer], level: Level
) -> None:
    requested = {key: probe for key, probe in probes(level).items() if len(probe.pairs)}
    assert list(requested) == [
        ("large", "upper left"),
        ("large", "middle"),
        ("whole", "upper left"),
    ]
    for key, probe in requested.items():
        assert answers[key].polygons > 4096
        assert failed_paths(answers[key], probe) == []
        assert crossings(answers[key], level.walkable()) == []


@pytest.fixture(scope="module")
def visits(godot: Godot, project: Path) -> list[dict[str, Any]]:
    """Return the nodes at each position of the camera, in a window of the usual size."""
    places = [{"x": x * TILE, "y": y * TILE, "zoom": zoom} for x, y, zoom in VISITS]
    answer: list[dict[str, Any]] = godot.query(
        project,
        VISIT,
        {"scene": "res://levels/large.tscn", "visits": places},
        window=(1152, 648),
    )
    return answer


def test_tiles_and_occluders_in_view_are_the_levels(
    visits: list[dict[str, Any]], level: Level
) -> None:
    cells = level.layers["ground"].cells
    for position, visit in zip(VISITS, visits, strict=True):
        displayed = np.full(cells.shape, -1)
        for chunk in visit["open"]:
            assert chunk["known"]
            x, y = chunk["first"]
            part = displayed[y : y + 64, x : x + 64]
            for column, row, number in chunk["layers"]["ground"]:
                part[row, column] = number
            np.testing.assert_array_equal(part, cells[y : y + 64, x : x + 64])
            assert rings(chunk["rings"]) == expected_rings(level, x, y)
        if position[2] == 1:
            left, top, right, bottom = (np.array(visit["view"]) / TILE).astype(int).tolist()
            seen = displayed[max(top, 0) : bottom + 1, max(left, 0) : right + 1]
            assert seen.size > 500
            assert (seen >= 0).all()


def rings(corners: list[list[list[float]]]) -> list[list[list[float]]]:
    return sorted([[x / TILE, y / TILE] for x, y in ring] for ring in corners)


def expected_rings(level: Level, x: int, y: int) -> list[list[list[float]]]:
    result = outlines(level.opaque()[y : y + 64, x : x + 64])
    return sorted(ring.tolist() for ring in np.split(result.vertices, result.rings[1:-1]))


def test_only_what_is_near_the_view_is_there(visits: list[dict[str, Any]]) -> None:
    chunks = -(-WIDTH // 64) * -(-HEIGHT // 64)
    for position, visit in zip(VISITS, visits, strict=True):
        open_ = len(visit["open"])
        assert visit["opened"] - visit["closing"] == open_
        if position[2] == 1:
            assert 0 < open_ < chunks / 2
            assert not visit["overview"]
    assert visits[2]["closing"] > 0
    firsts = [{tuple(chunk["first"]) for chunk in visit["open"]} for visit in visits]
    assert firsts[0] <= firsts[-1]
    assert not firsts[0] & firsts[1]


def test_the_overview_is_displayed_when_more_is_in_view_than_may_be_open(
    visits: list[dict[str, Any]],
) -> None:
    far = visits[3]
    assert far["overview"]
    assert len(far["open"]) == 64


def test_the_chunks_nearest_to_the_middle_of_the_view_are_opened(
    godot: Godot, project: Path
) -> None:
    arguments = {"scene": "res://levels/large.tscn", "trials": 400}
    answer: dict[str, Any] = godot.query(project, NEAREST, arguments)
    assert answer["cut"] > 100
    assert answer["wrong"] == []
