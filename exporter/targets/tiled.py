"""Write Tiled's maps, which many other programs read, too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any, Literal

from exporter.formats import Artifact
from exporter.formats.tiled.lua import map_lua
from exporter.formats.tiled.map import Encoding, map_document
from exporter.formats.tiled.tileset import (
    embedded_tileset,
    external_tileset,
    solid_tiles,
    tileset_document,
)
from exporter.formats.tiled.tmj import tiled_json
from exporter.formats.tiled.tmx import map_xml, tileset_xml
from exporter.formats.tiled.world import world_maps
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Layer, Level
from exporter.model.parameters import About, Within
from exporter.targets import Exported, SharedWork, Start, shared_files, target
from exporter.targets._map_options import MapOptions
from exporter.targets._tiled_tilesets import TiledTeamTiles, TiledTileset, team_tiles
from exporter.tilesets import Tileset

Text = Callable[[dict[str, Any]], bytes]
Language = Literal["json", "xml", "lua"]
Collision = Literal["merged", "tiles", "none"]
Tilesets = Literal["level", "project", "embedded"]
Edits = Literal["keep", "auto"]


@dataclass(frozen=True, kw_only=True)
class Tiled(MapOptions):
    """Tiled: a JSON map with its tileset, which many other tools read too."""

    languages: Annotated[
        tuple[Language, ...],
        Within(1, 3, length=True),
        About(
            "Languages of the map: `json` (.tmj, .tsj), `xml` (.tmx, .tsx, for SuperTiled2Unity), "
            "`lua` (.lua with the tileset inside, for LÖVE and Solar2D)."
        ),
    ] = ("json",)
    infinite: Annotated[
        bool, About("Write cells in chunks, so that Tiled opens large maps faster.")
    ] = False
    encoding: Annotated[
        Encoding, About("Encoding of cells: `csv` (numbers) or `zlib` (compressed).")
    ] = "csv"
    collision: Annotated[
        Collision,
        About(
            "Collision for readers with physics: `tiles` (a rectangle in every tile that cannot be "
            "walked on), `merged` (polygons in an object layer `collision`, exactly over cells "
            "that cannot be walked on) or `none`."
        ),
    ] = "tiles"
    tilesets: Annotated[
        Tilesets,
        About(
            "Where the tileset is: in a file for each level (`level`), in one for all levels whose "
            "tiles look and mean the same (`project`), or inside the map (`embedded`), for readers "
            "without external tilesets, such as Phaser."
        ),
    ] = "level"
    edits: Annotated[
        Edits,
        About(
            "A map that you painted on waits for `exporter edits take` (`keep`), or its changes "
            "become hand edits of the level before it is built, and the map is written again "
            "(`auto`).",
            also=("take",),
        ),
    ] = "keep"
    tileset: Annotated[
        TiledTileset | None,
        About(
            "A tileset that the team keeps; default: each level's own, written by the exporter.",
            example="{file: art/dungeon.tsx}",
        ),
    ] = None


def world(level: Level, options: Tiled, position: str, shared: SharedWork) -> Exported:
    """Return Tiled's world file, which shows all chunks side by side.

    Returns no file if maps are written as Lua only, since Tiled cannot open Lua. The name is
    `<world>.tiled.world`, because `<world>.world` is the folder of the chunks.
    """
    assert level.part is not None
    suffixes = [_SUFFIXES[language][0] for language in options.languages if language != "lua"]
    if not suffixes:
        # Tiled writes Lua, but cannot open it.
        return Exported(())
    tileset = shared_files.shared_tileset(level, options.extrude, shared)
    team = team_tiles(level, options.tileset, position, shared.game, tileset)
    tile_size = tileset.tile_size if team is None else team.tile_size
    data = world_maps(level.part, tile_size, suffixes[0])
    return Exported((Artifact(f"{level.part.world}.tiled.world", "metadata", data),))


@target(
    "tiled",
    Tiled,
    title="Tiled",
    start=Start(
        "tiled",
        "tiled",
        rank=2,
        # Tools that read LDtk's projects mostly read Tiled's maps, too.
        signs=("*.tiled-project", "*.tiled-session", "*.tmx", "*.tmj", "*.ldtk"),
    ),
    tileset=TiledTileset,
    world=world,
)
def artifacts(level: Level, options: Tiled, folder: str, shared: SharedWork) -> Exported:
    """Return the files of a level: pictures, heights, tileset, map and blob.

    `folder` is the target folder, relative to the project.
    """
    out: list[Artifact] = shared_files.bitmaps(level, options, shared)
    if options.heightmaps:
        for layer in level.height_layers():
            out += shared_files.height_files(level, layer, ("png", "r16"), options, shared)
    tileset = shared_files.shared_tileset(level, options.extrude, shared)
    team = team_tiles(level, options.tileset, folder, shared.game, tileset, options.diamond)
    if team is not None and options.tilesets == "embedded":
        message = f"{team.file} cannot be embedded in the map (write `tilesets: level`)"
        raise ParameterError(message, ("tilesets",))
    if team is not None and "lua" in options.languages:
        message = f"{team.file} cannot be embedded in a map in Lua (write `languages: [json]`)"
        raise ParameterError(message, ("languages",))
    # The team's tileset is for visible layers.
    ours = level.tile_layers() if team is None else _unseen(level)
    stem = f"{level.name}.tileset"
    if ours:
        sheet = shared_files.tileset_picture(
            level, options.extrude, shared, options.diamond, animated=options.animated
        )
        if options.tilesets == "project":
            described = tiled_json(_tileset_document("", level, tileset, options, shared))
            stem = shared_files.shared_stem(sheet.data, described)
        out.append(replace(sheet, name=f"{stem}.png"))
    for language in dict.fromkeys(options.languages):
        out += _map(level, tileset, team, stem, language, options, shared)
    out += shared_files.data_files(level, options, shared)
    blob = shared_files.blob_files(level, options, shared)
    return Exported((*out, *blob), team.notices if team else ())


def _unseen(level: Level) -> list[Layer]:
    seen = level.seen_layers()
    return [layer for layer in level.tile_layers() if layer not in seen]


def _tileset_document(
    stem: str, level: Level, tileset: Tileset, options: Tiled, shared: SharedWork
) -> dict[str, Any]:
    solid = solid_tiles(level, tileset) if options.collision == "tiles" else set()
    animation = shared_files.shared_animation(
        level, options.extrude, shared, animated=options.animated
    )
    return tileset_document(stem, tileset, f"{stem}.png", solid, options.diamond, animation)


def _map(
    level: Level,
    tileset: Tileset,
    team: TiledTeamTiles | None,
    stem: str,
    language: Language,
    options: Tiled,
    shared: SharedWork,
) -> list[Artifact]:
    """Return the map in `language`, after its tileset if that is a file.

    `team` has the team's tiles, or None; `stem` is the file name of the exporter's tileset without
    suffix.
    """
    (map_text, tileset_text), suffixes = _LANGUAGES[language], _SUFFIXES[language]
    document = _tileset_document(stem, level, tileset, options, shared)
    out = []
    entries = [] if team is None else [external_tileset(team.file)]
    if team is None or _unseen(level):
        before = 0 if team is None else team.count
        if options.tilesets == "embedded" or language == "lua":
            entries.append(embedded_tileset(document, before))
        else:
            file = f"{stem}.{suffixes[1]}"
            entries.append(external_tileset(file, before))
            if level.tile_layers():
                out.append(Artifact(file, "tileset", tileset_text(document)))
    document = map_document(
        level,
        tileset if team is None else team,
        *entries,
        encoding=options.encoding,
        infinite=options.infinite,
        merged_collision=options.collision == "merged",
        diamond=options.diamond,
    )
    return [*out, Artifact(f"{level.name}.{suffixes[0]}", "tilemap", map_text(document))]


# How each language writes a map and a tileset, and the suffixes of the two files.
_LANGUAGES: dict[Language, tuple[Text, Text]] = {
    "json": (tiled_json, tiled_json),
    "xml": (map_xml, tileset_xml),
    # A map in Lua always contains its tileset.
    "lua": (map_lua, map_lua),
}
_SUFFIXES = {"json": ("tmj", "tsj"), "xml": ("tmx", "tsx"), "lua": ("lua", "")}
