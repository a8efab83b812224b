"""Stable identities: Godot uids and Unity guids from a file's place, never from its content.

Engines keep references by these numbers. They are made from the target folder's path in the
project and the file's name, so every machine and every export gives a file the same ones.
"""

from __future__ import annotations

from hashlib import sha256

# Godot writes uids in base 34: the letters but z, then the digits but 9 (checked with 4.6).
_GODOT_DIGITS = "abcdefghijklmnopqrstuvwxy012345678"


def godot_uid(place: str, name: str) -> str:
    """Return the `uid://...` of the file `name` in the target folder `place`."""
    number = int.from_bytes(_digest("godot", place, name)[:8], "big") >> 1
    text = ""
    while True:
        number, digit = divmod(number, 34)
        text = _GODOT_DIGITS[digit] + text
        if not number:
            return "uid://" + text


def unity_guid(place: str, name: str) -> str:
    """Return the guid of the asset `name` in the target folder `place`: 32 hexadecimal digits."""
    return _digest("unity", place, name)[:16].hex()


def _digest(engine: str, place: str, name: str) -> bytes:
    return sha256(f"level-exporter {engine} {place}/{name}".encode()).digest()
