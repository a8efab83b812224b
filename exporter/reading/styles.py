"""Detect the style of a YAML text: quotes, indentation and line ends."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from exporter.reading.json_text import is_json
from exporter.reading.layout import LINE_END, is_block, start_of_line
from exporter.reading.value_text import Spread, TextStyle, is_flat, is_plain
from exporter.reading.yaml_reader import Document, Mark, Path

_QUOTES = ("'", '"')
_BLANK = re.compile(r"[ \t]*")
_COLON = re.compile(r"[ \t]*:[ \t]*")


def style_at(document: Document, path: Path) -> TextStyle:
    """Return the style in which a value at `path` fits its neighbours.

    There need not be a value yet.
    """
    text = document.text
    json = is_json(text)
    near = document.values.get(path) or document.values.get(path[:-1]) or Mark(0, 0)
    result = LINE_END.search(text, near.end) or LINE_END.search(text)
    line_end = result[0] if result is not None else "\n"
    step, hyphen_step = _steps(document, path)
    compact = json and _is_compact(document)
    return TextStyle(
        json=json,
        quote=_usual_quote(document, path),
        key_quote='"' if json else _key_quote(document, path),
        step=step,
        hyphen_step=hyphen_step,
        line_end=line_end,
        colon=":" if compact else ": ",
        comma="," if compact else ", ",
    )


def style_beside(document: Document, path: Path, neighbour: Path, end: int) -> TextStyle:
    """Return the style for a new entry at `path`, taken from a neighbour.

    `neighbour` is the path of the adjacent entry, and `end` the offset where that entry ends.
    """
    style, text = style_at(document, path), document.text
    result = LINE_END.search(text, end)
    line_end = result[0] if result is not None else style.line_end
    key_quote, comma = style.key_quote, style.comma
    if neighbour in document.keys and not style.json and is_plain(str(neighbour[-1])):
        key = document.keys[neighbour].start
        key_quote = text[key] if text[key] in _QUOTES else ""
    mark = document.values[neighbour]
    written = text[mark.start : mark.end]
    if written.startswith(("[", "{")) and "," in written and not re.search(r",\s", written):
        comma = ","
    return replace(style, line_end=line_end, key_quote=key_quote, comma=comma)


def quote_of(document: Document, path: Path) -> str:
    """Return the quotes around the value at `path`, or "" if it has none."""
    mark = document.values.get(path)
    first = document.text[mark.start : mark.start + 1] if mark is not None else ""
    return first if path in document.quoted and first in _QUOTES else ""


def prefers_block(document: Document, path: Path, value: Any) -> bool | None:
    """Return whether the new `value` at `path` should be in block style.

    The last list or mapping like it in the same parent decides; None without one.
    """
    near = _alike(document, path, value)
    return None if near is None else is_block(document, near)


def _alike(document: Document, path: Path, value: Any) -> Path | None:
    """Return the path of the last value beside `path` that is like `value`.

    Alike are two nonempty lists or two nonempty mappings that are both flat or both not. Return
    None if there is no such value, or if `value` is neither.
    """
    if not isinstance(value, list | dict) or not value:
        return None
    holder = document.get(path[:-1])
    steps = list(holder) if isinstance(holder, dict) else range(len(holder))
    for step in reversed(steps):
        other = document.get((*path[:-1], step))
        if type(other) is type(value) and other and is_flat(other) == is_flat(value):
            return (*path[:-1], step)
    return None


def spread_beside(document: Document, path: Path, value: Any) -> Spread | None:
    """Return how the new `[...]` or `{...}` at `path` is spread over lines.

    The last list or mapping like `value` in the same parent decides. Return None without one,
    or if it is on one line.
    """
    near = _alike(document, path, value)
    if near is None:
        return None
    text, mark = document.text, document.values[near]
    written = text[mark.start : mark.end]
    first = LINE_END.search(written)
    if first is None or written[1 : first.start()].strip():
        return None
    indent = _BLANK.match(text, start_of_line(text, mark.start))
    inner = _BLANK.match(written, first.end())
    assert indent is not None
    assert inner is not None
    lists = any(
        LINE_END.search(text, item.start, item.end) is not None
        for inside, item in document.values.items()
        if isinstance(held := document.get(inside), list) and is_flat(held)
    )
    return Spread(indent[0], max(0, len(inner[0]) - len(indent[0])), lists)


def _usual_quote(document: Document, path: Path) -> str:
    """Return the quotes of the quoted text nearest to `path`, by default `"`."""
    own = quote_of(document, path)
    if own:
        return own
    holder = path[:-1]
    beside = [item for item in document.quoted if item[:-1] == holder]
    position = (document.values.get(path) or document.values.get(holder) or Mark(0, 0)).start
    for group in (beside, document.quoted):
        quoted = [(abs(document.values[item].start - position), item) for item in group]
        for _, item in sorted(quoted, key=lambda pair: (pair[0], document.values[pair[1]].start)):
            if quote := quote_of(document, item):
                return quote
    return '"'


def _key_quote(document: Document, path: Path) -> str:
    """Return the quotes around the keys beside `path`; "" if they differ."""
    holder = document.get(path[:-1]) if path else None
    if not isinstance(holder, dict) or not holder:
        return ""
    firsts = {
        document.text[mark.start : mark.start + 1]
        for key in holder
        if (mark := document.keys.get((*path[:-1], key))) is not None
    }
    return firsts.pop() if len(firsts) == 1 and firsts <= set(_QUOTES) else ""


def _steps(document: Document, path: Path) -> tuple[int, int]:
    """Return how many spaces mappings and lists are indented below their keys.

    The values nearest to `path` decide.
    """
    mappings: list[tuple[int, int]] = []
    lists: list[tuple[int, int]] = []
    for inner, key in document.keys.items():
        mark = document.values.get(inner)
        if mark is None or mark.line == key.line or not is_block(document, inner):
            continue
        near = -len(_shared(inner, path)), mark.column - key.column
        (lists if isinstance(document.get(inner), list) else mappings).append(near)
    # The nearest ones, which have the most of their paths in common.
    step = min(mappings, key=lambda mapping: mapping[0])[1] if mappings else 2
    hyphen_step = min(lists, key=lambda item: item[0])[1] if lists else step
    return max(1, step), max(0, hyphen_step)


def _shared(item: Path, other: Path) -> Path:
    count = 0
    for a, b in zip(item, other, strict=False):
        if a != b:
            break
        count += 1
    return item[:count]


def _is_compact(document: Document) -> bool:
    for path, key in document.keys.items():
        mark = document.values[path]
        between = document.text[key.end : mark.start]
        if _COLON.fullmatch(between) and between != ":":
            return False
    return True
