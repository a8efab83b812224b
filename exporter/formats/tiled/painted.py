"""Find the changes that a user made to an exported map in Tiled.

The exported map is compared with the present one. The result is the user's changes in terms of the
level: cells with tile names, objects by number, and other changes. The other changes cannot be kept
as hand edits, so the next export would overwrite them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field

import numpy as np

from exporter.formats.tiled.painted_map import NUMBER_BITS, MapTileset, PaintedMap, PaintedObject
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass

# The name of a kind of tile; None for no tile.
Kind = str | None
Names = Callable[[MapTileset, int], str | None]


@dataclass(frozen=True, slots=True)
class PaintedCell:
    """A cell (x, y) whose tile the user replaced in Tiled.

    `before` is the name of the exported tile, `now` that of the present one; None for no tile.
    """

    x: int
    y: int
    before: Kind
    now: Kind


@dataclass(frozen=True, slots=True)
class PaintedChanges:
    """The changes that a user made to an exported map in Tiled.

    Attributes:
        cells: The cells that now show another kind of tile, by layer name.
        moved: The new cell (x, y) of each moved object, by the object's number.
        removed: The numbers of removed objects.
        added: The name and the cell (x, y) of each new object.
        dropped: Descriptions of other changes, which are lost because they cannot be hand edits.
    """

    cells: Mapping[str, tuple[PaintedCell, ...]]
    moved: Mapping[int, tuple[int, int]]
    removed: tuple[int, ...]
    added: tuple[tuple[str, tuple[int, int]], ...]
    dropped: tuple[str, ...]


def what_was_painted(
    before: PaintedMap,
    after: PaintedMap,
    layers: Sequence[str],
    names: Names,
    *,
    only_new: bool = False,
) -> PaintedChanges:
    """Return how the user's map `after` differs from the exported `before`.

    Args:
        before: The exported map.
        after: The map as the user saved it.
        layers: The names of the level's own layers.
        names: Returns the name of a tile from its tileset and its number there; None if the level
            has no such tile.
        only_new: Whether to report changes besides cells and objects only where something was
            added, because the map was not exported exactly as `before`.

    Raises:
        ParameterError: The maps have different sizes.
    """
    _check_size(before, after)
    cells, dropped = _painted_cells(before, after, layers, names)
    objects = _changed_objects(before.objects or (), after.objects or (), after.size)
    dropped += [*_other_changes(before, after, only_new), *objects.dropped]
    return PaintedChanges(
        cells, objects.moved, objects.removed, tuple(objects.added), tuple(dropped)
    )


def _check_size(before: PaintedMap, after: PaintedMap) -> None:
    if before.size != after.size:
        old, new = (f"{width} x {height}" for width, height in (before.size, after.size))
        raise ParameterError(
            f"the size of the map was changed from {old} to {new} cells (resize it back; the size "
            "of a level is the `size` of its spec)"
        )


def _painted_cells(
    before: PaintedMap, after: PaintedMap, layers: Sequence[str], names: Names
) -> tuple[dict[str, tuple[PaintedCell, ...]], list[str]]:
    """Return changed cells by layer, and descriptions of other changes there.

    The latter cannot be hand edits. `layers` are the names of the level's layers; `names` returns
    the name of a tile from its tileset and number.
    """
    cells: dict[str, tuple[PaintedCell, ...]] = {}
    dropped: list[str] = []
    for name in before.layers:
        if name not in after.layers:
            continue
        if name in layers:
            result, unknown = _changed_cells(before, after, name, names)
            dropped += unknown
            if result:
                cells[name] = result
        elif not np.array_equal(before.layers[name], after.layers[name]):
            dropped.append(
                f"the layer {name!r} was painted on, which only shows pictures (paint on the layer "
                "whose pictures they are)"
            )
    return cells, dropped


def _other_changes(before: PaintedMap, after: PaintedMap, only_new: bool) -> Iterator[str]:
    """Yield descriptions of changes besides cells and objects.

    With `only_new`, other content is reported only if it is new, not if it changed or is gone.
    """
    removed = [name for name in before.layers if name not in after.layers]
    new = [name for name in after.layers if name not in before.layers]
    if len(removed) == len(new) == 1:
        yield f"the layer {removed[0]!r} is missing and {new[0]!r} is new (rename it back)"
    else:
        yield from (f"the layer {name!r} is missing" for name in removed)
        yield from (f"the layer {name!r} is new" for name in new)
    # Their content is removed or new, too, and not reported again.
    reported = tuple(f"of the layer {name!r}" for name in (*removed, *new))
    for what in sorted({*before.rest, *after.rest}):
        if what.endswith(reported) or (only_new and what in before.rest):
            continue
        if before.rest.get(what) != after.rest.get(what):
            change = "changed" if what in before.rest else "new"
            yield f"{what} is {change if what in after.rest else 'gone'}"
    both = {*before.order} & {*after.order}
    if [item for item in before.order if item in both] != [
        item for item in after.order if item in both
    ]:
        yield "the order of the layers is changed"


def _changed_cells(
    before: PaintedMap, after: PaintedMap, layer: str, names: Names
) -> tuple[tuple[PaintedCell, ...], list[str]]:
    old, new = before.layers[layer], after.layers[layer]
    rows, columns = np.nonzero(old != new)
    kinds: dict[tuple[bool, int], Kind] = {}
    strange: dict[str, tuple[int, int, int]] = {}
    result = []
    turned = 0
    pairs = zip(rows.tolist(), columns.tolist(), strict=True)
    for (y, x), was, now in zip(
        pairs, old[rows, columns].tolist(), new[rows, columns].tolist(), strict=True
    ):
        turned += bool(now & ~NUMBER_BITS)
        try:
            kind = _kind(after, now & NUMBER_BITS, True, names, kinds)
        except ParameterError as error:
            count, *_ = strange.get(error.message, (0, 0, 0))
            strange[error.message] = (count + 1, x, y)
            continue
        earlier = _kind(before, was & NUMBER_BITS, False, names, kinds)
        if kind != earlier:
            result.append(PaintedCell(x, y, earlier, kind))
    words = [
        f"{message} in {count} cells of the layer {layer!r}, as in [{x}, {y}]"
        for message, (count, x, y) in strange.items()
    ]
    if turned:
        words.append(f"{turned} tiles of the layer {layer!r} are turned or mirrored")
    return tuple(result), words


def _kind(
    painted: PaintedMap, number: int, after: bool, names: Names, known: dict[tuple[bool, int], Kind]
) -> Kind:
    """Return the name of the tile with `number` on the map; None for no tile.

    `after` says whether the map is the user's; `known` is a cache of results.

    Raises:
        ParameterError: The level has no such tile.
    """
    if number == 0:
        return None
    if (after, number) not in known:
        sets = [item for item in painted.tilesets if item.first <= number]
        tileset = max(sets, key=lambda item: item.first, default=None)
        name = names(tileset, number - tileset.first) if tileset is not None else None
        if name is None:
            where = f" of {tileset.key}" if tileset is not None else ""
            local = number - tileset.first if tileset is not None else number
            raise ParameterError(f"tile {local}{where} is not a tile of the level")
        known[after, number] = name
    return known[after, number]


@dataclass(slots=True)
class _ObjectChanges:
    """The changes of objects, with the fields of `PaintedChanges`."""

    moved: dict[int, tuple[int, int]] = field(default_factory=dict)
    removed: tuple[int, ...] = ()
    added: list[tuple[str, tuple[int, int]]] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)


def _changed_objects(
    before: Sequence[PaintedObject], after: Sequence[PaintedObject], size: tuple[int, int]
) -> _ObjectChanges:
    changes = _ObjectChanges()
    dropped = changes.dropped
    old = {item.id: item for item in before}
    seen: set[int] = set()
    for item in after:
        base = old.get(item.id)
        if base is not None and item.id not in seen and base.name == item.name:
            seen.add(item.id)
            if base.cell != item.cell and not _is_inside(item.cell, size):
                dropped.append(f"{item.name} (object {item.id}) is outside the map")
            elif base.cell != item.cell:
                changes.moved[item.id] = item.cell
            if base.rest != item.rest:
                dropped.append(
                    f"properties or the shape of {item.name} (object {item.id}) are changed"
                )
        elif not item.name:
            dropped.append(f"object {item.id} has no name")
        elif not _is_inside(item.cell, size):
            dropped.append(f"{item.name} (object {item.id}) is outside the map")
        else:
            changes.added.append((item.name, item.cell))
            if item.rest not in (
                "{}",
                *(other.rest for other in before if other.name == item.name),
            ):
                dropped.append(f"properties or the shape of {item.name} (object {item.id}) are new")
    changes.removed = tuple(number for number in old if number not in seen)
    return changes


def _is_inside(cell: tuple[int, int], size: tuple[int, int]) -> bool:
    return 0 <= cell[0] < size[0] and 0 <= cell[1] < size[1]
