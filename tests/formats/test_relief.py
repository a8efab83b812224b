"""Shaded relief: bands by height, light from the north-west, and the sea up to zero."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from exporter.formats.images.relief import shaded_relief
from exporter.model.level import HeightRange, Layer
from exporter.tilesets.styles import STYLES, Style

SEA, SHALLOWS, BEACH, GRASS, WOODS, ROCK, SNOW = BANDS = (
    "#000040", "#0000ff", "#ffff00", "#00ff00", "#004000", "#804000", "#ffffff",
)  # fmt: skip


def heights(cells: np.ndarray, **options: object) -> Layer:
    return Layer("relief", "heights", cells.astype(np.uint16), "test", **options)  # type: ignore[arg-type]


def ramp(high: int = 65535) -> Layer:
    """A slope that rises to the east, so gently that light does not matter."""
    return heights(np.tile(np.linspace(0, high, 512), (64, 1)))


def test_bands_follow_each_other_from_sea_to_snow() -> None:
    picture = shaded_relief(ramp(), BANDS).astype(int)
    row = picture[32]
    assert row[2, 2] > 2 * row[2, :2].max()  # blue
    assert row[480].min() > 180  # snow
    assert row[200, 1] > 2 * row[200, ::2].max()  # grass
    red = np.nonzero((row[:, 0] > 180) & (row[:, 1] > 180) & (row[:, 2] < 90))[0]  # beach
    assert 0 < red.min() < red.max() < 200


def test_the_lowest_and_the_highest_position_use_all_bands_whatever_the_range() -> None:
    low = shaded_relief(ramp(900), BANDS)
    assert low[32, 500].min() > 150
    assert low[32, 2, 2] > 30


def test_slopes_towards_the_light_are_brighter() -> None:
    y, x = np.mgrid[0:65, 0:65]
    hill = heights(30000 + 20000 * np.exp(-((x - 32) ** 2 + (y - 32) ** 2) / 200))
    picture = shaded_relief(hill, ("#808080",) * 7).astype(int).sum(axis=2)
    assert picture[24, 24] > picture[0, 0] + 20 > picture[40, 40] + 40


@pytest.mark.parametrize("minimum", [-10.0, -40.0])
def test_the_sea_ends_at_zero_where_heights_go_below_it(minimum: float) -> None:
    layer = replace(ramp(), heights=HeightRange(minimum, 30.0))
    picture = shaded_relief(layer, BANDS).astype(int)
    blue = (picture[32, :, 2] > picture[32, :, :2].max(axis=1) + 20).mean()
    assert abs(blue - -minimum / (30.0 - minimum)) < 0.03


@pytest.mark.parametrize("cells", [np.full((3, 3), 7), np.full((1, 1), 65535), np.zeros((2, 5))])
def test_flat_land_has_one_colour_a_band(cells: np.ndarray) -> None:
    picture = shaded_relief(heights(cells), STYLES.get("stone").relief)
    assert picture.shape == (*cells.shape, 3)


def test_styles_colour_heights() -> None:
    looks = {shaded_relief(ramp(), STYLES.get(name).relief).tobytes() for name in STYLES.built_in()}
    assert len(looks) == len(STYLES.built_in())
    assert len(Style().relief) == len(BANDS)


def test_walking_distances_go_from_bright_to_dark() -> None:
    steps = np.array([[0, 1, 2, 3, 65535]], np.uint16)
    layer = Layer("walk", "heights", steps, "x", heights=HeightRange(0, 65535, "steps"))
    picture = shaded_relief(layer, BANDS)
    assert picture[0, 0].tolist() == [255, 233, 122]
    assert picture[0, 4].tolist() == [21, 21, 28]
    brightness = picture[0].astype(int).sum(axis=1).tolist()
    assert brightness == sorted(brightness, reverse=True)
    nowhere = replace(layer, cells=np.full((1, 2), 65535, np.uint16))
    assert (shaded_relief(nowhere, BANDS) == [21, 21, 28]).all()
