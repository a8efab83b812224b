"""Find where the entries of a list or mapping, with comments, lie in text.

Some comments belong to an entry and move with it: lines directly above that are not indented
deeper, the comment at the end of its last line, and lines below that are indented deeper. Comments
after an empty line do not move, nor do comments above the first key, which describe the file.
"""

from __future__ import annotations

import re

from exporter.model.lazy_dataclass import dataclass
from exporter.reading.changes import RefusedError, named
from exporter.reading.text_edits import end_of
from exporter.reading.yaml_reader import Document, Path

LINE_END = re.compile(r"\r\n|\n|\r")
_COMMENT_BEHIND = re.compile(r"[ \t]+#[^\r\n]*")
_SPACES = re.compile(r"[ \t]*")
_NOTHING = re.compile(r"(?:\s|#[^\r\n]*)*")
_COMMENT = re.compile(r"#[^\r\n]*")


@dataclass(frozen=True, slots=True)
class EntryOffsets:
    """Offsets in the text of one entry and its comments.

    Attributes:
        step: The key or index of the entry.
        start: The start of its first comment line, after the indentation; `head` without comments.
        head: The start of its key or hyphen; for a list in brackets, of its value.
        value_end: The end of its value.
        end: The end of its value and comments; in brackets `value_end`.
        comma: The offset of the comma after it; -1 without one.
        slot_end: The end of its comma and the comment there; in block style `end`.
    """

    step: str | int
    start: int
    head: int
    value_end: int
    end: int
    comma: int
    slot_end: int


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the entries of a nonempty list or mapping lie in the text.

    Attributes:
        flow: Whether the list or mapping is in brackets.
        mapping: Whether it is a mapping.
        column: In block style (without brackets), the column where its lines start, from 0.
        entries: The entries in the order of the text.
    """

    flow: bool
    mapping: bool
    column: int
    entries: tuple[EntryOffsets, ...]


def is_block(document: Document, path: Path) -> bool:
    """Return whether a nonempty list or mapping without brackets is at `path`."""
    value = document.get(path)
    mark = document.values[path]
    return isinstance(value, list | dict) and bool(value) and mark.start == mark.end


def layout_of(document: Document, path: Path) -> Layout:
    """Return where the entries of the list or mapping at `path` lie.

    Raises:
        RefusedError: The text has a style that cannot be edited in place.
    """
    value = document.get(path)
    assert isinstance(value, list | dict), "only what has entries has a layout"
    steps = list(value) if isinstance(value, dict) else list(range(len(value)))
    if is_block(document, path):
        return _block_layout(document, path, steps, mapping=isinstance(value, dict))
    mark = document.values[path]
    if document.text[mark.start : mark.start + 1] not in ("{", "["):
        raise _unusual(document, path)
    return _flow_layout(document, path, steps, mapping=isinstance(value, dict))


def start_of_line(text: str, position: int) -> int:
    """Return the offset where the line that contains `position` starts."""
    return max(text.rfind("\n", 0, position), text.rfind("\r", 0, position)) + 1


def end_of_line(text: str, position: int) -> int:
    """Return the offset where the line that contains `position` ends.

    The line break is not part of the line.
    """
    result = LINE_END.search(text, position)
    return len(text) if result is None else result.start()


def behind_colon(document: Document, path: Path) -> int:
    """Return the offset after the colon of the key at `path`.

    Raises:
        RefusedError: The key has no colon.
    """
    result = re.compile(r"[ \t]*:").match(document.text, document.keys[path].end)
    if result is None:
        raise _unusual(document, path)
    return result.end()


def behind_hyphen(document: Document, path: Path) -> int:
    """Return the offset after the hyphen of the list entry at `path`."""
    assert isinstance(path[-1], int)
    return layout_of(document, path[:-1]).entries[path[-1]].head + 1


def _unusual(document: Document, path: Path) -> RefusedError:
    line = document.values[path].line + 1
    return RefusedError(
        f"{named(path)} is written in an unusual style in line {line} (write it on a line of its "
        "own, `key: value`)"
    )


# --- block style ----------------------------------------------------------------------------------


def _block_layout(
    document: Document, path: Path, steps: list[str | int], *, mapping: bool
) -> Layout:
    text = document.text
    heads = _key_heads(document, path, steps) if mapping else _hyphens(document, path, steps)
    column = heads[0] - start_of_line(text, heads[0])
    entries: list[EntryOffsets] = []
    for number, (step, head) in enumerate(zip(steps, heads, strict=True)):
        floor = entries[-1].end if entries else 0
        start = _comments_above(text, head, floor, column) if path or entries else head
        value_end = end_of(document, (*path, step))
        limit = heads[number + 1] if number + 1 < len(heads) else len(text)
        end = _with_comments_below(text, value_end, limit, column)
        entries.append(EntryOffsets(step, start, head, value_end, end, -1, end))
    return Layout(flow=False, mapping=mapping, column=column, entries=tuple(entries))


def _key_heads(document: Document, path: Path, steps: list[str | int]) -> list[int]:
    heads = []
    for step in steps:
        head = document.keys[*path, step].start
        before = document.text[start_of_line(document.text, head) : head]
        if before.rstrip().endswith("?"):
            raise _unusual(document, (*path, step))
        behind_colon(document, (*path, step))
        heads.append(head)
    return heads


def _hyphens(document: Document, path: Path, steps: list[str | int]) -> list[int]:
    position = document.values[path].start
    heads = []
    for step in steps:
        nothing = _NOTHING.match(document.text, position)
        assert nothing is not None
        head = nothing.end()
        if document.text[head : head + 1] != "-":
            raise _unusual(document, (*path, step))
        heads.append(head)
        position = max(head + 1, end_of(document, (*path, step)))
    return heads


def _comments_above(text: str, head: int, floor: int, column: int) -> int:
    """Return where the comments directly above the entry at `head` start.

    They are not above offset `floor`, and not indented deeper than `column`.
    """
    line = start_of_line(text, head)
    if text[line:head].strip():
        return head
    start = head
    while line > floor:
        ending = line - (2 if text.endswith("\r\n", 0, line) else 1)
        above = start_of_line(text, ending)
        spaces = _SPACES.match(text, above)
        assert spaces is not None
        if above < floor or text[spaces.end() : spaces.end() + 1] != "#":
            break
        if spaces.end() - above > column:
            break
        start, line = spaces.end(), above
    return start


def _with_comments_below(text: str, value_end: int, limit: int, column: int) -> int:
    """Return where the comments that belong to a value end, after `value_end`.

    They end before offset `limit`; below the value's line, they are indented deeper than `column`.
    """
    end = value_end
    if text[end - 1 : end] not in ("\n", "\r"):
        comment = _COMMENT_BEHIND.match(text, end)
        end = comment.end() if comment is not None else end
    position = end
    while position < limit:
        spaces = _SPACES.match(text, position)
        assert spaces is not None
        ending = LINE_END.match(text, spaces.end())
        if ending is None:
            break
        inner = _SPACES.match(text, ending.end())
        assert inner is not None
        position = inner.end()
        if text[position : position + 1] == "#":
            if position - ending.end() <= column:
                break
            comment = _COMMENT.match(text, position)
            assert comment is not None
            position = end = comment.end()
        elif LINE_END.match(text, position) is None:
            break
    if text[end - 1 : end] in ("\n", "\r"):
        return end
    # Spaces at the end of a line stay there.
    spaces = _SPACES.match(text, end)
    assert spaces is not None
    ends = spaces.end() == len(text) or LINE_END.match(text, spaces.end()) is not None
    return spaces.end() if ends else end


# --- in brackets ----------------------------------------------------------------------------------


def _flow_layout(
    document: Document, path: Path, steps: list[str | int], *, mapping: bool
) -> Layout:
    text = document.text
    entries: list[EntryOffsets] = []
    floor = document.values[path].start + 1
    for step in steps:
        inner = (*path, step)
        head = document.keys[inner].start if mapping else document.values[inner].start
        value_end = max(end_of(document, inner), document.keys[inner].end if mapping else 0)
        column = head - start_of_line(text, head)
        start = _comments_above(text, head, floor, column)
        nothing = _NOTHING.match(text, value_end)
        assert nothing is not None
        comma = nothing.end() if text[nothing.end() : nothing.end() + 1] == "," else -1
        slot_end = value_end if comma < 0 else comma + 1
        comment = _COMMENT_BEHIND.match(text, slot_end)
        slot_end = slot_end if comment is None else comment.end()
        entries.append(EntryOffsets(step, start, head, value_end, value_end, comma, slot_end))
        floor = slot_end
    return Layout(flow=True, mapping=mapping, column=0, entries=tuple(entries))
