"""Columns: JSON texts in Python's styles come back, and records cost what columns cost."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from cases import each_case
from exporter.codecs import decode, encode


@each_case(
    "style",
    [
        {},
        {"separators": (",", ":")},
        {"indent": 2},
        {"indent": "\t"},
        {"ensure_ascii": False},
        {"indent": 4, "ensure_ascii": False},
    ],
)
def test_json_texts_in_pythons_styles_come_back_as_they_were(style: dict[str, Any]) -> None:
    rows = [{"id": number, "note": "été", "at": [number, 2.5]} for number in range(60)]
    for end in ("", "\n"):
        text = (json.dumps({"rows": rows}, **style) + end).encode()
        array = np.frombuffer(text, np.uint8)
        frame = encode(array)
        assert decode(frame).tobytes() == text
        assert len(frame) < 200


@each_case("text", ['{"a":1, "b":2}', '{"a": 1.50}', '{"a": 1, "a": 2}', "[1,\n2]"])
def test_other_json_is_stored_some_other_way(text: str) -> None:
    array = np.frombuffer(text.encode(), np.uint8)
    with pytest.raises(ValueError, match="cannot encode"):
        encode(array, "columns")
    assert decode(encode(array)).tobytes() == text.encode()
