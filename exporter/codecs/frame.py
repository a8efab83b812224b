"""Frame an encoded array: a header with all that decoding needs.

    offset  bytes
    0       1      0xC5
    1       1      version (high 4 bits, now 1), element type (bits 2-3), dimensions (bits 0-1)
    2       1      codec
    3       1-5    each dimension, as a base-128 number, low bits first
            4      CRC-32 of everything before it and of the payload, little-endian
            rest   payload

The frame adds at most 22 bytes to the payload; 9 for a 2-dimensional array of up to 127 x 127.
"""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np

from exporter.codecs._choose import choose, decode_payload
from exporter.codecs._range import number, read_number
from exporter.codecs.codec import (
    ELEMENTS,
    NO_SIDE,
    Array,
    Limits,
    Profile,
    Side,
    canonical,
    element_code,
)
from exporter.model.errors import BlobError
from exporter.model.lazy_dataclass import dataclass

MAGIC = 0xC5
VERSION = 1


@dataclass(frozen=True, slots=True)
class FrameHeader:
    """The header of a frame; `payload_at` is where the payload starts."""

    codec: int
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    payload_at: int


def encode(
    array: Array,
    codec: str | None = None,
    profile: Profile = "small",
    side: Side = NO_SIDE,
    verify: bool = True,
) -> bytes:
    """Encode an array into a frame, at most 22 bytes longer than its payload.

    Args:
        array: bool, uint8, uint16 or int32 of 1 to 3 dimensions.
        codec: The name of the only codec to use; None tries the profile's codecs.
        profile: `small` (fewest bytes) or `fast` (fast to decode in scripts).
        side: Further inputs, which the decoder has too: another array, or an earlier payload.
        verify: Whether to decode and compare before returning.

    Raises:
        TypeError: The element type is not supported.
        ValueError: The number of dimensions or the profile is wrong, or the named codec cannot
            encode this array.
        RegistryError: The codec is unknown; also a KeyError.
    """
    if profile not in ("small", "fast"):
        raise ValueError(f"unknown profile {profile!r} (allowed: small, fast)")
    array = canonical(np.asarray(array))
    chosen = choose(array, codec, profile, side, verify)
    head = bytearray((MAGIC, VERSION << 4 | element_code(array.dtype) << 2 | array.ndim))
    head.append(chosen.codec.number)
    for length in array.shape:
        head += number(length)
    check = zlib.crc32(chosen.payload, zlib.crc32(head))
    return bytes(head) + check.to_bytes(4, "little") + chosen.payload


def decode(data: bytes, limits: Limits | None = None, side: Side = NO_SIDE) -> Array:
    """Decode a frame to the encoded array, of equal type and shape.

    Args:
        data: The bytes of the frame, with nothing after it.
        limits: The limits of decoding; the default allows 2^26 cells.
        side: The further inputs that the encoder had.

    Raises:
        BlobError: The data is not a frame, is damaged, or exceeds the limits.
    """
    header, payload = read_frame(bytes(data))
    return decode_payload(header.codec, payload, header.shape, header.dtype, side, limits)


def read_frame(data: bytes) -> tuple[FrameHeader, bytes]:
    """Check the frame `data`; return its header and its payload.

    Raises:
        BlobError: The frame is damaged.
    """
    header = frame_header(data)
    head, payload = data[: header.payload_at - 4], data[header.payload_at :]
    check = int.from_bytes(data[header.payload_at - 4 : header.payload_at], "little")
    if zlib.crc32(payload, zlib.crc32(head)) != check:
        raise BlobError("damaged frame: the checksum does not match")
    return header, payload


def frame_header(data: bytes) -> FrameHeader:
    """Read a frame's header without decoding it.

    Raises:
        BlobError: The data has no frame header.
    """
    if len(data) < 8 or data[0] != MAGIC:
        raise BlobError("the data do not begin like an encoded array")
    if data[1] >> 4 != VERSION:
        raise BlobError(
            f"frame version {data[1] >> 4} cannot be read (known: {VERSION}; update the exporter)"
        )
    dimensions = data[1] & 3
    if dimensions == 0:
        raise BlobError("damaged frame: no dimensions")
    shape, position = [], 3
    try:
        for _ in range(dimensions):
            length, position = read_number(data, position)
            shape.append(length)
    except ValueError as error:
        raise BlobError(f"damaged frame: {error}") from error
    if position + 4 > len(data):
        raise BlobError("damaged frame: the end is missing")
    return FrameHeader(data[2], ELEMENTS[data[1] >> 2 & 3], tuple(shape), position + 4)
