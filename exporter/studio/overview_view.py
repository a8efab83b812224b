"""Show all of a world that is too large to be built at once, from afar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exporter.model.lazy_dataclass import dataclass
from exporter.studio.tasks import View

if TYPE_CHECKING:
    from exporter.project.level_files import LevelFile
    from exporter.studio.drafts import Draft


@dataclass(frozen=True, slots=True)
class OverviewView(View):
    """The overview of a world, with more samples at each request."""

    @property
    def event(self) -> str:
        """The name of the message's event."""
        return "overview"

    @property
    def facts(self) -> dict[str, object]:
        """Fields of the message, present even if there is no overview."""
        return {}

    def view(self, _level: LevelFile, _draft: Draft) -> View:
        """Return itself: it is the same for each draft."""
        return self
