"""Heightmaps: whole-number noise, the same compiled, with numpy and interpreted."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import each_case
from exporter.generators import Request, _noise, _relief
from exporter.generators.heightmap import Heightmap, generate
from exporter.kernels import noise
from exporter.model.errors import ParameterError
from exporter.streams import PortableStream, open_stream

UNIT = _noise.UNIT


def request(width: int, height: int, seed: int | str = 1, rng: str = "portable") -> Request:
    return Request("relief", width, height, open_stream(rng, seed, "relief"))


def rows_arguments(basis: Any, shape: int) -> list[Any]:
    """Arguments of `lattice_rows` for a small octave."""
    gradients = _noise.corner_table(basis)
    columns = _noise.lattice_positions(40, (1 << 24) // 7, 12345)
    rows = _noise.lattice_positions(30, (1 << 24) // 7, 54321)
    across, down = int(columns[0, -1]) + 2, int(rows[0, -1]) + 2
    words = PortableStream((1, "corners")).words("c", across, down)
    corners = (words % np.uint64(gradients.shape[1])).astype(np.uint8)
    lines = np.empty((2, across), np.int64)
    edges = np.searchsorted(columns[0], np.arange(across)).astype(np.int64)
    return [corners, gradients, columns, rows, edges, lines, 40000, shape]


@each_case("basis", ["gradient", "value"])
@each_case("shape", [0, 1, 2])
def test_an_octave_is_the_same_compiled_interpreted_and_with_numpy(
    interpreted: Callable[[str], ModuleType], basis: str, shape: int
) -> None:
    fields = []
    for add in (noise.lattice_rows, interpreted("noise").lattice_rows, _noise.lattice_rows):
        field = np.full((30, 40), 17, np.int64)
        add(field, *rows_arguments(basis, shape))
        fields.append(field)
    assert np.array_equal(fields[0], fields[1])
    assert np.array_equal(fields[0], fields[2])
    assert np.ptp(fields[0]) > UNIT // 4


def test_all_gradients_have_the_same_length_and_different_directions() -> None:
    x, y, constant = _noise.corner_table("gradient")
    assert ((x * x + y * y) == 32045).all()
    assert len(set(zip(x.tolist(), y.tolist(), strict=True))) == 64
    assert not constant.any()


def test_the_fade_is_the_quintic_of_perlin() -> None:
    t = np.arange(0, 65537, dtype=np.int64)
    share = t / 65536
    expected = share**3 * (share * (share * 6 - 15) + 10)
    assert np.abs(_noise.quintic(t) / 65536 - expected).max() < 1e-4
    assert _noise.quintic(t)[[0, -1]].tolist() == [0, 65536]


@given(
    basis=st.sampled_from(["gradient", "value"]),
    feature=st.integers(2, 300),
    octaves=st.integers(1, 5),
    seed=st.integers(0, 2**40),
)
@settings(deadline=None, max_examples=30)
def test_noise_stays_within_its_bound_and_is_smooth(
    basis: Any, feature: int, octaves: int, seed: int
) -> None:
    fractal = _noise.Fractal(feature, octaves, basis=basis)
    stream = PortableStream((seed,))
    field = _noise.fractal_noise(fractal, stream, 50, 40)
    most = _noise.bound(fractal, stream)
    assert np.abs(field).max() <= most
    single = _noise.fractal_noise(_noise.Fractal(feature, basis=basis), stream, 50, 40)
    # The quintic's slope is at most 15/8 a lattice cell; gradients add their own.
    assert np.abs(np.diff(single, axis=1)).max() <= 6 * UNIT // feature + 1


def test_a_part_of_a_bigger_map_is_the_same_noise() -> None:
    fractal = _noise.Fractal(32, 5)
    stream = PortableStream((4,))
    whole = _noise.fractal_noise(fractal, stream, 200, 150)
    part = _noise.fractal_noise(fractal, stream, 60, 150)
    assert np.array_equal(whole[:, :60], part)


@given(
    values=st.lists(st.integers(-(2**32), 2**32), min_size=1, max_size=50),
    top=st.sampled_from([65535, UNIT]),
)
@settings(deadline=None, max_examples=100)
def test_stretching_spans_the_whole_range_and_rounds(values: list[int], top: int) -> None:
    field = np.array([values], np.int64)
    result = _relief.stretch(field, top)[0].tolist()
    lowest, span = min(values), max(values) - min(values)
    for value, out in zip(values, result, strict=True):
        exact = (value - lowest) * top / span if span else 0
        assert abs(out - exact) <= 0.5 + 1e-6 + span / 2 ** (62 - top.bit_length())
    if span:
        assert min(result) == 0
        assert max(result) == top


@given(
    width=st.integers(1, 40),
    height=st.integers(1, 40),
    feature=st.integers(2, 65536),
    octaves=st.integers(1, 16),
    shape=st.sampled_from(["plain", "billow", "ridged"]),
    island_percent=st.integers(0, 100),
    terraces=st.sampled_from([0, 2, 3, 256]),
    sharpness=st.integers(0, 100),
    lacunarity=st.floats(1.25, 4),
    gain_percent=st.integers(1, 100),
)
@settings(deadline=None, max_examples=60)
def test_any_size_and_any_parameters_work(**values: Any) -> None:
    width, height = values.pop("width"), values.pop("height")
    values["feature_size"] = values.pop("feature")
    values["terrace_sharpness_percent"] = values.pop("sharpness")
    result = generate(Heightmap(**values), request(width, height))
    assert result.cells.shape == (height, width)
    assert result.cells.dtype == np.uint16
    assert result.cells.flags.c_contiguous
    assert result.kind == "heights"
    assert result.walkable is None
    if np.ptp(result.cells):
        assert result.cells.min() == 0
        assert result.cells.max() == 65535
    absolute = generate(Heightmap(normalise=False, **values), request(width, height))
    assert absolute.cells.shape == (height, width)


def test_the_stream_is_the_portable_one_even_beside_reference_maps() -> None:
    first = generate(Heightmap(), request(20, 20, 5, "portable")).cells
    second = generate(Heightmap(), request(20, 20, 5, "dotnet")).cells
    assert np.array_equal(first, second)
    assert not np.array_equal(first, generate(Heightmap(), request(20, 20, 6)).cells)


def test_an_island_lies_in_the_sea() -> None:
    cells = generate(Heightmap(island_percent=100), request(65, 65)).cells
    edge = np.concatenate([cells[0], cells[-1], cells[:, 0], cells[:, -1]])
    assert not edge.any()


def test_sharp_terraces_have_the_requested_heights() -> None:
    cells = generate(Heightmap(terraces=5, terrace_sharpness_percent=100), request(99, 99)).cells
    assert sorted(set(cells.ravel().tolist())) == [0, 16384, 32768, 49151, 65535]


def test_blunt_terraces_leave_the_relief_as_it_is() -> None:
    relief = np.arange(0, UNIT + 1, 997, dtype=np.int64)[None, :]
    assert np.abs(_relief.terraces(relief, 7, 0) - relief).max() < UNIT // 60000


def test_walkable_samples_lie_above_the_given_real_height() -> None:
    result = generate(
        Heightmap(minimum=-50, maximum=150, walkable_above=0.0, units="m"), request(60, 60)
    )
    assert result.walkable is not None
    real = -50 + 200 * result.cells.astype(float) / 65535
    assert np.array_equal(result.walkable, real > 0)
    assert result.heights is not None
    assert (result.heights.minimum, result.heights.maximum, result.heights.units) == (-50, 150, "m")


@pytest.mark.parametrize(("height", "expected"), [(-0.5, True), (1.0, False), (7.0, False)])
def test_a_limit_outside_the_range_makes_all_or_nothing_walkable(
    height: float, expected: bool
) -> None:
    result = generate(Heightmap(walkable_above=height), request(9, 9))
    assert result.walkable is not None
    assert (result.walkable == expected).all()


@pytest.mark.parametrize(
    ("values", "path"),
    [({"minimum": 5.0, "maximum": 5.0}, ("maximum",)), ({"terraces": 1}, ("terraces",))],
)
def test_what_cannot_be_created_is_refused_at_its_position(
    values: dict[str, Any], path: tuple[str, ...]
) -> None:
    with pytest.raises(ParameterError) as caught:
        generate(Heightmap(**values), request(9, 9))
    assert caught.value.path == path
