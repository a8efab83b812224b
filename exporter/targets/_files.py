"""Write a level's files in the formats that exporter.yaml lists."""

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
    """Return the files of a level in the format `name`.

    A format makes one file for the level, or one for each layer, table or puzzle. `left_out`
    receives a warning for each layer, table or puzzle that the format cannot write.

    Raises:
        RegistryError: No format has that name.
        ParameterError: The format cannot write a layer, table or puzzle, and `left_out` is None.
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
    """Return `thing`, a layer, table or puzzle, as a file in format `name`."""
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
    """Wraps a target's options and records in `read` the fields that are read.

    So a file can be shared with targets whose options agree in these fields.
    """

    def __init__(self, options: TargetOptions) -> None:
        self._options = options
        self.read: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._options, name)
        self.read[name] = value
        return value


def _agree(options: TargetOptions, read: dict[str, Any]) -> bool:
    """Return whether the fields of `options` have the values in `read`.

    `read` has the values by field name.
    """
    missing = object()
    return all(getattr(options, name, missing) == value for name, value in read.items())
