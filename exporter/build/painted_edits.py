"""Merges what a person painted into the hand edits of a level.

An edit says what was generated (`was`) and what a person wants (`now`), so painting is compared
with the generated level, not with the edited one: a cell that is painted back has no edit any more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from exporter.build.edits import is_empty
from exporter.model.hand_edits import Misfit
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Layer, PlacedObject
from exporter.reading.edits import CellEdit, CellValue, ObjectEdit

Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class MergedObjects:
    """Edits of objects after somebody changed a map: all edits, and how many are new or gone.

    Attributes:
        edits: All edits.
        changes: How many are new or gone.
        lost: What no edit can say, in words.
    """

    edits: tuple[ObjectEdit, ...]
    changes: int
    lost: tuple[str, ...] = ()


def value_at(layer: Layer, cell: Cell) -> CellValue:
    """Return what stands in a cell of a layer, as edits say it."""
    found = int(layer.cells[cell[1], cell[0]])
    if layer.kind == "heights":
        return found
    for tile in layer.tiles:
        if tile.id == found:
            return None if tile.empty else tile.name
    return None


@dataclass(frozen=True, slots=True)
class Stroke:
    """A cell that a person painted: what it showed before, and what it shows now."""

    at: Cell
    before: CellValue
    now: CellValue


def merged_cells(
    generated: Layer, edits: Sequence[CellEdit], strokes: Iterable[Stroke], *, same: bool
) -> tuple[CellEdit, ...]:
    """Return the edits of a layer with what was painted now.

    Edits that nothing was painted over stay as they are, and in their order. A cell that shows
    again what was generated has no edit any more. But a stroke that only happens to show what is
    generated since the spec changed is kept, lest another change undoes it.

    Args:
        generated: The layer without edits.
        edits: Its edits so far.
        strokes: What was painted.
        same: Whether it was painted on the level as it is generated now.
    """
    found = {edit.at: edit for edit in edits}
    for stroke in strokes:
        at, now = stroke.at, stroke.now
        was, earlier = value_at(generated, at), found.get(at)
        if same and _equal(now, was):
            found.pop(at, None)
            continue
        before = earlier.was if earlier is not None else stroke.before
        found[at] = CellEdit(at=at, was=before if _equal(now, was) else was, now=now)
    return tuple(found.values())


def _equal(one: CellValue, other: CellValue) -> bool:
    return one == other or (is_empty(one) and is_empty(other))


def accepted_cells(edits: Sequence[CellEdit], misfits: Iterable[Misfit]) -> tuple[CellEdit, ...]:
    """Return edits whose conflicts are settled: they begin at what is generated now."""
    changed = list(edits)
    for one in misfits:
        if one.kind == "conflict" and not isinstance(one.found, tuple):
            changed[one.index] = replace(edits[one.index], was=one.found)
    return tuple(changed)


def accepted_objects(
    edits: Sequence[ObjectEdit], misfits: Iterable[Misfit]
) -> tuple[ObjectEdit, ...]:
    """Return edits of objects whose conflicts are settled."""
    changed = list(edits)
    for one in misfits:
        if one.kind == "conflict" and isinstance(one.found, tuple):
            changed[one.index] = replace(edits[one.index], was=one.found)
    return tuple(changed)


def merged_objects(
    generated: Sequence[PlacedObject],
    edits: Sequence[ObjectEdit],
    waiting: Iterable[Misfit],
    shown: Sequence[tuple[int, str]],
    moved: Mapping[int, Cell],
    removed: Iterable[int],
    added: Iterable[tuple[str, Cell]],
) -> MergedObjects:
    """Return the edits of objects with what somebody did on a map.

    Args:
        generated: The placed objects without edits.
        edits: The edits so far.
        waiting: Those of them that are not on the map, among others.
        shown: Number and name of every object on the map, before somebody changed it, in order.
        moved: Objects by their numbers on the map, and where they stand now.
        removed: The numbers of objects that were removed.
        added: Name and cell of every new object.
    """
    left_out = {one.index for one in waiting if one.kind != "conflict"}
    about = _origins([one for i, one in enumerate(edits) if i not in left_out], shown)
    found: dict[object, ObjectEdit] = {edit.target: edit for edit in edits}
    places: dict[tuple[str, int], Cell] = {}
    counts: dict[str, int] = {}
    for one in generated:
        counts[one.name] = counts.get(one.name, 0) + 1
        places[one.name, counts[one.name]] = (one.x, one.y)
    changes = 0
    lost: list[str] = []
    for number, now in [*moved.items(), *((number, None) for number in removed)]:
        name, ordinal, add = about[number]
        changes += 1
        if add is not None:
            own = found.pop((name, 0, add), None)
            if now is not None:
                edit = ObjectEdit(name=name, add=now)
                if edit.target in found:  # two of them in one cell would be one
                    lost.append(_in_one_cell(name, now))
                    edit = own or edit
                found[edit.target] = edit
            continue
        key = (name, ordinal, None)
        was = places.get((name, ordinal))
        if now is not None and now == was:
            found.pop(key, None)
        elif now is not None:
            earlier = found.get(key)
            was = was or (earlier.was if earlier is not None else None) or now
            found[key] = ObjectEdit(name=name, ordinal=ordinal, was=was, now=now)
        else:
            found[key] = ObjectEdit(name=name, ordinal=ordinal, was=was, remove=True)
    new: set[object] = set()
    for name, cell in added:
        edit = ObjectEdit(name=name, add=cell)
        # One that an earlier taking of the same map has added is the same one.
        if edit.target in new:
            lost.append(_in_one_cell(name, cell))
            continue
        new.add(edit.target)
        changes += 1
        found[edit.target] = edit
    return MergedObjects(tuple(found.values()), changes, tuple(lost))


def _in_one_cell(name: str, cell: Cell) -> str:
    return (
        f"two objects {name!r} were added in [{cell[0]}, {cell[1]}] (move one of them to another "
        "cell)"
    )


def _origins(
    edits: Sequence[ObjectEdit], shown: Sequence[tuple[int, str]]
) -> dict[int, tuple[str, int, Cell | None]]:
    """Return what each object on a map is: its name and ordinal, or the cell of an added one.

    Of each name the added ones come last, in the order of their edits; the others are in the order
    in which they were placed, without the removed ones.
    """
    about: dict[int, tuple[str, int, Cell | None]] = {}
    by_name: dict[str, list[int]] = {}
    for number, name in shown:
        by_name.setdefault(name, []).append(number)
    for name, numbers in by_name.items():
        adds = [edit.add for edit in edits if edit.name == name and edit.add is not None]
        gone = {edit.ordinal for edit in edits if edit.name == name and edit.remove}
        placed = numbers[: max(len(numbers) - len(adds), 0)]
        ordinal = 0
        for number in placed:
            ordinal += 1
            while ordinal in gone:
                ordinal += 1
            about[number] = (name, ordinal, None)
        for number, add in zip(numbers[len(placed) :], adds, strict=False):
            about[number] = (name, 0, add)
    return about
