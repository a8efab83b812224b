"""LDtk projects by the published description of their JSON, for tests.

`Project` writes every key that LDtk 1.0 to 1.5 writes for a test's request, and keys of later
versions only from that version on. Levels are rows of numbers, entities are `Entity`.
"""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass, field
from typing import Any

Rows = list[list[int]]


def iid(*parts: object) -> str:
    """Return an instance identifier that follows from its content."""
    return str(uuid.uuid5(uuid.NAMESPACE_OID, "/".join(map(str, parts))))


def reference(world: str, level: str, layer: str, number: int) -> dict[str, str]:
    """The value of a field that refers to the entity of that number in a layer."""
    return {
        "entityIid": iid(level, layer, "entity", number),
        "layerIid": iid(level, layer),
        "levelIid": iid("level", level),
        "worldIid": iid("world", world),
    }


@dataclass(frozen=True)
class Entity:
    """An entity of a level: where its pivot lies in pixels, its size, and its fields.

    `fields` are (name, type as LDtk writes it, value).
    """

    name: str
    px: tuple[int, int]
    size: tuple[int, int] = (16, 16)
    fields: tuple[tuple[str, str, Any], ...] = ()


@dataclass
class Layer:
    """A layer definition: IntGrid values with their identifiers, or the name of a tileset."""

    name: str
    kind: str = "IntGrid"
    grid: int = 16
    values: dict[int, str | None] = field(default_factory=dict)
    tileset: str | None = None
    offset: tuple[int, int] = (0, 0)


@dataclass
class Tileset:
    """A tileset definition: custom data by tile, tiles by the enum value they are tagged with."""

    name: str
    columns: int = 8
    rows: int = 8
    grid: int = 16
    custom_data: dict[int, str] = field(default_factory=dict)
    enum_tags: dict[str, list[int]] = field(default_factory=dict)
    tags: list[str] = field(default_factory=list)


@dataclass
class EntityDefinition:
    """An entity definition."""

    name: str
    size: tuple[int, int] = (16, 16)
    resizable: tuple[bool, bool] = (False, False)
    pivot: tuple[float, float] = (0.0, 0.0)
    tags: list[str] = field(default_factory=list)


@dataclass
class Level:
    """A level: content by layer name.

    IntGrid layers are rows of values, Tiles layers lists of (column, row, tile id) or (column, row,
    tile id, flip bits), entity layers lists of `Entity`.
    """

    name: str
    content: dict[str, Any]
    at: tuple[int, int] = (0, 0)
    size: tuple[int, int] | None = None
    depth: int = 0
    fields: tuple[tuple[str, str, Any], ...] = ()
    offsets: dict[str, tuple[int, int]] = field(default_factory=dict)


@dataclass
class Project:
    """A project; `worlds` (name, layout, levels) makes it one of several worlds."""

    levels: list[Level] = field(default_factory=list)
    layers: list[Layer] = field(default_factory=list)
    tilesets: list[Tileset] = field(default_factory=list)
    entities: list[EntityDefinition] = field(default_factory=list)
    layout: str = "Free"
    version: str = "1.5.3"
    name: str = "rooms"
    external: bool = False
    worlds: list[tuple[str, str, list[Level]]] = field(default_factory=list)

    def files(self, indent: int | None = None) -> dict[str, bytes]:
        """The files by their path beside each other: the project, and its separate level files."""
        written: dict[str, bytes] = {}
        document = self.document()
        places = [document, *document["worlds"]]
        if self.external:
            for position in places:
                for level in position["levels"]:
                    path = f"{self.name}/{level['identifier']}.ldtkl"
                    whole = {"__header__": header("LDtk Level JSON", self.version), **level}
                    written[path] = dumped(whole | {"externalRelPath": None}, indent)
                    level |= {"externalRelPath": path, "layerInstances": None}
        return {f"{self.name}.ldtk": dumped(document, indent), **written}

    def content(self, indent: int | None = None) -> bytes:
        """The bytes of the project's file."""
        return self.files(indent)[f"{self.name}.ldtk"]

    def document(self) -> dict[str, Any]:
        """The project's JSON with all levels inside."""
        several = bool(self.worlds)
        world = {
            "worldLayout": None if several else self.layout,
            "worldGridWidth": None if several else 256,
            "worldGridHeight": None if several else 256,
        }
        return {
            "__header__": header("LDtk Project JSON", self.version),
            **self.since("1.2.0", iid=iid("project", self.name)),
            "jsonVersion": self.version,
            "appBuildId": 473703,
            "nextUid": 1000,
            "identifierStyle": "Free",
            **self.since("1.2.4", toc=[]),
            **world,
            "defaultLevelWidth": None if several else 256,
            "defaultLevelHeight": None if several else 256,
            "defaultPivotX": 0,
            "defaultPivotY": 0,
            "defaultGridSize": 16,
            **self.since("1.3.4", defaultEntityWidth=16, defaultEntityHeight=16),
            "bgColor": "#40465B",
            "defaultLevelBgColor": "#696A79",
            "minifyJson": True,
            "externalLevels": self.external,
            "exportTiled": False,
            **self.since("1.1.0", simplifiedExport=False),
            "imageExportMode": "None",
            **self.since("1.2.0", exportLevelBg=True),
            "pngFilePattern": None,
            "backupOnSave": False,
            "backupLimit": 10,
            **self.since("1.3.0", backupRelPath=None),
            "levelNamePattern": "Level_%idx",
            "tutorialDesc": None,
            **self.since("1.2.0", customCommands=[]),
            "flags": ["MultiWorlds"] if several else [],
            "defs": self.definitions(),
            "levels": []
            if several
            else [self.level("", self.layout, level) for level in self.levels],
            "worlds": [
                {
                    "iid": iid("world", name),
                    "identifier": name,
                    "defaultLevelWidth": 256,
                    "defaultLevelHeight": 256,
                    "worldGridWidth": 256,
                    "worldGridHeight": 256,
                    "worldLayout": layout,
                    "levels": [self.level(name, layout, level) for level in levels],
                }
                for name, layout, levels in self.worlds
            ],
            **self.since("1.3.0", dummyWorldIid=iid("world", "")),
        }

    def since(self, version: str, **keys: Any) -> dict[str, Any]:
        """The keys, if this project's version has them."""
        return keys if numbers(self.version) >= numbers(version) else {}

    def definitions(self) -> dict[str, Any]:
        """The `defs` of the project."""
        return {
            "layers": [self.layer_definition(layer) for layer in self.layers],
            "entities": [self.entity_definition(entity) for entity in self.entities],
            "tilesets": [self.tileset_definition(tileset) for tileset in self.tilesets],
            "enums": [],
            "externalEnums": [],
            "levelFields": [],
        }

    def layer_definition(self, layer: Layer) -> dict[str, Any]:
        """One of `defs.layers`."""
        return {
            "__type": layer.kind,
            "identifier": layer.name,
            "type": layer.kind,
            "uid": self.layer_uid(layer.name),
            **self.since("1.2.5", doc=None),
            **self.since("1.3.1", uiColor=None),
            "gridSize": layer.grid,
            "guideGridWid": 0,
            "guideGridHei": 0,
            "displayOpacity": 1,
            "inactiveOpacity": 1,
            "hideInList": False,
            "hideFieldsWhenInactive": True,
            **self.since("1.1.4", canSelectWhenInactive=True),
            **self.since("1.3.1", renderInWorldView=True),
            "pxOffsetX": layer.offset[0],
            "pxOffsetY": layer.offset[1],
            "parallaxFactorX": 0,
            "parallaxFactorY": 0,
            "parallaxScaling": True,
            "requiredTags": [],
            "excludedTags": [],
            **self.since("1.5.0", uiFilterTags=[], useAsyncRender=False, biomeFieldUid=None),
            "intGridValues": [
                {
                    "value": value,
                    "identifier": name,
                    "color": "#808080",
                    **self.since("1.3.3", tile=None),
                    **self.since("1.4.0", groupUid=0),
                }
                for value, name in layer.values.items()
            ],
            **self.since("1.4.0", intGridValuesGroups=[]),
            "autoRuleGroups": [],
            "autoSourceLayerDefUid": None,
            "tilesetDefUid": None if layer.tileset is None else self.tileset_uid(layer.tileset),
            "tilePivotX": 0,
            "tilePivotY": 0,
        }

    def entity_definition(self, entity: EntityDefinition) -> dict[str, Any]:
        """One of `defs.entities`."""
        return {
            "identifier": entity.name,
            "uid": self.entity_uid(entity.name),
            "tags": entity.tags,
            **self.since("1.2.4", exportToToc=False),
            **self.since("1.5.0", allowOutOfBounds=False),
            **self.since("1.2.5", doc=None),
            "width": entity.size[0],
            "height": entity.size[1],
            "resizableX": entity.resizable[0],
            "resizableY": entity.resizable[1],
            **self.since("1.3.3", minWidth=None, maxWidth=None, minHeight=None, maxHeight=None),
            "keepAspectRatio": False,
            "tileOpacity": 1,
            "fillOpacity": 1,
            "lineOpacity": 1,
            "hollow": False,
            "color": "#BE4A2F",
            "renderMode": "Rectangle",
            "showName": True,
            "tilesetId": None,
            "tileRenderMode": "FitInside",
            "tileRect": None,
            **self.since("1.5.0", uiTileRect=None),
            "nineSliceBorders": [],
            "maxCount": 0,
            "limitScope": "PerLevel",
            "limitBehavior": "MoveLastOne",
            "pivotX": entity.pivot[0],
            "pivotY": entity.pivot[1],
            "fieldDefs": [],
        }

    def tileset_definition(self, tileset: Tileset) -> dict[str, Any]:
        """One of `defs.tilesets`."""
        return {
            "__cWid": tileset.columns,
            "__cHei": tileset.rows,
            "identifier": tileset.name,
            "uid": self.tileset_uid(tileset.name),
            "relPath": f"{tileset.name}.png",
            "embedAtlas": None,
            "pxWid": tileset.columns * tileset.grid,
            "pxHei": tileset.rows * tileset.grid,
            "tileGridSize": tileset.grid,
            "spacing": 0,
            "padding": 0,
            "tags": tileset.tags,
            "tagsSourceEnumUid": None,
            "enumTags": [
                {"enumValueId": value, "tileIds": tiles}
                for value, tiles in tileset.enum_tags.items()
            ],
            "customData": [
                {"tileId": tile, "data": data} for tile, data in tileset.custom_data.items()
            ],
            "savedSelections": [],
            "cachedPixelData": None,
        }

    def level(self, world: str, layout: str, level: Level) -> dict[str, Any]:
        """One of `levels`, with its layers."""
        width, height = level.size or self.extent(level)
        linear = layout.startswith("Linear")
        return {
            "identifier": level.name,
            "iid": iid("level", level.name),
            "uid": int(iid("level", level.name)[:4], 16),
            "worldX": -1 if linear else level.at[0],
            "worldY": -1 if linear else level.at[1],
            "worldDepth": level.depth,
            "pxWid": width,
            "pxHei": height,
            "__bgColor": "#696A79",
            "bgColor": None,
            "useAutoIdentifier": False,
            "bgRelPath": None,
            "bgPos": None,
            "bgPivotX": 0.5,
            "bgPivotY": 0.5,
            "__smartColor": "#ADADB5",
            "__bgPos": None,
            "externalRelPath": None,
            "fieldInstances": [instance(number, item) for number, item in enumerate(level.fields)],
            "layerInstances": [
                self.layer_instance(level, layer, (width, height), linear) for layer in self.layers
            ],
            "__neighbours": [],
        }

    def extent(self, level: Level) -> tuple[int, int]:
        """The pixels of a level, by its first layer of rows."""
        for layer in self.layers:
            rows = level.content.get(layer.name)
            if layer.kind == "IntGrid" and rows:
                return len(rows[0]) * layer.grid, len(rows) * layer.grid
        return 256, 256

    def layer_instance(
        self, level: Level, layer: Layer, pixels: tuple[int, int], linear: bool
    ) -> dict[str, Any]:
        """One of a level's `layerInstances`."""
        columns, rows = (-(-side // layer.grid) for side in pixels)
        content = level.content.get(layer.name)
        own = level.offsets.get(layer.name, (0, 0))
        uid = None if layer.tileset is None else self.tileset_uid(layer.tileset)
        tiles, csv, entities = [], [], []
        if layer.kind == "IntGrid":
            csv = [value for row in content for value in row] if content else [0] * columns * rows
        elif layer.kind == "Tiles":
            tiles = [self.tile(layer, columns, *item) for item in content or ()]
        elif layer.kind == "Entities":
            entities = [
                self.entity(level, layer, number, item, linear)
                for number, item in enumerate(content or ())
            ]
        return {
            "__identifier": layer.name,
            "__type": layer.kind,
            "__cWid": columns,
            "__cHei": rows,
            "__gridSize": layer.grid,
            "__opacity": 1,
            "__pxTotalOffsetX": layer.offset[0] + own[0],
            "__pxTotalOffsetY": layer.offset[1] + own[1],
            "__tilesetDefUid": uid,
            "__tilesetRelPath": None if layer.tileset is None else f"{layer.tileset}.png",
            "iid": iid(level.name, layer.name),
            "levelId": int(iid("level", level.name)[:4], 16),
            "layerDefUid": self.layer_uid(layer.name),
            "pxOffsetX": own[0],
            "pxOffsetY": own[1],
            "visible": True,
            "optionalRules": [],
            "intGridCsv": csv,
            "autoLayerTiles": [],
            "seed": 4711,
            "overrideTilesetUid": None,
            "gridTiles": tiles,
            "entityInstances": entities,
        }

    def tile(
        self, layer: Layer, columns: int, x: int, y: int, tile: int, flips: int = 0
    ) -> dict[str, Any]:
        """One of a layer's `gridTiles`."""
        across = next(tileset.columns for tileset in self.tilesets if tileset.name == layer.tileset)
        return {
            "px": [x * layer.grid, y * layer.grid],
            "src": [tile % across * layer.grid, tile // across * layer.grid],
            "f": flips,
            "t": tile,
            "d": [y * columns + x],
            **self.since("1.3.1", a=1),
        }

    def entity(
        self, level: Level, layer: Layer, number: int, entity: Entity, linear: bool
    ) -> dict[str, Any]:
        """One of a layer's `entityInstances`."""
        known = next(item for item in self.entities if item.name == entity.name)
        x, y = entity.px
        at = {"__worldX": level.at[0] + x, "__worldY": level.at[1] + y}
        return {
            "__identifier": entity.name,
            "__grid": [
                int((x - (known.pivot[0] == 1)) / layer.grid),
                int((y - (known.pivot[1] == 1)) / layer.grid),
            ],
            "__pivot": list(known.pivot),
            "__tags": known.tags,
            "__tile": None,
            "__smartColor": "#BE4A2F",
            **({} if linear else self.since("1.3.4", **at)),
            "iid": iid(level.name, layer.name, "entity", number),
            "width": entity.size[0],
            "height": entity.size[1],
            "defUid": self.entity_uid(entity.name),
            "px": [x, y],
            "fieldInstances": [instance(index, item) for index, item in enumerate(entity.fields)],
        }

    def layer_uid(self, name: str) -> int:
        """The number of a layer definition."""
        return 1 + [layer.name for layer in self.layers].index(name)

    def tileset_uid(self, name: str) -> int:
        """The number of a tileset definition."""
        return 101 + [tileset.name for tileset in self.tilesets].index(name)

    def entity_uid(self, name: str) -> int:
        """The number of an entity definition."""
        return 201 + [entity.name for entity in self.entities].index(name)


def header(kind: str, version: str) -> dict[str, str]:
    """The beginning of every file."""
    return {
        "fileType": kind,
        "app": "LDtk",
        "doc": "https://ldtk.io/json",
        "schema": "https://ldtk.io/files/JSON_SCHEMA.json",
        "appAuthor": "Sebastien 'deepnight' Benard",
        "appVersion": version,
        "url": "https://ldtk.io",
    }


def instance(number: int, given: tuple[str, str, Any]) -> dict[str, Any]:
    """One of `fieldInstances`."""
    name, kind, value = given
    return {
        "__identifier": name,
        "__type": kind,
        "__value": value,
        "__tile": None,
        "defUid": 300 + number,
        "realEditorValues": [],
    }


def numbers(version: str) -> tuple[int, ...]:
    """A version as numbers that compare."""
    return tuple(map(int, version.split(".")))


def dumped(document: dict[str, Any], indent: int | None) -> bytes:
    """The bytes of a JSON file."""
    separators = (",", ":") if indent is None else None
    return json.dumps(document, indent=indent, separators=separators).encode()
