"""Compute the certificate of a world's layer from its surveys.

A certificate has proven facts about walkable cells; a survey collects facts from all chunks.
"""

from __future__ import annotations

from math import prod

from exporter.build.world_facts import Joins, WorldFacts
from exporter.model.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class WorldCertificate:
    """The certificate (proven facts) of a world's layer.

    The attributes are those of a level's `Certificate`; unknown numbers are None. A survey counts
    regions only where the spec joins them or has requirements on them.
    """

    regions_before: int | None
    regions_after: int | None
    cells_carved: int
    floor: int | None
    cells: int
    farthest: int | None
    start: tuple[int, int] | None
    dead_ends: int | None
    chokes: int | None

    @property
    def connected(self) -> bool | None:
        """Whether all walkable cells are connected; None if unknown."""
        return None if self.regions_after is None else self.regions_after == 1


def world_certificate(
    size: tuple[int, int], joins: Joins | None, facts: WorldFacts | None, *, edited: bool
) -> WorldCertificate:
    """Return the certificate (proven facts) of a layer of a world.

    Args:
        size: Width and height of the world in cells.
        joins: How the layer's regions were joined; None without `connect`.
        facts: The facts that a survey of the finished layer found; None if there was none, since
            the spec has no requirements on the layer.
        edited: Whether the layer has hand edits, which are applied after the joins.
    """
    after = before = None
    if facts is not None:
        after = facts.regions
    elif joins is not None and not edited:
        after = joins.regions_after
    if joins is not None:
        before = joins.regions_before
    elif not edited:
        before = after  # no cell was opened or edited
    return WorldCertificate(
        regions_before=before,
        regions_after=after,
        cells_carved=0 if joins is None else int(joins.carved.size),
        floor=None if facts is None else facts.floor,
        cells=prod(size),
        farthest=None if facts is None else facts.farthest,
        start=None if facts is None else facts.start,
        dead_ends=None if facts is None else facts.dead_ends,
        chokes=None if facts is None else facts.chokes,
    )
