"""Units of work of a world's export, as values that cross process borders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from exporter.model.windows import Window

if TYPE_CHECKING:
    from exporter.build.world_surveys import Surveyed

Grounds = Mapping[str, Mapping[int, int]]


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of a world's export.

    Attributes:
        kind: What is to be done: see `exporter.export.world_units`.
        column: The part's place from the left.
        row: Its place from the top; the row of parts for a survey.
        survey: The layers to survey.
        known: What surveys have found of whole layers.
        found: What all parts gave in the round that is settled.
        grounds: See `exporter.model.level.WorldPart`.
    """

    kind: Literal["survey", "settle", "common", "part", "whole"]
    column: int = 0
    row: int = 0
    survey: tuple[str, ...] = ()
    known: Surveyed = field(default_factory=dict)
    found: Surveyed = field(default_factory=dict)
    grounds: Grounds = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Plan:
    """How a world is made.

    Attributes:
        columns: Parts in a row.
        rows: Rows of parts.
        surveys: What is surveyed in which round.
        size: Width and height in cells.
        chunk: The side of the parts.
        reach: How many cells around a part its cells may depend on.
    """

    columns: int
    rows: int
    surveys: tuple[tuple[str, ...], ...]
    size: tuple[int, int]
    chunk: int
    reach: int

    def window(self, column: int, row: int) -> Window:
        """Return the cells of a part."""
        x, y = column * self.chunk, row * self.chunk
        return Window(
            x, y, min(self.chunk, self.size[0] - x), min(self.chunk, self.size[1] - y), self.size
        )

    def row_window(self, row: int) -> Window:
        """Return the cells of a row of parts."""
        first = self.window(0, row)
        return Window(0, first.y, self.size[0], first.height, self.size)


@dataclass(frozen=True, slots=True)
class Found:
    """What a unit found beside files.

    Attributes:
        plan: How the world is made.
        surveyed: What a survey found, or what is known after a round.
        unsettled: The surveys of the round that have to look at all parts once more.
        grounds: See `Unit`.
        memory: The most bytes that the process has taken so far.
    """

    plan: Plan | None = None
    surveyed: Surveyed = field(default_factory=dict)
    unsettled: tuple[str, ...] = ()
    grounds: Grounds = field(default_factory=dict)
    memory: int = 0
