"""Define views: what the page shows of a draft besides its level.

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
    """A requested view of a draft; subclasses have more fields.

    Attributes:
        event: The name of the event that shows the view.
    """

    event: str

    @property
    def facts(self) -> dict[str, object]:
        """The fields that the event has even if the view cannot be made."""
        return {}


@dataclass(frozen=True, slots=True)
class OverlayView(StudioView):
    """A request to show an overlay on the level.

    Attributes:
        name: The overlay: `NAME` or `NAME:ARGUMENT`.
    """

    event: str = field(default="overlay", init=False)
    name: str

    @property
    def facts(self) -> dict[str, object]:
        """The overlay's name, for the event."""
        return {"name": self.name}


@dataclass(frozen=True, slots=True)
class StepsView(StudioView):
    """A request to show the steps in which a layer is generated.

    Attributes:
        layer: The layer's name; empty for the first layer with several steps.
    """

    event: str = field(default="steps", init=False)
    layer: str

    @property
    def facts(self) -> dict[str, object]:
        """The requested layer, for the event."""
        return {"wanted": self.layer}


@dataclass(frozen=True, slots=True)
class ProvenMoveView(StudioView):
    """A request to test whether the mission works with an object elsewhere.

    Attributes:
        id: The id of the object.
        to: The cell (x, y) that the object is dragged over.
    """

    event: str = field(default="proven_move", init=False)
    id: int
    to: tuple[int, int]

    @property
    def facts(self) -> dict[str, object]:
        """The object's id and its new cell, for the event."""
        return {"id": self.id, "to": self.to}


@dataclass(frozen=True, slots=True)
class CardView(StudioView):
    """A request to draw the picture of a card of the start page.

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
        """The kind and the name of the card, for the event."""
        return {"of": self.of, "name": self.name}

    def message(self, picture: bytes, why: str = "") -> bytes:
        """Return the event with the picture of the card.

        Args:
            picture: A PNG; empty for none.
            why: Why there is no picture.
        """
        import numpy as np

        frame = BinaryMessage()
        shown = frame.array(np.frombuffer(picture, np.uint8))
        return frame.message({"event": self.event, **self.facts, "picture": shown, "why": why})


@dataclass(frozen=True, slots=True)
class OtherText:
    """The texts from which the other level of a comparison is built.

    Attributes:
        label: How users call the level.
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
    """A request to compare the draft's level with another one.

    Attributes:
        number: The number that the page gave the request.
        label: How users call the other level.
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
        """The number of the request and the other level's label, for the event."""
        return {"number": self.number, "label": self.label}


@dataclass(frozen=True, slots=True)
class OutputsView(StudioView):
    """A request to compare the exported files of two levels.

    Attributes:
        comparison: The request to compare the levels themselves.
    """

    event: str = field(default="outputs", init=False)
    comparison: ComparisonView

    @property
    def facts(self) -> dict[str, object]:
        """The number of the request and the other level's label, for the event."""
        return self.comparison.facts
