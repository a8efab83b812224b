"""Define the tasks and results of builder processes."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path

from exporter.model.errors import Problem
from exporter.model.lazy_dataclass import dataclass
from exporter.studio.frames import BinaryMessage
from exporter.studio.views import StudioView

# The text, hand edits, file name and pinned seed of a draft.
DraftKey = tuple[bytes, bytes | None, str, int | None]
# The part of a world that is in view: x, y, width and height in cells.
Area = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class BuildTask:
    """A draft to build, as data for a builder process.

    Attributes:
        content: The text of the spec.
        file: The spec's name for messages.
        folder: The folder that file names in the spec are relative to.
        root: The folder its input files must lie in; None for `folder`.
        edits: The text of the hand edits; None without any.
        facts: Further fields of the message.
        max_seconds: Levels that take longer by estimate are refused.
        pinned: The seed to use instead of the seed that the spec searches for; None to search.
        view: The view to build instead of the level; None for the level.
        area: The window of a world to show; None for its middle.
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
        """The key of the draft: tasks with equal keys build the same level."""
        return self.content, self.edits, self.file, self.pinned

    def refusal(self, problem: str) -> bytes:
        """Return the message for a view that cannot be made because of `problem`."""
        assert self.view is not None
        header = {"event": self.view.event, **self.facts, **self.view.facts, "problem": problem}
        return BinaryMessage().message(header)


@dataclass(frozen=True, slots=True)
class TaskReply:
    """The reply of a builder process to a task.

    Attributes:
        message: The binary message for the page; empty if it cannot be made.
        problems: Why there is no message; beside a message, the limits of the spec that the level
            breaks.
        files: The input files that were read or looked for, relative to the task's root.
        ground: The pickled `GeneratedLevel`, which a session reads when something is drawn; empty
            for views, for windows of worlds, and without a level.
        searched_seed: The seed that the spec's search found, or that was pinned; None if the spec
            does not search.
    """

    message: bytes = b""
    problems: tuple[Problem, ...] = ()
    files: tuple[str, ...] = ()
    ground: bytes = b""
    searched_seed: int | None = None
