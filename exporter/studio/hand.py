"""Represent the hand edits of a draft, and steps that change them.

A draft stores the edits themselves, not their text. A step changes a few cells, and undoing it
restores them. The text of the edits file is made only to build and to save.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from exporter.model.lazy_dataclass import dataclass
from exporter.model.limits import MAXIMUM_EDITS
from exporter.reading.edit_text import with_edits_changed
from exporter.reading.edits import CellEdit, ObjectEdit, limits_exceeded, parse_edits

Cell = tuple[int, int]
# The object that an edit changes: its name and ordinal; for an added object 0, and its cell.
Target = tuple[str, int, Cell | None]
# Up to this many edits, a build gets the file's text changed in place; with more, parsing its
# comments again for every drawn cell would be too slow.
_QUICK_EDITS = 250


@dataclass(frozen=True, slots=True)
class Hand:
    """All hand edits of a level, in memory.

    Attributes:
        layers: The edits of cells, by layer and cell (x, y).
        objects: The edits of objects, by the edited object.
    """

    layers: Mapping[str, Mapping[Cell, CellEdit]] = field(default_factory=dict)
    objects: Mapping[Target, ObjectEdit] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """How many cells and objects are edited."""
        return sum(map(len, self.layers.values())) + len(self.objects)

    def lists(self) -> tuple[dict[str, list[CellEdit]], list[ObjectEdit]]:
        """Return the edits of cells by layer, and the edits of objects, as lists.

        An edits file has them in this form.
        """
        layers = {name: [*edits.values()] for name, edits in self.layers.items()}
        return layers, [*self.objects.values()]


@dataclass(frozen=True, slots=True)
class Redrawn:
    """A step of drawing: the new edit of each changed cell and object.

    Attributes:
        cells: The new edits by layer and cell; None removes an edit.
        objects: The new edits by object; None removes an edit.
    """

    cells: Mapping[tuple[str, Cell], CellEdit | None] = field(default_factory=dict)
    objects: Mapping[Target, ObjectEdit | None] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Return whether the step changes anything."""
        return bool(self.cells or self.objects)

    def then(self, later: Redrawn) -> Redrawn:
        """Return one step that has the changes of this one, then of `later`."""
        return Redrawn({**self.cells, **later.cells}, {**self.objects, **later.objects})


NOTHING = Hand()
UNCHANGED = Redrawn()


def hand_of(content: bytes | None, file: str) -> Hand:
    """Return the hand edits in `content`, the text of an edits file.

    If `content` is None (no file), there are none. `file` is the file's name for messages.

    Raises:
        SpecError: The text has faults.
    """
    if content is None:
        return Hand()
    read = parse_edits(content, file)
    layers = {
        name: {edit.at: edit for edit in edits} for name, edits in read.layers.items() if edits
    }
    return Hand(layers, {item.target: item for item in read.objects})


def redrawn(hand: Hand, change: Redrawn) -> Hand:
    """Return the edits `hand` after the step `change`."""
    layers: dict[str, Any] = dict(hand.layers)
    copied: set[str] = set()
    for (name, at), cell in change.cells.items():
        if name not in copied:
            layers[name] = dict(layers.get(name, {}))
            copied.add(name)
        _put(layers[name], at, cell)
    objects = dict(hand.objects)
    for target, item in change.objects.items():
        _put(objects, target, item)
    return Hand({name: edits for name, edits in layers.items() if edits}, objects)


def undoing(hand: Hand, change: Redrawn) -> Redrawn:
    """Return the step that undoes `change`; `hand` are the edits before it."""
    cells = {(name, at): hand.layers.get(name, {}).get(at) for name, at in change.cells}
    return Redrawn(cells, {target: hand.objects.get(target) for target in change.objects})


def difference(before: Hand, after: Hand) -> Redrawn:
    """Return the step of drawing that turns `before` into `after`."""
    was, now = _by_position(before), _by_position(after)
    places = dict.fromkeys([*was, *now])
    targets = dict.fromkeys([*before.objects, *after.objects])
    return Redrawn(
        {item: now.get(item) for item in places if was.get(item) != now.get(item)},
        {
            target: after.objects.get(target)
            for target in targets
            if before.objects.get(target) != after.objects.get(target)
        },
    )


def _by_position(hand: Hand) -> dict[tuple[str, Cell], CellEdit]:
    return {(name, at): item for name, edits in hand.layers.items() for at, item in edits.items()}


def too_many(hand: Hand) -> str:
    """Return an error message if `hand` has too many edits, else ""."""
    return limits_exceeded(hand.count) if hand.count > MAXIMUM_EDITS else ""


def edits_text(base: bytes | None, before: Hand, hand: Hand, file: str) -> bytes | None:
    """Return the text of the edits file that has the edits `hand`.

    Return None if there is no file to write.

    Args:
        base: The present text of the file; None without one.
        before: The edits in that text.
        hand: The edits to write.
        file: The file's name for messages.

    Raises:
        SpecError: The text cannot be changed in place, or there are too many edits.
    """
    if hand is before:
        return base
    if base is None or _is_ours(base, before, file):
        return with_edits_changed(None, file, *hand.lists()) or None
    return with_edits_changed(base, file, *hand.lists()) or None


def built_text(base: bytes | None, before: Hand, hand: Hand, file: str) -> bytes | None:
    """Return a text of the edits `hand` for a build; quicker to make.

    `base` is the present text of the edits file, `before` the edits in that text, and `file` the
    file's name for messages. In a large file with comments, line numbers of problems may differ
    from those of the saved file. Return None if there is no file to write.

    Raises:
        SpecError: There are too many edits.
    """
    if hand is before or before.count <= _QUICK_EDITS or base is None:
        return edits_text(base, before, hand, file)
    return with_edits_changed(None, file, *hand.lists()) or None


def _is_ours(base: bytes, before: Hand, file: str) -> bool:
    """Return whether `base` is the text that the exporter writes for `before`."""
    return base == with_edits_changed(None, file, *before.lists())


def _put(edits: dict[Any, Any], key: Any, edit: Any) -> None:
    if edit is None:
        edits.pop(key, None)
    else:
        edits[key] = edit
