"""Keep drafts of levels that a tab does not show, until it reopens them."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace

from exporter.project.level_files import LevelFile
from exporter.studio.draft_files import StoredDraft
from exporter.studio.drafts import Draft

# Drafts that keep their undo steps; older ones keep only their text.
MAXIMUM_WITH_STEPS = 8


class StoredDrafts:
    """The drafts of a tab's other levels; unsaved ones are never dropped."""

    def __init__(self) -> None:
        self._drafts: OrderedDict[str, Draft] = OrderedDict()
        self._levels: dict[str, LevelFile] = {}

    def keep(self, level: LevelFile, draft: Draft) -> None:
        """Keep `draft`, the draft of a level that is being left.

        A draft without changes and undo steps is not kept.
        """
        id = level.id
        self._drafts.pop(id, None)
        self._levels[id] = level
        if not draft.changed and not draft.done and not draft.undone:
            return
        # A parsed text takes a hundred times as much memory as the text.
        self._drafts[id] = replace(draft, document=None)
        for old in [*self._drafts][:-MAXIMUM_WITH_STEPS]:
            draft = self._drafts[old]
            if draft.changed:
                # A link's changes stay known as such.
                done = draft.done[-1:] if draft.linked else ()
                self._drafts[old] = replace(draft, done=done, undone=(), settled=None)
            else:
                del self._drafts[old]

    def take(self, id: str) -> Draft | None:
        """Return the kept draft of the level with this id, and forget it.

        Return None if there is no draft.
        """
        return self._drafts.pop(id, None)

    def level(self, id: object) -> LevelFile | None:
        """Return the level with this id if its kept draft is unsaved, else None.

        Its file may have been deleted.
        """
        return self._levels[id] if isinstance(id, str) and id in self.changed() else None

    def unsaved(self) -> dict[str, StoredDraft]:
        """Return the kept drafts that are unsaved, by the ids of their levels."""
        return {
            id: StoredDraft(self._levels[id].name, draft)
            for id, draft in self._drafts.items()
            if draft.changed
        }

    def changed(self) -> dict[str, LevelFile]:
        """Return the levels whose kept drafts are unsaved, by id."""
        return {id: self._levels[id] for id, draft in self._drafts.items() if draft.changed}
