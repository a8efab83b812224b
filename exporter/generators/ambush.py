"""Ambush cells: cells that are seen from nearby cells only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from exporter.generators import Generated, Request, generator
from exporter.generators._derived import DerivedParameters, classes, source_of
from exporter.model.former import Formerly
from exporter.model.parameters import About, Percent, Within


@dataclass(frozen=True, kw_only=True)
class Ambush(DerivedParameters):
    """Cells for an ambush: seen from nearby floor, but hardly from farther away.

    A floor cell is one if at least `min_near_cells` floor cells within `near_radius` see it, and at
    most `max_far_percent` of the floor cells beyond, up to `radius`.
    """

    near_radius: Annotated[
        int,
        Within(1, 63),
        About("Largest distance of a near cell.", "cells"),
        Formerly("strike"),
    ] = 3
    min_near_cells: Annotated[
        int,
        Within(0, 10_000),
        About("Smallest number of near cells that see it.", "cells"),
        Formerly("near"),
    ] = 6
    max_far_percent: Annotated[
        Percent,
        About("Largest share of the farther floor that sees it.", "%"),
        Formerly("far_percent"),
    ] = 10


@generator("ambush", version=1, stage="derived", role="data", also=("ambushes", "hidden"))
def generate(parameters: Ambush, request: Request) -> Generated:
    """Count viewers near and far."""
    from exporter.visibility.sums import circle_counts, viewer_counts

    source = source_of(parameters, request)
    table, floor = source.table, source.floor
    far = viewer_counts(table, floor, beyond=parameters.near_radius).astype(np.int64)
    near = viewer_counts(table, floor) - far
    farther = circle_counts(table, floor, beyond=parameters.near_radius)
    ambush = (near >= parameters.min_near_cells) & (
        far * 100 <= farther * parameters.max_far_percent
    )
    marks = np.where(floor, np.where(ambush, 2, 1), 0).astype(np.uint8)
    made = classes(marks, (("floor", "#00000000"), ("ambush", "#c03028c0")))
    return Generated(made.cells, made.tiles, report={"ambush_cells": int((marks == 2).sum())})
