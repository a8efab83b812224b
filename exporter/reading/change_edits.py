"""Find text edits that carry out one change of a spec's data.

Each function yields possible edits, the best first. An edit may fail in some style of YAML: the
caller parses the edited text and takes the first edit that gives the intended data.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from exporter.reading.changes import Insert, Move, RefusedError, Remove, Rename, SetValue, named
from exporter.reading.layout import (
    LINE_END,
    EntryOffsets,
    Layout,
    behind_colon,
    behind_hyphen,
    end_of_line,
    is_block,
    layout_of,
    start_of_line,
)
from exporter.reading.styles import prefers_block, quote_of, spread_beside, style_at, style_beside
from exporter.reading.text_edits import Edit, end_of
from exporter.reading.value_text import (
    TextStyle,
    block_text,
    fits_one_line,
    item_text,
    key_text,
    keyed_text,
    one_line,
    scalar_text,
    spread_text,
)
from exporter.reading.yaml_reader import Document, Path

Edits = list[Edit]
_HEADER = re.compile(r"[|>][-+0-9]*")


# --- values ---------------------------------------------------------------------------------------


def value_ways(document: Document, change: SetValue) -> Iterator[Edits]:
    """Yield possible edits that replace the value at `change.path`."""
    path, value = change.path, change.value
    style = style_at(document, path)
    if not path:
        yield _whole(document, value, style)
        return
    if isinstance(value, list | dict) and value:
        if _takes_lines(document, path):
            if not fits_one_line(value, document.values[path].column, style):
                yield _lines(document, path, value, style)
            yield _inline(document, path, one_line(value, style))
            yield _lines(document, path, value, style)
        else:
            yield _inline(document, path, one_line(value, style))
        return
    if isinstance(value, str):
        if "\n" in value and _is_block_text(document, path):
            yield [_block_text(document, path, value, style)]
        yield _inline(document, path, scalar_text(value, style, quote_of(document, path)))
        yield _inline(document, path, scalar_text(value, style, style.quote))
    yield _inline(document, path, one_line(value, style))


def _whole(document: Document, value: Any, style: TextStyle) -> Edits:
    """Return the edits that replace all of a spec's data by `value`.

    Comments around the data stay.
    """
    text, mark = document.text, document.values.get(())
    flow = mark is not None and mark.start < mark.end and document.data is not None
    lines = isinstance(value, list | dict) and value and not flow
    new = block_text(value, 0, style) if lines else one_line(value, style)
    if mark is not None and (flow or is_block(document, ())):
        block = is_block(document, ())
        end = layout_of(document, ()).entries[-1].end if block else mark.end
        return [Edit(mark.start, end, new)]
    # The text has only comments, if anything.
    start = "" if not text or text.endswith(("\n", "\r")) else style.line_end
    return [Edit(len(text), len(text), f"{start}{new}{style.line_end}")]


def scalar_edits(document: Document, path: Path, value: Any) -> Edits:
    """Return the edits that replace the text, number or boolean at `path`."""
    return next(value_ways(document, SetValue(path, value)))


def _takes_lines(document: Document, path: Path) -> bool:
    """Return whether the value at `path` can be written on lines of its own.

    It can if all lists and mappings around it are in block style.
    """
    return all(is_block(document, path[:size]) for size in range(len(path)))


def _inline(document: Document, path: Path, text: str) -> Edits:
    """Return the edits that replace the value at `path` by `text`, one line."""
    start, source = document.values[path].start, document.text
    end = end_of(document, path)
    if is_block(document, path):
        layout = layout_of(document, path)
        end = layout.entries[-1].end
        anchor = _anchor(document, path)
        if LINE_END.search(source, anchor, start) is None:
            return [Edit(start, end, text)]
        first = end_of_line(source, anchor)
        return [Edit(anchor, anchor, f" {text}"), Edit(first, end, "")]
    if start == end:  # there is no value, not even `null`
        colon = not isinstance(path[-1], str) or source[document.keys[path].end : start].strip()
        return [Edit(start, start, f" {text}" if colon else f": {text}")]
    header = _HEADER.match(source, start) if _is_block_text(document, path) else None
    if header is not None:
        first = end_of_line(source, start)
        return [Edit(start, header.end(), text), Edit(first, max(first, end), "")]
    return [Edit(start, end, text)]


def _anchor(document: Document, path: Path) -> int:
    """Return the offset after the colon or hyphen that leads to `path`."""
    if isinstance(path[-1], str):
        return behind_colon(document, path)
    return behind_hyphen(document, path)


def _is_block_text(document: Document, path: Path) -> bool:
    start = document.values[path].start
    return path in document.quoted and document.text[start : start + 1] in ("|", ">")


def _block_text(document: Document, path: Path, value: str, style: TextStyle) -> Edit:
    """Return the edit that replaces the multi-line `|` text at `path`."""
    source, start = document.text, document.values[path].start
    first = end_of_line(source, start)
    header = _HEADER.match(source, start)
    assert header is not None
    old = LINE_END.split(source[first : end_of(document, path)])
    column = min((len(item) - len(item.lstrip(" ")) for item in old if item.strip()), default=0)
    lines = [
        f"{' ' * column}{item}" if item else "" for item in value.removesuffix("\n").split("\n")
    ]
    sign = "" if value.endswith("\n") else "-"
    behind = source[header.end() : first]
    text = style.line_end.join([f"|{sign}{behind}", *lines])
    return Edit(start, end_of(document, path), text)


def _lines(document: Document, path: Path, value: Any, style: TextStyle) -> Edits:
    """Return the edits that write a list or mapping `value` at `path`.

    It gets lines of its own, below its key or hyphen.
    """
    source, block = document.text, is_block(document, path)
    end = layout_of(document, path).entries[-1].end if block else end_of(document, path)
    outer = layout_of(document, path[:-1])
    anchor = _anchor(document, path)
    if isinstance(path[-1], int):
        inner = outer.column + 2
        return [Edit(anchor, end, f" {block_text(value, inner, style)}")]
    inner = outer.column + (style.hyphen_step if isinstance(value, list) else style.step)
    lines = f"{style.line_end}{' ' * inner}{block_text(value, inner, style)}"
    if block:
        return [Edit(end_of_line(source, anchor), end, lines)]
    # A comment behind the value stays on the line of the key.
    first = end_of_line(source, end)
    return [Edit(anchor, end, ""), Edit(first, first, lines)]


# --- entries --------------------------------------------------------------------------------------


def insert_ways(document: Document, change: Insert, position: int) -> Iterator[Edits]:
    """Yield possible edits that add an entry to a nonempty list or mapping.

    `position` is the index of the new entry.
    """
    holder = change.path[:-1]
    layout = layout_of(document, holder)
    beside = layout.entries[max(0, position - 1)]
    style = style_beside(document, change.path, (*holder, beside.step), beside.end)
    if change.wording:
        yield _inserted(document, layout, position, change.wording, style, change.value)
    for text in _entry_texts(document, change, layout, style):
        yield _inserted(document, layout, position, text, style, change.value)


def _entry_texts(
    document: Document, change: Insert, layout: Layout, style: TextStyle
) -> Iterator[str]:
    key, value = change.path[-1], change.value
    if layout.flow:
        text = one_line(value, style)
        spread = spread_beside(document, change.path, value)
        if spread is not None:
            text = spread_text(value, spread, style)
        yield f"{key_text(key, style)}{style.colon}{text}" if isinstance(key, str) else text
        return
    block = prefers_block(document, change.path, value)
    flow = block is False and len(one_line(value, style)) < 2 * len(document.text)
    if isinstance(key, str):
        line = f"{key_text(key, style)}: {one_line(value, style)}"
        if flow:
            yield line
        yield keyed_text(key, value, layout.column, style, block=bool(block))
        yield line
    else:
        line = f"- {one_line(value, style)}"
        if flow:
            yield line
        yield item_text(value, layout.column, style, block=bool(block))
        yield line


def _inserted(
    document: Document, layout: Layout, position: int, text: str, style: TextStyle, value: Any
) -> Edits:
    if layout.flow:
        return _inserted_in_brackets(document.text, layout.entries, position, text, style)
    indent = " " * layout.column
    if position == 0:
        start = layout.entries[0].start
        gap = _gap(document.text, layout, 0, style, several=_is_long(text))
        return [Edit(start, start, f"{text}{gap}{indent}")]
    end = layout.entries[position - 1].end
    gap = _gap(document.text, layout, position, style, several=_is_long(text))
    return [Edit(end, end, f"{gap}{indent}{text}")]


def _is_long(text: str) -> bool:
    return LINE_END.search(text) is not None


def _gap(text: str, layout: Layout, position: int, style: TextStyle, *, several: bool) -> str:
    """Return the line ends to put between a new entry and the one before it.

    `position` is the new entry's index; at 0, return the line ends to put after it. `several` is
    whether it has several lines. There is an empty line if all entries have one, or if the
    neighbours have one and the new entry or the one before it has several lines: so sections are
    separated, and plain keys are not.
    """
    entries = layout.entries
    gaps = [_empty_lines(text, item, other) for item, other in pairwise(entries)]
    if not gaps:
        return style.line_end
    beside = entries[max(0, position - 1)]
    around = gaps[max(0, position - 2) : max(1, position)]
    if not all(gaps) and not several and not _is_long(text[beside.head : beside.value_end]):
        return style.line_end
    return style.line_end * (1 + max(around))


def _empty_lines(text: str, item: EntryOffsets, next_item: EntryOffsets) -> int:
    """Return how many empty lines follow `item` before any comment."""
    between = text[item.end : next_item.start]
    lines = LINE_END.split(between)[1:-1]
    count = 0
    for line in lines:
        if line.strip():
            break
        count += 1
    return count


def _inserted_in_brackets(
    text: str, entries: tuple[EntryOffsets, ...], position: int, new: str, style: TextStyle
) -> Edits:
    gap = _space_between(text, entries, style)
    if position < len(entries):
        start = entries[position].start
        return [Edit(start, start, f"{new},{gap}")]
    last = entries[-1]
    if last.comma >= 0:  # behind the last entry
        return [Edit(last.slot_end, last.slot_end, f"{gap}{new},")]
    if last.slot_end == last.value_end:
        return [Edit(last.value_end, last.value_end, f",{gap}{new}")]
    if LINE_END.search(gap) is None:
        gap = style.line_end + text[start_of_line(text, last.head) : last.head]
    return [
        Edit(last.value_end, last.value_end, ","),
        Edit(last.slot_end, last.slot_end, f"{gap}{new}"),
    ]


def _space_between(text: str, entries: tuple[EntryOffsets, ...], style: TextStyle) -> str:
    """Return the text to put between a comma and a new entry in brackets.

    It is a space or a line break with indentation, as between `entries`, those that exist.
    """
    for entry, other in zip(reversed(entries[:-1]), reversed(entries[1:]), strict=True):
        between = text[entry.slot_end : other.start]
        if not between.strip():
            result = LINE_END.search(between)
            # Without any empty lines among them.
            return between if result is None else result[0] + re.split(r"[\r\n]", between)[-1]
    only = entries[-1]
    line = start_of_line(text, only.head)
    if line and not text[line : only.head].strip():
        return style.line_end + text[line : only.head]
    return style.comma.removeprefix(",")


def remove_ways(document: Document, change: Remove) -> Iterator[Edits]:
    """Yield possible edits that remove an entry which is not the only one."""
    layout = layout_of(document, change.path[:-1])
    entries = layout.entries
    number = [entry.step for entry in entries].index(change.path[-1])
    text = document.text
    if layout.flow:
        yield _removed_in_brackets(text, entries, number)
        return
    item = entries[number]
    before = text[entries[number - 1].end : item.start] if number else ""
    if number == len(entries) - 1:
        first = entries[-2].end if not before.strip() else item.start - len(_last_space(before))
        yield [Edit(first, item.end, "")]
        return
    behind = text[item.end : entries[number + 1].start]
    blank_before, blank_behind = not before.strip(), not behind.strip()
    if not number:
        end = item.end + len(behind) - len(behind.lstrip())
        yield [Edit(item.start, end, "")]
    elif blank_behind and (not blank_before or _breaks(before) >= _breaks(behind)):
        yield [Edit(item.start, entries[number + 1].start, "")]
    elif blank_before:
        yield [Edit(entries[number - 1].end, item.end, "")]
    else:
        yield [Edit(item.start - len(_last_space(before)), item.end, "")]


def _breaks(text: str) -> int:
    return len(LINE_END.findall(text))


def _last_space(text: str) -> str:
    return text[len(text.rstrip()) :]


def _removed_in_brackets(text: str, entries: tuple[EntryOffsets, ...], number: int) -> Edits:
    item = entries[number]
    if number < len(entries) - 1:
        return [Edit(item.start, entries[number + 1].start, "")]
    before = entries[number - 1]
    if item.comma >= 0:
        return [Edit(before.slot_end, item.slot_end, "")]
    if before.slot_end == before.comma + 1:
        return [Edit(before.value_end, item.slot_end, "")]
    return [Edit(before.comma, before.comma + 1, ""), Edit(before.slot_end, item.slot_end, "")]


def rename_ways(document: Document, change: Rename) -> Iterator[Edits]:
    """Yield possible edits that replace the key at `change.path`."""
    mark = document.keys[change.path]
    token = document.text[mark.start : mark.end]
    style = style_at(document, change.path)
    quote = token[:1] if token[:1] in ("'", '"') else ""
    if quote or style.json:
        yield [Edit(mark.start, mark.end, scalar_text(change.key, style, quote))]
    yield [Edit(mark.start, mark.end, key_text(change.key, style))]


def move_ways(document: Document, change: Move) -> Iterator[Edits]:
    """Yield possible edits that move an entry, but not the empty lines."""
    layout = layout_of(document, change.path[:-1])
    entries, text = layout.entries, document.text
    order = list(entries)
    number = [entry.step for entry in entries].index(change.path[-1])
    order.insert(change.index, order.pop(number))
    edits: Edits = []
    for slot, item in zip(entries, order, strict=True):
        if slot is item:
            continue
        words = text[item.start : item.end]
        behind = "" if not layout.flow else text[_behind_comma(item) : item.slot_end]
        if slot.comma < 0:
            edits.append(Edit(slot.start, slot.slot_end, words + behind))
        else:
            edits.append(Edit(slot.start, slot.end, words))
            edits.append(Edit(slot.comma + 1, slot.slot_end, behind))
    yield edits


def _behind_comma(item: EntryOffsets) -> int:
    return item.value_end if item.comma < 0 else item.comma + 1


def ways(document: Document, change: Any, position: int) -> Iterator[Edits]:
    """Yield possible edits for `change`, the best first.

    `position` is the index of the new entry if `change` is an `Insert`.

    Raises:
        RefusedError: The text has a style that cannot be edited in place.
    """
    if isinstance(change, SetValue):
        yield from value_ways(document, change)
    elif isinstance(change, Insert):
        yield from insert_ways(document, change, position)
    elif isinstance(change, Remove):
        yield from remove_ways(document, change)
    elif isinstance(change, Rename):
        yield from rename_ways(document, change)
    elif isinstance(change, Move):
        yield from move_ways(document, change)
    else:
        raise RefusedError(
            f"{named(change.path)}: an object of type {type(change).__name__} is not a change of "
            "a spec"
        )
