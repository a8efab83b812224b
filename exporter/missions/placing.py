"""Place a mission's locks and keys, until demands and proof hold.

The blocks between the gates of a map (`gates`) are spanned by a tree from the start (`tree`). Some
of its edges are closed and cut the map into zones (`zones`), and cells are chosen in these
(`cells`). The result is then proven and measured (`demands`). If it fails, all is drawn again.
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
    """Place a mission.

    Raises:
        ParameterError: A demand cannot be met, with its path below `mission`.
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
    """Draw, prove and measure a plan.

    Raises:
        UnmetError: A demand is not met.
    """
    tree = Tree(survey, choices, number)
    # Keys that are used up lie in front of all locks that they open, every other time.
    zones = Zones(tree, choices, careful=number % 2 == 1)
    plan = _place_cells(zones)
    check_plan(survey.parameters, survey.ground, plan)
    return plan


def _place_cells(zones: Zones) -> MissionPlan:
    """Choose the cells of start, keys, goal and optional objects.

    Raises:
        UnmetError: None are as many steps apart as is demanded.
    """
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
