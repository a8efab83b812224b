"""The general encoder: every zlib reads it, it is as small as zlib's, and it never changes."""

from __future__ import annotations

import json
import zlib
from hashlib import sha256

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import exporter.deflate.general as general
from cases import each_case
from exporter.deflate import compress
from exporter.deflate._codes import distance_symbol
from interpreted_kernels import interpreted


def read(stream: bytes) -> bytes:
    """Decompress, and refuse anything after the stream's end."""
    reader = zlib.decompressobj()
    data = reader.decompress(stream)
    assert reader.eof
    assert not reader.unused_data
    return data


def mixed(words: int, copies: int) -> bytes:
    """Return bytes in which stretches of every length come again at every distance."""
    state = 12345
    data = bytearray()
    for _ in range(words):
        state = (state * 1103515245 + 12345) % 2**31
        data += (state >> 8).to_bytes(3, "little")
        for _ in range(copies):
            state = (state * 1103515245 + 12345) % 2**31
            at = (state >> 4) % len(data)
            data += data[at : at + (state >> 12) % 40]
    return bytes(data)


def text() -> bytes:
    rows = [
        {"name": f"monster {i % 17}", "hp": i * i % 97, "boss": i % 5 == 0} for i in range(4000)
    ]
    return json.dumps(rows, indent=1).encode()


def tiles() -> bytes:
    y, x = np.mgrid[0:512, 0:512]
    walls = (x * x + 3 * y * y) // 977 % 3 + ((x ^ y) % 23 == 0)
    return np.asarray(walls, np.uint8).tobytes()


PIECES = st.lists(st.tuples(st.binary(min_size=1, max_size=12), st.integers(1, 300)), max_size=30)


@settings(deadline=None, max_examples=80)
@given(PIECES, st.binary(max_size=300), st.integers(1, 3))
def test_what_went_in_comes_out(pieces: list[tuple[bytes, int]], tail: bytes, times: int) -> None:
    data = (b"".join(piece * count for piece, count in pieces) + tail) * times
    assert read(compress(data)) == data


@settings(deadline=None, max_examples=80)
@given(st.lists(st.sampled_from([b"a", b"ab", b"abc", b"xyzabcd", bytes(9)]), max_size=200))
def test_few_symbols_come_out(pieces: list[bytes]) -> None:
    data = b"".join(pieces)
    assert read(compress(data)) == data


@each_case("length", [*range(12), *range(255, 270), 516, 517, 519, 32767, 32768])
def test_runs_of_every_length_come_out(length: int) -> None:
    data = b"x" * length + b"ab"
    assert read(compress(data)) == data


@each_case("gap", [32758, 32759, 32760, 32766, 32767, 32768, 32769, 40000])
def test_matches_at_the_edge_of_the_window_come_out(gap: int) -> None:
    noise = np.random.default_rng(3).bytes(gap)
    data = b"a word here" + noise + b"a word here" + noise[:99]
    assert read(compress(data)) == data


def test_parts_look_back_into_one_another(monkeypatch: pytest.MonkeyPatch) -> None:
    data = mixed(3000, 3)
    whole = compress(data)
    monkeypatch.setattr(general, "PART_BYTES", 5000)
    parts = compress(data)
    assert read(parts) == data
    assert len(parts) < len(whole) * 1.1


def test_stored_and_coded_blocks_may_follow_one_another(monkeypatch: pytest.MonkeyPatch) -> None:
    noise = np.random.default_rng(1).bytes(70_000)
    monkeypatch.setattr(general, "PART_BYTES", 70_000)
    for data in (bytes(70_000) + noise + bytes(70_000), noise + bytes(70_000) + noise, noise):
        assert read(compress(data)) == data


def test_bytes_without_pattern_are_stored_with_little_overhead() -> None:
    noise = np.random.default_rng(2).bytes(300_000)
    stream = compress(noise)
    assert read(stream) == noise
    assert len(stream) <= len(noise) + 6 + 40


def test_a_few_bytes_need_no_tables() -> None:
    assert len(compress(b"")) == 8
    assert len(compress(b"hello hello")) <= len(zlib.compress(b"hello hello", 9))


@pytest.mark.parametrize("data", [mixed(9000, 4), text(), tiles()], ids=["mixed", "text", "tiles"])
def test_streams_are_about_as_small_as_those_of_zlib(data: bytes) -> None:
    stream = compress(data)
    assert read(stream) == data
    assert len(stream) < 1.03 * len(zlib.compress(data, 9))


@each_case(
    "data",
    [b"", b"ab", mixed(300, 4), text()[:20_000], tiles()[:30_000], bytes(3000)],
)
def test_the_interpreted_kernel_gives_the_same_bytes(
    data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(general, "PART_BYTES", 7000)
    with_kernel = compress(data)
    monkeypatch.setattr(general, "kernel", interpreted("deflate"))
    assert compress(data) == with_kernel


def test_the_bytes_never_change() -> None:
    digests = [
        sha256(compress(data)).hexdigest()[:16] for data in (mixed(9000, 4), text(), tiles())
    ]
    assert digests == ["6335869876003ad7", "bb356316553d9c7c", "30eadb42bb2b5be1"]


def test_every_distance_has_the_symbol_the_format_gives_it() -> None:
    symbols, extras, bits = general._distance_tables()
    for distance in range(1, 32769):
        expected = distance_symbol(distance)
        assert (symbols[distance], extras[distance], bits[distance]) == expected


@each_case("data", [b"", b"a", mixed(300, 9), text()])
def test_quick_streams_are_read_and_little_longer(data: bytes) -> None:
    quick = compress(data, quick=True)
    assert read(quick) == data
    assert 4 * len(quick) <= 5 * len(compress(data))
