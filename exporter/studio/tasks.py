"""Define the tasks and results of builder processes."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path

from exporter.model.errors import Problem
from exporter.model.lazy_dataclass import dataclass
from exporter.studio.frames import BinaryMessage
from exporter.studio.generated_level import GeneratedLevel
from exporter.studio.views import StudioView

# What a draft is: its text, its hand edits, its name, and the seed that is pinned.
DraftKey = tuple[bytes, bytes | None, str, int | None]
# The part of a world that is in view: x, y, width and height in cells.
Area = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class BuildTask:
    """A task to build a draft.

    Attributes:
        content: The text of the spec.
        file: The spec's name for messages.
        folder: The folder that file names in the spec are relative to.
        root: The folder its input files must lie in; None for `folder`.
        edits: The text of the hand edits; None without any.
        facts: Fields of the message besides the level.
        max_seconds: Levels that take longer by estimate are refused.
        pinned: The seed to use instead of the spec's search for a seed; None to search.
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
    view: StudioView | None = None
    area: Area | None = None

    @property
    def draft(self) -> DraftKey:
        """The key that identifies the draft."""
        return self.content, self.edits, self.file, self.pinned

    def refusal(self, problem: str) -> bytes:
        """Return the message that a view cannot be made, and why."""
        assert self.view is not None
        header = {"event": self.view.event, **self.facts, **self.view.facts, "problem": problem}
        return BinaryMessage().message(header)


@dataclass(frozen=True, slots=True)
class TaskReply:
    """The result of a task.

    Attributes:
        message: The binary message for the page; empty with problems.
        problems: Why there is no message; with a message, the limits of the spec that are broken.
        files: The input files that were read or looked for, relative to the root.
        ground: The level without its hand edits.
        searched_seed: The seed that the spec searched for and found, or that was pinned; else None.
    """

    message: bytes = b""
    problems: tuple[Problem, ...] = ()
    files: tuple[str, ...] = ()
    ground: GeneratedLevel | None = None
    searched_seed: int | None = None
