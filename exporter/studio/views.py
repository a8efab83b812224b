"""Define the views of a draft: what a builder process makes besides its level.

A view is a small value that travels to the builder process; `exporter.studio.viewed` maps each to
its code.
"""

from __future__ import annotations

from dataclasses import field
from pathlib import Path

from exporter.model.lazy_dataclass import dataclass
from exporter.project.revisions import Revision
from exporter.studio.frames import Frame


@dataclass(frozen=True, slots=True)
class View:
    """A view that needs no more than its name: `model`, `overview` or `pieces`.

    Attributes:
        event: The name of the message's event.
    """

    event: str

    @property
    def facts(self) -> dict[str, object]:
        """Fields of the message, present even if the view cannot be made."""
        return {}


@dataclass(frozen=True, slots=True)
class OverlayView(View):
    """An overlay of a draft.

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
class StepsView(View):
    """The steps of a layer of a draft.

    Attributes:
        layer: Its name; empty for the first layer that has more than one step.
    """

    event: str = field(default="steps", init=False)
    layer: str

    @property
    def facts(self) -> dict[str, object]:
        """Name the requested layer."""
        return {"wanted": self.layer}


@dataclass(frozen=True, slots=True)
class ProvenMoveView(View):
    """Whether the mission holds when an object is dropped.

    Attributes:
        id: The object.
        to: The cell (x, y) above which it is held.
    """

    event: str = field(default="proven_move", init=False)
    id: int
    to: tuple[int, int]

    @property
    def facts(self) -> dict[str, object]:
        """Identify the object and its new cell."""
        return {"id": self.id, "to": self.to}


@dataclass(frozen=True, slots=True)
class CardView(View):
    """The picture of a card.

    Attributes:
        of: Of what the card is: `level`, `preset` or `layer`.
        name: Its name; the id of a level.
        layer: The layer to draw alone; empty for all of the level.
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
        """Return the message with a picture as PNG; empty without one."""
        import numpy as np

        frame = Frame()
        shown = frame.array(np.frombuffer(picture, np.uint8))
        return frame.message({"event": self.event, **self.facts, "picture": shown})


@dataclass(frozen=True, slots=True)
class OtherText:
    """The texts that the other level of a comparison is built from.

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
class OutputsView(View):
    """How the exported files of a draft differ from those of another level.

    Attributes:
        comparison: The comparison with that level.
    """

    event: str = field(default="outputs", init=False)
    comparison: ComparisonView

    @property
    def facts(self) -> dict[str, object]:
        """Identify the comparison."""
        return self.comparison.facts
