"""Define views: requests for more than the level of a draft.

A view is a small value that is sent to a builder process; `exporter.studio.viewed` has the code for
each kind.
"""

from __future__ import annotations

from dataclasses import field
from pathlib import Path

from exporter.model.lazy_dataclass import dataclass
from exporter.project.revisions import Revision
from exporter.studio.frames import BinaryMessage


@dataclass(frozen=True, slots=True)
class StudioView:
    """A view of a draft; `model`, `overview` and `pieces` need only this.

    Attributes:
        event: The name of the message's event.
    """

    event: str

    @property
    def facts(self) -> dict[str, object]:
        """Fields of the message, present even if the view cannot be made."""
        return {}


@dataclass(frozen=True, slots=True)
class OverlayView(StudioView):
    """A request for an overlay of a draft.

    Attributes:
        name: `NAME` or `NAME:ARGUMENT`.
    """

    event: str = field(default="overlay", init=False)
    name: str

    @property
    def facts(self) -> dict[str, object]:
        """Name the overlay."""
        return {"name": self.name}


@dataclass(frozen=True, slots=True)
class StepsView(StudioView):
    """A request for the steps of generating a layer.

    Attributes:
        layer: The layer's name; empty for the first layer with several steps.
    """

    event: str = field(default="steps", init=False)
    layer: str

    @property
    def facts(self) -> dict[str, object]:
        """Name the requested layer."""
        return {"wanted": self.layer}


@dataclass(frozen=True, slots=True)
class ProvenMoveView(StudioView):
    """A request to prove the mission with an object at another cell.

    Attributes:
        id: The id of the object.
        to: The cell (x, y) that the object is dragged over.
    """

    event: str = field(default="proven_move", init=False)
    id: int
    to: tuple[int, int]

    @property
    def facts(self) -> dict[str, object]:
        """Identify the object and its new cell."""
        return {"id": self.id, "to": self.to}


@dataclass(frozen=True, slots=True)
class CardView(StudioView):
    """A request for the picture on a card of the start page.

    Attributes:
        of: The kind of card: `level`, `preset` or `layer`.
        name: The name of the preset or generator; the id of a level.
        layer: The only layer to draw; empty to draw the whole level.
    """

    event: str = field(default="card", init=False)
    of: str
    name: str
    layer: str

    @property
    def facts(self) -> dict[str, object]:
        """Identify the card."""
        return {"of": self.of, "name": self.name}

    def message(self, picture: bytes) -> bytes:
        """Return the message with a PNG picture, which may be empty."""
        import numpy as np

        frame = BinaryMessage()
        shown = frame.array(np.frombuffer(picture, np.uint8))
        return frame.message({"event": self.event, **self.facts, "picture": shown})


@dataclass(frozen=True, slots=True)
class OtherText:
    """The texts that the other level of a comparison is built from.

    Attributes:
        label: A label for users.
        content: The text of the level's spec.
        file: The spec's name for messages.
        folder: The folder that file names in the spec are relative to.
        root: The folder its input files must lie in; None for `folder`.
        edits: The text of the level's hand edits; None without any.
        seed: The seed to build with; None for the seed in the spec.
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
class ComparisonView(StudioView):
    """A request to compare a draft with another level.

    Attributes:
        number: The page's number of the request.
        label: A label of the other level for users.
        other: The texts of the other level; None if they cannot be read.
        problem: Why the texts cannot be read; empty if they can.
    """

    event: str = field(default="comparison", init=False)
    number: int
    label: str
    other: OtherText | None
    problem: str = ""

    @property
    def facts(self) -> dict[str, object]:
        """Identify the request and the other level."""
        return {"number": self.number, "label": self.label}


@dataclass(frozen=True, slots=True)
class OutputsView(StudioView):
    """A request to compare a draft's exported files with another level's.

    Attributes:
        comparison: The comparison of the levels.
    """

    event: str = field(default="outputs", init=False)
    comparison: ComparisonView

    @property
    def facts(self) -> dict[str, object]:
        """Identify the comparison."""
        return self.comparison.facts
