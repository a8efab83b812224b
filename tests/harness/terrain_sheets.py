"""A small sheet of terrains, drawn by code: water, sand, grass and rock with corners and blobs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exporter.grids.neighbourhoods import BLOB_MASKS
from exporter.model.level import Layer, Level, Tile
from exporter.model.tileset import TilesetOptions, TilesetSource

Color = tuple[int, int, int]

SIZE, COLUMNS, ROWS = 16, 16, 6
LEGEND = (
    Tile(0, "water", False, False, "#2b5d8c"),
    Tile(1, "sand", True, False, "#d9c07a"),
    Tile(2, "grass", True, False, "#5c9a46"),
    Tile(3, "rock", False, True, "#6d6a75"),
)
# Water in four variants, then 16 corners of sand, 16 of grass, 47 blobs of rock.
OPTIONS = TilesetOptions(
    image="terrain.png",
    tiles={"water": (0, 1, 2, 3), "sand": 16, "grass": 32, "rock": 48},
    autotile={"sand": "corners", "grass": "corners", "rock": "blob"},
    transitions=(("water", "sand", "grass", "rock"),),
)


def terrain_pixels() -> NDArray[np.uint8]:
    """Return the sheet: uint8 [96, 256, 4]."""
    pictures = np.zeros((ROWS * COLUMNS, SIZE, SIZE, 4), np.uint8)
    random = np.random.default_rng(11)
    for number in range(4):
        pictures[number] = _speckled(random, (43, 93, 140), (66, 120, 165), 6)
    for first, color, speck, rim in (
        (16, (217, 192, 122), (232, 212, 150), (176, 142, 84)),
        (32, (92, 154, 70), (120, 180, 88), (52, 104, 52)),
    ):
        ground = _speckled(random, color, speck, 9)
        for mask in range(16):
            pictures[first + mask] = _edged(ground, _corner_value(mask), rim)
    rock = _speckled(random, (109, 106, 117), (134, 130, 140), 12)
    for position, mask in enumerate(BLOB_MASKS):
        pictures[48 + position] = _edged(rock, _blob_value(mask), (58, 54, 66))
    grid = pictures.reshape(ROWS, COLUMNS, SIZE, SIZE, 4).swapaxes(1, 2)
    return grid.reshape(ROWS * SIZE, COLUMNS * SIZE, 4)


def island(height: int, width: int, seed: int = 4) -> NDArray[np.uint8]:
    """Return smooth blots of the legend's tiles, [height, width]."""
    noise = np.random.default_rng(seed).random((height, width))
    for _ in range(4):
        padded = np.pad(noise, 1, mode="edge")
        noise = sum(padded[y : y + height, x : x + width] for y in range(3) for x in range(3)) / 9
    return np.digitize(noise, np.quantile(noise, [0.35, 0.55, 0.85])).astype(np.uint8)


def terrain_level(name: str, height: int, width: int) -> Level:
    """Return a level of such blots in one layer, `ground`."""
    ground = Layer("ground", "tiles", island(height, width), "test", tiles=LEGEND)
    tileset = TilesetSource(OPTIONS, terrain_pixels())
    return Level(name, width, height, layers={"ground": ground}, tileset=tileset)


def _speckled(
    random: np.random.Generator,
    color: tuple[int, int, int],
    speck: tuple[int, int, int],
    count: int,
) -> NDArray[np.uint8]:
    picture = np.empty((SIZE, SIZE, 4), np.uint8)
    picture[:] = (*color, 255)
    y, x = random.integers(1, SIZE - 1, (2, count))
    picture[y, x] = (*speck, 255)
    return picture


def _edged(ground: NDArray[np.uint8], value: NDArray[np.int64], rim: Color) -> NDArray[np.uint8]:
    """Return the ground where a value is positive, with a rim where it is small."""
    picture = ground.copy()
    picture[(value > 0) & (value <= 2)] = (*rim, 255)
    picture[value <= 0] = 0
    return picture


def _corner_value(mask: int) -> NDArray[np.int64]:
    """Return how far pixels are inside: between the corners of the picture in equal steps."""
    corners = [1 if mask >> bit & 1 else -1 for bit in range(4)]
    east = 2 * np.arange(SIZE) + 1
    west, south = 2 * SIZE - east, (2 * np.arange(SIZE) + 1)[:, None]
    north = 2 * SIZE - south
    north_west, north_east, south_east, south_west = corners
    value = north * (north_west * west + north_east * east)
    value += south * (south_west * west + south_east * east)
    # Rounded by a wave that is zero at the borders, where pictures meet.
    wave = (east * west // 16) * (south * north // 16) // 256
    return (value + wave) // 64


def _blob_value(mask: int) -> NDArray[np.int64]:
    """Return the distance in pixels to the nearest unjoined one, at most 16."""
    steps = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
    y, x = np.mgrid[0:SIZE, 0:SIZE]
    value = np.full((SIZE, SIZE), SIZE)
    for bit, (right, down) in enumerate(steps):
        if mask >> bit & 1:
            continue
        across = SIZE - x if right > 0 else x + 1
        along = SIZE - y if down > 0 else y + 1
        distance = np.maximum(across if right else 0, along if down else 0)
        value = np.minimum(value, distance - 1)
    return value
