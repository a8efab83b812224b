"""Show a draft, or its exported files, compared with another level."""

from __future__ import annotations

from pathlib import Path

from exporter.model.lazy_dataclass import dataclass
from exporter.project.revisions import Revision
from exporter.studio.tasks import View


@dataclass(frozen=True, slots=True)
class OtherText:
    """The texts that the other level is built from.

    Attributes:
        label: A label for users.
        content: The text of its spec.
        file: The spec's name for messages.
        folder: The base of file names in it.
        root: The folder its input files must lie in; None for `folder`.
        edits: The text of its hand edits; None without any.
        seed: The seed it is built with; None for the text's seed.
        revision: The commit that its input files are read from; None for the files as they are.
    """

    label: str
    content: bytes
    file: str
    folder: Path
    root: Path | None
    edits: bytes | None = None
    seed: int | str | None = None
    revision: Revision | None = None


@dataclass(frozen=True, slots=True)
class ComparisonView(View):
    """A comparison of a draft with another level, which comes first.

    Attributes:
        number: The page's number of the request.
        label: A label of the other level for users.
        other: Its texts; None if they cannot be read.
        problem: Why they cannot be read; empty if they can.
    """

    number: int
    label: str
    other: OtherText | None
    problem: str = ""

    @property
    def event(self) -> str:
        """The name of the message's event."""
        return "comparison"

    @property
    def facts(self) -> dict[str, object]:
        """Fields of the message, present even if the levels cannot be compared."""
        return {"number": self.number, "label": self.label}


@dataclass(frozen=True, slots=True)
class OutputsView(View):
    """How the exported files of a draft differ from those of another level.

    Attributes:
        comparison: The comparison with that level.
    """

    comparison: ComparisonView

    @property
    def event(self) -> str:
        """The name of the message's event."""
        return "outputs"

    @property
    def facts(self) -> dict[str, object]:
        """Fields of the message, present even if the files cannot be compared."""
        return self.comparison.facts
