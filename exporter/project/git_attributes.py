"""Append lines about exported files to `.gitattributes`.

Of several lines that match a file, Git uses the last. So no line is missing if all expected lines
occur in their order, even with other lines between them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from exporter.model.lazy_dataclass import dataclass
from exporter.store.indexes import INDEX

GIT_ATTRIBUTES = ".gitattributes"
# Outputs that hold no text.
_BINARY = ("*.lvb", "*.lvp", "*.r16", "*.raw", "*.exr")


@dataclass(frozen=True, slots=True)
class AttributeLine:
    """A line of `.gitattributes`, with a comment on its purpose."""

    text: str
    comment: str


def attribute_lines(folders: Sequence[str]) -> list[AttributeLine]:
    """Return the lines of `.gitattributes` for the output folders `folders`.

    They tell Git how to treat exported files: as text or binary, and how to merge.
    """
    places = ["".join(_escaped(character) for character in folder) for folder in folders]
    merge = "# Level Exporter: a merge keeps our side of an output; export again after it."
    index = "# The index of the outputs: a merge keeps the lines of both sides."
    binary = "# Outputs that are not text."
    return [
        *(AttributeLine(f"{_pattern(f'/{position}/**')} -merge", merge) for position in places),
        *(
            AttributeLine(f"{_pattern(f'/{position}/{INDEX}')} text eol=lf merge=union", index)
            for position in places
        ),
        *(
            AttributeLine(f"{_pattern(f'/{position}/**/{name}')} binary", binary)
            for position in places
            for name in _BINARY
        ),
    ]


def missing_lines(content: bytes, expected: Sequence[AttributeLine]) -> list[AttributeLine]:
    """Return those of the `expected` lines to append to the file `content`.

    With them, the file has all expected lines in their order.
    """
    requested_words = [line.text.encode().split() for line in expected]
    result = 0
    for line in content.splitlines():
        if result < len(expected) and line.split() == requested_words[result]:
            result += 1
    return list(expected[result:])


def with_lines(content: bytes, lines: Sequence[AttributeLine]) -> bytes:
    """Return `content` with `lines` appended, in its style of line ends."""
    if not lines:
        return content
    end = b"\r\n" if re.match(rb"[^\n]*\r\n", content) else b"\n"
    there = {line.strip() for line in content.splitlines()}
    added = []
    for line in lines:
        if (comment := line.comment.encode()) not in there:
            there.add(comment)
            added.append(comment)
        added.append(line.text.encode())
    separator = end if content and not content.endswith((b"\n", b"\r")) else b""
    return content + separator + b"".join(line + end for line in added)


def is_attribute_text(content: bytes) -> bool:
    """Return whether `content` is text that git can read as attributes."""
    return b"\0" not in content


def _escaped(character: str) -> str:
    return f"\\{character}" if character in "[]*?" else character


def _pattern(pattern: str) -> str:
    """Return `pattern` as git reads it, in quotes if needed."""
    if not re.search(r'[\s"]', pattern):
        return pattern
    quoted = pattern.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{quoted}"'
