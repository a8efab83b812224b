"""Refuse a level that reads a file which it also writes.

Each export would change the input of the next one.
"""

from __future__ import annotations

import os.path
import posixpath
from collections.abc import Collection
from typing import TYPE_CHECKING

from exporter.build.missing_files import parts_with_files
from exporter.model.parameters import file_names

if TYPE_CHECKING:
    from exporter.reading.level_spec import LevelSpec
    from exporter.reading.yaml_reader import Path as ValuePath


def check_no_circle(
    spec: LevelSpec, position: str, inputs: Collection[str], outputs: Collection[str]
) -> None:
    """Raise an error if the level reads one of its own output files.

    Args:
        spec: The level's spec.
        position: The path of the spec, relative to the project.
        inputs: Paths of the files that the level read, relative to the project.
        outputs: Paths of the files that the level writes, relative to the project.

    Raises:
        SpecError: An input is an output; the error is at the parameter that names the file.
    """
    written = {_fold_case(path) for path in outputs}
    for path in inputs:
        if _fold_case(path) in written:
            message = (
                f"the level reads {path!r}, which it writes itself, so every export would change "
                "the next (draw in a copy outside of the target's folder)"
            )
            raise spec.error(_parameter_that_names(spec, position, path), message)


def _parameter_that_names(spec: LevelSpec, position: str, expected: str) -> ValuePath:
    """Return the path in `spec` of the parameter that names file `expected`.

    `expected` is relative to the project; `position` is the path of the spec. If no parameter names
    the file, return the first one that names any file.
    """
    named: list[tuple[str, ValuePath]] = [
        (posixpath.normpath(posixpath.join(posixpath.dirname(position), name)), (*path, *inside))
        for path, parameters in parts_with_files(spec)
        for name, inside in file_names(parameters)
    ]
    exactly = [path for file, path in named if _fold_case(file) == _fold_case(expected)]
    return next(iter([*exactly, *(path for _, path in named)]), ())


def _fold_case(path: str) -> str:
    """Return `path` in lower case if this system's file names ignore case."""
    return os.path.normcase(path)
