"""Godot's text resources, also hostile ones, are read without running or allocating anything."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import each_case
from exporter.formats.godot.resource_text import (
    MAXIMUM_BYTES,
    Call,
    ResourceTextError,
    read_sections,
    value_of,
)
from exporter.formats.godot.text import quoted

HEAD = '[gd_resource type="TileSet" format=3]\n'


@each_case(
    ("text", "value"),
    [
        ("12", 12),
        ("-1.5e-3", -0.0015),
        ("true", True),
        ("null", None),
        ("inf", math.inf),
        ('"a\\n\\"b\\" \\u2620"', 'a\n"b" \u2620'),
        ('&"name"', "name"),
        ('^"../Node"', "../Node"),
        ("[1, [2, ], ]", [1, [2]]),
        ('{"a": 1, 2: [3]}', [("a", 1), (2, [3])]),
        ("Vector2i(2, 1)", Call("Vector2i", (2, 1))),
        ("PackedVector2Array()", Call("PackedVector2Array", ())),
        ("Array[int]([1])", Call("Array[int]", ([1],))),
    ],
)
def test_values_are_read(text: str, value: object) -> None:
    assert value_of(text) == value


@given(st.text(st.characters(blacklist_categories=("Cs",), blacklist_characters="\0")))
def test_texts_come_back(text: str) -> None:
    written = quoted(text)
    again = read_sections(f"{HEAD}[resource]\na = {written}\nb = 1\n".encode())
    if "\r" not in text and text == value_of(written):
        assert again[1].value("a") == text
    assert again[1].value("b") == 1


def test_sections_keep_their_entries_in_order() -> None:
    text = (
        f'{HEAD}; a comment\n\n[sub_resource type="A" id="x"]\n0:0/0 = 0\n'
        'name = "two\nlines [resource]"\nlist = [\n1,\n2]\n\n[resource]\nlast = 3'
    )
    head, sub, own = read_sections(text.encode())
    assert head.attributes == {"type": "TileSet", "format": 3}
    assert sub.attributes == {"type": "A", "id": "x"}
    assert list(sub.entries) == ["0:0/0", "name", "list"]
    assert sub.value("name") == "two\nlines [resource]"
    assert sub.value("list") == [1, 2]
    assert own.value("last") == 3
    assert own.value("none", 7) == 7


def test_line_ends_of_windows_are_read() -> None:
    text = f"{HEAD}[resource]\na = 1\nb = 2\n".replace("\n", "\r\n")
    assert read_sections(text.encode())[1].value("a") == 1


@each_case(
    ("content", "message"),
    [
        (b"RSRC\0\0\0\0", "binary"),
        (b"\xff\xfe[gd_resource]", "not UTF-8 text"),
        (b"", "the first line"),
        (b'[gd_scene format=3]\n[node name="a"]\n', "the first line"),
        (b"hello = 1\n", "not of the form"),
        (f"{HEAD}[resource]\n)))\n".encode(), "not of the form"),
        (f"{HEAD}[resource]\na = (]\n".encode(), "stray"),
        (f"{HEAD}[resource]\na = (1\n".encode(), "is not closed"),
        (f'{HEAD}[resource]\na = "x\n'.encode(), "is not closed"),
        (f"{HEAD}[resource]\na = {'[' * 5000}{']' * 5000}\n".encode(), "too deep"),
        (HEAD.encode() + b"[resource]\n" + b"a = 1\n" * 400_001, "entries"),
        (b"[gd_resource type=\n", "invalid value"),
        (b" " * (MAXIMUM_BYTES + 1), "bytes"),
    ],
)
def test_what_is_no_resource_is_reported(content: bytes, message: str) -> None:
    with pytest.raises(ResourceTextError, match=message):
        read_sections(content)


@each_case(
    "text",
    ["", "what", "1 2", "[1 2]", "[1", "{1}", "{1: }", "9" * 70, "9" * 25, "(1)", '"', "Color(1"],
)
def test_broken_values_are_reported(text: str) -> None:
    with pytest.raises(ResourceTextError):
        value_of(text)


def test_deep_values_are_reported() -> None:
    with pytest.raises(ResourceTextError, match="deep"):
        value_of("[" * 40 + "]" * 40)


@given(st.text(alphabet='[]{}()"\\=,:;&^ \n\tabE1.-_/', max_size=60))
def test_any_text_is_read_or_reported(text: str) -> None:
    for content in (text, HEAD + text, f"{HEAD}[resource]\na = {text}"):
        try:
            for section in read_sections(content.encode()):
                for key in section.entries:
                    section.value(key)
        except ResourceTextError:
            continue
