"""Define parts that several events share: arrays, problems, tiles, lines."""

from __future__ import annotations

from typing import Literal, TypedDict

from exporter.studio.requests import Path

ChangeKind = Literal["added", "removed", "changed"]


class Uint8Array(TypedDict):
    """The place of a uint8 array in a binary message; see `frames`."""

    at: int
    type: Literal["uint8"]
    shape: list[int]


class Uint16Array(TypedDict):
    """The place of a uint16 array in a binary message."""

    at: int
    type: Literal["uint16"]
    shape: list[int]


class Int32Array(TypedDict):
    """The place of an int32 array in a binary message."""

    at: int
    type: Literal["int32"]
    shape: list[int]


class ProblemData(TypedDict):
    """A problem as the terminal prints it, and the `path` of its parameter."""

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
    """A line of two texts: in both, or only in one."""

    side: Literal["both", "mine", "theirs"]
    text: str


class TileData(TypedDict):
    """A tile of a layer's legend."""

    id: int
    name: str
    walkable: bool
    opaque: bool
    color: str


class HeightsData(TypedDict):
    """The range and units of the samples of heights."""

    minimum: float
    maximum: float
    units: str
