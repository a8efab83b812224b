"""Explain a finished build: overlays, and the excluded cells of a group.

A group depends on the groups before it, so the build is repeated up to there; with a cache this is
cheap. The level itself, and the cost of builds, do not change.
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
    """The group is observed: the rest of the build is not needed."""


def observed_group(build: Build, index: int, cache: StageCache | None = None) -> ObservedGroup:
    """Return why each cell was or was not available to a group.

    Args:
        build: A build of the level, finished or not.
        index: The place of the group in the spec's `objects`.
        cache: As for `Build`.

    Raises:
        SpecError: Something before the group, or one of its demands, cannot be had.
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
    """Return an overlay of a finished build.

    Args:
        text: Its name, and behind a colon its argument.
        build: The build.
        cache: Keeps results of its stages, for repeated builds.

    Raises:
        ParameterError: There is no such overlay, or the level lacks its subject.
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
