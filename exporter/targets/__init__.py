"""Engines: which formats each gets, in which orientation and in which order of writing.

A target is a pure function from a level and the target's options to artifacts:

    @target("godot", Godot)
    def artifacts(
        level: Level, options: Godot, place: str, workshop: Workshop | None = None
    ) -> Exported: ...

Referenced files come before the files that refer to them, and import settings before the asset
they are for, so that an editor that looks in the middle of an export sees nothing dangling.
`place` is the target folder's path relative to the project: with the file's name it is the key
of every uid and guid, so that a file keeps its identity however its content changes. Through the
`workshop` (a target may do without that argument) the targets of a level share equal work.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from exporter.model.parameters import About, Color, Matches, Parameters, Within
from exporter.model.registry import Registry
from exporter.targets._workshop import Workshop as Workshop

if TYPE_CHECKING:
    from exporter.formats import Artifact
    from exporter.model.level import Level

PATH_PATTERN = r"(?!/)(?!(?:.*/)?\.\.(?:/|$))[^\\:*?\"<>|\x00-\x1f]+"
PATH_RULE = "a folder relative to the project, with forward slashes and without '..'"
Folder = Annotated[str, Matches(PATH_PATTERN, PATH_RULE)]


BlobProfile = Literal["small", "fast"]


@dataclass(frozen=True, kw_only=True)
class TargetOptions(Parameters):
    """What every target can be told."""

    path: Annotated[Folder, About("Where the files go, relative to the project.")]
    bitmaps: Annotated[bool, About("Write a picture of every tile layer.")] = True
    heightmaps: Annotated[bool, About("Write the height layers.")] = True
    blob: Annotated[
        Literal[False, True, "small", "fast"],
        About(
            "Write the level as one compressed .lvb file: `small` (as `true`) for the fewest "
            "bytes, `fast` for codecs that scripts decode at once."
        ),
    ] = True
    block_size: Annotated[
        int, Within(1, 64), About("Side of the square a cell becomes in a bitmap.", unit="pixels")
    ] = 5
    extrude: Annotated[
        int,
        Within(0, 8),
        About("Repeat the edge of every tile around it, against seams.", unit="pixels"),
    ] = 0
    tables: Annotated[
        tuple[Literal["json", "csv", "xml"], ...],
        About("How tables are written; `xml` comes with its schema, as .NET's DataTable reads it."),
    ] = ("json", "csv", "xml")
    colors: Annotated[
        Mapping[str, Color], About("Colours of the bitmap by tile name, before the legend's.")
    ] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Exported:
    """A level in an engine's dialect: the files in order of writing, and what could not be."""

    artifacts: tuple[Artifact, ...]
    warnings: tuple[str, ...] = ()


Function = TypeVar("Function", bound=Callable[..., Exported])


@dataclass(frozen=True, slots=True)
class Target:
    """A registered engine: its name, its options and `artifacts(level, options, place)`.

    Attributes:
        name: What `exporter.yaml` calls it.
        options: What it can be told.
        artifacts: The function itself.
        summary: One line about it.
        shares: Whether the function also takes a `workshop`.
    """

    name: str
    options: type[TargetOptions]
    artifacts: Callable[..., Exported]
    summary: str = ""
    shares: bool = False

    def export(self, level: Level, options: Any, place: str, workshop: Workshop) -> Exported:
        """Return the level in the engine's dialect, sharing work with its other targets.

        Args:
            level: What to export.
            options: An instance of the target's options.
            place: The target folder, relative to the project.
            workshop: The one that all targets of this very level are given.
        """
        if self.shares:
            return self.artifacts(level, options, place, workshop=workshop)
        return self.artifacts(level, options, place)


TARGETS: Registry[Target] = Registry("exporter.targets", "target")


def target(name: str, options: type[TargetOptions]) -> Callable[[Function], Function]:
    """Register the decorated function as the target `name`."""

    def register(function: Function) -> Function:
        summary = (inspect.getdoc(options) or "").partition("\n\n")[0]
        shares = "workshop" in inspect.signature(function).parameters
        TARGETS.add(name, Target(name, options, function, summary, shares))
        return function

    return register
