"""Place a mission's locks and keys; retry until limits and proof hold.

A gate is a line of cells that a lock can close; gates separate a map into blocks (`gates`). The
blocks are ordered as a tree from the start (`tree`). Locks on some edges of the tree divide the map
into zones (`zones`), and the cells of keys and goal are chosen in the zones (`cells`). The result
is proven and measured (`demands`); if it fails, all is drawn again.
"""

from __future__ import annotations

from collections import Counter

from exporter.missions.cells import CellChoice
from exporter.missions.demands import MissionGround, MissionPlan, Path, UnmetDemandError, check_plan
from exporter.missions.parameters import MissionParameters
from exporter.missions.survey import MissionSurvey
from exporter.missions.tree import Choices, Tree
from exporter.missions.zones import Zones
from exporter.model.errors import ParameterError
from exporter.streams import PortableStream

# How often all is drawn, and the cells of start, goal and keys for one choice of locks.
ATTEMPTS = 120
CELL_ATTEMPTS = 40


def place_mission(
    parameters: MissionParameters, ground: MissionGround, stream: PortableStream
) -> MissionPlan:
    """Place a mission's start, goal, locks and keys on the map `ground`.

    Raises:
        ParameterError: No attempt meets a limit; the error has its path below `mission`.
    """
    survey = MissionSurvey(parameters, ground)
    unmet: Counter[Path] = Counter()
    nearest: dict[Path, UnmetDemandError] = {}
    for number in range(ATTEMPTS):
        try:
            return _draw(survey, Choices(stream.draws("mission", number)), number)
        except UnmetDemandError as error:
            unmet[error.path] += 1
            known = nearest.get(error.path)
            if known is None or error.distance < known.distance:
                nearest[error.path] = error
    path, _ = unmet.most_common(1)[0]
    raise ParameterError(nearest[path].message, path)


def _draw(survey: MissionSurvey, choices: Choices, number: int) -> MissionPlan:
    """Make attempt number `number` to place a mission; prove that it works."""
    tree = Tree(survey, choices, number)
    # Keys that are used up lie in front of all locks that they open, every other time.
    zones = Zones(tree, choices, careful=number % 2 == 1)
    plan = _place_cells(zones)
    check_plan(survey.parameters, survey.ground, plan)
    return plan


def _place_cells(zones: Zones) -> MissionPlan:
    keys = zones.key_zones()
    locks = zones.locks()
    problem: UnmetDemandError | None = None
    for _ in range(CELL_ATTEMPTS if zones.parameters.steps else 1):
        try:
            return CellChoice(zones.tree, zones.choices, locks, keys).plan()
        except UnmetDemandError as error:
            if problem is None or error.distance < problem.distance:
                problem = error
    assert problem is not None
    raise problem
