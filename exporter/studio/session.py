"""Manage a tab's open level and draft, and handle its requests.

`requests` defines the page's messages, `events` the answers.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Iterable, Sequence
from functools import partial
from time import monotonic
from typing import Any, Protocol

from exporter.model.errors import ExporterError, Problem, SpecError
from exporter.project.level_files import LevelFile, LevelFiles
from exporter.studio.builders import Builders
from exporter.studio.draft_files import Drafts, StoredDraft
from exporter.studio.drafts import Draft
from exporter.studio.events import ListedLevelData, RefusedEvent, TextEvent
from exporter.studio.export_actions import ExportActions
from exporter.studio.exporting import Exports
from exporter.studio.file_actions import FileActions, signatures_of
from exporter.studio.following import followed
from exporter.studio.galleries import Cards, GalleryActions
from exporter.studio.hands import HandActions
from exporter.studio.links import LinkActions
from exporter.studio.outbox import Message, Outbox
from exporter.studio.problems import problems_fields
from exporter.studio.proposals import Proposals
from exporter.studio.request_checks import (
    Action,
    MalformedError,
    changes_of,
    check_request,
    content_of,
    merge_of,
    number_of,
)
from exporter.studio.seed_sheets import SeedSheets
from exporter.studio.session_builds import SessionBuilds
from exporter.studio.stored_drafts import StoredDrafts
from exporter.studio.view_requests import ViewActions

# The prefix of messages such as `seeds-stop`.
_LONGEST_NAME = 40


class Shared(Protocol):
    """The state and the services that all sessions share."""

    files: LevelFiles
    builders: Builders
    background_builders: Builders
    cards: Cards
    sheets: SeedSheets
    exports: Exports
    credentials: tuple[str, str]

    async def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of specs."""


class Session:
    """The state of one tab: its open level, and the draft of it.

    `shared` has the state and the services that all sessions share.
    """

    def __init__(self, shared: Shared) -> None:
        self.id = secrets.token_urlsafe(12)
        self.left = monotonic()
        self.level: LevelFile | None = None
        self.draft: Draft | None = None
        self.ground = b""
        # The number of the last drawing message: shows the page which edits a picture has.
        self.drawn = 0
        # The number of the last change message: shows the page which changes a draft has.
        self._number = 0
        self._hands = HandActions(self)
        self._shared = shared
        self._box = Outbox()
        self.builds = SessionBuilds(self, shared.builders, shared.background_builders, self._box)
        self.galleries = GalleryActions(self, shared.cards)
        self._views = ViewActions(self)
        self._links = LinkActions(self)
        self._proposals = Proposals(self)
        self._stored = StoredDrafts()
        self._files = FileActions(self, self._links, self._proposals)
        save = partial(self._files.save, {"do": "save"})
        self._exports = ExportActions(self, shared.exports, save)

    # --- the tab ------------------------------------------------------------------------------

    def joined(self) -> None:
        """Send everything that the page shows to a tab that has just connected."""
        self._links.stop_looking()
        self._box.close()
        self._box = self.builds.box = Outbox()
        token, key = self._shared.credentials
        self.send(
            {
                "event": "welcome",
                "session": self.id,
                "title": self._shared.files.title,
                "open": self._open_id(),
                "token": token,
                "key": key,
            }
        )
        self.send_levels()
        self._exports.send_again()
        if self.draft is not None:
            self._proposals.send()
            self.show()

    def unsaved(self) -> Drafts:
        """Return the unsaved drafts of the tab, by the ids of their levels."""
        drafts = self._stored.unsaved()
        draft = self._links.own_draft()
        if self.level is not None and draft is not None and draft.changed:
            drafts[self.level.id] = StoredDraft(self.level.name, draft)
        return drafts

    def restore(self, drafts: Drafts) -> None:
        """Take over stored drafts, by level id, unless this tab has unsaved ones."""
        present = self.unsaved()
        for id, stored in drafts.items():
            level = self._shared.files.get(id)
            if level is None or id in present:
                continue
            if self.level is None or self.level.id != id:
                self._stored.keep(level, stored.draft)
            elif not self._links.looking:
                self.draft = stored.draft
                self._files.begin({})  # they are compared with the draft at once
                self.show()

    def outgoing(self) -> AsyncIterator[Message]:
        """Yield the messages to the tab, until another tab takes the session over."""
        return self._box.messages()

    async def handle(self, message: dict[str, Any]) -> None:
        """Do what a message of the tab requests; if that fails, send the reason."""
        actions: dict[str, Action] = {
            "open": self._open,
            "change": self._change,
            "text": self._text,
            "undo": self._undo,
            "redo": self._redo,
            "revert": self._revert,
            "schema": self._send_schema,
            "release": self._release,
            "seeds": self._seeds,
            "seeds-stop": self._stop_seeds,
            **self._files.actions,
            **self._exports.actions,
            **self._hands.actions,
            **self.galleries.actions,
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
        """Send the tab the reason `text` for refusing the request `message`.

        `problems` are the problems of the spec that are the reason, if any.
        """
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

    def send_levels(self) -> None:
        """Send the tab the list of levels that can be opened."""
        unsaved = self._stored.changed()
        levels: list[ListedLevelData] = [
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
        self.send({"event": "levels", "levels": levels, "open": self._open_id()})

    def _open_id(self) -> str | None:
        return self.level.id if self.level is not None and self.draft is not None else None

    # --- requests of the page ---------------------------------------------------------------

    async def _open(self, message: dict[str, Any]) -> None:
        id = message["level"]
        level = self._shared.files.get(id) or self._stored.level(id)
        if level is None:
            raise MalformedError("there is no such level (it may have been renamed)")
        if self.level is not None and self.level.id == level.id and self.draft is not None:
            self.show()
            return
        remaining, now = self._stored.take(level.id), None
        # Taken before the files are read, so that a save in between counts as a change.
        signatures = signatures_of(level)
        try:
            now = Draft.of(level.read(), level.read_edits(), level.name)
        except SpecError:
            if remaining is None:
                raise
        self._links.stop_looking()
        if self.level is not None and self.draft is not None:
            self._stored.keep(self.level, self.draft)
        self.level, self.ground = level, b""
        self._files.begin(signatures)
        self._exports.begin()
        self.draft = _resumed_draft(remaining, now, level.name)
        self.builds.forget()
        self._proposals.send()
        self.send_levels()
        self.show()
        if now is not None and self.draft is remaining:
            await self._files.send_difference(now.base, now.edits_base)

    async def _change(self, message: dict[str, Any]) -> None:
        level, draft = self.opened()
        merge, number = merge_of(message), number_of(message)
        self.draft = draft.change(changes_of(message), level.name, merge)
        self._number = number
        # While a control is dragged, the seed that was found last is used: a search takes too long.
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

    async def _send_schema(self, _message: dict[str, Any]) -> None:
        self.send({"event": "schema", "schema": await self._shared.schema()})

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

    def send(self, event: TextEvent) -> None:
        """Send an event to the tab."""
        self._box.put(event["event"], event)

    def send_draft(self) -> None:
        """Send the tab the text and state of the draft."""
        draft = self.opened()[1]
        level, looking = self.opened()[0], self._links.looking
        self.send(
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

    def show(self, pinned: bool = False) -> None:
        """Build the draft, and send the tab the level or its problems.

        `pinned`: if the spec searches for a seed, whether to use the seed that was found last.
        """
        self.builds.begin(pinned)
        self.send_draft()
        self.builds.start()

    async def look_again(self) -> None:
        """Check the files of the open level, and of its exports, for changes."""
        if self.level is None or self.draft is None:
            return
        self._views.comparisons.follow()
        self._proposals.look()
        self._exports.look()
        await self._files.look()

    def follows(self, files: Iterable[str]) -> None:
        """Also watch `files`, input files of the open level, for changes.

        The paths are relative to the folder that input files must lie in.
        """
        self._files.follows(files)


def _resumed_draft(remaining: Draft | None, now: Draft | None, file: str) -> Draft:
    """Rebase a stored draft onto the present files, if it fits them.

    If the draft and the files conflict, `remaining` is returned.

    Args:
        remaining: The stored draft; None for a level that is opened for the first time.
        now: The present files as a draft; None if they were deleted.
        file: The spec's name for messages.
    """
    if remaining is None or now is None:
        result = remaining or now
        assert result is not None
        return result
    return followed(remaining, now.base, now.edits_base, file) or remaining
