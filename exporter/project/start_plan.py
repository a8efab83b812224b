"""Define the plan of `exporter init`, without reading or writing."""

from __future__ import annotations

from typing import Literal

from exporter.model.errors import ExporterError
from exporter.model.lazy_dataclass import dataclass
from exporter.targets import NewGame


class StartError(ExporterError):
    """The options of `init` do not fit the folder; nothing was written."""


@dataclass(frozen=True, slots=True)
class InitOptions:
    """The options that a user passes to `exporter init`.

    Attributes:
        engines: Names of targets; empty for the targets of the folder's games.
        plugin: Whether to install engine plugins.
        templates: Names of level templates to start from.
        agent: Whether to write notes for agents, in AGENTS.md.
    """

    engines: tuple[str, ...] = ()
    plugin: bool = False
    templates: tuple[str, ...] = ()
    agent: bool = False


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """A file that `exporter init` writes.

    Attributes:
        path: The path relative to the project's folder, with `/`.
        data: The whole content.
        action: The action to report: the file is created, updated, or has lines appended.
    """

    path: str
    data: bytes
    action: Literal["wrote", "refreshed", "added lines to"] = "wrote"


@dataclass(frozen=True, slots=True)
class ExistingFile:
    """A file of the user that stays unchanged.

    `reason` says why `init` would have changed it; empty if it would not.
    """

    path: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class StartPlan:
    """The files that `exporter init` will write or keep, and its remarks.

    Attributes:
        remarks: Sentences about the choices and their reasons.
        files: The files to write, in order.
        preserved: Files of the user that are kept.
        new_game: The game project that is created among `files`; None if none is.
    """

    remarks: tuple[str, ...] = ()
    files: tuple[PlannedFile, ...] = ()
    preserved: tuple[ExistingFile, ...] = ()
    new_game: NewGame | None = None


def plan_of(
    remarks: list[str],
    files: list[PlannedFile | ExistingFile | None],
    *,
    new_game: NewGame | None = None,
) -> StartPlan:
    """Return a plan of `exporter init` with `remarks` and `files`.

    None in `files` is skipped. `new_game` is the game project among them, if one is created.
    """
    return StartPlan(
        tuple(remarks),
        tuple(file for file in files if isinstance(file, PlannedFile)),
        tuple(file for file in files if isinstance(file, ExistingFile)),
        new_game,
    )
