"""Write hand edits into the text of their file, keeping its lines.

Unchanged lines and comments stay. The new text is parsed and compared with the intended edits. A
text without a line for each edit is rewritten if it has no comments, and refused otherwise.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from exporter.model.errors import Problem, SpecError
from exporter.reading.edits import (
    CellEdit,
    CellValue,
    LevelEdits,
    ObjectEdit,
    limits_exceeded,
    parse_any_edits,
    parse_edits,
)
from exporter.reading.text_edits import BYTE_ORDER_MARK, Edit, applied, end_of
from exporter.reading.yaml_reader import Document
from exporter.reading.yaml_reader import Path as ValuePath
from exporter.reading.yaml_scalars import plain_scalar

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_BEFORE = re.compile(r"[ \t]*-[ \t]+")
_BEHIND = re.compile(r"[ \t]*(?:#[^\r\n]*)?")
_LINE_END = re.compile(r"\r\n|\n|\r")
_COMMENT = re.compile(r"(?m)(?:^|(?<=[ \t]))#[^\r\n]*")
_HEAD = "# Changed by hand; see `exporter edits`.\n"
# Each edit has a key that stays when it changes: its target.
_Key = tuple[Any, ...]


class _NotInsideError(Exception):
    """Raised when the text has a style that cannot be edited in place."""


def cell_text(edit: CellEdit) -> str:
    """Format a cell's edit as an entry of a file of hand edits."""
    x, y = edit.at
    return f"{{at: [{x}, {y}], was: {_value(edit.was)}, now: {_value(edit.now)}}}"


def object_text(edit: ObjectEdit) -> str:
    """Format an object's edit as an entry of a file of hand edits."""
    parts = [f"name: {_value(edit.name)}"]
    if edit.ordinal is not None:
        parts.append(f"ordinal: {edit.ordinal}")
    for key, cell in (("was", edit.was), ("now", edit.now), ("add", edit.add)):
        if cell is not None:
            parts.append(f"{key}: [{cell[0]}, {cell[1]}]")
    if edit.remove:
        parts.append("remove: true")
    return f"{{{', '.join(parts)}}}"


def edits_text(
    layers: Mapping[str, Sequence[CellEdit]], objects: Sequence[ObjectEdit], line_end: str = "\n"
) -> str:
    """Return the text of a new file of hand edits; empty without edits.

    `layers` has the edited cells by layer; `line_end` ends each line.
    """
    lines = _layer_lines({name: edits for name, edits in layers.items() if edits})
    lines = ["layers:", *lines] if lines else []
    if objects:
        lines += ["objects:", *(f"  - {object_text(item)}" for item in objects)]
    return "".join(f"{line}{line_end}" for line in lines)


def with_edits_changed(
    content: bytes | None,
    file: str,
    layers: Mapping[str, Sequence[CellEdit]],
    objects: Sequence[ObjectEdit],
) -> bytes:
    """Return the text of an edits file, changed to have exactly these edits.

    The result is empty if neither edits nor comments are left.

    Args:
        content: The text so far; None if there is no file.
        file: The name of the file for messages.
        layers: The new edits of cells, by layer.
        objects: The new edits of objects.

    Raises:
        SpecError: The text has faults or a style that cannot be edited in place, or the edits
            exceed a limit.
    """
    expected = {name: tuple(edits) for name, edits in layers.items() if edits}
    count = sum(map(len, expected.values())) + len(objects)
    message = limits_exceeded(count)
    changed = b"" if message else _changed(content, file, expected, objects)
    message = message or limits_exceeded(count, len(changed))
    if message:
        raise SpecError([Problem(message, file)])
    return changed


def _changed(
    content: bytes | None,
    file: str,
    expected: Mapping[str, Sequence[CellEdit]],
    objects: Sequence[ObjectEdit],
) -> bytes:
    if content is None or not content.strip():
        text = edits_text(expected, objects)
        return (_HEAD + text).encode() if text else b""
    old = parse_any_edits(content, file)
    document = old.document
    if (
        not expected
        and not objects
        and document.text.count("#") == _HEAD.count("#") * (_HEAD.strip() in document.text)
    ):
        return b""
    mark = BYTE_ORDER_MARK if content.startswith(BYTE_ORDER_MARK) else b""
    if not old.count:
        # Nothing, or an empty mapping in any form: only its comments are kept.
        line_end = _line_end(document.text)
        comments = "".join(f"{item}{line_end}" for item in _COMMENT.findall(document.text))
        return mark + (comments + edits_text(expected, objects, line_end)).encode()
    try:
        changed = mark + applied(document.text, _edits(old, expected, objects)).encode()
        if _holds(changed, file, expected, objects):
            return changed
    except _NotInsideError:
        pass
    if "#" not in document.text:
        return mark + edits_text(expected, objects, _line_end(document.text)).encode()
    message = "this cannot be changed in place (write every edit on a line of its own, `- {...}`)"
    raise SpecError([document.problem((), message)])


def _edits(
    old: LevelEdits, layers: Mapping[str, Sequence[CellEdit]], objects: Sequence[ObjectEdit]
) -> list[Edit]:
    """Return text replacements that turn the edits `old` into the new ones."""
    document, result = old.document, []
    new_layers = {name: item for name, item in layers.items() if not old.layers.get(name)}
    for name, edits in old.layers.items():
        if edits:
            before = [((edit.at,), cell_text(edit)) for edit in edits]
            after = [((item.at,), cell_text(item)) for item in layers.get(name, ())]
            result += _of_list(document, ("layers", name), before, after)
    things = [(item.target, object_text(item)) for item in old.objects]
    expected = [(item.target, object_text(item)) for item in objects]
    if things:
        result += _of_list(document, ("objects",), things, expected)
    lines: list[str] = []
    if new_layers:
        result += _new_layers(document, old, new_layers, lines)
    if expected and not things:
        if "objects" in document.get(()):
            raise _NotInsideError  # an empty list
        lines += ["objects:", *(f"  - {text}" for _, text in expected)]
    if lines:
        end = _line_end(document.text)
        start = "" if document.text.endswith(("\n", "\r")) else end
        size = len(document.text)
        result.append(Edit(size, size, start + "".join(f"{line}{end}" for line in lines)))
    return result


def _of_list(
    document: Document,
    path: ValuePath,
    before: Sequence[tuple[_Key, str]],
    after: Sequence[tuple[_Key, str]],
) -> list[Edit]:
    """Return text replacements that turn the edits `before` into `after`.

    Both are pairs: what is edited, and the text of the edit, which has its own line in the list at
    `path`.
    """
    text = document.text
    expected = dict(after)
    result: list[Edit] = []
    indent, last = "", 0
    for index, (key, old) in enumerate(before):
        start, end = document.values[(*path, index)].start, end_of(document, (*path, index))
        line = _start_of_line(text, start)
        lead = _BEFORE.fullmatch(text, line, start)
        behind = _BEHIND.match(text, end)
        assert behind is not None
        closing = _LINE_END.match(text, behind.end())
        if lead is None or (closing is None and behind.end() != len(text)):
            raise _NotInsideError
        indent, last = lead[0], behind.end()
        if key not in expected:
            result.append(Edit(line, closing.end() if closing else len(text), ""))
        elif expected[key] != old:
            result.append(Edit(start, end, expected[key]))
    known = {key for key, _ in before}
    added = [f"{indent}{text}" for key, text in after if key not in known]
    if added:
        line_end = _line_end(text)
        result.append(Edit(last, last, "".join(f"{line_end}{item}" for item in added)))
    if not after:
        mark = document.keys[path]
        line = _start_of_line(text, mark.start)
        closing = _LINE_END.search(text, mark.end)
        if text[line : mark.start].strip() or closing is None:
            raise _NotInsideError
        result.append(Edit(line, closing.end(), ""))
    return _apart(result)


def _apart(edits: Sequence[Edit]) -> list[Edit]:
    """Move each insertion after the deletion that it overlaps.

    A line is added after the last line; if the last line is removed, new lines replace it.
    """
    result: list[Edit] = []
    for edit in sorted(edits):
        if result and edit.start < result[-1].end:
            if edit.text and not result[-1].text:
                line_end = _LINE_END.match(edit.text)
                assert line_end is not None
                moved = edit.text[line_end.end() :] + line_end[0]
                result[-1] = result[-1]._replace(text=moved)
                continue
            raise _NotInsideError
        result.append(edit)
    return result


def _new_layers(
    document: Document, old: LevelEdits, layers: Mapping[str, Sequence[CellEdit]], lines: list[str]
) -> list[Edit]:
    """Return replacements that add those of `layers` without earlier edits.

    If the file has no `layers:` yet, add them to `lines` instead, the lines to append to the file.
    """
    added = _layer_lines(layers)
    if "layers" not in document.get(()):
        lines += ["layers:", *added]
        return []
    listed = [name for name, edits in old.layers.items() if edits]
    if not listed or any(("layers", name) in document.keys for name in layers):
        raise _NotInsideError
    name = listed[-1]
    key = document.keys["layers", name]
    text = document.text
    end = end_of(document, ("layers", name))
    behind = _BEHIND.match(text, end)
    assert behind is not None
    if text[_start_of_line(text, key.start) : key.start].strip():
        raise _NotInsideError
    indent = " " * (key.column - 2)
    if key.column < 2:
        raise _NotInsideError
    line_end = _line_end(text)
    return [
        Edit(behind.end(), behind.end(), "".join(f"{line_end}{indent}{item}" for item in added))
    ]


def _layer_lines(layers: Mapping[str, Sequence[CellEdit]]) -> list[str]:
    lines = []
    for name, edits in layers.items():
        lines.append(f"  {_value(name)}:")
        lines += [f"    - {cell_text(edit)}" for edit in edits]
    return lines


def _holds(
    content: bytes,
    file: str,
    layers: Mapping[str, Sequence[CellEdit]],
    objects: Sequence[ObjectEdit],
) -> bool:
    """Return whether `content` has exactly the edits `layers` and `objects`."""
    try:
        read = parse_edits(content, file)
    except SpecError:
        return False
    result = {name: set(edits) for name, edits in read.layers.items() if edits}
    return result == {name: set(edits) for name, edits in layers.items()} and set(
        read.objects
    ) == set(objects)


def _start_of_line(text: str, position: int) -> int:
    return max(text.rfind("\n", 0, position), text.rfind("\r", 0, position)) + 1


def _line_end(text: str) -> str:
    result = _LINE_END.search(text)
    return result[0] if result is not None else "\n"


def _value(value: CellValue) -> str:
    if value is None or isinstance(value, int):
        return json.dumps(value)
    plain = _WORD.fullmatch(value) and plain_scalar(value) == (value, "")
    return value if plain else json.dumps(value, ensure_ascii=True)
