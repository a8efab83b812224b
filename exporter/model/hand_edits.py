"""What can be the matter with a hand edit of a level."""

from __future__ import annotations

from typing import Literal

from exporter.model.lazy_dataclass import dataclass

# `conflict`: the base is neither what it was nor what it is to be. The edit is applied.
# The others are not applied: there is no such cell, tile, or object.
MisfitKind = Literal["conflict", "outside", "unknown", "gone"]


@dataclass(frozen=True, slots=True)
class Misfit:
    """An edit that does not fit what was generated.

    Attributes:
        index: Its place among the edits of its layer, or among those of objects.
        kind: What is the matter.
        found: What was generated: a tile's name, a sample, None for an empty cell; of an object
            the cell where it was placed.
    """

    index: int
    kind: MisfitKind
    found: str | int | tuple[int, int] | None = None


def edit_value_text(value: str | int | tuple[int, int] | None) -> str:
    """Return what stands in a cell, or a cell, as people are told it."""
    if value is None:
        return "empty"
    return f"[{value[0]}, {value[1]}]" if isinstance(value, tuple) else str(value)
