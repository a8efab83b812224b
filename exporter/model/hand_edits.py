"""Define conflicts between hand edits and the generated level."""

from __future__ import annotations

from typing import Literal

from exporter.model.lazy_dataclass import dataclass

# `conflict`: the present base is neither the old base nor the edited value. The edit is applied.
# The others are not applied: there is no such cell, tile, or object.
ConflictKind = Literal["conflict", "outside", "unknown", "gone"]


@dataclass(frozen=True, slots=True)
class EditConflict:
    """A hand edit that does not fit the generated level.

    Attributes:
        index: The index of the edit among the edits of its layer, or among those of objects.
        kind: The kind of conflict.
        actual: What the level has instead of the replaced value: a tile's name, a height sample, or
            None for an empty cell; for an object, the cell where it was placed.
    """

    index: int
    kind: ConflictKind
    actual: str | int | tuple[int, int] | None = None


def edit_value_text(value: str | int | tuple[int, int] | None) -> str:
    """Format a cell's value, or the cell of an object, for messages.

    `value` is a tile's name, a height sample, a cell (x, y), or None, which becomes `empty`.
    """
    if value is None:
        return "empty"
    return f"[{value[0]}, {value[1]}]" if isinstance(value, tuple) else str(value)
