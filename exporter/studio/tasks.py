"""What builder processes are given and what they give back: plain values that travel by pipes."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from exporter.model.errors import Problem
from exporter.studio.ground import Ground


@dataclass(frozen=True, slots=True)
class BuildTask:
    """A draft that is to be shown.

    Attributes:
        content: The text of the spec.
        file: The spec's name for messages.
        folder: Where file names in it are relative to.
        root: The folder its input files must lie in; None for `folder`.
        edits: The content of its file with hand edits; None without any.
        facts: What goes into the message besides the level.
        max_seconds: Levels that take longer by estimate are refused.
        pinned: The seed that a spec that searches for one gets without a search; None searches.
        overlay: The overlay that is wanted instead of the level; empty for the level.
    """

    content: bytes
    file: str
    folder: Path
    root: Path | None
    edits: bytes | None = None
    facts: dict[str, object] = field(default_factory=dict)
    max_seconds: int = 60
    pinned: int | None = None
    overlay: str = ""


@dataclass(frozen=True, slots=True)
class Shown:
    """What became of a task.

    Attributes:
        message: The binary message for the page; empty with problems.
        problems: Why there is none; or, beside one, the limits of the spec that it breaks.
        files: The input files that were read or looked for, relative to the root.
        ground: The level without its hand edits.
        found: The seed that the spec searched for and found, or that was pinned; else None.
    """

    message: bytes = b""
    problems: tuple[Problem, ...] = ()
    files: tuple[str, ...] = ()
    ground: Ground | None = None
    found: int | None = None
