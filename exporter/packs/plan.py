"""Check a request for a pack, before any of its levels is built."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from exporter.explore.search import Search, search_for
from exporter.explore.varying import VariedParameter, varied_parameters
from exporter.generators import GENERATORS
from exporter.model.errors import ParameterError, SpecError
from exporter.model.expressions import ExpressionError
from exporter.model.lazy_dataclass import dataclass
from exporter.packs.format import MOST_LEVELS
from exporter.reading.level_keys import LayerOptions
from exporter.reading.level_spec import LayerSpec, LevelSpec
from exporter.reading.seed_search import problem_inside

# How many levels are tried for each requested one, unless a budget is given.
CANDIDATES_PER_LEVEL = 10
PackSight = Literal["none", "exposure", "full"]
PackProfile = Literal["small", "fast"]
_EXPOSURE = "exposure"


@dataclass(frozen=True, slots=True)
class PackPlan:
    """A checked request for a pack; made by `plan_pack`.

    Attributes:
        search: The search for the levels.
        sight: What levels store of visibility: `none`, the exposure of each cell, or `full`.
        profile: The codecs of the blobs: for small files, or for fast reading.
        without: The seeds of levels to leave out.
    """

    search: Search
    sight: PackSight = "none"
    profile: PackProfile = "small"
    without: frozenset[int] = frozenset()

    @property
    def spec(self) -> LevelSpec:
        """The spec of the levels, with a layer `exposure` if `sight` requests it."""
        spec = self.search.spec
        if self.sight != "exposure":
            return spec
        has_exposure = any(layer.generator == _EXPOSURE for layer in spec.layers.values())
        entry = GENERATORS.get(_EXPOSURE)
        layer = LayerSpec(_EXPOSURE, LayerOptions(generator=_EXPOSURE), entry.parameters())
        return spec if has_exposure else replace(spec, layers={**spec.layers, _EXPOSURE: layer})


def plan_pack(
    spec: LevelSpec,
    *,
    root: Path | None = None,
    count: int = 1000,
    budget: int | None = None,
    where: str = "",
    varied: Sequence[VariedParameter] = (),
    spread: Sequence[str] = (),
    sort: str = "",
    measures: Sequence[str] = (),
    sight: PackSight = "none",
    profile: PackProfile = "small",
) -> PackPlan:
    """Check the arguments of a request for a pack, and return its plan.

    Args:
        spec: The spec of all levels; its own seed is not used.
        root: The folder that the spec's input files must lie in; None for the spec's own folder.
        count: The number of levels.
        budget: How many candidates to try at most; None to choose.
        where: The condition over metrics that levels must meet; empty for none.
        varied: The parameters to vary.
        spread: Metrics in which levels should differ from each other as much as possible.
        sort: The metric to sort by, ascending; `-NAME` for descending, empty for none.
        measures: Further metrics to store for each level.
        sight: What levels store of visibility: `none`, `exposure` or `full`.
        profile: The codecs of the blobs: `small` files, or `fast` reading.

    Raises:
        ExpressionError: `where` is invalid, or names metrics that levels of this spec lack.
        ParameterError: Another argument is wrong; the message begins with the argument's name.
    """
    if sight != "none" and spec.visibility is None:
        raise ParameterError(
            f"sight: {sight!r} needs the level's `visibility:` (add `visibility: {{radius: 8}}`)"
        )
    other = spec.layers.get(_EXPOSURE)
    if sight == "exposure" and other is not None and other.generator != _EXPOSURE:
        raise ParameterError(
            f"sight: the name {_EXPOSURE!r} is already used by a layer (rename that layer)"
        )
    search = search_for(
        replace(spec, edits=None),  # they are made for one seed
        root=root,
        count=count,
        budget=budget if budget is not None else CANDIDATES_PER_LEVEL * count,
        where=where,
        varied=varied,
        spread=spread,
        sort=sort,
        measures=measures,
        maximum=MOST_LEVELS,
    )
    return PackPlan(search, sight, profile)


def plan_of_spec(spec: LevelSpec, root: Path | None) -> PackPlan:
    """Return the plan of the level pack that `spec` requests in `pack`.

    A pack is many levels of one spec, found by a search. `root` is the folder that the spec's input
    files must lie in; None for the spec's own folder.

    Raises:
        SpecError: The section names a metric or a parameter that levels of this spec do not have.
    """
    pack = spec.pack
    assert pack is not None, "a spec with a pack"
    varied: list[VariedParameter] = []
    for name, ends in pack.vary.items():
        try:
            # Lists in a file have no types: two numbers are the ends of a range.
            values = tuple(ends) if _is_range(ends) else [*ends]
            varied += varied_parameters({name: values}, spec)
        except ParameterError as error:
            raise spec.error(("pack", "vary", name), error.message) from None
    try:
        plan = plan_pack(
            spec,
            root=root,
            count=pack.count,
            budget=pack.budget,
            where=pack.where or "",
            varied=varied,
            spread=pack.spread,
            measures=pack.measures,
            sight=pack.sight,
        )
        return replace(plan, without=frozenset(pack.without))
    except ExpressionError as error:
        path = ("pack", "where")
        raise SpecError([problem_inside(spec.document, path, pack.where or "", error)]) from None
    except ParameterError as error:
        key, _, message = error.message.partition(": ")
        raise spec.error(("pack", key), message or error.message) from None


def _is_range(ends: Sequence[Any]) -> bool:
    return len(ends) == 2 and all(type(end) in (int, float) for end in ends)
