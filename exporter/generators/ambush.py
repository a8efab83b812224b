"""Ambush cells: places that are only seen from close by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from exporter.generators import Generated, Request, generator
from exporter.generators._derived import DerivedParameters, classes, source_of
from exporter.model.parameters import About, Within


@dataclass(frozen=True, kw_only=True)
class Ambush(DerivedParameters):
    """Cells from which to surprise: seen from near by, but hardly from farther away.

    A cell of the floor is one if at least `near` cells of the floor within `strike` of it see it,
    and of the floor beyond `strike`, but within the radius, at most `far_percent` does.
    """

    strike: Annotated[
        int, Within(1, 63), About("Distance up to which a cell counts as near.", "cells")
    ] = 3
    near: Annotated[
        int, Within(0, 10_000), About("How many near cells must see it at least.", "cells")
    ] = 6
    far_percent: Annotated[
        int, Within(0, 100), About("How much of the floor farther away may see it.", "%")
    ] = 10


@generator("ambush", version=1, stage="derived")
def generate(parameters: Ambush, request: Request) -> Generated:
    """Count viewers near and far."""
    from exporter.visibility.sums import circle_counts, viewer_counts

    source = source_of(parameters, request)
    table, floor = source.table, source.floor
    far = viewer_counts(table, floor, beyond=parameters.strike).astype(np.int64)
    near = viewer_counts(table, floor) - far
    farther = circle_counts(table, floor, beyond=parameters.strike)
    ambush = (near >= parameters.near) & (far * 100 <= farther * parameters.far_percent)
    marks = np.where(floor, np.where(ambush, 2, 1), 0).astype(np.uint8)
    made = classes(marks, (("floor", "#00000000"), ("ambush", "#c03028c0")))
    return Generated(made.cells, made.tiles, report={"ambush_cells": int((marks == 2).sum())})
