"""Prove the mission of a draft with an object at another cell."""

from __future__ import annotations

from exporter.model.lazy_dataclass import dataclass
from exporter.studio.tasks import View


@dataclass(frozen=True, slots=True)
class ProvenMoveView(View):
    """Whether the mission holds when an object is dropped.

    Attributes:
        id: The object.
        to: The cell (x, y) above which it is held.
    """

    id: int
    to: tuple[int, int]

    @property
    def event(self) -> str:
        """The name of the message's event."""
        return "proven_move"

    @property
    def facts(self) -> dict[str, object]:
        """Fields of the message, present even if nothing can be proven."""
        return {"id": self.id, "to": self.to}
