"""Show the steps in which a draft's layer is made."""

from __future__ import annotations

from exporter.model.lazy_dataclass import dataclass
from exporter.studio.tasks import View


@dataclass(frozen=True, slots=True)
class StepsView(View):
    """The steps of a layer of a draft.

    Attributes:
        layer: Its name; empty for the first layer that has more than one step.
    """

    layer: str

    @property
    def event(self) -> str:
        """The name of the message's event."""
        return "steps"

    @property
    def facts(self) -> dict[str, object]:
        """Fields of the message, present even if the steps cannot be made."""
        return {"wanted": self.layer}
