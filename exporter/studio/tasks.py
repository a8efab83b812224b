"""What builder processes are given and what they give back: plain values that travel by pipes."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path

from exporter.model.errors import Problem
from exporter.model.lazy_dataclass import dataclass
from exporter.studio.frames import Frame
from exporter.studio.ground import Ground

# What a draft is: its text, its hand edits, its name, and the seed that is pinned.
DraftKey = tuple[bytes, bytes | None, str, int | None]


class View:
    """What is wanted of a draft instead of its level: an overlay, for one.

    A view is a small value that travels to the builder process; `exporter.studio.viewed` knows
    what computes each.
    """

    __slots__ = ()

    @property
    def event(self) -> str:
        """The event of the message with it."""
        raise NotImplementedError

    @property
    def facts(self) -> dict[str, object]:
        """What stands in the message, even where the view cannot be made."""
        raise NotImplementedError


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
        view: What is wanted instead of the level; None for the level.
    """

    content: bytes
    file: str
    folder: Path
    root: Path | None
    edits: bytes | None = None
    facts: dict[str, object] = field(default_factory=dict)
    max_seconds: int = 60
    pinned: int | None = None
    view: View | None = None

    @property
    def draft(self) -> DraftKey:
        """What tells whether two tasks are of the same draft."""
        return self.content, self.edits, self.file, self.pinned

    def refusal(self, problem: str) -> bytes:
        """Return the message that tells why the view cannot be made."""
        assert self.view is not None
        header = {"event": self.view.event, **self.facts, **self.view.facts, "problem": problem}
        return Frame().message(header)


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
