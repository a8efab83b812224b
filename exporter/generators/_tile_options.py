"""Define how users map the colours of a picture to tiles.

numpy is not imported here, so that generators can be listed quickly.
"""

from __future__ import annotations

from dataclasses import field
from typing import Annotated, Literal

from exporter.model.lazy_dataclass import dataclass
from exporter.model.parameters import About, Color, FileName, Parameters, Within
from exporter.model.tile_options import TileOptions

# Tiles with a meaning by name, in `exporter.handmade.legend.USUAL_TILES`.
UsualTile = Literal[
    "floor",
    "wall",
    "door",
    "open_door",
    "water",
    "grass",
    "rubble",
    "tree",
    "bridge",
    "trap",
    "stairs_up",
    "stairs_down",
    "sand",
    "beach",
    "dirt",
    "mud",
    "gravel",
    "path",
    "road",
    "meadow",
    "forest",
    "swamp",
    "snow",
    "ice",
    "rock",
    "cliff",
    "mountain",
    "shallows",
    "river",
    "lake",
    "sea",
    "deep_water",
    "lava",
    "empty",
]
# A tile as users write it.
AnyTile = UsualTile | TileOptions


@dataclass(frozen=True, kw_only=True)
class PaintedCells(Parameters):
    """A picture of one pixel a cell; a transparent pixel frees its cell.

    Without `legend`, dark pixels are `wall`, all others `floor`.
    """

    file: Annotated[
        FileName,
        About(
            "File of the picture, relative to the spec: PNG, JPEG, GIF, BMP, WebP, TGA, PGM or PPM."
        ),
    ]
    legend: Annotated[
        dict[Color, AnyTile],
        Within(0, 256, length=True),
        About("Tile of each colour, by #rrggbb or #rrggbbaa."),
    ] = field(default_factory=dict)
