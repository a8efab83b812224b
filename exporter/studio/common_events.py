"""Define the parts that several events share, such as arrays and problems."""

from __future__ import annotations

from typing import Literal, TypedDict

from exporter.studio.requests import Path

ChangeKind = Literal["added", "removed", "changed"]


class Uint8Array(TypedDict):
    """A uint8 array of a binary message: its offset, type and shape.

    `at` is the offset in bytes from the first array. The page replaces this by a typed array.
    """

    at: int
    type: Literal["uint8"]
    shape: list[int]


class Uint16Array(TypedDict):
    """A uint16 array of a binary message: its offset, type and shape.

    `at` is the offset in bytes from the first array. The page replaces this by a typed array.
    """

    at: int
    type: Literal["uint16"]
    shape: list[int]


class Int32Array(TypedDict):
    """An int32 array of a binary message: its offset, type and shape.

    `at` is the offset in bytes from the first array. The page replaces this by a typed array.
    """

    at: int
    type: Literal["int32"]
    shape: list[int]


class ProblemData(TypedDict):
    """A problem of a spec or another file, with its line and its parameter.

    `path` leads to the parameter at fault, `source` is the text of the line, and `text` the whole
    problem as the terminal prints it.
    """

    message: str
    file: str
    line: int
    column: int
    source: str
    length: int
    severity: str
    path: Path
    text: str


class DifferingLine(TypedDict):
    """A line of two compared texts; `side` names the text that has the line."""

    side: Literal["both", "mine", "theirs"]
    text: str


class TileData(TypedDict):
    """A tile of a layer: the id in the cells, and what it means."""

    id: int
    name: str
    walkable: bool
    opaque: bool
    color: str


class HeightsData(TypedDict):
    """The range and the units of a layer of heights."""

    minimum: float
    maximum: float
    units: str
