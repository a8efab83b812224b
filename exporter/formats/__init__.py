"""Write file formats: turn a level into the content of files.

The modules of this package register one kind of file each:

    @format("text", kind="tilemap", suffix="txt", each="tiles")
    def write(level: Level, layer: Layer, options: FormatOptions) -> bytes: ...

A target, such as an engine, writes some formats by itself, and others if the user lists them under
`formats`. The folders have code that formats and targets share: encoders, and files that refer to
each other.

Everything here is a pure function of a level or layer and its options; it reads no file and no
clock. Bytes are the same on every machine, so compressed formats go through `exporter.deflate`,
never through the platform's zlib, whose output differs by build.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar, get_args

from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.registry import Registry, module_summary

if TYPE_CHECKING:
    from exporter.model.level import Layer, Level, Puzzle, Table

Kind = Literal[
    "bitmap",
    "heightmap",
    "metadata",
    "tilemap",
    "tileset",
    "scene",
    "blob",
    "pack",
    "table",
    "puzzle",
    "preview",
    "model",
    "import-settings",
    "plugin",
]
# What gets a file each: the level, tile layers, height layers, any layer, ...
Each = Literal["level", "tiles", "heights", "layer", "table", "puzzle"]
# Packs have many levels; import settings and plugins belong to targets.
_OWN_KINDS = tuple(
    kind for kind in get_args(Kind) if kind not in ("pack", "import-settings", "plugin")
)
_SUFFIX = re.compile(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*")


class UnfitError(ParameterError):
    """Raised if a format cannot represent a layer, table or puzzle.

    The export then has a warning instead of the file.
    """


@dataclass(frozen=True, slots=True)
class Artifact:
    """A file to export: its name, its purpose and its content.

    Attributes:
        name: File name relative to the target's folder, with forward slashes.
        kind: What the file is for, such as `tilemap`.
        data: The whole content.
        layer: Name of the layer that the file shows; None for other files.
        once: Whether to write the file only if it is missing, as for engine sidecars (`.import`,
            `.meta`), which belong to the user once they exist.
    """

    name: str
    kind: Kind
    data: bytes
    layer: str | None = None
    once: bool = False


class FormatOptions(Protocol):
    """The fields of a target's options that formats read."""

    @property
    def block_size(self) -> int | tuple[int, int]:
        """Size of a cell in pictures, in pixels: a side, or width and height."""

    @property
    def colors(self) -> Mapping[str, str]:
        """Colours by tile name that replace those of the layer's tiles."""

    @property
    def extrude(self) -> int:
        """Width in pixels of the frame that repeats the edge of each drawn tile."""


Write = Callable[..., bytes]
Function = TypeVar("Function", bound=Write)


@dataclass(frozen=True, slots=True)
class Format:
    """A registered file format.

    Attributes:
        name: The name that users write.
        kind: What the files are for, such as `tilemap`.
        suffix: How file names end: `<level>.<suffix>` or `<level>.<layer>.<suffix>`.
        each: What gets one file: the `level`, each layer (of `tiles`, of `heights`, or any
            `layer`), each `table` or each `puzzle`.
        write: `(level, options) -> bytes` for the level, else `(level, thing, options) -> bytes`,
            where `thing` is the layer, table or puzzle.
        summary: One line about the format: the first paragraph of its module's docstring.
    """

    name: str
    kind: Kind
    suffix: str
    each: Each
    write: Write
    summary: str = ""

    def things(self, level: Level) -> list[Layer | Table | Puzzle | None]:
        """Return the layers, tables or puzzles of `level` that get a file each.

        If the whole level gets one file, the result is [None].
        """
        if self.each == "level":
            return [None]
        if self.each == "table":
            return [*level.tables.values()]
        if self.each == "puzzle":
            return [*level.puzzles.values()]
        return [layer for layer in level.layers.values() if self.each in (layer.kind, "layer")]

    def file_name(self, level: Level, thing: Layer | Table | Puzzle | None) -> str:
        """Return the name of the file for `thing`, one of `things(level)`."""
        stem = level.name if thing is None else f"{level.name}.{thing.name}"
        return f"{stem}.{self.suffix}"

    def content(
        self, level: Level, thing: Layer | Table | Puzzle | None, options: FormatOptions
    ) -> bytes:
        """Return the content of the file for `thing`, one of `things(level)`."""
        result: Any = (level, options) if thing is None else (level, thing, options)
        return self.write(*result)


FORMATS: Registry[Format] = Registry("exporter.formats", "format", Format)


def format(
    name: str, *, kind: Kind, suffix: str, each: Each = "level"
) -> Callable[[Function], Function]:
    """Register the decorated function as the one that writes a format.

    `name`, `kind`, `suffix` and `each` become the attributes of the new `Format`; the function is
    returned unchanged.

    Raises:
        ValueError: `kind`, `suffix` or `each` is invalid.
    """
    for what, value, allowed in (("kind", kind, _OWN_KINDS), ("each", each, get_args(Each))):
        if value not in allowed:
            known = ", ".join(allowed)
            raise ValueError(f"{what} of a format cannot be {value!r} (allowed: {known})")
    if not _SUFFIX.fullmatch(suffix):
        raise ValueError(f"{suffix!r} cannot be a suffix (allowed: letters, digits, _, - and dots)")

    def register(function: Function) -> Function:
        module = function.__module__
        entry = Format(
            name=name,
            kind=kind,
            suffix=suffix,
            each=each,
            write=FORMATS.guarded(name, function, bytes),
            summary=module_summary(module),
        )
        FORMATS.add(name, entry, module)
        return function

    return register
