"""Register rules of sight: one file each, named as in a spec.

A rule decides which cells a cell sees. Its function draws a tree of tests for one radius:

    @algorithm("symmetric", mutual=True)
    def draw(radius: int, see_walls: bool) -> Sketch: ...

The plan, the table and the derived layers need nothing else. The readers of blobs know only the
built-in rules: a blob leaves out visibility computed by any other.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from exporter.model.lazy_dataclass import dataclass
from exporter.model.registry import Registry, module_summary

if TYPE_CHECKING:
    from exporter.visibility.plan import SightPlan, Sketch

Draw: TypeAlias = "Callable[[int, bool], Sketch]"


@dataclass(frozen=True, slots=True)
class Algorithm:
    """A registered rule of sight.

    Attributes:
        name: The name that users write in a spec.
        draw: Draws the rule as a tree; called with the radius and `see_walls`.
        mutual: Whether, of two open cells, each sees the other or neither does.
        optional_walls: Whether the rule has the option `see_walls`; else it is always False.
        summary: One line about the rule: the first paragraph of its module's docstring.
    """

    name: str
    draw: Draw
    mutual: bool
    optional_walls: bool
    summary: str = ""


ALGORITHMS: Registry[Algorithm] = Registry(
    "exporter.visibility.algorithms", "visibility algorithm", Algorithm
)


def algorithm(
    name: str, *, mutual: bool = False, optional_walls: bool = False
) -> Callable[[Draw], Draw]:
    """Register the decorated function as the rule `name`; see `Algorithm`."""

    def register(draw: Draw) -> Draw:
        from exporter.visibility.plan import Sketch

        summary = module_summary(draw.__module__)
        guarded = ALGORITHMS.guarded(name, draw, Sketch)
        entry = Algorithm(name, guarded, mutual, optional_walls, summary)
        ALGORITHMS.add(name, entry, draw.__module__)
        return draw

    return register


@lru_cache(maxsize=32)
def plan_for(name: str, radius: int, see_walls: bool = False) -> SightPlan:
    """Return the plan of the rule `name` for `radius`; plans are cached.

    Raises:
        KeyError: No rule has that name; the message lists the rules.
    """
    rule = ALGORITHMS.get(name)
    return rule.draw(radius, see_walls).compile(radius, mutual=rule.mutual)
