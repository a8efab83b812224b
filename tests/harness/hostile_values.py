"""Texts that are no values of a blob: every reader refuses each of them, at any position."""

from __future__ import annotations

import zlib
from dataclasses import replace

from exporter.blob import Chunk, read_container, write_container

REFUSED = {
    "nothing": b"",
    "not JSON": b"{",
    "a comma too many": b"[1,]",
    "two values": b"1 2",
    "two lists": b"[][]",
    "white space": b"[1, 2]",
    "a line feed": b"[1]\n",
    "a key twice": b'{"a":1,"a":2}',
    "a key twice, once escaped": b'{"a":1,"\\u0061":2}',
    "a key that is no text": b"{1:2}",
    "not a number": b"NaN",
    "infinity": b"-Infinity",
    "an infinite decimal": b"1e999",
    "an integer of more than 64 bits": b"9223372036854775808",
    "a lower integer": b"-9223372036854775809",
    "a number of many digits": b"0.1234567890123456789",
    "a number of many characters": b"0.0000000000000000000000000000001",
    "a leading zero": b"01",
    "a plus": b"+1",
    "no digit before the point": b".5",
    "no digit behind the point": b"5.",
    "no exponent": b"5e",
    "hexadecimal": b"0x10",
    "single quotes": b"'a'",
    "a comment": b"[1/**/]",
    "no UTF-8": b'"\xff"',
    "overlong UTF-8": b'"\xc0\xaf"',
    "a surrogate in UTF-8": b'"\xed\xa0\x80"',
    "half a character": b'"\\ud800"',
    "the other half": b'["\\udc00\\ud800"]',
    "half a character in a key": b'{"\\udfff":1}',
    "U+0000": b'"a\\u0000"',
    "a byte 0": b'"a\0"',
    "a control character": b'"a\x01"',
    "an unknown escape": b'"\\x41"',
    "half an escape": b'"\\u12"',
    "an open text": b'"abc',
    "a byte order mark": b"\xef\xbb\xbf1",
    "a list closed as a map": b"[1}",
    "a word": b"nul",
    "a capital": b"True",
}

# The same, made here, for they are large or repeated.
REFUSED |= {
    "65 levels": b"[" * 65 + b"]" * 65,
    "levels without end": b"[" * 200_000,
    "maps without end": b'{"a":' * 200_000,
    "escapes without end": b'"' + b'\\"' * 200_000,
    "quotes without end": b'"' * 200_001,
    "many values": b"[" + b"0," * (1 << 21) + b"0]",
    "a text over the limit": b'"' + b"a" * (1 << 24) + b'"',
}


def with_text(blob: bytes, text: bytes) -> bytes:
    """Return a blob whose level data has another key, which readers ignore, with this text."""
    container = read_container(blob)
    chunks = [container.load(index) for index in range(len(container))]
    described = zlib.decompress(chunks[0].payload)
    return with_payload(chunks, zlib.compress(b'{"new":' + text + b"," + described[1:], 9))


def with_payload(chunks: list[Chunk], payload: bytes) -> bytes:
    """Return a blob of these chunks, the first with another payload."""
    return write_container([replace(chunks[0], payload=payload), *chunks[1:]])
