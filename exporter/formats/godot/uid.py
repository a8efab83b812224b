"""Compute Godot's uids from paths of files, so that they never change.

Godot stores references between files as uids. A uid follows from the file's name and the path of
the target folder in the project, so it is the same on every machine and in every export.
"""

from __future__ import annotations

from hashlib import sha256

# Godot writes uids in base 34: the letters but z, then the digits but 9 (checked with 4.6).
_DIGITS = "abcdefghijklmnopqrstuvwxy012345678"


def godot_uid(position: str, name: str) -> str:
    """Return the uid (`uid://...`) of file `name` in folder `position`.

    `position` is the target folder, relative to the project.
    """
    digest = sha256(f"level-exporter godot {position}/{name}".encode()).digest()
    return uid_of_number(int.from_bytes(digest[:8], "big") >> 1)


def uid_of_number(number: int) -> str:
    """Return the 63-bit `number` as `uid://...`, as Godot writes it."""
    text = ""
    while True:
        number, digit = divmod(number, 34)
        text = _DIGITS[digit] + text
        if not number:
            return "uid://" + text
