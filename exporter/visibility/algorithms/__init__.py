"""Register rules of sight: one file each, named as in a spec.

A rule decides which cells a cell sees. Its function draws a tree of tests (which tiles must be open
for others to be seen) for one radius:

    @algorithm("symmetric", mutual=True)
    def draw(radius: int, see_walls: bool) -> Sketch: ...

Nothing else must be written for a rule. The readers of blobs know only the built-in rules: a blob
leaves out visibility computed by any other.
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
        draw: Draws the rule as a tree of tests; called with the radius and `see_walls`.
        mutual: Whether, of two open cells, each sees the other or neither does.
        optional_walls: Whether users may choose if viewers see the wall that ends a ray
            (`see_walls`); otherwise `draw` gets False.
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
    """Register the decorated function, which draws a rule, as the rule `name`.

    `mutual` says that, of two open cells, each sees the other or neither does; `optional_walls`
    that the rule has the option `see_walls`.
    """

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
    """Return a rule of sight, compiled for one radius.

    `name` is the rule's name in a spec. With `see_walls`, viewers also see the opaque cell that
    ends a ray; only `raycast` has this option. Plans are cached.

    Raises:
        KeyError: No rule has that name; the message lists the rules.
    """
    rule = ALGORITHMS.get(name)
    return rule.draw(radius, see_walls).compile(radius, mutual=rule.mutual)
