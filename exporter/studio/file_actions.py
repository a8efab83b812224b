"""Save the draft of one session, and watch the files of its level."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from exporter.model.errors import SpecError
from exporter.project.level_files import LevelFile, Signature, signature
from exporter.studio.drafts import Draft
from exporter.studio.following import followed
from exporter.studio.links import LinkActions
from exporter.studio.problems import problems_fields
from exporter.studio.proposals import Proposals
from exporter.studio.request_checks import Action
from exporter.studio.saving import save_again, save_draft
from exporter.studio.session_builds import TabSession


class FileActions:
    """Saves the open level's draft, and reacts to changes of its files.

    Args:
        session: The session.
        links: The links that the session follows; a change of the files ends a preview.
        proposals: Changes by agents that the user has not decided about.

    Attributes:
        actions: The handler of each request, by the name of the request (`do`).
    """

    def __init__(self, session: TabSession, links: LinkActions, proposals: Proposals) -> None:
        self._session = session
        self._links = links
        self._proposals = proposals
        self._signatures: dict[Path, Signature] = {}
        self.actions: dict[str, Action] = {"save": self.save, "adopt": self._adopt}

    def begin(self, signatures: dict[Path, Signature]) -> None:
        """Watch the files of a level that was just opened, and no others.

        `signatures` has the size and times of each file when it was read.
        """
        self._signatures = signatures

    async def save(self, message: dict[str, Any]) -> None:
        """Write the draft into its files; report a conflict if these changed.

        An autosave has the `revision` that the page saw. It writes nothing if the draft has another
        one by now, or if its last step came from a followed link, which the user must save.
        """
        level, draft = self._session.opened()
        by_itself = "revision" in message
        if by_itself and (draft.linked or message["revision"] != self._session.builds.revision):
            return  # no user decided so, or the page has not seen this draft without problems
        saved = save_draft(level, draft)
        if saved.was_deleted:
            self._session.send({"event": "conflict", "lines": [], "gone": True})
            return
        if saved.conflict is not None:
            await self._send_conflict(*saved.conflict)
            return
        if draft.content != draft.base:
            self._proposals.drop()
        self._session.draft = draft.saved(saved.edits)
        self._note()
        self._session.send({"event": "saved", "name": level.name, "changed": draft.changed})
        self._session.send_draft()

    async def _adopt(self, message: dict[str, Any]) -> None:
        level, draft = self._session.opened()
        how = message["how"]
        if how == "again":
            save_again(level, draft)
            self._session.draft = draft.saved(level.read_edits())
            self._note()
            self._session.files.look()
            self._session.send({"event": "saved", "name": level.name, "changed": True})
            self._session.send_levels()
            self._session.show()
            return
        if how == "nothing":
            self._close()
            return
        self._note()
        theirs, edits = level.read(), level.read_edits()
        if how == "theirs":
            self._session.draft = Draft.of(theirs, edits, level.name)
        else:
            # Thousands of changes take seconds: the sockets need not wait.
            self._session.draft = await asyncio.to_thread(draft.rebased, theirs, level.name, edits)
        self._session.show()

    def _close(self) -> None:
        """Close the open level and drop its draft, because its file was deleted."""
        self._session.level = self._session.draft = None
        self._session.ground = b""
        with contextlib.suppress(SpecError):  # the project may be deleted, too
            self._session.files.look()
        self._session.send_levels()

    def _note(self) -> None:
        """Record the present size and times of the level's files."""
        if self._session.level is not None:
            self._signatures = signatures_of(self._session.level)

    async def look(self) -> None:
        """Check the files of the open level; reload changed ones.

        If the draft has changed the same file, too, the tab gets a conflict, and the user must
        choose.
        """
        level = self._session.opened()[0]
        changed = [path for path, known in self._signatures.items() if signature(path) != known]
        if not changed:
            return
        self._note()
        if self._links.stop_looking():
            self._session.show()
        try:
            theirs, edits = level.read(), level.read_edits()
        except SpecError as error:
            # A missing file may come back: editors remove and rename when they save.
            self._session.send(
                {
                    "event": "problems",
                    "revision": self._session.builds.revision,
                    "problems": problems_fields(error.problems),
                }
            )
            return
        _, draft = self._session.opened()
        result = followed(draft, theirs, edits, level.name)
        if result is None:
            await self.send_difference(theirs, edits)
            return
        self._proposals.follow(level, draft.base, theirs)
        self._session.draft = result
        self._session.show()

    async def send_difference(self, theirs: bytes, edits: bytes | None) -> None:
        """Send the tab a conflict if the files differ from the draft's base.

        `theirs` is the text of the spec's file, `edits` that of the edits file; None without one.
        """
        level, draft = self._session.opened()
        if theirs != draft.base:
            await self._send_conflict(draft.content, theirs)
        elif edits != draft.edits_base:
            await self._send_conflict(draft.built_edits(level.name) or b"", edits or b"")

    def follows(self, files: Iterable[str]) -> None:
        """Also watch `files`, input files of the open level, for changes.

        The paths are relative to the folder that input files must lie in.
        """
        level, _ = self._session.opened()
        root = level.root if level.root is not None else level.path.parent
        for name in files:
            self._signatures.setdefault(root / name, signature(root / name))

    async def _send_conflict(self, mine: bytes, theirs: bytes) -> None:
        from exporter.studio.differences import differing_lines

        level, draft = self._session.opened()
        # Long texts take a while: the sockets need not wait.
        lines = await asyncio.to_thread(differing_lines, mine, theirs)
        now = self._session.draft
        if self._session.level is level and now is not None and now.base == draft.base:
            self._session.send({"event": "conflict", "lines": lines, "gone": False})


def signatures_of(level: LevelFile) -> dict[Path, Signature]:
    """Return the size and times of each of a level's files, by path."""
    return {path: signature(path) for path in (level.path, level.edits)}
