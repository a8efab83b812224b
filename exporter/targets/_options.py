"""Define the options that every target has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, Literal

from exporter.model.lazy_dataclass import dataclass
from exporter.model.parameters import About, Color, Matches, Parameters, Within

PATH_PATTERN = r"(?:\.\./)*(?!/)(?!(?:.*/)?\.\.(?:/|$))[^\\:*?\"<>|\x00-\x1f]+"
PATH_RULE = "a folder relative to the project, with forward slashes, and '..' only at its start"
Folder = Annotated[str, Matches(PATH_PATTERN, PATH_RULE)]

BlockSide = Annotated[int, Within(1, 64)]
BlobProfile = Literal["small", "fast"]
TableFormat = Literal["json", "csv", "xml"]


def block_sides(block_size: int | tuple[int, int]) -> tuple[int, int]:
    """Return width and height in pixels of `block_size`, a side or both.

    It is the option for the size of a cell in pictures.
    """
    return block_size if isinstance(block_size, tuple) else (block_size, block_size)


@dataclass(frozen=True, kw_only=True)
class TargetOptions(Parameters):
    """Base of a target's options: those that every target has."""

    path: Annotated[
        Folder,
        About(
            "Folder of the files, relative to the project.",
            also=("folder", "dir", "directory", "output"),
            example="godot/levels",
        ),
    ]
    bitmaps: Annotated[bool, About("Write a picture of every tile layer.")] = True
    heightmaps: Annotated[bool, About("Write the height layers.")] = True
    blob: Annotated[
        Literal[False, True, "small", "fast"],
        About(
            "Write the level as one compressed .lvb file: `small` (the same as `true`) for the "
            "fewest bytes, `fast` for codecs that scripts decode quickly."
        ),
    ] = True
    block_size: Annotated[
        BlockSide | tuple[BlockSide, BlockSide],
        About(
            "Size of a cell in a bitmap: the side of a square, or [width, height].", unit="pixels"
        ),
    ] = 5
    extrude: Annotated[
        int,
        Within(0, 8),
        About(
            "Pixels by which the edge of a tile is repeated around it, to avoid seams.",
            unit="pixels",
        ),
    ] = 0
    tables: Annotated[
        tuple[TableFormat, ...],
        About("Formats of tables; `xml` comes with its schema, for the DataTable of .NET."),
    ] = ("json", "csv", "xml")
    formats: Annotated[tuple[str, ...], About("Further formats to write, by name.")] = ()
    colors: Annotated[
        Mapping[str, Color], About("Colours of bitmaps by tile name, instead of the tile's own.")
    ] = field(default_factory=dict)

    def check_options(self) -> None:
        """Refuse options that contradict each other.

        Raises:
            ParameterError: At the option to change.
        """
