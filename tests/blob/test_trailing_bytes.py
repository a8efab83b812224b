"""Trailing bytes are refused: after a frame, and after a payload of known length."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cases import each_case
from exporter.codecs import CODECS, choose, decode, decode_payload, encode, frame_header
from exporter.model.errors import BlobError

# Range coders read zeros beyond their stream, so that these cannot tell where it ends.
ENDLESS = {"bitmap", "columns", "tiles", "visibility"}
RAMP = np.add.outer(np.arange(40) * 37, np.arange(30) * 91)
ARRAYS: list[NDArray[Any]] = [
    np.kron(np.eye(8, dtype=np.uint8), np.ones((5, 5), np.uint8)),
    (RAMP % 9000).astype(np.uint16),
    np.arange(0, 9_000_000, 9001, dtype=np.int32),
    np.full((30, 30), 0x12345678, np.int32),
]
MORE = [b"\0", b"\1", b"\0" * 9]


@each_case("array", ARRAYS)
def test_a_frame_with_something_behind_it_is_refused(array: NDArray[Any]) -> None:
    frame = encode(array)
    assert np.array_equal(decode(frame), array)
    for more in (*MORE, frame):
        with pytest.raises(BlobError, match="checksum"):
            decode(frame + more)


@each_case("name", sorted(set(CODECS.names()) - ENDLESS))
def test_a_payload_with_something_behind_it_is_refused_under_a_right_checksum(name: str) -> None:
    attempted = 0
    for array in ARRAYS:
        try:
            chosen = choose(array, name)
        except ValueError:
            continue
        attempted += 1
        frame = encode(array, name)
        start = frame_header(frame).payload_at
        head = frame[: start - 4]
        for more in MORE:
            payload = chosen.payload + more
            check = zlib.crc32(payload, zlib.crc32(head)).to_bytes(4, "little")
            with pytest.raises(BlobError, match=f"broken {name} data"):
                decode(head + check + payload)
            with pytest.raises(BlobError):
                decode_payload(chosen.codec.number, payload, array.shape, array.dtype)
    assert attempted


@each_case("length", range(7))
def test_less_than_the_shortest_frame_is_refused(length: int) -> None:
    with pytest.raises(BlobError):
        decode(encode(np.zeros(1, np.uint8))[:length])
