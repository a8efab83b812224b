"""Merge cells painted in an editor into the hand edits of a level.

A hand edit of a cell has the generated value (`was`) and the edited value (`now`). Painted cells
are compared with the level as generated, without edits: a cell that is painted with its generated
tile loses its edit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from exporter.build.edits import is_empty
from exporter.model.hand_edits import EditConflict
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Layer, PlacedObject
from exporter.reading.edits import CellEdit, CellValue, ObjectEdit

Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class MergedObjects:
    """The hand edits of objects after changes on a map were merged.

    Attributes:
        edits: All edits after the merge.
        changes: How many objects were moved, removed or added on the map.
        dropped: Messages about changes that cannot be stored as edits.
    """

    edits: tuple[ObjectEdit, ...]
    changes: int
    dropped: tuple[str, ...] = ()


def value_at(layer: Layer, cell: Cell) -> CellValue:
    """Return the value of `cell` in `layer`: a tile's name, or a height.

    None for an empty cell.
    """
    result = int(layer.cells[cell[1], cell[0]])
    if layer.kind == "heights":
        return result
    for tile in layer.tiles:
        if tile.id == result:
            return None if tile.empty else tile.name
    return None


@dataclass(frozen=True, slots=True)
class Stroke:
    """A painted cell with its tile before and after painting."""

    at: Cell
    before: CellValue
    now: CellValue


def merged_cells(
    generated: Layer, edits: Sequence[CellEdit], strokes: Iterable[Stroke], *, same: bool
) -> tuple[CellEdit, ...]:
    """Merge painted cells into the hand edits of a layer; return all edits.

    Edits of other cells keep their value and order.

    Args:
        generated: The layer without edits.
        edits: The layer's edits so far.
        strokes: The painted cells.
        same: Whether the map, before it was painted, showed the level as generated now. Then a cell
            that is painted with its generated value loses its edit. Else the values may be equal by
            chance, since the spec has changed.
    """
    result = {edit.at: edit for edit in edits}
    for stroke in strokes:
        at, now = stroke.at, stroke.now
        was, earlier = value_at(generated, at), result.get(at)
        if same and _equal(now, was):
            result.pop(at, None)
            continue
        before = earlier.was if earlier is not None else stroke.before
        result[at] = CellEdit(at=at, was=before if _equal(now, was) else was, now=now)
    return tuple(result.values())


def _equal(item: CellValue, other: CellValue) -> bool:
    return item == other or (is_empty(item) and is_empty(other))


def accepted_cells(
    edits: Sequence[CellEdit], conflicts: Iterable[EditConflict]
) -> tuple[CellEdit, ...]:
    """Return `edits`; adapt those in `conflicts` to the generated level.

    An edit whose generated tile has changed keeps its own tile (`now`) and gets the generated one
    as `was`. Edits that cannot be applied stay as they are.
    """
    changed = list(edits)
    for item in conflicts:
        if item.kind == "conflict" and not isinstance(item.actual, tuple):
            changed[item.index] = replace(edits[item.index], was=item.actual)
    return tuple(changed)


def accepted_objects(
    edits: Sequence[ObjectEdit], conflicts: Iterable[EditConflict]
) -> tuple[ObjectEdit, ...]:
    """Return `edits`; adapt those in `conflicts` to the placed objects.

    An edit whose object was generated on another cell keeps its change and gets that cell as `was`.
    Edits that cannot be applied stay as they are.
    """
    changed = list(edits)
    for item in conflicts:
        if item.kind == "conflict" and isinstance(item.actual, tuple):
            changed[item.index] = replace(edits[item.index], was=item.actual)
    return tuple(changed)


def merged_objects(
    generated: Sequence[PlacedObject],
    edits: Sequence[ObjectEdit],
    waiting: Iterable[EditConflict],
    displayed: Sequence[tuple[int, str]],
    moved: Mapping[int, Cell],
    removed: Iterable[int],
    added: Iterable[tuple[str, Cell]],
) -> MergedObjects:
    """Merge objects changed on a map into the hand edits of objects.

    Args:
        generated: The placed objects without edits.
        edits: The edits so far.
        waiting: The edits that do not fit the placed objects; the map shows only the edits of kind
            `conflict` among them.
        displayed: The (number, name) of every object on the map before the change, in order.
        moved: The new cells of moved objects, by their numbers on the map.
        removed: The numbers of objects that were removed.
        added: The (name, cell) of every new object.
    """
    left_out = {item.index for item in waiting if item.kind != "conflict"}
    about = _origins([item for i, item in enumerate(edits) if i not in left_out], displayed)
    result: dict[object, ObjectEdit] = {edit.target: edit for edit in edits}
    places: dict[tuple[str, int], Cell] = {}
    counts: dict[str, int] = {}
    for item in generated:
        counts[item.name] = counts.get(item.name, 0) + 1
        places[item.name, counts[item.name]] = (item.x, item.y)
    changes = 0
    dropped: list[str] = []
    for number, now in [*moved.items(), *((number, None) for number in removed)]:
        name, ordinal, add = about[number]
        changes += 1
        if add is not None:
            own = result.pop((name, 0, add), None)
            if now is not None:
                edit = ObjectEdit(name=name, add=now)
                if edit.target in result:  # two such objects in one cell cannot be told apart
                    dropped.append(_in_one_cell(name, now))
                    edit = own or edit
                result[edit.target] = edit
            continue
        key = (name, ordinal, None)
        was = places.get((name, ordinal))
        if now is not None and now == was:
            result.pop(key, None)
        elif now is not None:
            earlier = result.get(key)
            was = was or (earlier.was if earlier is not None else None) or now
            result[key] = ObjectEdit(name=name, ordinal=ordinal, was=was, now=now)
        else:
            result[key] = ObjectEdit(name=name, ordinal=ordinal, was=was, remove=True)
    new: set[object] = set()
    for name, cell in added:
        edit = ObjectEdit(name=name, add=cell)
        # An object added by an earlier import of the same map is the same one.
        if edit.target in new:
            dropped.append(_in_one_cell(name, cell))
            continue
        new.add(edit.target)
        changes += 1
        result[edit.target] = edit
    return MergedObjects(tuple(result.values()), changes, tuple(dropped))


def _in_one_cell(name: str, cell: Cell) -> str:
    return (
        f"two objects {name!r} were added in [{cell[0]}, {cell[1]}] (move one of them to another "
        "cell)"
    )


def _origins(
    edits: Sequence[ObjectEdit], displayed: Sequence[tuple[int, str]]
) -> dict[int, tuple[str, int, Cell | None]]:
    """Return which object each number on a map means.

    An object is given as (name, ordinal, None) if it was generated: `ordinal` is its position, from
    1, among the generated objects of that name. It is (name, 0, cell) if a hand edit added it in
    `cell`. On the map, added objects come last. `displayed` has (number, name) of all objects
    there.
    """
    about: dict[int, tuple[str, int, Cell | None]] = {}
    by_name: dict[str, list[int]] = {}
    for number, name in displayed:
        by_name.setdefault(name, []).append(number)
    for name, numbers in by_name.items():
        adds = [edit.add for edit in edits if edit.name == name and edit.add is not None]
        removed = {edit.ordinal for edit in edits if edit.name == name and edit.remove}
        placed = numbers[: max(len(numbers) - len(adds), 0)]
        ordinal = 0
        for number in placed:
            ordinal += 1
            while ordinal in removed:
                ordinal += 1
            about[number] = (name, ordinal, None)
        for number, add in zip(numbers[len(placed) :], adds, strict=False):
            about[number] = (name, 0, add)
    return about
