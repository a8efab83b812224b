"""Compare the files that two finished builds would write.

Nothing is written, and only the size and hash of each file are kept.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from exporter.build.inputs import Inputs
from exporter.explore.comparison.outputs import OutputDifference, OutputFile, compare_outputs
from exporter.export.target_files import target_files
from exporter.model.errors import ExporterError
from exporter.project.project import Project

if TYPE_CHECKING:
    from exporter.build.build import Build


def compared_outputs(
    project: Project, was: Build, now: Build, max_seconds: float
) -> OutputDifference:
    """Return how the files differ that two builds would export.

    Both levels are exported under the name of `now`, so that the name makes no difference.

    Args:
        project: The project whose targets make the files.
        was: The finished build of the first level.
        now: The finished build of the second level.
        max_seconds: Seconds after which the comparison is given up; checked before each target.

    Raises:
        SpecError: A target cannot represent one of the levels.
        ExporterError: One of the levels is a world, or making the files takes longer than
            `max_seconds`.
    """
    if was.spec.chunk is not None or now.spec.chunk is not None:
        raise ExporterError(
            "the files of a world cannot be compared, because it is exported chunk by chunk"
        )
    end = time.perf_counter() + max_seconds
    name = now.spec.level
    return compare_outputs(
        *(_outputs(project, build, name, end, max_seconds) for build in (was, now))
    )


def _outputs(
    project: Project, build: Build, name: str, end: float, max_seconds: float
) -> list[OutputFile]:
    from exporter.targets import SharedWork

    inputs, shared = Inputs(build.source), SharedWork()
    level = replace(inputs.level(), name=name)
    outputs = []
    for target in project.targets:
        if time.perf_counter() > end:
            raise ExporterError(
                f"the time limit of {max_seconds:g} seconds was reached before the files of "
                f"{target.name} were compared (raise it with --max-seconds)"
            )
        files, _ = target_files(project.root, target, level, inputs, shared)
        outputs += [
            OutputFile(file.path, file.kind, file.layer, file.target, file.size, file.sha256)
            for file in files
        ]
    return outputs
