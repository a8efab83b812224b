"""Reliefs from layers and pictures, and their erosion."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from cases import each_case
from exporter.generators import Request, _erosion, _noise, _relief, _relief_sources
from exporter.generators.heightmap import Heightmap, generate
from exporter.kernels import erosion
from exporter.model import picture_files
from exporter.model.errors import ParameterError
from exporter.model.level import Layer
from exporter.streams import PortableStream, open_stream

UNIT = _noise.UNIT


def relief(width: int = 48, height: int = 36, seed: int = 1) -> np.ndarray:
    field = _noise.fractal_noise(_noise.Fractal(16, 4), PortableStream((seed,)), width, height)
    return _relief.stretch(field, UNIT)


def layer(walkable: np.ndarray | None) -> Layer:
    cells = np.zeros((1, 1) if walkable is None else walkable.shape, np.uint8)
    return Layer("ground", "tiles", cells, "test", walkable=walkable)


def request(width: int, height: int, **values: Any) -> Request:
    return Request("relief", width, height, open_stream("portable", 1, "relief"), **values)


def png(array: np.ndarray) -> bytes:
    buffer = BytesIO()
    Image.fromarray(array).save(buffer, "PNG")
    return buffer.getvalue()


def test_erosion_by_water_is_the_same_compiled_and_interpreted(
    interpreted: Callable[[str], ModuleType],
) -> None:
    grounds = []
    for module in (erosion, interpreted("erosion")):
        ground = relief() / UNIT
        draws = PortableStream((5,)).draws("drops")
        module.erode(ground, _erosion.brush(3), draws, 60, 30, 0.05, 4.0, 0.3, 0.3, 0.01)
        grounds.append(ground)
    assert np.array_equal(grounds[0], grounds[1])
    assert not np.array_equal(grounds[0], relief() / UNIT)


@given(
    width=st.integers(1, 12),
    height=st.integers(1, 12),
    droplets=st.integers(1, 300),
    steps=st.integers(1, 60),
    radius=st.integers(1, 16),
    strength=st.integers(1, 100),
)
@settings(deadline=None, max_examples=60)
def test_water_never_digs_below_the_lowest_or_heaps_above_the_highest_height(
    width: int, height: int, droplets: int, steps: int, radius: int, strength: int
) -> None:
    draws = PortableStream((2,)).draws("drops")
    out = _erosion.hydraulic(relief(width, height), draws, droplets, steps, radius, strength)
    assert out.shape == (height, width)
    assert out.min() >= 0
    assert out.max() <= UNIT


def test_water_takes_more_from_heights_than_from_valleys() -> None:
    before = relief(128, 128)
    after = _erosion.hydraulic(before, PortableStream((2,)).draws("drops"), 3000, 30, 3, 30)
    change = after - before
    high, low = before > np.quantile(before, 0.8), before < np.quantile(before, 0.2)
    assert change[high].mean() < change[low].mean()
    assert change[high].mean() < 0


def test_a_brush_digs_everywhere_within_its_radius_and_sums_to_one() -> None:
    for radius in range(1, 17):
        brush = _erosion.brush(radius)
        assert brush.shape == (2 * radius - 1, 2 * radius - 1)
        assert brush.sum() == pytest.approx(1)
        assert np.array_equal(brush, brush.T)
        assert brush[radius - 1, radius - 1] == brush.max()


@given(width=st.integers(1, 30), height=st.integers(1, 30), rounds=st.integers(0, 20))
@settings(deadline=None, max_examples=40)
def test_sliding_keeps_the_amount_of_ground(width: int, height: int, rounds: int) -> None:
    before = relief(width, height)
    after = _erosion.thermal(before, rounds, UNIT // 50)
    assert after.sum() == before.sum()
    assert after.min() >= before.min()
    assert after.max() <= before.max()


def test_slides_are_the_same_compiled_interpreted_and_with_numpy(
    interpreted: Callable[[str], ModuleType],
) -> None:
    changes = []
    for slide in (erosion.slide, interpreted("erosion").slide, _erosion.slides):
        change = np.zeros((36, 48), np.int64)
        slide(relief(), change, UNIT // 100, UNIT // 70)
        changes.append(change)
    assert np.array_equal(changes[0], changes[1])
    assert np.array_equal(changes[0], changes[2])
    assert changes[0].any()


def test_slopes_end_near_the_talus() -> None:
    talus = UNIT // 100
    after = _erosion.thermal(relief(), 3000, talus)
    assert max(np.abs(np.diff(after, axis=axis)).max() for axis in (0, 1)) <= talus * 1.05


def test_a_relief_that_is_flat_enough_does_not_slide() -> None:
    before = relief()
    assert np.array_equal(_erosion.thermal(before, 50, UNIT), before)


def test_distance_to_walls_makes_mountains_of_floor_or_of_walls() -> None:
    walkable = np.zeros((9, 9), bool)
    walkable[2:7, 2:7] = True
    layers = {"ground": layer(walkable)}
    floor = generate(Heightmap(from_layer="ground", reach=3), request(9, 9, layers=layers)).cells
    assert floor[4, 4] == 65535
    assert not floor[~walkable].any()
    walls = generate(
        Heightmap(from_layer="ground", reach=3, rises="walls"), request(9, 9, layers=layers)
    ).cells
    assert not walls[walkable].any()
    assert walls[0, 0] == 65535


def test_a_layer_without_the_low_kind_is_all_high() -> None:
    layers = {"ground": layer(np.ones((5, 5), bool))}
    result = generate(Heightmap(from_layer="ground", normalise=False), request(5, 5, layers=layers))
    assert (result.cells == 65535).all()


def test_a_relief_spans_the_area_of_its_layer_at_another_resolution() -> None:
    walkable = np.zeros((10, 20), bool)
    walkable[:, 10:] = True
    layers = {"ground": layer(walkable)}
    result = generate(
        Heightmap(from_layer="ground", reach=10), request(41, 21, layers=layers)
    ).cells
    assert not result[:, :20].any()
    assert (np.diff(result[:, 21:].astype(int), axis=1) >= 0).all()
    assert (result == result[0]).all()


@each_case(
    ("values", "layers", "text"),
    [
        ({"from_layer": "cave"}, {"ground": layer(np.ones((2, 2), bool))}, "above: ground"),
        ({"from_layer": "cave"}, {}, "none yet"),
        ({"from_layer": "ground"}, {"ground": layer(None)}, "walkable"),
        ({"from_image": "a.png"}, {}, "no folder"),
        ({"from_image": "a.png", "from_layer": "ground"}, {}, "cannot be used together"),
    ],
)
def test_a_source_that_cannot_be_used_is_refused_at_its_position(
    values: dict[str, Any], layers: dict[str, Layer], text: str
) -> None:
    with pytest.raises(ParameterError, match=text) as caught:
        generate(Heightmap(**values), request(4, 4, layers=layers))
    assert caught.value.path[0] in values


def test_a_sixteen_bit_picture_comes_through_unchanged() -> None:
    picture = np.random.default_rng(1).integers(0, 65536, (7, 9)).astype(np.uint16)
    requested = request(9, 7, read_file=lambda path: png(picture))
    result = generate(Heightmap(from_image="hills.png", normalise=False), requested)
    assert np.array_equal(result.cells, picture)


@each_case("mode", ["L", "RGB", "RGBA", "P", "1", "LA"])
def test_pictures_of_any_mode_become_greys(mode: str) -> None:
    ramp = Image.fromarray((np.arange(64, dtype=np.uint8) * 4).reshape(8, 8)).convert(mode)
    buffer = BytesIO()
    ramp.save(buffer, "PNG")
    greys = picture_files.read_greys(buffer.getvalue(), "x.png", ("from_image",))
    assert greys.dtype == np.uint16
    assert greys[-1, -1] > greys[0, 0]


NOISE = png(np.random.default_rng(1).integers(0, 256, (40, 40)).astype(np.uint8))


@each_case(
    "content",
    [b"", b"not a picture", NOISE[:300], NOISE[:40]],
)
def test_a_broken_picture_is_refused_at_its_position(content: bytes) -> None:
    with pytest.raises(ParameterError) as caught:
        generate(Heightmap(from_image="x.png"), request(4, 4, read_file=lambda path: content))
    assert caught.value.path == ("from_image",)


@pytest.mark.parametrize("side", [10_000, 100_000])
def test_a_picture_beyond_the_limit_is_refused_before_it_is_unpacked(side: int) -> None:
    huge = b"P5\n%d %d\n255\n" % (side, side)
    with pytest.raises(ParameterError, match=r"10000 x 10000|too many pixels") as caught:
        picture_files.read_greys(huge, "x.pgm", ("from_image",))
    assert caught.value.path == ("from_image",)


@given(
    old=st.tuples(st.integers(1, 9), st.integers(1, 9)),
    new=st.tuples(st.integers(1, 20), st.integers(1, 20)),
    cells=st.booleans(),
)
@settings(deadline=None, max_examples=80)
def test_resampling_blends_and_keeps_corners(
    old: tuple[int, int], new: tuple[int, int], cells: bool
) -> None:
    field = np.random.default_rng(3).integers(0, UNIT + 1, old)
    out = _relief_sources.resample(field, new[1], new[0], cells)
    assert out.shape == new
    assert out.min() >= field.min()
    assert out.max() <= field.max()
    if new[0] > 1 and new[1] > 1:
        for row in (0, -1):
            for column in (0, -1):
                assert out[row, column] == field[row, column]


def test_roughness_mixes_noise_into_a_picture() -> None:
    flat = png(np.full((5, 5), 128, np.uint8))
    requested = request(33, 33, read_file=lambda path: flat)
    smooth = generate(Heightmap(from_image="x.png", normalise=False), requested).cells
    rough = generate(
        Heightmap(from_image="x.png", normalise=False, roughness_percent=50), requested
    ).cells
    assert np.ptp(smooth) == 0
    assert np.ptp(rough) > 1000


@pytest.mark.parametrize("step", [{"droplets": 50}, {"thermal_rounds": 3}])
def test_a_picture_of_another_size_can_be_eroded(step: dict[str, int]) -> None:
    requested = request(9, 14, read_file=lambda path: NOISE)
    still = generate(Heightmap(from_image="x.png"), requested).cells
    worn = generate(Heightmap(from_image="x.png", **step), requested).cells  # type: ignore[arg-type]
    assert worn.shape == (14, 9)
    assert not np.array_equal(worn, still)
