"""Noise at given positions: equal to the lattice's fast path, and to textbook definitions."""

from __future__ import annotations

from collections.abc import Callable
from math import floor, sqrt
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import each_case
from exporter.generators import _noise
from exporter.kernels import noise
from exporter.streams import PortableStream, hash_grid

UNIT = _noise.UNIT
BASES: list[Any] = ["gradient", "value", "simplex", "cellular", "cracks", "plates"]
KEY = 0xFEDCBA9876543210
OCTAVE = np.array([KEY, (1 << 24) // 9, 4711, 815], np.uint64)


def positions() -> tuple[np.ndarray, np.ndarray]:
    """Positions to the left of and above the origin too."""
    across, down = _noise.grid_positions(23, 17)
    return across - (5 << 16), down * 3 - (20 << 16)


def add(module: Any, basis: Any, shape: int, field: np.ndarray) -> None:
    """Add an octave with the functions of a module."""
    if basis in _noise.CELLULAR:
        kind = _noise.CELLULAR[basis]
        module.cellular_points(field, *positions(), OCTAVE, kind, 50000, shape)
    else:
        function = module.simplex_points if basis == "simplex" else module.lattice_points
        function(field, *positions(), _noise.corner_table(basis), OCTAVE, 50000, shape)


@each_case("basis", BASES)
@each_case("shape", [0, 1, 2])
def test_an_octave_at_points_is_the_same_compiled_and_interpreted(
    interpreted: Callable[[str], ModuleType], basis: str, shape: int
) -> None:
    first, second = np.zeros((17, 23), np.int64), np.zeros((17, 23), np.int64)
    add(noise, basis, shape, first)
    add(interpreted("noise"), basis, shape, second)
    assert np.array_equal(first, second)
    assert np.ptp(first) > UNIT // 4


@pytest.mark.parametrize("basis", ["gradient", "value"])
@given(
    seed=st.integers(0, 2**40),
    feature=st.integers(2, 200),
    octaves=st.integers(1, 6),
    lacunarity=st.floats(1.25, 4),
)
@settings(deadline=None, max_examples=25)
def test_the_plain_grid_equals_noise_at_its_points(
    basis: Any, seed: int, feature: int, octaves: int, lacunarity: float
) -> None:
    fractal = _noise.Fractal(feature, octaves, lacunarity, basis=basis)
    stream = PortableStream((seed,))
    plain = _noise.fractal_noise(fractal, stream, 31, 22)
    at_points = _noise.fractal_noise(fractal, stream, 31, 22, _noise.grid_positions(31, 22))
    assert np.array_equal(plain, at_points)


def lattice(x: int, y: int) -> tuple[float, float, int, int]:
    """Position in lattice units, as floats, and as whole lattice squares."""
    frequency = int(OCTAVE[1])
    u = ((x * frequency) >> 24) + int(OCTAVE[2])
    v = ((y * frequency) >> 24) + int(OCTAVE[3])
    return u / 65536, v / 65536, u >> 16, v >> 16


def word(i: int, j: int) -> int:
    """The hash of a lattice point, through the streams."""
    return int(hash_grid(KEY, 1, 1, i & 0xFFFFFFFF, j & 0xFFFFFFFF)[0, 0])


def test_cellular_noise_is_the_distance_to_the_nearest_points() -> None:
    fields = {basis: np.zeros((17, 23), np.int64) for basis in _noise.CELLULAR}
    across, down = positions()
    for basis, kind in _noise.CELLULAR.items():
        noise.cellular_points(fields[basis], across, down, OCTAVE, kind, 65536, 0)
    for y in range(17):
        for x in range(23):
            u, v, i, j = lattice(int(across[y, x]), int(down[y, x]))
            result = []
            for row in range(j - 1, j + 2):
                for column in range(i - 1, i + 2):
                    bits = word(column, row)
                    apart_x = column + (bits & 65535) / 65536 - u
                    apart_y = row + ((bits >> 16) & 65535) / 65536 - v
                    result.append((sqrt(apart_x**2 + apart_y**2), bits))
            result.sort()
            nearest, second = result[0][0], result[1][0]
            value = fields["cellular"][y, x] / UNIT
            assert value == pytest.approx(max(1 - 2 * nearest, -1), abs=1e-5)
            value = fields["cracks"][y, x] / UNIT
            assert value == pytest.approx(min(2 * (second - nearest) - 1, 1), abs=1e-5)
            assert fields["plates"][y, x] == (result[0][1] >> 35) - UNIT


def test_simplex_noise_is_the_sum_of_three_corners() -> None:
    field = np.zeros((17, 23), np.int64)
    across, down = positions()
    gradients = _noise.corner_table("simplex")
    noise.simplex_points(field, across, down, gradients, OCTAVE, 65536, 0)
    skew, unskew = (sqrt(3) - 1) / 2, (3 - sqrt(3)) / 6
    for y in range(17):
        for x in range(23):
            u, v, _, _ = lattice(int(across[y, x]), int(down[y, x]))
            i, j = floor(u + (u + v) * skew), floor(v + (u + v) * skew)
            total = 0.0
            # Four corners of the square: those out of reach add nothing.
            for di in (0, 1):
                for dj in (0, 1):
                    corner_x = i + di - (i + di + j + dj) * unskew
                    corner_y = j + dj - (i + di + j + dj) * unskew
                    apart_x, apart_y = u - corner_x, v - corner_y
                    reach = 0.5 - apart_x**2 - apart_y**2
                    if reach > 0:
                        g = gradients[:, word(i + di, j + dj) >> 58] / sqrt(32045)
                        total += reach**4 * (g[0] * apart_x + g[1] * apart_y)
            assert field[y, x] / UNIT == pytest.approx(total / 0.0100163, abs=0.01)


@each_case("basis", BASES)
def test_every_basis_uses_its_range_and_stays_in_it(basis: Any) -> None:
    field = _noise.fractal_noise(_noise.Fractal(8, basis=basis), PortableStream((1,)), 200, 200)
    assert np.abs(field).max() <= UNIT
    assert np.ptp(field) > 1.2 * UNIT


def test_warping_moves_samples_no_farther_than_reported() -> None:
    across, down = _noise.grid_positions(40, 30)
    pushed = _noise.warped_positions(PortableStream((1,)), 40, 30, 7, 16)
    for plain, moved in zip((across, down), pushed, strict=True):
        shift = np.abs(moved - plain)
        assert 0 < shift.max() <= 2 * 7 << 16
