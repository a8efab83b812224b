"""`SPEC` and `SPEC@SEED` on the command line: a level spec, and the same with another seed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from exporter.cli.arguments import UsageError, seed
from exporter.model.errors import ParameterError, SpecError

if TYPE_CHECKING:
    from exporter.reading.level_spec import LevelSpec


def load_named_level(text: str) -> tuple[LevelSpec, Path | None]:
    """Read a level spec named on the command line, and find the root of its project.

    Args:
        text: `SPEC`, or `SPEC@SEED`; a file whose name has an `@` is found by its whole name.

    Returns:
        The spec, and the folder its input files must lie in; None for the spec's own folder.

    Raises:
        UsageError: There is no such file, or its random stream takes no such seed.
        SpecError: The spec has faults.
    """
    from exporter.project.project import find_project
    from exporter.reading.reader import load_level

    path, at, wanted = Path(text), "", ""
    if not path.is_file():
        before, at, wanted = text.rpartition("@")
        path = Path(before if at else text)
        if not path.is_file():
            raise UsageError(f"there is no file {str(path)!r}")
    if at and not wanted:
        raise UsageError(f"{text}: there is no seed behind the @ (write {path}@7)")
    spec = load_level(path)
    if at:
        try:
            spec = spec.with_seed(seed(wanted))
        except ParameterError as error:
            raise UsageError(f"{text}: {error.message}") from None
    try:
        return spec, find_project(path.parent)
    except SpecError:
        return spec, None
