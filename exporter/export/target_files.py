"""Make the files of a level for a target, without writing them."""

from __future__ import annotations

import posixpath
from pathlib import Path
from typing import TYPE_CHECKING

from exporter.model.errors import LevelError, ParameterError, SpecError
from exporter.project.project import ProjectTarget
from exporter.store.commit_plan import File, whole_file

if TYPE_CHECKING:
    from exporter.build.inputs import Inputs
    from exporter.model.level import Level
    from exporter.targets import Exported, Notice, SharedWork

# A warning of a target: its text, whether its path leads into the spec, and the path.
Warned = tuple[str, bool, tuple[str | int, ...] | None]
# A target's files, and its warnings.
BuildResult = tuple[list[File], list[Warned]]


def target_files(
    root: Path, target: ProjectTarget, level: Level, inputs: Inputs, shared: SharedWork
) -> BuildResult:
    """Return the files that `target` makes of a level, and its warnings.

    Args:
        root: The project's folder.
        target: The target, with its options from exporter.yaml.
        level: The finished level.
        inputs: Reads files of the game project, and records them as inputs of the level.
        shared: Values that are computed once for all targets of this level.

    Raises:
        SpecError: The target cannot represent the level, or its options do not fit the level.
    """
    from exporter.export.game_folder import GameFolder
    from exporter.targets import TARGETS

    position = posixpath.normpath(target.options.path)
    engine = TARGETS.get(target.engine)
    game = GameFolder(root, position, engine, inputs)
    try:
        exported = engine.export(level, target.options, position, shared.within(game))
    except LevelError as error:
        reported = [inputs.problem(item.path, item.message) for item in (error, *error.others)]
        raise SpecError(reported) from None
    except ParameterError as error:
        raise SpecError([target.problem(error.message, error.path)]) from None
    files = files_of(exported, target.name, position)
    return files, [warned(warning) for warning in exported.warnings]


def files_of(exported: Exported, target: str, position: str) -> list[File]:
    """Return the files that a target made, as records to be stored.

    Args:
        exported: The files as the target's code returned them.
        target: The target's name in exporter.yaml.
        position: The target's folder, relative to the project.
    """
    return [
        whole_file(
            posixpath.normpath(f"{position}/{artifact.name}"),
            artifact.kind,
            artifact.layer,
            target,
            artifact.data,
            artifact.once,
            position,
        )
        for artifact in exported.artifacts
    ]


def warned(warning: str | Notice) -> Warned:
    """Return a target's `warning` as plain data that can be pickled.

    This is its text, whether its path is one of the spec, and the path.
    """
    if isinstance(warning, str):
        return warning, False, None
    return warning.message, warning.in_spec, warning.path
