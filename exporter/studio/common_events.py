"""Define parts of several events: arrays, problems, tiles, lines."""

from __future__ import annotations

from typing import Literal, TypedDict

from exporter.studio.requests import Path

ChangeKind = Literal["added", "removed", "changed"]


class Uint8Array(TypedDict):
    """Where an array of bytes lies in a binary message; see `frames`."""

    at: int
    type: Literal["uint8"]
    shape: list[int]


class Uint16Array(TypedDict):
    """Where an array of uint16 lies."""

    at: int
    type: Literal["uint16"]
    shape: list[int]


class Int32Array(TypedDict):
    """Where an array of int32 lies."""

    at: int
    type: Literal["int32"]
    shape: list[int]


class Problem(TypedDict):
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
    """A line that both texts have, or only mine or theirs."""

    side: Literal["both", "mine", "theirs"]
    text: str


class Tile(TypedDict):
    """A tile of a layer's legend."""

    id: int
    name: str
    walkable: bool
    opaque: bool
    color: str


class Heights(TypedDict):
    """What the samples of heights mean."""

    minimum: float
    maximum: float
    units: str
