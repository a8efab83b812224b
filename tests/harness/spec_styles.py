"""Random specs written in random styles: block and brackets, comments, quotes, line ends."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

_WORDS = st.sampled_from(
    ["cave", "a b", "yes", "12", "it's", "é", "x", "long text here", "", "1.0"]
)
_KEYS = st.sampled_from(["a", "b", "level", "size", "generator", "on", "é", "two words", "12"])
_SCALARS = st.one_of(
    _WORDS,
    st.integers(-100, 100),
    st.sampled_from([0.5, 1.0, 1e-7]),
    st.booleans(),
    st.none(),
    st.sampled_from(["one\ntwo\n", "one\n\n  two", "fold me\n"]),
)
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(_KEYS, inner, max_size=4)),
    max_leaves=12,
)


@st.composite
def styled_texts(draw: Any) -> bytes:
    """A spec as bytes; its style changes from value to value."""
    data = draw(st.dictionaries(_KEYS, _VALUES, min_size=1, max_size=5))
    writer = _Writer(draw)
    lines = writer.block(data, 0)
    if draw(st.booleans()):
        lines = ["# header", *([""] if draw(st.booleans()) else []), *lines]
    if draw(st.booleans()):
        lines += ["", "# the end"]
    text = "\n".join(lines) + ("\n" if draw(st.booleans()) else "")
    if draw(st.integers(0, 5)) == 0:
        text = text.replace("\n", "\r\n")
    return (b"\xef\xbb\xbf" if draw(st.integers(0, 5)) == 0 else b"") + text.encode()


class _Writer:
    def __init__(self, draw: Any) -> None:
        self.draw = draw
        self.step = draw(st.integers(1, 4))
        self.hyphen_step = draw(st.integers(0, 3))
        self.chance = draw(st.integers(0, 3))

    def some(self) -> bool:
        return self.draw(st.integers(0, 3)) < self.chance

    def comment(self) -> str:
        return self.draw(st.sampled_from(["", "", "  # why", " #\ttab: {x", "   "]))

    def block(self, value: Any, column: int) -> list[str]:
        """Lines of a mapping or list that is not empty."""
        lines: list[str] = []
        entries = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in entries:
            if lines or column:
                if self.some():
                    lines.append("")
                if self.some():
                    lines.append(" " * column + "# above")
            lead = "- " if isinstance(value, list) else self.key(key) + ":"
            lines += self.entry(lead, item, column, hyphen=isinstance(value, list))
            if self.some() and self.some():
                lines.append(" " * (column + 2) + "# below, deeper")
        return lines

    def entry(self, lead: str, value: Any, column: int, *, hyphen: bool) -> list[str]:
        indent = " " * column
        if isinstance(value, dict | list) and value and self.some():
            return [
                f"{indent}{lead.rstrip()} {self.flow(value, column)}{self.comment()}".rstrip("\r")
            ]
        if isinstance(value, dict | list) and value:
            if hyphen and self.draw(st.booleans()):
                inner = self.block(value, column + 2)
                while (inner and not inner[0].strip()) or inner[0].lstrip().startswith("#"):
                    inner.pop(0)
                return [f"{indent}- {inner[0].lstrip(' ')}", *inner[1:]]
            step = self.hyphen_step if isinstance(value, list) and not hyphen else self.step
            return [f"{indent}{lead.rstrip()}{self.comment()}", *self.block(value, column + step)]
        if isinstance(value, str) and "\n" in value and self.draw(st.booleans()):
            sign = "" if value.endswith("\n") else "-"
            inner = [
                f"{indent}    {item}" if item else "" for item in value.rstrip("\n").split("\n")
            ]
            return [f"{indent}{lead.rstrip()} |{sign}{self.comment()}", *inner]
        if value is None and self.draw(st.booleans()):
            return [f"{indent}{lead.rstrip()}{self.comment()}"]
        return [f"{indent}{lead.rstrip()} {self.scalar(value)}{self.comment()}"]

    def flow(self, value: Any, column: int) -> str:
        if not isinstance(value, dict | list):
            return self.scalar(value, flow=True)
        pairs = [
            f"{self.key(key)}: {self.flow(item, column)}" for key, item in value.items()
        ] if isinstance(value, dict) else [self.flow(item, column) for item in value]  # fmt: skip
        if value and self.some():
            space = "\n" + " " * (column + 4)
            lines = [f"{space}{pair},{self.comment()}" for pair in pairs[:-1]]
            lines.append(f"{space}{pairs[-1]}{self.draw(st.sampled_from(['', ',', '  # c']))}")
            inside = "".join(lines) + "\n" + " " * (column + 1)
        else:
            inside = self.draw(st.sampled_from([", ", ",  "])).join(pairs)
            pad = self.draw(st.sampled_from(["", " "]))
            inside = f"{pad}{inside}{pad}"
        return f"{{{inside}}}" if isinstance(value, dict) else f"[{inside}]"

    def key(self, key: Any) -> str:
        return key if key.isalpha() and key not in ("on",) and self.some() else self.quoted(key)

    def scalar(self, value: Any, *, flow: bool = False) -> str:
        if isinstance(value, str):
            plain = value.replace(" ", "").isalpha() and value not in ("yes",)
            return value if plain and not self.some() else self.quoted(value)
        return json.dumps(value)

    def quoted(self, text: str) -> str:
        if "\n" not in text and self.draw(st.booleans()):
            return "'" + text.replace("'", "''") + "'"
        return json.dumps(text, ensure_ascii=False)
