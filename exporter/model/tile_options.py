"""Define the tiles that users describe in specs.

numpy is not imported here, so that specs are read quickly.
"""

from __future__ import annotations

from typing import Annotated

from exporter.model.lazy_dataclass import dataclass
from exporter.model.parameters import About, Color, Name, Names, Parameters, Within

# The name of a tile of some layer, which may be one that users cannot define.
TileName = Annotated[str, Within(1, 64, length=True), Names("tile")]


@dataclass(frozen=True, kw_only=True)
class TileOptions(Parameters):
    """Name and properties of a tile."""

    name: Annotated[Name, About("Name of the tile in the exported map.")]
    walkable: Annotated[bool, About("Whether it is walkable.")] = True
    opaque: Annotated[bool, About("Whether it blocks sight.")] = False
    color: Annotated[
        Color | None,
        About("Colour in pictures; default: clear if it is walkable, otherwise black."),
    ] = None
