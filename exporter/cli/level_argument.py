"""Parse arguments of the command line that name a level: `SPEC[@SEED]`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from exporter.cli.arguments import UsageError, seed
from exporter.model.errors import ParameterError, SpecError

if TYPE_CHECKING:
    from exporter.reading.level_spec import LevelSpec


def load_named_level(text: str) -> tuple[LevelSpec, Path | None]:
    """Read the spec that the argument `text` names, and find its project.

    The argument is `SPEC` or `SPEC@SEED`; the file's own name may have an `@`, too.

    Returns:
        The spec with the requested seed, and the folder that its input files must lie in (None for
        the spec's own folder).

    Raises:
        UsageError: The file is missing, or the spec's random stream refuses the seed.
        SpecError: The spec has faults.
    """
    from exporter.reading.reader import load_level

    path, expected = split_argument(text)
    return with_requested_seed(load_level(path), expected, text), root_of(path)


def split_argument(text: str) -> tuple[Path, str | None]:
    """Split `SPEC@SEED` into the spec's path and the seed, if there is one.

    Raises:
        UsageError: The file is missing, or the text after the `@` is empty.
    """
    path = Path(text)
    if path.is_file():
        return path, None
    before, at, expected = text.rpartition("@")
    path = Path(before if at else text)
    if not path.is_file():
        raise UsageError(f"there is no file {str(path)!r}")
    if at and not expected:
        raise UsageError(f"{text}: the seed after the @ is missing (write {path}@7)")
    return path, expected if at else None


def with_requested_seed(spec: LevelSpec, expected: str | None, text: str) -> LevelSpec:
    """Return `spec` with the seed that a command's argument asks for.

    `expected` is the seed as text; None for the spec's own. `text` is the whole argument, for
    messages.

    Raises:
        UsageError: The spec's random stream refuses the seed.
    """
    if expected is None:
        return spec
    try:
        return spec.with_seed(seed(expected))
    except ParameterError as error:
        raise UsageError(f"{text}: {error.message}") from None


def root_of(path: Path) -> Path | None:
    """Return the folder of the project around the spec at `path`.

    Input files of the spec must lie in this folder. None without a project, or if its exporter.yaml
    is wrong.
    """
    from exporter.project.project import find_project

    try:
        return find_project(path.parent)
    except SpecError:
        return None
