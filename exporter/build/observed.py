"""Explain a finished build: overlays, and why a group avoided cells.

An overlay is a map of values drawn over a level. To explain a group of objects, the build is
repeated up to that group, since its cells depend on the groups before; with a cache this is quick.
Normal builds record nothing for such explanations.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from exporter.build import object_steps
from exporter.build.inputs import Inputs
from exporter.measures.measured import Making, Measured
from exporter.measures.names import named_overlay

if TYPE_CHECKING:
    from exporter.build.build import Build
    from exporter.build.stages import StageCache
    from exporter.measures.maps import OverlayMap
    from exporter.placement.observed import ObservedGroup
    from exporter.reading.yaml_reader import Path as ValuePath


class _SeenError(Exception):
    """Ends a repeated build when the requested group of objects was observed."""


def observed_group(build: Build, index: int, cache: StageCache | None = None) -> ObservedGroup:
    """Return, for each cell, why a group could or could not use it.

    Args:
        build: A build of the level, finished or not.
        index: The group's index in the spec's `objects`.
        cache: Has the results of the build's stages, so that repeating the build is quick; None
            builds all again.

    Raises:
        SpecError: A step before the group failed, or a rule of the group makes no sense here.
    """
    seen: list[ObservedGroup] = []

    def look(_step: str, path: ValuePath) -> None:
        if path == ("objects", index):
            name, number = again.spec.objects[index].name, again.groups.number_of(index)
            inputs = Inputs(again.source)
            seen.append(object_steps.observe_group(index, name, number, inputs, again.origin))
            raise _SeenError

    again = build.again(cache, look)
    with suppress(_SeenError):
        again.prepare()
    return seen[0]


def compute_overlay(text: str, build: Build, cache: StageCache | None = None) -> OverlayMap:
    """Compute the overlay called `text` for a finished build.

    Args:
        text: The overlay's name; an argument follows a colon, as in `steps:key`.
        build: The finished build.
        cache: Has the results of the build's stages, in case the build must be repeated; None
            builds all again.

    Raises:
        ParameterError: There is no such overlay, or the level lacks what it shows.
        SpecError: A repeated build failed.
    """
    overlay = named_overlay(text)
    making = Making(
        build.spec.objects,
        build.separate_cells,
        build.generated_layer,
        build.edited_cells,
        lambda index: observed_group(build, index, cache),
    )
    return overlay(Measured(build.level()[0], making=making))
