"""Write files of registered formats for targets; equal ones once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from exporter.formats import FORMATS, Artifact, Format, UnfitError
from exporter.targets._options import TargetOptions
from exporter.targets._work import SharedWork

if TYPE_CHECKING:
    from exporter.model.level import Layer, Level, Puzzle, Table


def format_files(
    name: str,
    level: Level,
    options: TargetOptions,
    shared: SharedWork,
    left_out: list[str] | None = None,
) -> list[Artifact]:
    """Return the files of a format: one for each thing of the level it is for.

    Args:
        name: The format.
        level: The level.
        options: Of the target.
        shared: The shared work of the level's targets.
        left_out: Receives what the format cannot write.

    Raises:
        RegistryError: There is no such format.
        ParameterError: It cannot write something of this level.
    """
    entry = FORMATS.get(name)
    files = []
    for thing in entry.things(level):
        try:
            files.append(_file(entry, level, thing, options, shared))
        except UnfitError as error:
            if left_out is None:
                raise
            left_out.append(f"the format {name!r} is left out: {error.message}")
    return files


def format_file(
    name: str,
    level: Level,
    thing: Layer | Table | Puzzle,
    options: TargetOptions,
    shared: SharedWork,
) -> Artifact:
    """Return the file of a format for one thing of the level."""
    return _file(FORMATS.get(name), level, thing, options, shared)


def _file(
    entry: Format,
    level: Level,
    thing: Layer | Table | Puzzle | None,
    options: TargetOptions,
    shared: SharedWork,
) -> Artifact:
    result: list[tuple[dict[str, Any], bytes]] = shared.once(
        ("format", entry.name, thing and thing.name), list
    )
    data = next((data for read, data in result if _agree(options, read)), None)
    if data is None:
        noting = _NotingOptions(options)
        data = entry.content(level, thing, noting)
        result.append((noting.read, data))
    layer = thing.name if thing and entry.each in ("tiles", "heights", "layer") else None
    return Artifact(entry.file_name(level, thing), entry.kind, data, layer)


class _NotingOptions:
    """Options that record which of them a format reads: its dependencies."""

    def __init__(self, options: TargetOptions) -> None:
        self._options = options
        self.read: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._options, name)
        self.read[name] = value
        return value


def _agree(options: TargetOptions, read: dict[str, Any]) -> bool:
    """Whether options agree with others."""
    missing = object()
    return all(getattr(options, name, missing) == value for name, value in read.items())
