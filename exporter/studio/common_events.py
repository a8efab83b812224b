"""Define the parts that several events share, such as arrays and problems."""

from __future__ import annotations

from typing import Literal, TypedDict

from exporter.studio.requests import Path

ChangeKind = Literal["added", "removed", "changed"]


class Uint8Array(TypedDict):
    """A reference to a uint8 array in the same binary message; see `frames`."""

    at: int
    type: Literal["uint8"]
    shape: list[int]


class Uint16Array(TypedDict):
    """A reference to a uint16 array in the same binary message; see `frames`."""

    at: int
    type: Literal["uint16"]
    shape: list[int]


class Int32Array(TypedDict):
    """A reference to an int32 array in the same binary message; see `frames`."""

    at: int
    type: Literal["int32"]
    shape: list[int]


class ProblemData(TypedDict):
    """A problem of a spec, with its line, and the `path` of its parameter.

    `text` is the problem as the terminal prints it.
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
    """A line of two compared texts: in both of them, or only in one."""

    side: Literal["both", "mine", "theirs"]
    text: str


class TileData(TypedDict):
    """A tile in the legend of a layer."""

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
