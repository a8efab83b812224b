"""Define tasks and results of builder processes, which travel by pipes."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path

from exporter.model.errors import Problem
from exporter.model.lazy_dataclass import dataclass
from exporter.studio.frames import Frame
from exporter.studio.ground import Ground
from exporter.studio.views import View

# What a draft is: its text, its hand edits, its name, and the seed that is pinned.
DraftKey = tuple[bytes, bytes | None, str, int | None]
# The part of a world that is in view: x, y, width and height in cells.
Area = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class BuildTask:
    """A draft to show.

    Attributes:
        content: The text of the spec.
        file: The spec's name for messages.
        folder: The base of file names in it.
        root: The folder its input files must lie in; None for `folder`.
        edits: The content of its file with hand edits; None without any.
        facts: Fields of the message besides the level.
        max_seconds: Levels that take longer by estimate are refused.
        pinned: The seed that a spec that searches for one gets without a search; None searches.
        view: The view to make instead of the level; None for the level.
        area: The part to show of a world; None for its middle.
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
    area: Area | None = None

    @property
    def draft(self) -> DraftKey:
        """The key that identifies the draft of a task."""
        return self.content, self.edits, self.file, self.pinned

    def refusal(self, problem: str) -> bytes:
        """Return the message with the reason against a view."""
        assert self.view is not None
        header = {"event": self.view.event, **self.facts, **self.view.facts, "problem": problem}
        return Frame().message(header)


@dataclass(frozen=True, slots=True)
class TaskReply:
    """The result of a task.

    Attributes:
        message: The binary message for the page; empty with problems.
        problems: Why there is no message; beside one, the limits of the spec that it breaks.
        files: The input files that were read or looked for, relative to the root.
        ground: The level without its hand edits.
        searched_seed: The seed that the spec searched for and found, or that was pinned; else None.
    """

    message: bytes = b""
    problems: tuple[Problem, ...] = ()
    files: tuple[str, ...] = ()
    ground: Ground | None = None
    searched_seed: int | None = None
