"""Replace parts of a text, and find where the values in it end.

The caller parses the new text and compares it with the intended data, since some styles of YAML
cannot be edited in place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from exporter.reading.yaml_reader import Document, Path

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_BLOCK_TEXT = re.compile(r"[|>][-+0-9]*")


class Edit(NamedTuple):
    """Replacement of the characters from offset `start` up to `end` by `text`."""

    start: int
    end: int
    text: str


def end_of(document: Document, path: Path) -> int:
    """Return the offset where the value at `path` ends."""
    mark, value = document.values[path], document.get(path)
    if mark.end > mark.start or not isinstance(value, list | dict) or not value:
        written = document.text[mark.start : mark.end]
        if path in document.quoted and (header := _BLOCK_TEXT.match(written)):
            # With a `+` the empty lines behind it are part of the text.
            return mark.end if "+" in header[0] else mark.start + len(written.rstrip())
        return mark.end
    last = len(value) - 1 if isinstance(value, list) else list(value)[-1]
    return end_of(document, (*path, last))


def applied(text: str, edits: Iterable[Edit]) -> str:
    """Return `text` after all `edits`, which must not overlap."""
    parts, done = [], 0
    for edit in sorted(edits):
        parts += [text[done : edit.start], edit.text]
        done = edit.end
    return "".join([*parts, text[done:]])
