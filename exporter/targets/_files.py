"""Write files in the formats that exporter.yaml lists for a target."""

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
    """Write a level in one format: one file for each part that it writes.

    Args:
        name: The format's name in exporter.yaml.
        level: The level.
        options: The target's options.
        shared: The shared work of the level's targets.
        left_out: Gets a warning for each part that the format cannot write.

    Raises:
        RegistryError: No format has that name.
        ParameterError: The format cannot write a part of this level.
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
    """Write one layer, table or puzzle, `thing`, in one format.

    The arguments are as for `format_files`.
    """
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
    """Options that record which of their fields a format reads."""

    def __init__(self, options: TargetOptions) -> None:
        self._options = options
        self.read: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._options, name)
        self.read[name] = value
        return value


def _agree(options: TargetOptions, read: dict[str, Any]) -> bool:
    """Return whether the recorded fields have equal values in both options."""
    missing = object()
    return all(getattr(options, name, missing) == value for name, value in read.items())
