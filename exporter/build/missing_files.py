"""Find missing files of a spec before anything is built.

A level may take long to build, so all files that its spec names are checked first.
"""

from __future__ import annotations

from collections.abc import Iterator

from exporter.build.files import InputFiles
from exporter.model.errors import ParameterError, Problem
from exporter.model.parameters import Parameters, file_names
from exporter.reading.level_spec import LevelSpec
from exporter.reading.yaml_reader import Path as ValuePath


def file_problems(spec: LevelSpec, files: InputFiles) -> list[Problem]:
    """Return a problem, with its line, for each unusable file named in `spec`.

    Unusable are missing and too large files, for example. `spec` may be incomplete; `files` looks
    for the files, and records which are missing.
    """
    problems = []
    for path, parameters in parts_with_files(spec):
        for name, inside in file_names(parameters):
            try:
                files.check_exists(name)
            except ParameterError as error:
                problems.append(spec.problem((*path, *inside), error.message))
    return problems


def parts_with_files(spec: LevelSpec) -> Iterator[tuple[ValuePath, Parameters]]:
    """Yield the path and the parameters of each part that can name files.

    These parts are the layers, the puzzles and the tileset.
    """
    for name, layer in spec.layers.items():
        yield ("layers", name), layer.parameters
    for name, puzzle in spec.puzzles.items():
        yield ("puzzles", name), puzzle.parameters
    if spec.tileset is not None:
        yield ("tileset",), spec.tileset
