"""Shadows of merged occluders in real Godot: those of a square in every tile, on screenshots."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from engine_harness import Godot
from engine_harness.levels import layer_of
from engine_harness.playable import TILE, export_godot
from exporter.generators import GENERATORS, Request
from exporter.model.level import Level, Tile
from exporter.streams import open_stream

DRAW = Path(__file__).parent / "engine_harness" / "draw_by_lamps.gd"
HEIGHT, WIDTH = 30, 52
LAMPS = 4
RIM_PIXELS = HEIGHT * WIDTH * TILE * TILE // 10_000
VALUES = ("merged", "tiles", "none")
TILES = (
    Tile(0, "floor", True, False, "#c8b090"),
    Tile(1, "wall", False, True, "#606870"),
    # Light passes over water, and not through a closed door, which can be walked through.
    Tile(2, "water", False, False, "#3366cc"),
    Tile(3, "door", True, True, "#805020"),
)


def cave() -> np.ndarray:
    entry = GENERATORS.get("cellular_caves")
    stream = open_stream("portable", 5, "ground")
    result = entry.generate(entry.parameters(), Request("ground", WIDTH, HEIGHT, stream))
    return (result.cells != 0).astype(int)


def noise() -> np.ndarray:
    # All kinds of tiles, walls that touch at corners only, holes in walls.
    return np.random.default_rng(3).choice(4, (HEIGHT, WIDTH), p=[0.7, 0.18, 0.08, 0.04])


def pillars_and_ring() -> np.ndarray:
    cells = np.zeros((HEIGHT, WIDTH), int)
    cells[3::6, 3::6] = 1
    cells[[0, -1]] = 1
    cells[:, [0, -1]] = 1
    cells[10:20, 20:30] = 1
    cells[12:18, 22:28] = 0
    return cells


def checkers() -> np.ndarray:
    return np.indices((HEIGHT, WIDTH)).sum(axis=0) % 2


MAPS: dict[str, Callable[[], np.ndarray]] = {
    "cave": cave,
    "noise": noise,
    "pillars": pillars_and_ring,
    "checkers": checkers,
}


def lamps_over(cells: np.ndarray) -> list[list[float]]:
    """Places of lamps over floor, in pixels; the first is in the middle of the map if it can be."""
    rows, columns = np.nonzero(cells == 0)
    chosen = np.random.default_rng(2).integers(0, len(rows), LAMPS)
    chosen[0] = np.argmin(abs(rows - HEIGHT // 2) + abs(columns - WIDTH // 2))
    places = np.stack([columns, rows], 1)[chosen] + 0.5
    # Not all of them in the middle of a cell.
    places[1::2] += [0.23, -0.31]
    result: list[list[float]] = (places * TILE).tolist()
    return result


@pytest.fixture(scope="module")
def pictures(godot: Godot, tmp_path_factory: pytest.TempPathFactory) -> dict[str, np.ndarray]:
    """Return the pictures of every map with every kind of occluders."""
    project = godot.new_project(tmp_path_factory.mktemp("shadows"))
    folder = tmp_path_factory.mktemp("pictures")
    questions = []
    for name, draw in MAPS.items():
        cells = draw()
        layer = layer_of("ground", cells.astype(np.uint8), TILES)
        level = Level(name, WIDTH, HEIGHT, layers={"ground": layer})
        for value in VALUES:
            item = replace(level, name=f"{name}_{value}")
            assert export_godot(item, project, occlusion=value) == ()
            questions.append(
                {
                    "scene": f"res://levels/{item.name}.tscn",
                    "lamps": lamps_over(cells),
                    "file": str(folder / f"{item.name}.png"),
                }
            )
    godot.import_project(project)
    godot.query(
        project, DRAW, {"pictures": questions}, window=(WIDTH * TILE, HEIGHT * TILE), seconds=300
    )
    return {
        Path(question["file"]).stem: np.array(Image.open(question["file"]).convert("RGB"))
        for question in questions
    }


@pytest.mark.parametrize("name", MAPS)
def test_shadows_are_those_of_a_square_in_every_tile(
    pictures: dict[str, np.ndarray], name: str
) -> None:
    merged, of_tiles = pictures[f"{name}_merged"], pictures[f"{name}_tiles"]
    assert merged.shape == (HEIGHT * TILE, WIDTH * TILE, 3)
    different = (merged != of_tiles).any(axis=2)
    # Godot draws edges into a shadow map: a long one and its parts are rounded apart, so that
    # single pixels at the rims of shadows may differ.
    assert different.sum() <= RIM_PIXELS
    neighbours = sum(np.roll(different, shift, axis) for shift in (1, -1) for axis in (0, 1))
    assert (different & (neighbours > 2)).sum() == 0


@pytest.mark.parametrize("name", MAPS)
def test_without_occluders_there_is_no_shadow(pictures: dict[str, np.ndarray], name: str) -> None:
    # So the pictures above would show a difference.
    lit, shaded = pictures[f"{name}_none"].astype(int), pictures[f"{name}_merged"].astype(int)
    darker = (lit - shaded).max(axis=2) > 40
    assert darker.sum() > lit[:, :, 0].size / 50
    assert (shaded.max(axis=2) > 60).any()
