"""Show the stamps and prefabs of a draft that can be placed on its map."""

from __future__ import annotations

from exporter.model.lazy_dataclass import dataclass
from exporter.studio.tasks import View


@dataclass(frozen=True, slots=True)
class PiecesView(View):
    """The stamps and prefabs of a draft."""

    @property
    def event(self) -> str:
        """The name of the message's event."""
        return "pieces"

    @property
    def facts(self) -> dict[str, object]:
        """Fields of the message, present even if the pieces cannot be read."""
        return {}
