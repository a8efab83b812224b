"""Manage a tab's open level and draft, and handle its messages.

`requests` defines the page's messages, `events` the answers.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Iterable, Sequence
from pathlib import Path
from time import monotonic
from typing import Any, Protocol

from exporter.model.errors import ExporterError, Problem, SpecError
from exporter.project.level_files import LevelFile, LevelFiles, Signature, signature
from exporter.reading.names import default_name
from exporter.studio.builders import Builders
from exporter.studio.draft_files import Drafts, StoredDraft
from exporter.studio.drafts import Draft
from exporter.studio.events import ListedLevel, RefusedEvent, TextEvent
from exporter.studio.exported import ExportState
from exporter.studio.exporting import Exports, ExportStage
from exporter.studio.following import followed
from exporter.studio.ground import Ground
from exporter.studio.hands import Action, HandActions
from exporter.studio.links import LinkActions
from exporter.studio.messages import (
    MalformedError,
    changes_of,
    check_request,
    content_of,
    merge_of,
    number_of,
)
from exporter.studio.outbox import Message, Outbox
from exporter.studio.problems import problems_fields
from exporter.studio.proposals import Proposals
from exporter.studio.saving import save_again, save_draft
from exporter.studio.seed_sheets import SeedSheets
from exporter.studio.session_builds import SessionBuilds
from exporter.studio.stored_drafts import StoredDrafts
from exporter.studio.view_requests import ViewActions

# The prefix of messages such as `seeds-stop`.
_LONGEST_NAME = 40


class Shared(Protocol):
    """What sessions share."""

    files: LevelFiles
    builders: Builders
    background_builders: Builders
    sheets: SeedSheets
    exports: Exports
    credentials: tuple[str, str]

    async def schema(self) -> dict[str, Any]:
        """Return what can be written in a spec."""


class Session:
    """One tab: an open level and its draft.

    Args:
        shared: The state shared with other sessions.
    """

    def __init__(self, shared: Shared) -> None:
        self.id = secrets.token_urlsafe(12)
        self.left = monotonic()
        self.level: LevelFile | None = None
        self.draft: Draft | None = None
        self.ground: Ground | None = None
        # The number of the last drawing message: shows the page which edits a picture has.
        self.drawn = 0
        # The number of the last change message: shows the page which changes a draft has.
        self._number = 0
        self._hands = HandActions(self)
        self._shared = shared
        self._box = Outbox()
        self._files: dict[Path, Signature] = {}
        self.builds = SessionBuilds(self, shared.builders, shared.background_builders, self._box)
        self._views = ViewActions(self)
        self._links = LinkActions(self)
        self._proposals = Proposals(self)
        self._stored = StoredDrafts()
        self._exported = ExportState()
        # How many steps of the history were in the exported files; None if unknown.
        self._exported_step: int | None = None
        self._exports: set[asyncio.Task[None]] = set()

    # --- the tab ------------------------------------------------------------------------------

    def joined(self) -> None:
        """Greet a tab that has come, with all that it shows."""
        self._links.stop_looking()
        self._box.close()
        self._box = self.builds.box = Outbox()
        token, key = self._shared.credentials
        self.tell(
            {
                "event": "welcome",
                "session": self.id,
                "title": self._shared.files.title,
                "open": self._open_id(),
                "token": token,
                "key": key,
            }
        )
        self.tell_levels()
        self._exported.forget()
        if self.draft is not None:
            self._proposals.tell()
            self.show()

    def unsaved(self) -> Drafts:
        """Return the tab's unsaved drafts, by the ids of their levels."""
        drafts = self._stored.unsaved()
        draft = self._links.own_draft()
        if self.level is not None and draft is not None and draft.changed:
            drafts[self.level.id] = StoredDraft(self.level.name, draft)
        return drafts

    def restore(self, drafts: Drafts) -> None:
        """Take stored drafts, of levels without unsaved changes in this tab."""
        present = self.unsaved()
        for id, stored in drafts.items():
            level = self._shared.files.get(id)
            if level is None or id in present:
                continue
            if self.level is None or self.level.id != id:
                self._stored.keep(level, stored.draft)
            elif not self._links.looking:
                self.draft = stored.draft
                self._files = {}  # they are compared with the draft at once
                self.show()

    def outgoing(self) -> AsyncIterator[Message]:
        """Yield outgoing messages until another tab takes over the session."""
        return self._box.messages()

    async def handle(self, message: dict[str, Any]) -> None:
        """Perform the request of a tab's message; report a failure."""
        actions: dict[str, Action] = {
            "open": self._open,
            "change": self._change,
            "text": self._text,
            "undo": self._undo,
            "redo": self._redo,
            "revert": self._revert,
            "save": self._save,
            "export": self._export,
            "adopt": self._adopt,
            "schema": self._tell_schema,
            "release": self._release,
            "seeds": self._seeds,
            "seeds-stop": self._stop_seeds,
            **self._hands.actions,
            **self._views.actions,
            **self._links.actions,
            **self._proposals.actions,
        }
        try:
            check_request(message)
            self._links.check_allowed(message["do"])
            await actions[message["do"]](message)
        except SpecError as error:
            self.refuse(message, error.problems[0].message, error.problems)
        except ExporterError as error:
            self.refuse(message, str(error))

    def refuse(self, message: dict[str, Any], text: str, problems: Sequence[Problem] = ()) -> None:
        """Report to the tab that a request was refused, and why."""
        do, number = message.get("do"), message.get("number")
        changes = do == "change"
        event: RefusedEvent = {
            "event": "refused",
            "text": text,
            "problems": problems_fields(problems),
            # A message is untrusted: only its identifying fields go back.
            "do": do if isinstance(do, str) and len(do) <= _LONGEST_NAME else None,
            "number": number if type(number) is int else None,
        }
        # The reason for a refused change is shown at its parameter; no other message replaces it.
        self._box.put("refused-change" if changes else "refused", event)

    def tell_levels(self) -> None:
        """Send the tab the list of levels."""
        unsaved = self._stored.changed()
        levels: list[ListedLevel] = [
            {"id": item.id, "name": item.name, "changed": item.id in unsaved, "gone": False}
            for item in self._shared.files.all()
        ]
        mine = dict(unsaved)
        if self.level is not None:
            mine[self.level.id] = self.level
        # Drafts of deleted files exist all the same.
        levels += [
            {"id": item.id, "name": item.name, "changed": True, "gone": True}
            for item in mine.values()
            if self._shared.files.get(item.id) is None
        ]
        levels.sort(key=lambda item: item["name"])
        self.tell({"event": "levels", "levels": levels, "open": self._open_id()})

    def _open_id(self) -> str | None:
        return self.level.id if self.level is not None and self.draft is not None else None

    # --- what the page may want ---------------------------------------------------------------

    async def _open(self, message: dict[str, Any]) -> None:
        id = message["level"]
        level = self._shared.files.get(id) or self._stored.level(id)
        if level is None:
            raise MalformedError("there is no such level (it may have been renamed)")
        if self.level is not None and self.level.id == level.id and self.draft is not None:
            self.show()
            return
        remaining, now = self._stored.take(level.id), None
        # Before they are read: a save in between then counts as a change.
        signatures = _signatures(level)
        try:
            now = Draft.of(level.read(), level.read_edits(), level.name)
        except SpecError:
            if remaining is None:
                raise
        self._links.stop_looking()
        if self.level is not None and self.draft is not None:
            self._stored.keep(self.level, self.draft)
        self.level, self.ground, self._files = level, None, signatures
        self._exported_step = None
        self.draft = _resumed_draft(remaining, now, level.name)
        self.builds.forget()
        self._proposals.tell()
        self.tell_levels()
        self.show()
        if now is not None and self.draft is remaining:
            await self._tell_difference(now.base, now.edits_base)

    async def _change(self, message: dict[str, Any]) -> None:
        level, draft = self.opened()
        merge, number = merge_of(message), number_of(message)
        self.draft = draft.change(changes_of(message), level.name, merge)
        self._number = number
        # While a control is dragged the seed stays that was found: a search would take too long.
        self.show(pinned=merge.startswith("drag"))

    async def _text(self, message: dict[str, Any]) -> None:
        _, draft = self.opened()
        if message.get("revision", self.builds.revision) != self.builds.revision:
            return
        merge, number = merge_of(message), number_of(message)
        self.draft = draft.retyped(content_of(message["text"]), merge)
        self._number = number
        self.show()

    async def _release(self, _message: dict[str, Any]) -> None:
        if self.opened() and self.builds.pinned:
            self.show()

    async def _undo(self, _message: dict[str, Any]) -> None:
        self.draft = self.opened()[1].undo()
        self.show()

    async def _redo(self, _message: dict[str, Any]) -> None:
        self.draft = self.opened()[1].redo()
        self.show()

    async def _revert(self, _message: dict[str, Any]) -> None:
        draft = self.opened()[1]
        self.draft = Draft.of(draft.base, draft.edits_base, self.opened()[0].name)
        self.show()

    async def _save(self, message: dict[str, Any]) -> None:
        level, draft = self.opened()
        by_itself = "revision" in message
        if by_itself and (draft.linked or message["revision"] != self.builds.revision):
            return  # no user decided so, or the page has not seen this draft without problems
        saved = save_draft(level, draft)
        if saved.was_deleted:
            self.tell({"event": "conflict", "lines": [], "gone": True})
            return
        if saved.conflict is not None:
            await self._tell_conflict(*saved.conflict)
            return
        if draft.content != draft.base:
            self._proposals.drop()
        self.draft = draft.saved(saved.edits)
        self._look()
        self.tell({"event": "saved", "name": level.name, "changed": draft.changed})
        self._tell_draft()

    async def _export(self, message: dict[str, Any]) -> None:
        level, draft = self.opened()
        number = number_of(message)
        if level.root is None:
            raise ExporterError("this spec is in no project (`exporter init` makes one)")
        if draft.changed:
            await self._save({"do": "save"})
            if self.opened()[1].changed:
                raise ExporterError("the level cannot be saved, so it is not exported")
        data = self.opened()[1].data(level.name)
        name = data.get("level") if isinstance(data, dict) else None
        name = name if isinstance(name, str) else default_name(level.path.name)
        work = self._exporting(level, level.root, name, number)
        task = asyncio.get_running_loop().create_task(work)
        self._exports.add(task)
        task.add_done_callback(self._exports.discard)

    async def _exporting(self, level: LevelFile, root: Path, name: str, number: int) -> None:
        def tell_stage(stage: ExportStage) -> None:
            self.tell(
                {
                    "event": "exporting",
                    "level": level.id,
                    "stage": stage.stage,
                    "chunks": stage.chunks,
                }
            )

        tell_stage(ExportStage(""))
        outcome = await self._shared.exports.export(root, name, tell_stage)
        self._exported.forget()  # also where nothing was to be written
        self.tell(
            {
                "event": "export-report",
                "level": level.id,
                "number": number,
                "report": outcome.report,
                "problems": problems_fields(outcome.problems),
            }
        )

    async def _adopt(self, message: dict[str, Any]) -> None:
        level, draft = self.opened()
        how = message["how"]
        if how == "again":
            save_again(level, draft)
            self.draft = draft.saved(level.read_edits())
            self._look()
            self._shared.files.look()
            self.tell({"event": "saved", "name": level.name, "changed": True})
            self.tell_levels()
            self.show()
            return
        if how == "nothing":
            self._close()
            return
        self._look()
        theirs, edits = level.read(), level.read_edits()
        if how == "theirs":
            self.draft = Draft.of(theirs, edits, level.name)
        else:
            # Thousands of changes take seconds: the sockets need not wait.
            self.draft = await asyncio.to_thread(draft.rebased, theirs, level.name, edits)
        self.show()

    def _close(self) -> None:
        """Close the open level and drop its draft, as its file was deleted."""
        self.level = self.draft = self.ground = None
        with contextlib.suppress(SpecError):  # the project may be deleted, too
            self._shared.files.look()
        self.tell_levels()

    async def _tell_schema(self, _message: dict[str, Any]) -> None:
        self.tell({"event": "schema", "schema": await self._shared.schema()})

    async def _seeds(self, message: dict[str, Any]) -> None:
        level, draft = self.opened()
        edits = await asyncio.to_thread(draft.built_edits, level.name)
        self._shared.sheets.ask(self.id, message, draft.content, level, edits, self._box)

    async def _stop_seeds(self, _message: dict[str, Any]) -> None:
        self._shared.sheets.stop(self.id)
        self._box.forget("seed")

    def opened(self) -> tuple[LevelFile, Draft]:
        """Return the open level and its draft.

        Raises:
            MalformedError: No level is open.
        """
        if self.level is None or self.draft is None:
            raise MalformedError("no level is open")
        return self.level, self.draft

    # --- showing ------------------------------------------------------------------------------

    @property
    def files(self) -> LevelFiles:
        """The levels that can be opened."""
        return self._shared.files

    def tell(self, event: TextEvent) -> None:
        """Send the tab an event."""
        self._box.put(event["event"], event)

    def _tell_draft(self) -> None:
        draft = self.opened()[1]
        level, looking = self.opened()[0], self._links.looking
        self.tell(
            {
                "event": "draft",
                "revision": self.builds.revision,
                "number": self._number,
                "level": level.id,
                "file": level.name,
                "text": draft.content.decode("utf-8-sig", "replace"),
                "data": draft.data(level.name),
                "changed": draft.changed and not looking,
                "linked": draft.linked,
                "looking": looking,
                "edits": draft.hand.count,
                "undo": 0 if looking else len(draft.done),
                "redo": 0 if looking else len(draft.undone),
            }
        )

    async def _tell_conflict(self, mine: bytes, theirs: bytes) -> None:
        from exporter.studio.differences import differing_lines

        level, draft = self.opened()
        # Long texts take a while: the sockets need not wait.
        lines = await asyncio.to_thread(differing_lines, mine, theirs)
        now = self.draft
        if self.level is level and now is not None and now.base == draft.base:
            self.tell({"event": "conflict", "lines": lines, "gone": False})

    def show(self, pinned: bool = False) -> None:
        """Build the draft, and send the tab the result.

        Args:
            pinned: Build it with the seed found before, if the spec searches for one.
        """
        self.builds.begin(pinned)
        self._tell_draft()
        self.builds.start()

    # --- the files ----------------------------------------------------------------------------

    def _look(self) -> None:
        """Note how the files of the level are now."""
        if self.level is not None:
            self._files = _signatures(self.level)

    async def look_again(self) -> None:
        """Follow the files of the open level, if they have changed."""
        if self.level is None or self.draft is None:
            return
        self._views.comparisons.follow()
        self._proposals.look()
        exported = self._exported.look(self.level)
        if exported is not None:
            settled = self.draft.settled
            if exported["state"] == "built" and not exported["stale"]:
                self._exported_step = settled
            self.tell({**exported, "step": self._exported_step})
        changed = [path for path, known in self._files.items() if signature(path) != known]
        if not changed:
            return
        self._look()
        if self._links.stop_looking():
            self.show()
        try:
            theirs, edits = self.level.read(), self.level.read_edits()
        except SpecError as error:
            # A missing file may come back: editors remove and rename when they save.
            problems = problems_fields(error.problems)
            self.tell(
                {
                    "event": "problems",
                    "revision": self.builds.revision,
                    "problems": problems,
                }
            )
            return
        draft = followed(self.draft, theirs, edits, self.level.name)
        if draft is not None:
            self._proposals.follow(self.level, self.draft.base, theirs)
            self.draft = draft
            self.show()
        else:
            await self._tell_difference(theirs, edits)

    async def _tell_difference(self, theirs: bytes, edits: bytes | None) -> None:
        """Send the differences between the files and the draft's base, if any."""
        level, draft = self.opened()
        if theirs != draft.base:
            await self._tell_conflict(draft.content, theirs)
        elif edits != draft.edits_base:
            await self._tell_conflict(draft.built_edits(level.name) or b"", edits or b"")

    def follows(self, files: Iterable[str]) -> None:
        """Watch the open level's input files, by their paths from its root."""
        level, _ = self.opened()
        root = level.root if level.root is not None else level.path.parent
        for name in files:
            self._files.setdefault(root / name, signature(root / name))


def _signatures(level: LevelFile) -> dict[Path, Signature]:
    return {path: signature(path) for path in (level.path, level.edits)}


def _resumed_draft(remaining: Draft | None, now: Draft | None, file: str) -> Draft:
    """Rebase a stored draft onto the present files, if it fits them.

    If it does not, `remaining` is returned.

    Args:
        remaining: The draft; None for a level that is opened for the first time.
        now: The files; None if they were deleted.
        file: The spec's name for messages.
    """
    if remaining is None or now is None:
        result = remaining or now
        assert result is not None
        return result
    return followed(remaining, now.base, now.edits_base, file) or remaining
