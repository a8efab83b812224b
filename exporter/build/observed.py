"""Observe a finished build: overlays, and the filters of one group.

A group depends on the groups before it, so the build is repeated up to there; with a cache this is
cheap. The level itself, and the cost of builds, do not change.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from exporter.build import object_steps
from exporter.build.build import Build
from exporter.build.inputs import Inputs
from exporter.measures.measured import Making, Measured
from exporter.measures.names import named_overlay

if TYPE_CHECKING:
    from pathlib import Path

    from exporter.build.stages import StageCache
    from exporter.measures.maps import OverlayMap
    from exporter.placement.observed import ObservedGroup
    from exporter.reading.document import Path as ValuePath
    from exporter.reading.level_spec import LevelSpec


class _SeenError(Exception):
    """The group is observed: the rest of the build is not needed."""


def observed_group(
    spec: LevelSpec, index: int, root: Path | None = None, cache: StageCache | None = None
) -> ObservedGroup:
    """Return why each cell was or was not available to a group of objects.

    Args:
        spec: The spec; its seed is searched for, if it says so.
        index: The place of the group in the spec's `objects`.
        root: As for `Build`.
        cache: As for `Build`.

    Raises:
        SpecError: Something before the group, or one of its demands, cannot be had.
    """
    seen: list[ObservedGroup] = []

    def look(_step: str, path: ValuePath) -> None:
        if path == ("objects", index):
            name, number = spec.objects[index].name, build.groups.number_of(index)
            seen.append(object_steps.observe_group(index, name, number, Inputs(build.source)))
            raise _SeenError

    build = Build(spec, root, cache, before_step=look)
    with suppress(_SeenError):
        build.prepare()
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
        lambda index: observed_group(build.spec, index, build.files.root, cache),
    )
    return overlay(Measured(build.level()[0], making=making))
