"""Measure which share of the nearby cells does not see a cell."""

from __future__ import annotations

from exporter.generators import Generated, Parts, Request, generator
from exporter.generators._derived import GradedParameters, Levels, graded, measured, viewers_radius
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import HeightRange


@dataclass(frozen=True, kw_only=True)
class Cover(GradedParameters):
    """Share of the floor within the radius that does not see a floor cell.

    A cell without other floor within the radius has full cover.
    """

    levels: Levels = 4


@generator(
    "cover", version=1, parts=Parts(viewers_radius), stage="sight", role="data", also=("shelter",)
)
def generate(parameters: Cover, request: Request) -> Generated:
    """Measure for each floor cell which share of the floor near it is unseen."""
    from exporter.measures.cover import cover_thousandths

    parameters.check(request.width, request.height)
    level = measured(parameters, request)
    heights = HeightRange(0.0, 100.0, "%")
    shares = cover_thousandths(level)
    return graded(shares, 1000, parameters.levels, level.sighted_floor, "cover", heights)
