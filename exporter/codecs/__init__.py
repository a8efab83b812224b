"""Codecs: modules that encode arrays of cells as bytes, and decode them.

    array --encode--> frame (bytes) --decode--> the same array

Each module of this package whose name has no leading underscore registers one `Codec`. `encode`
tries the codecs a profile permits and keeps the smallest payload; the frame around it names the
codec, the type, the shape and a checksum. Codecs of other distributions are used by name alone.
All arithmetic that reaches a payload is in integers, so that every platform writes the same bytes
and a reader in any language can follow.
"""

from __future__ import annotations

from exporter.codecs._choose import EncodedArray, choose, decode_payload
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
    "read_frame",
]
