"""Uids and guids that only depend on a file's place."""

from __future__ import annotations

import re
from hashlib import sha256

from exporter.formats.godot.uid import godot_uid
from exporter.formats.unity.meta import unity_guid

DIGITS = "abcdefghijklmnopqrstuvwxy012345678"


def test_a_uid_is_the_base_34_text_of_63_bits_of_the_position() -> None:
    for number in range(200):
        text = godot_uid("levels", f"{number}.tscn")
        assert re.fullmatch(r"uid://[a-y0-8]+", text)
        value = 0
        for digit in text.removeprefix("uid://"):
            value = value * 34 + DIGITS.index(digit)
        key = f"level-exporter godot levels/{number}.tscn".encode()
        assert value == int.from_bytes(sha256(key).digest()[:8], "big") >> 1


def test_a_guid_is_32_hexadecimal_digits() -> None:
    assert re.fullmatch("[0-9a-f]{32}", unity_guid("Assets/Levels", "crypt.lvb"))


def test_identities_never_change() -> None:
    assert godot_uid("levels", "crypt.tscn") == "uid://dngm48uedhhm0"
    assert unity_guid("Assets/Levels", "crypt.lvb") == "3aaa864e53003727224ec592b437641d"


def test_files_and_folders_have_identities_of_their_own() -> None:
    keys = [("a", "x"), ("a", "y"), ("b", "x"), ("a/b", "x")]
    assert len({godot_uid(*key) for key in keys} | {unity_guid(*key) for key in keys}) == 8
