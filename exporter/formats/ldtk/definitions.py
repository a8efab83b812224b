"""Write an LDtk project's definitions: layers, tileset, entities.

LDtk refers to definitions by `uid`, a number that is unique in a project. People see identifiers,
which begin with a letter or `_` and have only letters, digits and `_`; a repeated identifier gets a
number.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Any

from exporter.formats.ldtk.fields import Field, field_definition
from exporter.model.level import Layer
from exporter.model.texts import unused_name
from exporter.tilesets import Tileset


class Numbers:
    """Gives out the `uid`s of a project, each one once."""

    def __init__(self) -> None:
        self._numbers = count(1)

    def next(self) -> int:
        """Return an unused `uid`."""
        return next(self._numbers)


def identifier_text(name: str, used: set[str]) -> str:
    """Return `name` as an identifier that LDtk allows and `used` lacks.

    The identifier is added to `used`.
    """
    plain = re.sub(r"[^A-Za-z0-9_]+", "_", name)
    return unused_name(plain if re.match("[A-Za-z_]", plain) else f"_{plain}", used)


def layer_definition(
    kind: str, identifier: str, uid: int, grid: int, tileset: int | None, **own: Any
) -> dict[str, Any]:
    """Return the definition of a layer as LDtk's JSON.

    `kind` is `IntGrid`, `Entities` or `Tiles`. `grid` is a cell's side in pixels. `tileset` is the
    `uid` of the layer's tileset; None without one. `own` has the keys whose values differ from
    LDtk's defaults.
    """
    known = {
        "__type": kind,
        "identifier": identifier,
        "type": kind,
        "uid": uid,
        "doc": None,
        "uiColor": None,
        "gridSize": grid,
        "guideGridWid": 0,
        "guideGridHei": 0,
        "displayOpacity": 1,
        "inactiveOpacity": 1,
        "hideInList": False,
        "hideFieldsWhenInactive": True,
        "canSelectWhenInactive": True,
        "renderInWorldView": True,
        "pxOffsetX": 0,
        "pxOffsetY": 0,
        "parallaxFactorX": 0,
        "parallaxFactorY": 0,
        "parallaxScaling": True,
        "requiredTags": [],
        "excludedTags": [],
        "autoTilesKilledByOtherLayerUid": None,
        "uiFilterTags": [],
        "useAsyncRender": False,
        "intGridValues": [],
        "intGridValuesGroups": [],
        "autoRuleGroups": [],
        "autoSourceLayerDefUid": None,
        "tilesetDefUid": tileset,
        "tilePivotX": 0,
        "tilePivotY": 0,
        "biomeFieldUid": None,
    }
    return known | own


def grid_values(
    layer: Layer, tileset: Tileset, tileset_uid: int, chosen: Mapping[int, int]
) -> list[dict[str, Any]]:
    """Return the definitions of a layer's IntGrid values, one for each tile.

    A value is the tile's id plus 1, because 0 means no value in LDtk. `tileset_uid` is the
    tileset's `uid`; `chosen` has, for each tile id, the number of the picture that LDtk shows in
    its lists.
    """
    used: set[str] = set()
    return [
        {
            "value": tile.id + 1,
            "identifier": identifier_text(tile.name, used),
            # LDtk has no clear colours.
            "color": tile.color[:7],
            "tile": _rectangle(tileset, tileset_uid, chosen.get(tile.id)),
            "groupUid": 0,
        }
        for tile in layer.tiles
        if not tile.empty
    ]


def _rectangle(tileset: Tileset, uid: int, number: int | None) -> dict[str, int] | None:
    if number is None:
        return None
    x, y = tileset.corner(number)
    return {"tilesetUid": uid, "x": x, "y": y, "w": tileset.tile_size, "h": tileset.tile_size}


def tileset_definition(name: str, uid: int, tileset: Tileset, file: str) -> dict[str, Any]:
    """Return the definition of `tileset` as LDtk's JSON.

    `name` becomes its identifier; `file` is the path of its picture, relative to the project. The
    custom data of each tile is a JSON text: id, name, and whether it is walkable and opaque.
    """
    height, width = tileset.pixels.shape[:2]
    return {
        "__cWid": tileset.columns,
        "__cHei": tileset.rows,
        "identifier": name,
        "uid": uid,
        "relPath": file,
        "embedAtlas": None,
        "pxWid": width,
        "pxHei": height,
        "tileGridSize": tileset.tile_size,
        "spacing": tileset.spacing,
        "padding": tileset.margin,
        "tags": [],
        "tagsSourceEnumUid": None,
        "enumTags": [],
        "customData": [
            {"tileId": number, "data": _meaning(tileset, number)}
            for number in sorted(tileset.tiles)
        ],
        "savedSelections": [],
        "cachedPixelData": None,
    }


def _meaning(tileset: Tileset, number: int) -> str:
    tile = tileset.tiles[number]
    reported = {"id": tile.id, "tile": tile.name, "walkable": tile.walkable, "opaque": tile.opaque}
    return json.dumps(reported, ensure_ascii=False)


def entity_definition(
    name: str, uid: int, size: int, color: str, fields: Sequence[Field]
) -> dict[str, Any]:
    """Return the definition of a kind of entity as LDtk's JSON.

    `name` and `uid` become the kind's. Its entities are `size` pixels wide and high, drawn in
    `color`, and have `fields`.
    """
    return {
        "identifier": name,
        "uid": uid,
        "tags": [],
        "exportToToc": False,
        "allowOutOfBounds": False,
        "doc": None,
        "width": size,
        "height": size,
        "resizableX": False,
        "resizableY": False,
        "minWidth": None,
        "maxWidth": None,
        "minHeight": None,
        "maxHeight": None,
        "keepAspectRatio": False,
        "tileOpacity": 1,
        "fillOpacity": 0.08,
        "lineOpacity": 1,
        "hollow": False,
        "color": color,
        "renderMode": "Rectangle",
        "showName": True,
        "tilesetId": None,
        "tileRenderMode": "FitInside",
        "tileRect": None,
        "uiTileRect": None,
        "nineSliceBorders": [],
        "maxCount": 0,
        "limitScope": "PerLevel",
        "limitBehavior": "MoveLastOne",
        "pivotX": 0,
        "pivotY": 0,
        "fieldDefs": [field_definition(field) for field in fields],
    }


def named(names: Iterable[str]) -> dict[str, str]:
    """Return a different LDtk identifier for each of `names`."""
    used: set[str] = set()
    return {name: identifier_text(name, used) for name in dict.fromkeys(names)}
