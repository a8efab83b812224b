"""Gzip files (RFC 1952) whose bytes are the same on every machine, without a name and a time."""

from __future__ import annotations

import struct
import zlib

from exporter.deflate.general import compress

# Deflate; no flags, no time, no hint, an unknown system.
_HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
_ZLIB_HEAD, _ZLIB_END = 2, 4


def gzip(data: bytes, quick: bool = False) -> bytes:
    """Compress any bytes into a gzip file.

    Args:
        data: The bytes, fewer than 4 GiB.
        quick: Try fewer matches: see `compress`.
    """
    stream = compress(data, quick)[_ZLIB_HEAD:-_ZLIB_END]
    return _HEAD + stream + struct.pack("<II", zlib.crc32(data), len(data))
