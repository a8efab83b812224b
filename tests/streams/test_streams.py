"""Random streams: the portable one is a pure function, the dotnet one is System.Random."""

from __future__ import annotations

import hashlib
from array import array
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import each_case
from exporter.model.errors import ParameterError
from exporter.streams import (
    MASK,
    STEP,
    Draws,
    PortableStream,
    derive_key,
    hash_grid,
    open_stream,
)
from interpreted_kernels import interpreted

REFERENCE = Path(__file__).parent.parent / "golden" / "reference"
FIRST_NUMBERS = sorted(REFERENCE.glob("dotnet-random-seed*.txt"))

# The first five of Random(seed).Next() and the first three of Random(seed).Next(-1000, 2000),
# printed by Mono 6.8.
MONO = {
    0: ([1559595546, 1755192844, 1649316166, 1198642031, 442452829], [1178, 1451, 1304]),
    1: ([534011718, 237820880, 1002897798, 1657007234, 1412011072], [-254, -668, 401]),
    -1: ([534011718, 237820880, 1002897798, 1657007234, 1412011072], [-254, -668, 401]),
    2: ([1655911537, 867932563, 356479430, 2115372437, 234085668], [1313, 212, -503]),
    7: ([822959691, 1871007331, 1419354884, 112231158, 786909589], [149, 1613, 982]),
    42: ([1434747710, 302596119, 269548474, 1122627734, 361709742], [1004, -578, -624]),
    2013: ([791134549, 1007175346, 1784231464, 469827460, 100560865], [105, 407, 1492]),
    12345: ([143337951, 150666398, 1663795458, 1097663221, 1712597933], [-800, -790, 1324]),
    -12345: ([143337951, 150666398, 1663795458, 1097663221, 1712597933], [-800, -790, 1324]),
    161803397: ([517194112, 1903617532, 192198025, 1701926845, 1282350178], [-278, 1659, -732]),
    161803398: ([1639093931, 386245568, 1693263304, 12808401, 104424774], [1289, -461, 1365]),
    161803399: ([613510103, 1016357251, 1046844936, 471173604, 1073983017], [-143, 419, 462]),
    -161803399: ([613510103, 1016357251, 1046844936, 471173604, 1073983017], [-143, 419, 462]),
    1000000000: ([1965755388, 874852998, 527432995, 308392674, 2086242696], [1746, 222, -264]),
    -1000000000: ([1965755388, 874852998, 527432995, 308392674, 2086242696], [1746, 222, -264]),
    2147483646: ([437695727, 1125081161, 148250893, 740276828, 1620378233], [-389, 571, -793]),
    2147483647: ([1559595546, 1755192844, 1649316172, 1198642031, 442452829], [1178, 1451, 1304]),
    -2147483647: ([1559595546, 1755192844, 1649316172, 1198642031, 442452829], [1178, 1451, 1304]),
    -2147483648: ([1559595546, 1755192844, 1649316172, 1198642031, 442452829], [1178, 1451, 1304]),
}


INTERPRETED = interpreted("random_draws")


def numbers_of(seed: int) -> list[int]:
    """Return the recorded numbers of Random(seed).Next()."""
    text = (REFERENCE / f"dotnet-random-seed{seed}.txt").read_text()
    return [int(line) for line in text.split()]


def system_random(seed: int) -> Draws:
    return Draws(0, True, seed)


def mixed(value: int) -> int:
    """Return the SplitMix64 finaliser in plain integers."""
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & MASK
    return value ^ (value >> 31)


@each_case("path", FIRST_NUMBERS)
def test_the_dotnet_stream_repeats_the_recorded_numbers_of_system_random(path: Path) -> None:
    seed = int(path.stem.removeprefix("dotnet-random-seed"))
    expected = [int(line) for line in path.read_text().split()]
    stream = system_random(seed)
    assert [stream.raw() for _ in expected] == expected


def test_there_are_recorded_numbers_to_compare_with() -> None:
    assert len(FIRST_NUMBERS) == 4


@each_case("seed", MONO)
def test_the_dotnet_stream_agrees_with_mono_at_the_extremes_of_seeds(seed: int) -> None:
    numbers, ranged = MONO[seed]
    stream = system_random(seed)
    assert [stream.raw() for _ in numbers] == numbers
    stream = system_random(seed)
    assert [stream.next(-1000, 2000) for _ in ranged] == ranged


def test_a_dotnet_draw_always_consumes_one_value() -> None:
    stream = system_random(12345)
    assert stream.next(7, 7) == 7
    assert stream.next(3, 4) == 3
    expected = numbers_of(12345)
    assert stream.raw() == expected[2]


@each_case("seed", ["12345", "", 2**31, -(2**31) - 1, 10**40])
def test_a_seed_that_is_no_32_bit_integer_is_refused_at_its_position(seed: int | str) -> None:
    with pytest.raises(ParameterError) as caught:
        open_stream("dotnet", seed, "ground")
    assert caught.value.path == ("seed",)
    assert "-2147483648 to 2147483647" in caught.value.message


def test_an_unknown_stream_is_named() -> None:
    with pytest.raises(ValueError, match="'pcg'"):
        open_stream("pcg", 1, "ground")


def test_the_dotnet_stream_is_one_sequence_whatever_the_purpose() -> None:
    stream = open_stream("dotnet", 12345, "ground")
    requested = numbers_of(12345)
    assert stream.draws("a").raw() == requested[0]
    assert stream.child("part").draws("b").raw() == requested[1]
    cells = stream.cells_below("fill", 3, 2, 100, "columns")
    expected = [int(value * (1.0 / 2147483647.0) * 100) for value in requested[2:8]]
    assert cells.T.ravel().tolist() == expected


def test_every_layer_starts_its_own_dotnet_sequence() -> None:
    first = open_stream("dotnet", 9, "ground").draws()
    second = open_stream("dotnet", 9, "water").draws()
    assert [first.raw() for _ in range(5)] == [second.raw() for _ in range(5)]


def test_a_dotnet_stream_carries_the_portable_one_of_the_same_seed_and_layer() -> None:
    assert (
        open_stream("dotnet", 9, "a").portable.key == open_stream("portable", 9, "a").portable.key
    )


def test_the_integer_five_and_the_text_five_are_different_seeds() -> None:
    keys = {open_stream("portable", seed, "a").portable.key for seed in (5, "5", -5, "-5", "")}
    assert len(keys) == 5


def test_paths_that_read_alike_have_different_keys() -> None:
    paths = [
        ("ab", "c"),
        ("a", "bc"),
        ("abc",),
        ("abc", ""),
        ("ab", 12),
        ("ab", "12"),
        ("ab", 1, 2),
    ]
    assert len({derive_key(path) for path in paths}) == len(paths)


def test_a_portable_draw_is_the_hash_of_its_key_and_number() -> None:
    stream = PortableStream((1, "ground"))
    draws = stream.draws("walk")
    key = derive_key((1, "ground", "walk"))
    for number in range(1, 50):
        assert draws.raw() == mixed((key + number * STEP) & MASK)


@given(key=st.integers(0, MASK), x=st.integers(0, 2**32 - 4), y=st.integers(0, 2**32 - 4))
@settings(deadline=None, max_examples=100)
def test_the_hash_of_a_window_equals_plain_integer_arithmetic(key: int, x: int, y: int) -> None:
    window = hash_grid(key, 3, 2, x, y)
    plain = np.empty((2, 3), np.uint64)
    INTERPRETED.fill_hashes(plain.data, key, x, y)  # type: ignore[attr-defined]
    assert np.array_equal(window, plain)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("exporter.streams.COMPILED", False)
        assert np.array_equal(window, hash_grid(key, 3, 2, x, y))
    for row in range(2):
        for column in range(3):
            number = ((y + row) << 32) + x + column + 1
            assert int(window[row, column]) == mixed((key + number * STEP) & MASK)


@given(st.integers(1, 20), st.integers(1, 20), st.integers(1, 20), st.integers(1, 20))
@settings(deadline=None, max_examples=50)
def test_a_cell_does_not_depend_on_the_size_of_the_grid(a: int, b: int, c: int, d: int) -> None:
    stream = PortableStream(("seed", "layer"))
    first, second = stream.cells("p", a, b), stream.cells("p", c, d)
    width, height = min(a, c), min(b, d)
    assert np.array_equal(first[:height, :width], second[:height, :width])
    assert first.dtype == np.uint16


def test_cells_below_a_bound_are_even() -> None:
    cells = PortableStream((3, "even")).cells_below("fill", 400, 300, 100)
    counts = np.bincount(cells.ravel(), minlength=100)
    assert len(counts) == 100
    assert counts.min() > 1000
    assert counts.max() < 1400


@given(st.integers(0, 100), st.sampled_from(["portable", "dotnet"]), st.integers(1, 70))
@settings(deadline=None, max_examples=40)
def test_a_chance_is_a_number_below_its_percentage(percent: int, rng: str, width: int) -> None:
    chance = open_stream(rng, 8, "a").chance("fill", width, 40, percent, "columns")
    numbers = open_stream(rng, 8, "a").cells_below("fill", width, 40, 100, "columns")
    assert np.array_equal(chance, numbers < percent)


@pytest.mark.parametrize("bound", [0, -1, 65537])
def test_a_bound_without_meaning_is_refused(bound: int) -> None:
    for rng in ("portable", "dotnet"):
        with pytest.raises(ValueError, match="bound"):
            open_stream(rng, 1, "a").cells_below("p", 2, 2, bound)


def test_the_portable_stream_never_changes() -> None:
    stream = PortableStream((12345, "ground"))
    draws = stream.child("part", 3).draws("walk")
    text = ",".join(
        [
            str(stream.key),
            str([draws.raw() for _ in range(4)]),
            str([draws.next(-5, 100) for _ in range(8)]),
            str(stream.cells("fill", 9, 3).tolist()),
            str(stream.words("fill", 2, 2).tolist()),
            str(PortableStream(("Grüße", "ebene")).key),
        ]
    )
    assert hashlib.sha256(text.encode()).hexdigest() == (
        "a03991fd6e0667eca2588a48cb7be8625426e24a58345d7be7d205562eb8a473"
    )


@given(
    key=st.integers(0, MASK),
    dotnet=st.booleans(),
    seed=st.integers(-(2**31), 2**31 - 1),
    low=st.integers(-(2**31), 2**31 - 1),
    span=st.integers(0, 2**31 - 1),
)
@settings(deadline=None, max_examples=150)
def test_compiled_and_interpreted_draws_are_equal_and_in_range(
    key: int, dotnet: bool, seed: int, low: int, span: int
) -> None:
    first = Draws(key, dotnet, seed)
    second = INTERPRETED.Draws(key, dotnet, seed)
    for _ in range(60):
        number = first.next(low, low + span)
        assert number == second.next(low, low + span)
        assert low <= number < low + max(span, 1)
        assert first.raw() == second.raw()
        share = first.sample()
        assert share == second.sample()
        assert 0.0 <= share < 1.0
    numbers, again = array("i", [0] * 30), array("i", [0] * 30)
    first.fill(numbers, 0, 1000)
    second.fill(again, 0, 1000)
    assert numbers == again


@pytest.mark.parametrize("dotnet", [False, True])
def test_interpreted_draws_take_numpy_scalars_as_bounds(dotnet: bool) -> None:
    plain = INTERPRETED.Draws(7, dotnet, 3)
    scalar = INTERPRETED.Draws(7, dotnet, 3)
    for _ in range(20):
        assert scalar.next(np.int32(-5), np.int32(40)) == plain.next(-5, 40)


def test_a_text_seed_typed_in_two_ways_is_one_seed() -> None:
    composed, decomposed = "H\u00f6hle", "Ho\u0308hle"
    assert composed != decomposed
    item, other = (open_stream("portable", seed, "ground") for seed in (composed, decomposed))
    assert np.array_equal(item.cells_below("fill", 9, 7, 100), other.cells_below("fill", 9, 7, 100))
    plain = open_stream("portable", "Hohle", "ground")
    assert not np.array_equal(
        item.cells_below("fill", 9, 7, 100), plain.cells_below("fill", 9, 7, 100)
    )
    # Normal form C keeps visibly different texts apart: a ligature stays one.
    assert open_stream("portable", "\ufb01", "a").draws("x").raw() != (
        open_stream("portable", "fi", "a").draws("x").raw()
    )


def test_the_draws_of_many_places_are_those_of_each() -> None:
    stream = open_stream("portable", 7, "objects").portable
    places = [(), ("square", 0, 12), ("room", "Küche", -3), ("square", 2**70)]
    many = [draws.raw() for draws in stream.each_draws("rows", iter(places))]
    assert many == [stream.draws("rows", *position).raw() for position in places]
