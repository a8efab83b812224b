"""Show an overlay of a draft."""

from __future__ import annotations

from exporter.model.lazy_dataclass import dataclass
from exporter.studio.tasks import View


@dataclass(frozen=True, slots=True)
class OverlayView(View):
    """An overlay of a draft.

    Attributes:
        name: `NAME` or `NAME:ARGUMENT`.
    """

    name: str

    @property
    def event(self) -> str:
        """The name of the message's event."""
        return "overlay"

    @property
    def facts(self) -> dict[str, object]:
        """Fields of the message, present even if the overlay cannot be made."""
        return {"name": self.name}
