"""Compare two fields of view: the rules, then the cells that are seen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from exporter.explore.comparison.differences import NamedChange, SightDifference
from exporter.explore.comparison.lists import compare_values
from exporter.model.errors import BlobError
from exporter.model.level import Level
from exporter.model.sight import Sight


def compare_sight(was: Level, now: Level) -> SightDifference | None:
    """Return the differences of two visibilities; None if equal.

    Views are compared only if rule, radius and size are equal, as otherwise nearly all differ.
    """
    before, after = was.visibility, now.visibility
    if before is None or after is None:
        if before is after:
            return None
        return SightDifference("added" if before is None else "removed")
    rule = _rule(was, before, now, after)
    sight_difference = SightDifference("changed", rule)
    if any(item.name != "layer" for item in rule):
        return replace(sight_difference, reason="the rules differ")
    if before.opaque.shape != after.opaque.shape:
        return replace(sight_difference, reason="the sizes differ")
    if np.array_equal(before.opaque, after.opaque):
        return (
            replace(sight_difference, views=0) if rule else None
        )  # views follow from the opaque cells
    try:
        views = int(np.count_nonzero(changed_views(before, after)))
    except BlobError as error:
        return replace(sight_difference, reason=str(error))
    return replace(sight_difference, views=views) if views or rule else None


def changed_views(was: Sight, now: Sight) -> NDArray[np.bool_]:
    """Return cells that see other cells than before: bool [height, width].

    Args:
        was: A field of view.
        now: Another one, of the same rule, radius and size.

    Raises:
        BlobError: A table of a blob is over its limits.
    """
    changed = np.zeros(was.opaque.shape, bool)
    for index in range(len(now.offsets)):
        changed |= was.plane(index) != now.plane(index)
        if now.mutual:
            changed |= was.opposite_plane(index) != now.opposite_plane(index)
    return changed


def _rule(was: Level, before: Sight, now: Level, after: Sight) -> tuple[NamedChange, ...]:
    """Return how two rules of sight differ, and the layers they use."""
    values = [
        {
            "algorithm": sight.algorithm,
            "radius": sight.radius,
            "see_walls": bool(sight.see_walls),
            "layer": level.visibility_layer,
        }
        for level, sight in ((was, before), (now, after))
    ]
    return compare_values(*values)
