"""Units of work of a world's export, as values that cross process borders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from exporter.pipeline.world import Surveyed

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
        grounds: See `exporter.model.level.WorldPart`.
    """

    kind: Literal["survey", "common", "part", "whole"]
    column: int = 0
    row: int = 0
    survey: tuple[str, ...] = ()
    known: Surveyed = field(default_factory=dict)
    grounds: Grounds = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Plan:
    """How a world is made: columns and rows of parts, and what is surveyed in which round."""

    columns: int
    rows: int
    surveys: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Found:
    """What a unit found beside files; `memory` is the most bytes its process has taken so far."""

    plan: Plan | None = None
    surveyed: Surveyed = field(default_factory=dict)
    grounds: Grounds = field(default_factory=dict)
    memory: int = 0
