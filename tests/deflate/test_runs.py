"""Our deflate streams are ones that every zlib reads, and the same bytes everywhere."""

from __future__ import annotations

import zlib
from hashlib import sha256

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import each_case
from exporter.deflate import BLOCK_BYTES, Block, row_tokens, wrap
from exporter.deflate._codes import code_widths


def zlib_stream(data: bytes, distance: int = 1) -> bytes:
    """Compress bytes with matches that look `distance` back, as pictures are."""
    blocks = []
    for start in range(0, len(data), BLOCK_BYTES):
        part = data[start : start + BLOCK_BYTES]
        tokens, _ = row_tokens(np.frombuffer(part, np.uint8)[None, :], distance)
        blocks.append(Block(tokens, lambda part=part: [part], len(part)))
    return wrap(blocks, distance)


def read(stream: bytes) -> bytes:
    """Decompress, and refuse anything after the stream's end."""
    reader = zlib.decompressobj()
    data = reader.decompress(stream)
    assert reader.eof
    assert not reader.unused_data
    return data


RUNS = st.lists(st.tuples(st.binary(min_size=1, max_size=4), st.integers(1, 600)), max_size=20)


@settings(deadline=None, max_examples=80)
@given(RUNS, st.binary(max_size=300), st.sampled_from([1, 2, 3, 4, 5, 7, 258, 32768]))
def test_what_went_in_comes_out(runs: list[tuple[bytes, int]], tail: bytes, distance: int) -> None:
    data = b"".join(piece * times for piece, times in runs) + tail
    assert read(zlib_stream(data, distance)) == data


@each_case("length", [*range(8), *range(255, 270), 516, 517, 518, 519, 520])
@each_case("distance", [1, 4])
def test_runs_of_every_length_come_out(length: int, distance: int) -> None:
    data = b"x" * length + b"ab"
    assert read(zlib_stream(data, distance)) == data


def test_bytes_without_pattern_are_stored_with_little_overhead() -> None:
    data = sha256(b"noise").digest()
    for _ in range(12):
        data += sha256(data).digest() + data
    assert len(data) > 1 << 16
    stream = zlib_stream(data)
    assert read(stream) == data
    assert len(stream) <= len(data) + 6 + 10 + 6 * (len(data) // 65535 + 1)


def test_data_longer_than_a_block_comes_out_compressed() -> None:
    data = bytes(BLOCK_BYTES) + b"\1\2\3" * 5 + bytes(BLOCK_BYTES)
    stream = zlib_stream(data)
    assert read(stream) == data
    assert len(stream) < len(data) // 500


def test_a_stored_block_may_follow_and_precede_a_compressed_one() -> None:
    noise = np.random.default_rng(1).bytes(BLOCK_BYTES)
    data = bytes(BLOCK_BYTES) + noise + bytes(BLOCK_BYTES) + b"end"
    assert read(zlib_stream(data)) == data


@pytest.mark.parametrize("distance", [0, 32769])
def test_a_distance_outside_the_window_is_refused(distance: int) -> None:
    with pytest.raises(ValueError, match="cannot look"):
        zlib_stream(b"abcabcabcabc" * 9, distance)


@settings(deadline=None, max_examples=100)
@given(st.lists(st.integers(0, 10**9), min_size=2, max_size=286), st.sampled_from([9, 15]))
def test_code_lengths_make_a_complete_code(counts: list[int], limit: int) -> None:
    widths = code_widths(counts, limit)
    assert all(widths[i] for i, count in enumerate(counts) if count)
    assert max(widths) <= limit
    assert sum(2 ** (limit - width) for width in widths if width) == 2**limit


def test_code_lengths_stay_within_the_limit_for_extreme_counts() -> None:
    counts = [1, 1]
    while len(counts) < 60:
        counts.append(counts[-1] + counts[-2])
    assert max(code_widths(counts, 15)) <= 15
    assert max(code_widths(counts[:19], 7)) <= 7


def test_the_bytes_never_change() -> None:
    grid = (np.arange(90_000) % 251 * (np.arange(90_000) // 700 % 3)).astype(np.uint8).tobytes()
    assert sha256(zlib_stream(grid, 4)).hexdigest() == (
        "2374b462d27e455e8f8069b7f61928124f9dca531994d9e397d7262f780f76f0"
    )
