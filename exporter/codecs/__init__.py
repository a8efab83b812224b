"""Encode arrays of cells as bytes, and decode them.

    array --encode--> frame (bytes) --decode--> the same array

Each module without a leading underscore registers a `Codec`, which turns an array into a payload,
as few bytes as possible. `encode` tries the codecs of a profile (`small` or `fast`) and keeps the
smallest payload; the frame around it has the codec's number, the type, the shape and a checksum. A
third-party codec is used only if the caller names it. All arithmetic that affects a payload uses
integers, so that every platform writes the same bytes and a reader in any language can decode them.
"""

from __future__ import annotations

from exporter.codecs._choose import EncodedArray, choose, decode_payload
from exporter.codecs._symbols import on_a_scale
from exporter.codecs.codec import CODECS, Codec, Limits, Side, codec, codec_by_number
from exporter.codecs.frame import decode, encode, frame_header, read_frame

__all__ = [
    "CODECS",
    "Codec",
    "EncodedArray",
    "Limits",
    "Side",
    "choose",
    "codec",
    "codec_by_number",
    "decode",
    "decode_payload",
    "encode",
    "frame_header",
    "on_a_scale",
    "read_frame",
]
