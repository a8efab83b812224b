"""Write an LDtk project with one level, as LDtk 1.5.3 does.

Every tile layer is an IntGrid, whose numbers are tile ids plus 1, or 0 for nothing. Objects are
entities. Pictures of cells are optional, because they take about sixty bytes a cell. They are in
layers of the type `Tiles`, because LDtk may delete tiles in IntGrids.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from exporter.formats.ldtk.definitions import (
    Numbers,
    entity_definition,
    grid_values,
    identifier_text,
    layer_definition,
    named,
    tileset_definition,
)
from exporter.formats.ldtk.fields import (
    Field,
    Reference,
    field_definition,
    field_instances,
    fields_of,
)
from exporter.formats.ldtk.simple_export import BACKGROUND, OBJECT_COLOR, grid_csv, identifier
from exporter.formats.tiled.map import level_properties
from exporter.model.level import Layer, Level
from exporter.model.level_values import SEEN_ROLES
from exporter.model.property_values import first_objects
from exporter.tilesets import PictureGrid, Tileset

VERSION = "1.5.3"
_HOME = "https://ldtk.io"


class _LineList:
    """A list in the project's JSON that is written one entry a line.

    `text` has the lines; `key` is the list's key in the JSON.
    """

    def __init__(self, key: str, text: str) -> None:
        self.key, self.text = key, text


def project_json(level: Level, tileset: Tileset, picture: str, position: str, tiles: bool) -> bytes:
    """Return an LDtk project with one level, as JSON.

    `picture` is the path of the tileset's picture, relative to the project. `position` is the
    target folder's path in the game project, from which stable identifiers derive. `tiles` adds the
    picture of each cell.
    """
    return _text(_Project(level, tileset, picture, position).document(tiles))


class _Project:
    """Makes a project: collects layers, entities and fields, counting uids."""

    def __init__(self, level: Level, tileset: Tileset, picture: str, folder: str) -> None:
        self.level, self.tileset, self.picture, self.folder = level, tileset, picture, folder
        self.numbers = Numbers()
        self.size = tileset.tile_size
        self.level_uid = self.numbers.next()
        self.tileset_uid = self.numbers.next()
        self.identifiers: set[str] = set()
        # From the bottom to the top.
        self.definitions: list[dict[str, Any]] = []
        self.instances: list[dict[str, Any]] = []
        self.entities: list[dict[str, Any]] = []
        self.references: dict[str, Reference] = {}

    def document(self, tiles: bool) -> dict[str, Any]:
        """Return the project as JSON values, with a `_LineList` for long lists.

        `tiles` adds the picture of each cell.
        """
        level = self.level
        layers = level.tile_layers()
        for layer in layers:
            if layer.role != "picture":
                self._add_grid(layer)
        if tiles:
            for layer in level.seen_layers():
                self._add_tiles(layer)
        if level.objects:
            self._add_entities()
        reported = level_properties(level)
        fields = fields_of([reported], named(reported), self.numbers.next)
        sheet = identifier_text(f"{level.name}_tileset", set())
        tilesets = [tileset_definition(sheet, self.tileset_uid, self.tileset, self.picture)]
        result = self._level(field_instances(fields, reported, self.references))
        return {
            **_header(self.size),
            "iid": identifier(self.folder, f"{level.name}.ldtk"),
            "nextUid": self.numbers.next(),
            "defs": {
                # LDtk's lists begin at the top.
                "layers": self.definitions[::-1],
                "entities": self.entities,
                "tilesets": tilesets if layers else [],
                "enums": [],
                "externalEnums": [],
                "levelFields": [field_definition(field) for field in fields],
            },
            "levels": [result],
            "worlds": [],
            "dummyWorldIid": identifier(self.folder, f"{level.name}.world"),
        }

    def _level(self, fields: list[dict[str, Any]]) -> dict[str, Any]:
        level = self.level
        column, row = (0, 0) if level.part is None else level.part.origin
        return {
            "identifier": identifier_text(level.name, set()),
            "iid": identifier(self.folder, level.name),
            "uid": self.level_uid,
            "worldX": column * self.size,
            "worldY": row * self.size,
            "worldDepth": 0,
            "pxWid": level.width * self.size,
            "pxHei": level.height * self.size,
            "__bgColor": BACKGROUND,
            "bgColor": None,
            "useAutoIdentifier": False,
            "bgRelPath": None,
            "bgPos": None,
            "bgPivotX": 0.5,
            "bgPivotY": 0.5,
            "__smartColor": "#828189",
            "__bgPos": None,
            "externalRelPath": None,
            "fieldInstances": fields,
            "layerInstances": self.instances[::-1],
            "__neighbours": [],
        }

    def _add_grid(self, layer: Layer) -> None:
        numbers = self.tileset.whole_numbers(layer)
        ids, first = np.unique(layer.cells, return_index=True)
        chosen = {
            int(item): int(numbers.flat[at])
            for item, at in zip(ids, first, strict=True)
            if numbers.flat[at] >= 0
        }
        self._add(
            "IntGrid",
            layer.name,
            None,
            {"intGridValues": grid_values(layer, self.tileset, self.tileset_uid, chosen)},
            {
                "visible": layer.role in SEEN_ROLES,
                # The rows of the Super Simple Export, without the comma at the end of the last.
                "intGridCsv": _LineList("intGridCsv", grid_csv(layer).decode()[:-2]),
            },
        )

    def _add_tiles(self, layer: Layer) -> None:
        for drawing in self.tileset.drawings(layer):
            offset = self.tileset.offset(drawing)
            name = f"{layer.name}_{drawing.tile or 'tiles'}"
            shape = drawing.numbers.shape
            tiles = {"gridTiles": _LineList("gridTiles", _tiles(self.tileset, drawing))}
            self._add("Tiles", name, self.tileset_uid, {}, tiles, shape=shape, offset=offset)

    def _add_entities(self) -> None:
        level = self.level
        names = named(thing.name for thing in level.objects)
        kinds: dict[str, tuple[int, list[Field]]] = {}
        for name, called in names.items():
            reported = [thing.properties for thing in level.objects if thing.name == name]
            uid = self.numbers.next()
            fields = fields_of(
                reported, named(key for item in reported for key in item), self.numbers.next
            )
            kinds[name] = uid, fields
            self.entities.append(entity_definition(called, uid, self.size, OBJECT_COLOR, fields))
        layer = identifier_text("objects", set(self.identifiers))
        self.references = {
            name: {
                "entityIid": identifier(self.folder, f"{level.name}/{thing.id}"),
                "layerIid": identifier(self.folder, f"{level.name}/layers/{layer}"),
                "levelIid": identifier(self.folder, level.name),
                "worldIid": identifier(self.folder, f"{level.name}.world"),
            }
            for name, thing in first_objects(level).items()
        }
        size = self.size
        result = [
            {
                "__identifier": names[thing.name],
                "__grid": [thing.x, thing.y],
                "__pivot": [0, 0],
                "__tags": [],
                "__tile": None,
                "__smartColor": OBJECT_COLOR,
                "iid": identifier(self.folder, f"{level.name}/{thing.id}"),
                "width": size,
                "height": size,
                "defUid": kinds[thing.name][0],
                "px": [thing.x * size, thing.y * size],
                "fieldInstances": field_instances(
                    kinds[thing.name][1], thing.properties, self.references
                ),
                "__worldX": thing.x * size + self._origin(0),
                "__worldY": thing.y * size + self._origin(1),
            }
            for thing in level.objects
        ]
        self._add("Entities", "objects", None, {}, {"entityInstances": result})

    def _origin(self, axis: int) -> int:
        part = self.level.part
        return 0 if part is None else part.origin[axis] * self.size

    def _add(
        self,
        kind: str,
        name: str,
        tileset: int | None,
        defined: dict[str, Any],
        filled: dict[str, Any],
        *,
        shape: tuple[int, ...] | None = None,
        offset: int = 0,
    ) -> None:
        """Add a layer: its definition and its instance in the level.

        `kind` is `IntGrid`, `Entities` or `Tiles`; `tileset` is the `uid` of the layer's tileset,
        or None. `defined` has the keys in which the definition differs from the defaults, `filled`
        those of the instance. `shape` is height and width in cells, by default the level's;
        `offset` is in pixels.
        """
        called = identifier_text(name, self.identifiers)
        uid = self.numbers.next()
        self.definitions.append(layer_definition(kind, called, uid, self.size, tileset, **defined))
        height, width = shape or (self.level.height, self.level.width)
        known = {
            "__identifier": called,
            "__type": kind,
            "__cWid": width,
            "__cHei": height,
            "__gridSize": self.size,
            "__opacity": 1,
            "__pxTotalOffsetX": offset,
            "__pxTotalOffsetY": offset,
            "__tilesetDefUid": tileset,
            "__tilesetRelPath": None if tileset is None else self.picture,
            "iid": identifier(self.folder, f"{self.level.name}/layers/{called}"),
            "levelId": self.level_uid,
            "layerDefUid": uid,
            "pxOffsetX": offset,
            "pxOffsetY": offset,
            "visible": True,
            "optionalRules": [],
            "intGridCsv": [],
            "autoLayerTiles": [],
            "seed": 1,
            "overrideTilesetUid": None,
            "gridTiles": [],
            "entityInstances": [],
        }
        self.instances.append(known | filled)


def _tiles(tileset: Tileset, drawing: PictureGrid) -> str:
    """Return the tiles of the grid `drawing` as JSON, one a line, row by row."""
    size, width = tileset.tile_size, drawing.numbers.shape[1]
    ends: dict[int, str] = {}
    for number in np.unique(drawing.numbers).tolist():
        x, y = tileset.corner(number)
        ends[number] = f'],"src":[{x},{y}],"f":0,"t":{number},"d":['
    return ",\n".join(
        f'{{"px":[{cell % width * size},{cell // width * size}{ends[number]}{cell}],"a":1}}'
        for cell, number in enumerate(drawing.numbers.ravel().tolist())
        if number >= 0
    )


def _header(size: int) -> dict[str, Any]:
    return {
        "__header__": {
            "fileType": "LDtk Project JSON",
            "app": "Level Exporter",
            "doc": f"{_HOME}/json",
            "schema": f"{_HOME}/files/JSON_SCHEMA.json",
            "appVersion": VERSION,
            "url": _HOME,
        },
        "jsonVersion": VERSION,
        "appBuildId": 473703,
        "identifierStyle": "Free",
        "toc": [],
        "worldLayout": "Free",
        "worldGridWidth": 256,
        "worldGridHeight": 256,
        "defaultLevelWidth": 256,
        "defaultLevelHeight": 256,
        "defaultPivotX": 0,
        "defaultPivotY": 0,
        "defaultGridSize": size,
        "defaultEntityWidth": size,
        "defaultEntityHeight": size,
        "bgColor": BACKGROUND,
        "defaultLevelBgColor": BACKGROUND,
        "minifyJson": False,
        "externalLevels": False,
        "exportTiled": False,
        "simplifiedExport": False,
        "imageExportMode": "None",
        "exportLevelBg": True,
        "pngFilePattern": None,
        "backupOnSave": False,
        "backupLimit": 10,
        "backupRelPath": None,
        "levelNamePattern": "Level_%idx",
        "tutorialDesc": None,
        "customCommands": [],
        "flags": [],
    }


def _text(document: dict[str, Any]) -> bytes:
    """Encode `document` as JSON, with a line for each grid row and tile.

    So version control shows which rows changed. Long lists are given as `_LineList`.
    """
    blocks: list[_LineList] = []

    def folder(value: Any) -> str:
        blocks.append(value)
        return f"\0{len(blocks) - 1}\0"

    text = json.dumps(document, indent=1, ensure_ascii=False, default=folder)
    out: list[str] = []
    for number, block in enumerate(blocks):
        # No user's text can imitate a key before the mark: JSON escapes its quotes.
        key = f'"{block.key}": '
        before, _, text = text.partition(f'{key}"\\u0000{number}\\u0000"')
        out += [before, key, "[\n", block.text, "\n]"]
    return ("".join([*out, text]) + "\n").encode()
