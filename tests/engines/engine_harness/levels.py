"""An awkward level, and a writer of exported files.

Odd sizes, ids that leave gaps and pass 255, ids the legend lacks, names with accents and spaces,
objects on the edges, heights that go below zero and are not square.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter.formats import Artifact
from exporter.formats._rooms import layer_rooms
from exporter.model.level import HeightRange, Layer, Level, PlacedObject, Tile
from exporter.targets import TARGETS, Exported

WIDTH, HEIGHT = 37, 23

TERRAIN = (
    Tile(0, "void", False, False, "#00000000"),
    Tile(1, "wall", False, True, "#202428ff"),
    Tile(2, 'grass "tall"', True, True, "#4c9a4880"),
    Tile(7, "water", False, False, "#3366cc"),
    Tile(9, "floor", True, False, "#c8b090"),
)
MARKS = (
    Tile(1, "mark", True, False, "#ff00ff"),
    Tile(300, "far id", True, False, "#00ffff"),
    Tile(65535, "last id", False, True, "#ffff00"),
)


def awkward_level() -> Level:
    """Return the level; always the same one."""
    y, x = np.indices((HEIGHT, WIDTH))
    noise = (x * 7919 + y * 104729 + x * y * 31) >> 3
    terrain = np.array([tile.id for tile in TERRAIN], np.uint8)[noise % len(TERRAIN)]
    marks = np.zeros((HEIGHT, WIDTH), np.uint16)
    marks[noise % 5 == 0] = 1
    marks[noise % 7 == 0] = 300
    marks[-1, -1] = marks[0, 0] = 65535
    relief = ((x[:17, :21] * 4001 + y[:17, :21] * 2999) % 65536).astype(np.uint16)
    relief[0, 0], relief[-1, -1] = 0, 65535
    layers = [
        layer_of("ground", terrain, TERRAIN),
        layer_of("märks 2", marks, MARKS),
        Layer(
            "relief",
            "heights",
            relief,
            generator="test",
            heights=HeightRange(-12.5, 301.25, "metres"),
            grid_aligned=False,
        ),
    ]
    objects = (
        PlacedObject(1, "stairs_up", 0, 0, {}),
        PlacedObject(
            2, "chest", WIDTH - 1, HEIGHT - 1, {"gold": 250, "locked": True, "note": 'a "b"\nc'}
        ),
        PlacedObject(3, "chest", 5, 0, {"weight": 0.1, "owner": None}),
    )
    return Level(
        "crypt",
        WIDTH,
        HEIGHT,
        seed=7,
        layers={layer.name: layer for layer in layers},
        objects=objects,
        properties={"music": "drip", "depth": 3, "dark": True},
    )


def layer_of(name: str, cells: np.ndarray, tiles: tuple[Tile, ...]) -> Layer:
    """Return a tile layer whose walkable cells are those of its legend."""
    layer = Layer(name, "tiles", cells, generator="test", tiles=tiles)
    object.__setattr__(layer, "walkable", layer.lookup([tile.walkable for tile in tiles]))
    return layer


def write_level(
    engine: str, level: Level, folder: Path, path: str = "levels", **options: Any
) -> Exported:
    """Export a level for an engine into a folder; its files refer to `path`."""
    target = TARGETS.get(engine)
    exported = target.export(level, target.options(path=path, **options), path)
    write_artifacts(exported.artifacts, folder)
    return exported


def write_artifacts(artifacts: Iterable[Artifact], folder: Path) -> None:
    """Write the files of an export, in its order, as the store does."""
    for artifact in artifacts:
        path = folder / artifact.name
        if artifact.once and path.exists():
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(artifact.data)


def expected_meanings(layer: Layer) -> list[tuple[int, str] | None]:
    """Return id and name of every cell in order, None where nothing is drawn."""
    known = {tile.id: (tile.id, tile.name) for tile in layer.tiles}
    return [known.get(cell) for cell in layer.cells.ravel().tolist()]


def same_picture(drawn: NDArray[np.uint8], expected: NDArray[np.uint8]) -> None:
    """Assert that two RGBA pictures agree: exactly where no colour is half transparent.

    Painting half-transparent colours rounds once in an engine's premultiplied colours.
    """
    assert drawn.shape == expected.shape
    solid = np.isin(expected[:, :, 3], (0, 255))
    np.testing.assert_array_equal(drawn[solid], expected[solid])
    np.testing.assert_array_equal(drawn[:, :, 3], expected[:, :, 3])
    np.testing.assert_allclose(drawn[~solid].astype(int), expected[~solid].astype(int), atol=2)


def sight_maps(count: int) -> list[NDArray[np.bool_]]:
    """Random maps of all densities and odd sizes; some single rows, columns and cells."""
    random = np.random.default_rng(11)
    shapes = [(1, 1), (1, 9), (9, 1), (2, 2)]
    shapes += [tuple(random.integers(3, 34, 2).tolist()) for _ in range(count - len(shapes))]
    return [random.random(shape) < random.choice([0, 0.08, 0.25, 0.5, 1]) for shape in shapes]


def expected_rooms(layer: Layer) -> list[dict[str, Any]]:
    """Return the rooms of a layer as readers in engines return them."""
    return [
        {
            "name": node.room.name,
            "layer": layer.name,
            "position": [node.room.x, node.room.y],
            "size": [node.room.width, node.room.height],
            "center": list(node.room.center),
            "neighbours": list(node.neighbours),
            "doors": [list(door) for door in node.doors],
        }
        for node in layer_rooms(layer)
    ]


def expected_connections(layer: Layer) -> list[dict[str, Any]]:
    """Return the connections of a layer as readers in engines return them."""
    return [
        {"rooms": list(it.rooms), "cell": [it.x, it.y], "kind": it.kind} for it in layer.connections
    ]
