"""Gzip files: any reader reads them, and they tell neither a name nor a time."""

from __future__ import annotations

import gzip as reader

import pytest

from exporter.deflate import gzip


@pytest.mark.parametrize("quick", [False, True])
@pytest.mark.parametrize("data", [b"", b"a", bytes(70_000), bytes(range(256)) * 40])
def test_any_reader_reads_them(data: bytes, quick: bool) -> None:
    assert reader.decompress(gzip(data, quick)) == data


def test_a_damaged_file_is_noticed() -> None:
    made = bytearray(gzip(b"level" * 100))
    made[-8] ^= 1
    with pytest.raises(reader.BadGzipFile, match="CRC"):
        reader.decompress(bytes(made))


def test_the_head_has_no_time_and_no_system() -> None:
    assert gzip(b"x")[:10] == b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
