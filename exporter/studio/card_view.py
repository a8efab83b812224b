"""The view of a spec that is a small picture of its level."""

from __future__ import annotations

from exporter.model.lazy_dataclass import dataclass
from exporter.studio.frames import Frame
from exporter.studio.tasks import View


@dataclass(frozen=True, slots=True)
class CardView(View):
    """The picture of a card.

    Attributes:
        of: Of what the card is: `level`, `preset` or `layer`.
        name: Its name; the id of a level.
        layer: The layer to draw alone; empty for all of the level.
    """

    of: str
    name: str
    layer: str

    @property
    def event(self) -> str:
        """The event of the message with it."""
        return "card"

    @property
    def facts(self) -> dict[str, object]:
        """Fields of the message, present even if there is no picture."""
        return {"of": self.of, "name": self.name}

    def message(self, picture: bytes) -> bytes:
        """Return the message with a picture as PNG; empty without one."""
        import numpy as np

        frame = Frame()
        shown = frame.array(np.frombuffer(picture, np.uint8))
        return frame.message({"event": self.event, **self.facts, "picture": shown})
