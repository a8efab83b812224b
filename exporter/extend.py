"""Offer the public names for extensions: generators, codecs and more.

Your own package adds extensions, one file each; a line of the package's metadata names the file:

    # ruins_pack/pillars.py
    '''A generator: a hall with a pillar every few cells, some of them fallen.'''

    from dataclasses import dataclass
    from typing import Annotated

    import numpy as np

    from exporter.extend import (
        BLACK, CLEAR, About, Generated, MapParameters, Request, Tile, Within, generator,
    )

    FLOOR = Tile(0, "floor", walkable=True, opaque=False, color=CLEAR)
    PILLAR = Tile(1, "pillar", walkable=False, opaque=True, color=BLACK)

    @dataclass(frozen=True, kw_only=True)
    class Pillars(MapParameters):
        '''A hall with pillars.'''

        every: Annotated[int, Within(2, 64), About("From one pillar to the next.", "cells")] = 4
        fallen_percent: Annotated[
            int, Within(0, 100), About("Share of pillars that are missing.", "%")
        ] = 20

    @generator("pillars", version=1)
    def generate(parameters: Pillars, request: Request) -> Generated:
        width, height = request.width, request.height
        fallen = request.stream.chance("fallen", width, height, parameters.fallen_percent)
        cells = np.zeros((height, width), np.uint8)
        cells[1 :: parameters.every, 1 :: parameters.every] = PILLAR.id
        cells[fallen] = FLOOR.id
        return Generated(cells, (FLOOR, PILLAR))

    # pyproject.toml
    [project.entry-points."exporter.generators"]
    pillars = "ruins_pack.pillars"

After `pip install` every spec can say `{generator: pillars, every: 3}`: it is checked, completed by
editors, listed and built like the exporter's own generators. For an example of each kind, and the
rules for extensions, see `exporter/docs/how-to/extending.md`.

The names here are stable; names elsewhere in `exporter` may change. They are imported when they are
first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from exporter.codecs import Side, codec
    from exporter.deflate import compress
    from exporter.formats import Artifact, FormatOptions, format
    from exporter.formats.images.png import encode_png
    from exporter.generators import (
        Extremes,
        Generated,
        JoiningParameters,
        MapParameters,
        Parts,
        Request,
        generator,
    )
    from exporter.generators.trace import Trace
    from exporter.measures import measure
    from exporter.measures.maps import Circle as OverlayCircle
    from exporter.measures.maps import Label as OverlayLabel
    from exporter.measures.maps import Mask, OverlayMap
    from exporter.measures.maps import Path as OverlayPath
    from exporter.measures.maps import classes as overlay_classes
    from exporter.measures.maps import scale as overlay_scale
    from exporter.measures.measured import Measured
    from exporter.model.costs import Cost
    from exporter.model.errors import LevelError, NotMeasurableError, ParameterError
    from exporter.model.level import (
        BLACK,
        CLEAR,
        Column,
        HeightRange,
        Layer,
        Level,
        PlacedObject,
        Puzzle,
        Room,
        Table,
        Tile,
    )
    from exporter.model.parameters import (
        About,
        AlignedLayerName,
        Color,
        FileName,
        LayerName,
        Matches,
        Name,
        ObjectName,
        Parameters,
        Percent,
        ReplacedLayerName,
        Within,
    )
    from exporter.puzzles import ReadFile, puzzle
    from exporter.streams import Draws, Stream
    from exporter.targets import (
        AssetKind,
        Exported,
        GameFiles,
        NewGame,
        Notice,
        Plugin,
        SharedWork,
        Start,
        TargetOptions,
        block_sides,
        format_file,
        format_files,
        target,
    )
    from exporter.targets.shared_files import blob_files, shared_tileset, tileset_picture
    from exporter.targets.team_tilesets import TeamTilesetOptions, requested_tileset
    from exporter.tilesets import Tileset
    from exporter.tilesets.styles import Style, style
    from exporter.visibility.algorithms import algorithm as sight_rule
    from exporter.visibility.plan import ALWAYS, OCTANTS, OPAQUE, OPEN, QUADRANTS, Sketch

_HOMES = {
    "exporter.codecs": ("Side", "codec"),
    "exporter.deflate": ("compress",),
    "exporter.formats": ("Artifact", "FormatOptions", "format"),
    "exporter.formats.images.png": ("encode_png",),
    "exporter.generators": (
        "Extremes",
        "Generated",
        "JoiningParameters",
        "MapParameters",
        "Parts",
        "Request",
        "generator",
    ),
    "exporter.generators.given": ("FixedCells",),
    "exporter.generators.trace": ("Trace",),
    "exporter.measures": ("measure",),
    "exporter.measures.maps": (
        "Mask",
        "OverlayCircle",
        "OverlayLabel",
        "OverlayMap",
        "OverlayPath",
        "overlay_classes",
        "overlay_scale",
    ),
    "exporter.measures.measured": ("Measured",),
    "exporter.model.costs": ("Cost",),
    "exporter.model.errors": ("LevelError", "NotMeasurableError", "ParameterError"),
    "exporter.model.level": (
        "BLACK",
        "CLEAR",
        "Column",
        "HeightRange",
        "Layer",
        "Level",
        "PlacedObject",
        "Puzzle",
        "Room",
        "Table",
        "Tile",
    ),
    "exporter.model.parameters": (
        "About",
        "AlignedLayerName",
        "Color",
        "FileName",
        "LayerName",
        "Matches",
        "Name",
        "ObjectName",
        "Parameters",
        "Percent",
        "ReplacedLayerName",
        "Within",
    ),
    "exporter.puzzles": ("ReadFile", "puzzle"),
    "exporter.streams": ("Draws", "Stream"),
    "exporter.targets": (
        "AssetKind",
        "Exported",
        "GameFiles",
        "NewGame",
        "Notice",
        "Plugin",
        "SharedWork",
        "Start",
        "TargetOptions",
        "block_sides",
        "format_file",
        "format_files",
        "target",
    ),
    "exporter.targets.team_tilesets": ("TeamTilesetOptions", "requested_tileset"),
    "exporter.targets.shared_files": ("blob_files", "shared_tileset", "tileset_picture"),
    "exporter.tilesets": ("Tileset",),
    "exporter.tilesets.styles": ("Style", "style"),
    "exporter.visibility.algorithms": ("sight_rule",),
    "exporter.visibility.plan": ("ALWAYS", "OCTANTS", "OPAQUE", "OPEN", "QUADRANTS", "Sketch"),
}
# Names that differ in their own module.
_NAMES_AT_HOME = {
    "OverlayCircle": "Circle",
    "OverlayLabel": "Label",
    "OverlayPath": "Path",
    "overlay_classes": "classes",
    "overlay_scale": "scale",
    "sight_rule": "algorithm",
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "ALWAYS",
    "BLACK",
    "CLEAR",
    "OCTANTS",
    "OPAQUE",
    "OPEN",
    "QUADRANTS",
    "About",
    "AlignedLayerName",
    "Artifact",
    "AssetKind",
    "Color",
    "Column",
    "Cost",
    "Draws",
    "Exported",
    "Extremes",
    "FileName",
    "FormatOptions",
    "GameFiles",
    "Generated",
    "HeightRange",
    "JoiningParameters",
    "Layer",
    "LayerName",
    "Level",
    "LevelError",
    "MapParameters",
    "Mask",
    "Matches",
    "Measured",
    "Name",
    "NewGame",
    "NotMeasurableError",
    "Notice",
    "ObjectName",
    "OverlayCircle",
    "OverlayLabel",
    "OverlayMap",
    "OverlayPath",
    "ParameterError",
    "Parameters",
    "Parts",
    "Percent",
    "PlacedObject",
    "Plugin",
    "Puzzle",
    "ReadFile",
    "ReplacedLayerName",
    "Request",
    "Room",
    "SharedWork",
    "Side",
    "Sketch",
    "Start",
    "Stream",
    "Style",
    "Table",
    "TargetOptions",
    "TeamTilesetOptions",
    "Tile",
    "Tileset",
    "Trace",
    "Within",
    "blob_files",
    "block_sides",
    "codec",
    "compress",
    "encode_png",
    "format",
    "format_file",
    "format_files",
    "generator",
    "measure",
    "overlay_classes",
    "overlay_scale",
    "puzzle",
    "requested_tileset",
    "shared_tileset",
    "sight_rule",
    "style",
    "target",
    "tileset_picture",
]


def __getattr__(name: str) -> Any:
    """Import and return the public name `name` when it is first used."""
    if name not in _HOME_OF:
        raise AttributeError(f"module 'exporter.extend' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME_OF[name]), _NAMES_AT_HOME.get(name, name))
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
