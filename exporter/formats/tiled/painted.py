"""Read back an exported map that a person painted on in Tiled.

Two maps are compared: the written one and the current one. The result is a person's changes in
terms of the level: cells with their kinds of tiles, objects by their numbers, and all else that
hand edits cannot hold and that would be lost if the map were written again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter.formats.tiled.map import OBJECTS
from exporter.handmade.tiled.cells import NUMBER_BITS as _BITS
from exporter.handmade.tiled.cells import read_numbers
from exporter.handmade.tiled.files import read_document
from exporter.handmade.tiled.limits import TiledError
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.limits import MAXIMUM_CELLS, MAXIMUM_LAYERS, MAXIMUM_SIDE

# The upper bits of a number say how its tile is turned.
NUMBER_BITS = int(_BITS)
MAXIMUM_OBJECTS = 1_000_000
_MOST_TILESETS = 1000
# Attributes that Tiled writes as it likes, or that only describe the view of the map.
_OF_MAP = frozenset(
    {
        "layers", "tilesets", "width", "height", "version", "tiledversion", "type",
        "compressionlevel", "editorsettings", "nextlayerid", "nextobjectid", "infinite",
        "renderorder",
    }
)  # fmt: skip
_OF_LAYER = frozenset(
    {
        "data", "chunks", "encoding", "compression", "startx", "starty", "width", "height", "x",
        "y", "id", "name", "visible", "locked", "opacity", "objects", "draworder",
    }
)  # fmt: skip
_OF_OBJECT = frozenset(
    {
        "id", "name", "x", "y", "width", "height", "visible", "gid", "point",
    }
)  # fmt: skip
# Keys that Tiled leaves out, or adds.
_DEFAULTS: Mapping[str, Any] = {
    "properties": [],
    "rotation": 0,
    "type": "",
    "class": "",
    "offsetx": 0,
    "offsety": 0,
    "parallaxx": 1,
    "parallaxy": 1,
    "parallaxoriginx": 0,
    "parallaxoriginy": 0,
    "tintcolor": "",
    "backgroundcolor": "",
    "repeatx": False,
    "repeaty": False,
    "mode": "normal",
    "orientation": "orthogonal",
}


@dataclass(frozen=True, slots=True)
class PaintedObject:
    """An object on a map: its number, name and cell, and all else as text."""

    id: int
    name: str
    cell: tuple[int, int]
    rest: str = ""


@dataclass(frozen=True, slots=True)
class MapTileset:
    """A map's tileset: its first number, file or name, and content."""

    first: int
    key: str
    external: bool
    document: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class PaintedMap:
    """A map as read from a file.

    Attributes:
        size: Width and height in cells.
        layers: The numbers of the cells of each tile layer by name: uint32 [height, width].
        tilesets: In the order of their numbers.
        objects: The objects of the object layer; None without that layer.
        rest: All else, as text by the words for it.
        order: The names of all layers, from the lowest to the topmost.
    """

    size: tuple[int, int]
    layers: Mapping[str, NDArray[np.uint32]]
    tilesets: tuple[MapTileset, ...]
    objects: tuple[PaintedObject, ...] | None
    rest: Mapping[str, str]
    order: tuple[str, ...] = ()


def read_painted(content: bytes) -> PaintedMap:
    """Read a map in Tiled's JSON or XML.

    Raises:
        ParameterError: It is no such map, broken, or too large.
    """
    try:
        document = read_document(content)
        if document.get("type") != "map":
            raise ParameterError("it is no map of Tiled")
        return _map(document)
    except ParameterError:
        raise
    except TiledError as error:
        raise ParameterError(f"it {error}") from None
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise ParameterError(f"it is no map of Tiled, or broken ({error})") from None


def _map(document: Mapping[str, Any]) -> PaintedMap:
    width, height = int(document["width"]), int(document["height"])
    if not (0 < width <= MAXIMUM_SIDE and 0 < height <= MAXIMUM_SIDE):
        raise ParameterError(f"it has {width} x {height} cells (allowed: 1 to {MAXIMUM_SIDE})")
    if width * height > MAXIMUM_CELLS:
        raise ParameterError(f"it has {width * height:,} cells (allowed: {MAXIMUM_CELLS:,})")
    tile_size = int(document["tilewidth"]), int(document["tileheight"])
    if min(tile_size) < 1:
        raise ParameterError("its tiles have no size")
    tilesets = tuple(map(_tileset, document.get("tilesets", [])[:_MOST_TILESETS]))
    rest = {f"the map's {key}": text for key, text in _others(document, _OF_MAP)}
    rest |= {f"the tileset {tileset.key!r}": str(tileset.first) for tileset in tilesets}
    layers: dict[str, NDArray[np.uint32]] = {}
    objects: tuple[PaintedObject, ...] | None = None
    result = document["layers"]
    if len(result) > 4 * MAXIMUM_LAYERS:
        raise ParameterError(f"it has {len(result)} layers (allowed: {4 * MAXIMUM_LAYERS})")
    order = []
    for layer in result:
        name, kind = str(layer.get("name", "")), layer.get("type")
        what = f"the layer {name!r}"
        order.append(name)
        if kind == "tilelayer" and name not in layers:
            layers[name], outside = _cells(layer, width, height)
            rest |= {f"{key!r} of {what}": text for key, text in _others(layer, _OF_LAYER)}
            if outside:
                rest[f"{what} outside of the map"] = str(outside)
        elif kind == "objectgroup" and name == OBJECTS and objects is None:
            objects = tuple(_objects(layer, tile_size))
            rest |= {f"{key!r} of {what}": text for key, text in _others(layer, _OF_LAYER)}
        else:
            rest[what] = _text(_plain(layer))
    return PaintedMap((width, height), layers, tilesets, objects, rest, tuple(order))


def _tileset(entry: dict[str, Any]) -> MapTileset:
    source = entry.get("source")
    key = str(source if source is not None else entry.get("name", ""))
    return MapTileset(int(entry["firstgid"]), key, source is not None, entry)


def _others(part: Mapping[str, Any], known: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Yield the unusual further content of a part of a map."""
    for key, value in part.items():
        if key in known or (key in _DEFAULTS and str(_DEFAULTS[key]) == str(value)):
            continue
        if key == "properties":
            for item in value:
                yield f"property {item['name']}", _text([item.get("type"), item.get("value")])
        else:
            yield key, _text(value)


def _plain(layer: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in layer.items() if key not in ("id", "visible", "locked")}


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _cells(layer: dict[str, Any], width: int, height: int) -> tuple[NDArray[np.uint32], int]:
    """Return a layer's cell numbers, and the count of tiles outside."""
    cells = np.zeros((height, width), np.uint32)
    outside = 0
    parts = [layer] if "data" in layer else layer.get("chunks", [])
    budget = 4 * MAXIMUM_CELLS
    for part in parts:
        columns, rows = int(part["width"]), int(part["height"])
        left, top = (0, 0) if "data" in layer else (int(part["x"]), int(part["y"]))
        budget -= max(columns, 1) * max(rows, 1)
        if columns < 0 or rows < 0 or budget < 0:
            raise ParameterError(f"the layer {layer.get('name')!r} has too many cells")
        numbers = read_numbers(part["data"], layer, columns, rows)
        inside = numbers[max(-top, 0) : height - top, max(-left, 0) : width - left]
        if top < height and left < width and inside.size:
            y, x = max(top, 0), max(left, 0)
            cells[y : y + inside.shape[0], x : x + inside.shape[1]] = inside
        else:
            inside = numbers[:0]
        outside += int(np.count_nonzero(numbers)) - int(np.count_nonzero(inside))
    return cells, outside


def _objects(layer: dict[str, Any], size: tuple[int, int]) -> Iterator[PaintedObject]:
    """Yield the objects of a layer, each with the cell its middle lies in."""
    result = layer.get("objects", [])
    if len(result) > MAXIMUM_OBJECTS:
        raise ParameterError(f"it has {len(result)} objects (allowed: {MAXIMUM_OBJECTS})")
    for item in result:
        wide, high = float(item.get("width", 0)), float(item.get("height", 0))
        x, y = float(item["x"]) + wide / 2, float(item["y"]) + high / 2
        if "gid" in item:  # the place of a picture is its lower left corner
            y -= high
        cell = int(x // size[0]), int(y // size[1])
        name = str(item.get("name") or item.get("type") or item.get("class") or "")
        rest = dict(_others(item, _OF_OBJECT))
        if not item.get("point") and (wide, high) != (float(size[0]), float(size[1])):
            rest["size"] = _text([wide, high])
        # A class equal to the name adds nothing.
        if rest.get("type", rest.get("class")) == _text(name):
            rest.pop("type", rest.pop("class", None))
        yield PaintedObject(int(item["id"]), name, cell, _text(rest))


# The name of a kind of tile; None for no tile.
Kind = str | None
Names = Callable[[MapTileset, int], str | None]


@dataclass(frozen=True, slots=True)
class PaintedCell:
    """A cell that shows another kind of tile than before."""

    x: int
    y: int
    before: Kind
    now: Kind


@dataclass(frozen=True, slots=True)
class Painted:
    """A person's changes of a map.

    Attributes:
        cells: By layer the cells that show another kind of tile now.
        moved: Objects in another cell: the number, and the cell.
        removed: The numbers of objects that are gone.
        added: Objects that are new: the name, and the cell.
        dropped: All else that was changed, in words: there is no place for it among hand edits.
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
) -> Painted:
    """Compare a written map with a person's version of it.

    Args:
        before: The written map.
        after: The current map.
        layers: The names of the level's own layers.
        names: Returns the name of a tile by its tileset and its number there; None for a tile
            outside the level.
        only_new: Besides cells and objects, report only new things, not changed ones: for a map
            that was not written as `before`.

    Raises:
        ParameterError: The maps have different sizes, or the written map is unknown.
    """
    _check_size(before, after)
    cells, dropped = _painted_cells(before, after, layers, names)
    objects = _changed_objects(before.objects or (), after.objects or (), after.size)
    dropped += [*_other_changes(before, after, only_new), *objects.dropped]
    return Painted(cells, objects.moved, objects.removed, tuple(objects.added), tuple(dropped))


def _check_size(before: PaintedMap, after: PaintedMap) -> None:
    if before.size != after.size:
        old, new = (f"{width} x {height}" for width, height in (before.size, after.size))
        raise ParameterError(
            f"its size was changed from {old} to {new} cells (resize it back; the size of a level "
            "is the `size` of its spec)"
        )


def _painted_cells(
    before: PaintedMap, after: PaintedMap, layers: Sequence[str], names: Names
) -> tuple[dict[str, tuple[PaintedCell, ...]], list[str]]:
    """Return changed cells of the level's layers, and strokes without effect."""
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
    """Yield removed, new or changed things besides cells and objects."""
    removed = [name for name in before.layers if name not in after.layers]
    new = [name for name in after.layers if name not in before.layers]
    if len(removed) == len(new) == 1:
        yield f"the layer {removed[0]!r} is missing and {new[0]!r} is new (rename it back)"
    else:
        yield from (f"the layer {name!r} is missing" for name in removed)
        yield from (f"the layer {name!r} is new" for name in new)
    # The content of such layers is removed or new with them.
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
    painted: PaintedMap,
    number: int,
    after: bool,
    names: Names,
    known: dict[tuple[bool, int], Kind],
) -> Kind:
    """Return the kind of tile of a number of a map.

    Raises:
        ParameterError: It is no tile of the level.
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
            raise ParameterError(f"tile {local}{where} is no tile of the level")
        known[after, number] = name
    return known[after, number]


@dataclass(slots=True)
class _ObjectChanges:
    """Changes of objects; see `Painted`."""

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
                dropped.append(f"{item.name} (object {item.id}) lies outside of the map")
            elif base.cell != item.cell:
                changes.moved[item.id] = item.cell
            if base.rest != item.rest:
                dropped.append(
                    f"properties or the shape of {item.name} (object {item.id}) are changed"
                )
        elif not item.name:
            dropped.append(f"object {item.id} has no name")
        elif not _is_inside(item.cell, size):
            dropped.append(f"{item.name} (object {item.id}) lies outside of the map")
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


def names_in(document: Mapping[str, Any]) -> dict[int, str]:
    """Return tile names by number: the property `name`, or the class.

    Args:
        document: A tileset in Tiled's JSON.

    Raises:
        ParameterError: It is no tileset, or broken.
    """
    try:
        result = {}
        for tile in document.get("tiles", []):
            own = {item["name"]: item["value"] for item in tile.get("properties", [])}
            name = own.get("name", tile.get("type") or tile.get("class"))
            if isinstance(name, str):
                result[int(tile["id"])] = name
        return result
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise ParameterError(f"it is no tileset of Tiled, or broken ({error})") from None


def names_in_file(content: bytes) -> dict[int, str]:
    """Return `names_in` of a tileset in a separate file.

    Raises:
        ParameterError: It is no tileset, or broken.
    """
    try:
        return names_in(read_document(content))
    except TiledError as error:
        raise ParameterError(f"its tileset {error}") from None
