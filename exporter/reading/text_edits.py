"""Changes a spec's text at a few places: comments, order, quotes, line ends and style stay.

Whoever changes a text this way reads it again and compares it with what was meant: some styles
cannot be changed in place.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from exporter.model.errors import SpecError
from exporter.reading.document import Document, Path, read_document
from exporter.reading.json_text import is_json

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_BLOCK_TEXT = re.compile(r"[|>][-+0-9]*")
_LINE_END = re.compile(r"\r\n|\n|\r")


class Edit(NamedTuple):
    """Characters to replace: offsets in the text, and what comes there."""

    start: int
    end: int
    text: str


def value_edits(document: Document, path: Path, old: Any, new: Any) -> Iterator[Edit]:
    """Yield the edits that turn one plain value into another; lists have the same length."""
    if isinstance(old, list) and isinstance(new, list):
        for index, (before, after) in enumerate(zip(old, new, strict=True)):
            yield from value_edits(document, (*path, index), before, after)
    elif old != new or type(old) is not type(new):
        mark = document.values[path]
        plain = isinstance(new, str) and _WORD.fullmatch(new) and not is_json(document.text)
        yield Edit(mark.start, mark.end, new if plain else json.dumps(new))


def addition(document: Document, path: Path, key: str, value: Any) -> Edit:
    """Return the edit that adds an entry after another one, in the same style."""
    text, mark, begin = document.text, document.keys[path], document.values[path].start
    end = end_of(document, path)
    edits = [
        Edit(mark.start, mark.end, in_quotes_of(text[mark.start : mark.end], key)),
        *value_edits(document, path, document.get(path), value),
    ]
    shifted = [Edit(e.start - mark.start, e.end - mark.start, e.text) for e in edits]
    entry = applied(text[mark.start : end], shifted)
    line_start = max(text.rfind("\n", 0, mark.start), text.rfind("\r", 0, mark.start)) + 1
    indent = text[line_start : mark.start]
    found = _LINE_END.search(text, end) or _LINE_END.search(text)
    line_end = found[0] if found is not None else "\n"
    if "\n" in entry or "\r" in entry or "#" in entry:
        entry = f"{in_quotes_of(text[mark.start : mark.end], key)}: {json.dumps(value)}"
    outer = document.values[path[:-1]]
    if outer.end > outer.start:  # in flow style
        gap = " " if " " in text[mark.end : begin] else ""
        if not indent.strip():
            gap = line_end + indent
        return Edit(end, end, f",{gap}{entry}")
    if indent.strip():
        indent = " " * mark.column
    behind = len(text) if (last := _LINE_END.search(text, end)) is None else last.start()
    return Edit(behind, behind, f"{line_end}{indent}{entry}")


def end_of(document: Document, path: Path) -> int:
    """Return the offset behind a value; of a text in several lines, behind its last character."""
    mark, value = document.values[path], document.get(path)
    if mark.end > mark.start or not isinstance(value, list | dict) or not value:
        written = document.text[mark.start : mark.end]
        if path in document.quoted and (header := _BLOCK_TEXT.match(written)):
            # With a `+` the empty lines behind it are part of the text.
            return mark.end if "+" in header[0] else mark.start + len(written.rstrip())
        return mark.end
    last = len(value) - 1 if isinstance(value, list) else list(value)[-1]
    return end_of(document, (*path, last))


def in_quotes_of(token: str, word: str) -> str:
    """Return a word in the same quotes as a token, if it has any."""
    quote = token[:1] if token[:1] in ("'", '"') else ""
    return f"{quote}{word}{quote}"


def applied(text: str, edits: Iterable[Edit]) -> str:
    """Return a text with some parts replaced that do not overlap."""
    parts, done = [], 0
    for edit in sorted(edits):
        parts += [text[done : edit.start], edit.text]
        done = edit.end
    return "".join([*parts, text[done:]])


def with_values(content: bytes, file: str, values: Mapping[Path, Any]) -> bytes | None:
    """Return a text with other plain values at some paths of mappings.

    An entry that is not there yet is added behind the first one of its mapping.

    Args:
        content: The file; it can be read without a problem.
        file: Its name.
        values: The values by path.

    Returns:
        The text; None if it is written in a way that cannot be changed in place.
    """
    document = read_document(content, file)
    edits: list[Edit] = []
    meant = json.loads(json.dumps(document.data))
    for path, value in values.items():
        holder = document.get(path[:-1])
        if not isinstance(holder, dict) or not holder:
            return None
        inside = meant
        for step in path[:-1]:
            inside = inside[step]
        if _is_block(document, path):
            edits += _block_edits(document, path, value)
        elif path in document.values:
            edits.append(
                Edit(
                    document.values[path].start,
                    end_of(document, path),
                    _written(value, document.text),
                )
            )
        else:
            first = next(iter(holder))
            edits.append(addition(document, (*path[:-1], first), str(path[-1]), value))
        inside[path[-1]] = value
    mark = BYTE_ORDER_MARK if content.startswith(BYTE_ORDER_MARK) else b""
    changed = mark + applied(document.text, edits).encode()
    try:
        read = read_document(changed, file)
    except SpecError:
        return None
    return changed if not read.problems and read.data == meant else None


def _is_block(document: Document, path: Path) -> bool:
    """Whether a value is a mapping whose entries stand on lines of their own below its key."""
    if not isinstance(document.get(path), dict) or path not in document.keys:
        return False
    mark = document.values[path]
    between = document.text[document.keys[path].end : mark.start]
    return mark.end == mark.start and _LINE_END.search(between) is not None


def _block_edits(document: Document, path: Path, value: Any) -> Iterator[Edit]:
    """Yield the edits that put a plain value behind a key, in place of the lines below it."""
    text = document.text
    colon = text.index(":", document.keys[path].end) + 1
    yield Edit(colon, colon, f" {_written(value, text)}")
    # A comment behind the key stays; those of the lines that go, go with them.
    first = _LINE_END.search(text, colon)
    assert first is not None, "there are lines below the key"
    last = len(text[: end_of(document, path)].rstrip())
    end = _LINE_END.search(text, last)
    yield Edit(first.start(), len(text) if end is None else end.start(), "")


def _written(value: Any, text: str) -> str:
    if isinstance(value, str) and _NAME.fullmatch(value) and not is_json(text):
        return json.dumps(value) if value.lower() in MISREAD else value
    return json.dumps(value)


# Words that are no texts to YAML readers.
MISREAD = frozenset({"true", "false", "null", "yes", "no", "on", "off"})
