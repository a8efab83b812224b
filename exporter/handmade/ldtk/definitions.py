"""Read the definitions of IntGrid values, tiles and entities."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal, get_args

from exporter.handmade.ldtk.values import Value
from exporter.handmade.legend import USUAL_TILES
from exporter.handmade.maps import HandTile
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level_values import Scalar
from exporter.model.parameters import COLOR_PATTERN

LayerType = Literal["IntGrid", "Tiles", "Entities", "AutoLayer"]
MAXIMUM_GRID = 4096
# Tiles of one tileset, and of all: their numbers stay within 32 bits.
MAXIMUM_TILES = 1 << 24


@dataclass(frozen=True, slots=True)
class LayerDefinition:
    """The definition of a layer that every level has.

    Attributes:
        uid: LDtk's number for the layer.
        name: The layer's identifier.
        type: What its cells contain.
        values: The meaning of each IntGrid value.
    """

    uid: int
    name: str
    type: LayerType
    values: Mapping[int, HandTile] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TilesetDefinition:
    """A tileset of an LDtk project.

    Attributes:
        uid: LDtk's number for the tileset.
        name: The tileset's identifier.
        count: How many tiles it has; their ids begin with 0.
        names: The names of the tiles that have enum tags, by tile id.
        properties: The custom data of the tiles that have some, by tile id.
        name_of_all: The name for all other tiles, from the tileset's tags; may be empty.
    """

    uid: int
    name: str
    count: int
    names: Mapping[int, str]
    properties: Mapping[int, Mapping[str, Scalar]]
    name_of_all: str

    def tile(self, number: int) -> HandTile:
        """Return the name and properties of the tile `number`."""
        return HandTile(
            name=self.names.get(number, self.name_of_all),
            properties=self.properties.get(number, {}),
            source=f"tile {number} of the tileset {self.name}",
        )


@dataclass(frozen=True, slots=True)
class EntityDefinition:
    """A kind of entity.

    `resizable` is whether each entity of the kind has its own size.
    """

    uid: int
    name: str
    resizable: bool


@dataclass(frozen=True, slots=True)
class Definitions:
    """All definitions of an LDtk project, each by LDtk's number (uid)."""

    layers: Mapping[int, LayerDefinition]
    tilesets: Mapping[int, TilesetDefinition]
    entities: Mapping[int, EntityDefinition]


def read_definitions(project: Value) -> Definitions:
    """Read the definitions, the section `defs`, of the JSON `project`.

    Raises:
        ParameterError: The data is not as LDtk writes it.
    """
    definitions = project.key("defs")
    layers = [_layer(item) for item in definitions.key("layers").items()]
    tilesets = [_tileset(item) for item in definitions.key("tilesets").items()]
    entities = [_entity(item) for item in definitions.key("entities").items()]
    return Definitions(
        {layer.uid: layer for layer in layers},
        {tileset.uid: tileset for tileset in tilesets},
        {entity.uid: entity for entity in entities},
    )


def _layer(definition: Value) -> LayerDefinition:
    kind = definition.key("__type")
    name = definition.key("identifier").text()
    if kind.text() not in get_args(LayerType):
        raise kind.wrong(f"one of {', '.join(get_args(LayerType))}")
    values = {}
    if kind.content == "IntGrid":
        for item in definition.key("intGridValues").items():
            number = item.key("value").integer()
            identifier = item.optional("identifier")
            called = "" if identifier is None else identifier.text()
            values[number] = HandTile(
                name=tile_name(called),
                source=f"IntGrid value {number}" + (f", {called}" if called else ""),
                color=_color(item.optional("color")),
            )
    return LayerDefinition(definition.key("uid").integer(), name, kind.content, values)


def _tileset(definition: Value) -> TilesetDefinition:
    name = definition.key("identifier").text()
    columns = definition.key("__cWid").integer(0, MAXIMUM_TILES)
    rows = definition.key("__cHei").integer(0, MAXIMUM_TILES)
    if columns * rows > MAXIMUM_TILES:
        raise ParameterError(
            f"{definition.path} has {columns} x {rows} tiles (allowed: {MAXIMUM_TILES})"
        )
    names: dict[int, list[str]] = {}
    for tag in definition.listed("enumTags"):
        value = tag.key("enumValueId").text()
        for tile in tag.key("tileIds").items():
            names.setdefault(tile.integer(), []).append(tile_name(value))
    properties: dict[int, dict[str, Scalar]] = {}
    for custom in definition.listed("customData"):
        tile_id = custom.key("tileId").integer()
        properties[tile_id] = custom_properties(custom.key("data").text())
    tags = [tile_name(tag.text()) for tag in definition.listed("tags")]
    return TilesetDefinition(
        definition.key("uid").integer(),
        name,
        columns * rows,
        {tile: item for tile, given in names.items() if (item := _one_name(given))},
        properties,
        # Most tags sort tilesets; tags with a usual tile's name are about the tiles.
        _one_name([tag for tag in tags if tag in USUAL_TILES]),
    )


def _one_name(names: list[str]) -> str:
    """Return the tile name that all of a tile's enum tags give, or "".

    Tags that are names of usual tiles (`wall`) take precedence, because other tags may mean
    anything.
    """
    usual = [name for name in names if name in USUAL_TILES]
    chosen = usual or names
    return chosen[0] if len(set(chosen)) == 1 else ""


def _entity(definition: Value) -> EntityDefinition:
    given = [definition.optional(f"resizable{axis}") for axis in "XY"]
    resizable = [value.boolean() for value in given if value is not None]
    return EntityDefinition(
        definition.key("uid").integer(), definition.key("identifier").text(), any(resizable)
    )


def custom_properties(data: str) -> dict[str, Scalar]:
    """Return the properties in `data`, the custom data of a tile.

    LDtk leaves the form of this text to users. Properties are read from a JSON object, or from
    lines `key=value` or `key: value`; a single word is the name of the tile.
    """
    text = data.strip()
    if text.startswith("{"):
        try:
            read = json.loads(text)
        except (ValueError, RecursionError):
            return {}
        return {key: value for key, value in read.items() if _is_plain(value)}
    if text and len(text.split()) == 1 and "=" not in text and ":" not in text:
        return {"tile": tile_name(text)}
    result: dict[str, Scalar] = {}
    for line in text.splitlines():
        separator = min((item for item in "=:" if item in line), key=line.index, default="")
        if separator:
            key, _, value = line.partition(separator)
            result[key.strip()] = _scalar(value.strip())
    return result


def _scalar(text: str) -> Scalar:
    return {"true": True, "false": False}.get(text.lower(), text)


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, str | int | float | bool)


def tile_name(identifier: str) -> str:
    """Return the tile name for LDtk's `identifier`, such as `wall` for `Wall`."""
    lowered = identifier.lower()
    return lowered if lowered in USUAL_TILES else identifier


def _color(value: Value | None) -> str:
    text = "" if value is None else value.text()
    return text if re.fullmatch(COLOR_PATTERN, text) else ""
