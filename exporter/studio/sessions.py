"""Sessions: what each tab has open, its draft, and what becomes of its messages.

A tab that comes back (after sleep, or when the server was busy elsewhere) takes up its session by
its id. A session without a tab is kept for a while, then forgotten with its draft.

Messages of the page are mappings whose `do` says what is wanted:

    open      {level}                            show a level
    change    {changes, merge}                   change the draft: see `changes_of`
    undo, redo, revert                           go back, forward, back to the file
    save      {}                                 write the draft into its files
    adopt     {how: "theirs" | "mine"}           after a file has changed: take it, or make the
                                                 draft's changes again on it
    schema    {}                                 what can be written, for the controls
    release   {}                                 a drag is over: search for the seed again
    seeds     {sheet, count, ...}                a contact sheet: see `seed_tasks`
    seeds-stop {}                                no sheet any more
    overlay   {name}                             lay an overlay over the level; null for none
    overlays  {}                                 which overlays there are
    draw, move, ...                              hand edits: see `drawing`
    stamp, rename_layer, presets, create         see `hands`

Every answer has an `event`: `welcome`, `levels`, `draft`, `level` (binary), `problems`, `conflict`,
`saved`, `refused`, `schema`, `overlay` (binary), `overlays`, `presets`, `created`; of sheets
`seeds`, `seed-levels` (binary), `seeds-done`, `seeds-refused`.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import traceback
from collections.abc import AsyncIterator, Coroutine
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any

from exporter.model.errors import ExporterError, Problem, SpecError
from exporter.reading.document import read_document
from exporter.studio.builders import Builders
from exporter.studio.drafts import Draft
from exporter.studio.following import followed
from exporter.studio.ground import Ground
from exporter.studio.hands import HandActions
from exporter.studio.levels import LevelFile, LevelFiles, Signature, signature
from exporter.studio.messages import MalformedError, changes_of, merge_of
from exporter.studio.outbox import Message, Outbox
from exporter.studio.overlay_requests import known_overlays, overlay_of
from exporter.studio.problems import problem_fields
from exporter.studio.saving import save_draft
from exporter.studio.seed_sheets import SeedSheets
from exporter.studio.tasks import BuildTask

# How often the files of open levels are looked at, and those of the project.
FILE_SECONDS, LEVELS_SECONDS = 0.2, 2.0
# How long a session waits for its tab.
FORGOTTEN_SECONDS = 3600.0
MAXIMUM_SESSIONS = 256


class Session:
    """One tab: an open level and its draft."""

    def __init__(self, sessions: Sessions) -> None:
        self.id = secrets.token_urlsafe(12)
        self.left = monotonic()
        self.level: LevelFile | None = None
        self.draft: Draft | None = None
        self.ground: Ground | None = None
        # The number of the last message of drawing: the page knows then what a picture holds.
        self.drawn = 0
        self._hands = HandActions(self)
        self._sessions = sessions
        self._box = Outbox()
        self._files: dict[Path, Signature] = {}
        self._revision = 0
        self._schema: dict[str, Any] | None = None
        # The seed that the spec's search has found, and whether the last draft was built with it.
        self._found: int | None = None
        self._pinned = False
        self._builds: set[asyncio.Task[None]] = set()
        self._overlay = ""

    # --- the tab ------------------------------------------------------------------------------

    def joined(self) -> None:
        """Greet a tab that has come, with all that it shows."""
        self._box.close()
        self._box = Outbox()
        self.tell("welcome", session=self.id, title=self._sessions.files.title)
        self.tell_levels()
        if self.draft is not None:
            self.show()

    def outgoing(self) -> AsyncIterator[Message]:
        """Yield what is to be sent, until the tab is another one."""
        return self._box.taken()

    async def handle(self, message: dict[str, Any]) -> None:
        """Do what a message of the tab wants; what cannot be done is told."""
        action = {
            "open": self._open,
            "change": self._change,
            "undo": self._undo,
            "redo": self._redo,
            "revert": self._revert,
            "save": self._save,
            "adopt": self._adopt,
            "schema": self._tell_schema,
            "release": self._release,
            "seeds": self._seeds,
            "seeds-stop": self._stop_seeds,
            "overlay": self._choose_overlay,
            "overlays": self._tell_overlays,
            **self._hands.actions,
        }.get(str(message.get("do")))
        try:
            if action is None:
                raise MalformedError("there is no such action")
            await action(message)
        except MalformedError as error:
            self.tell("refused", text=str(error))
        except SpecError as error:
            self.tell("refused", text=error.problems[0].message, problems=_fields(error.problems))
        except ExporterError as error:
            self.tell("refused", text=str(error))

    def tell_levels(self) -> None:
        """Tell the tab which levels there are."""
        levels = [{"id": one.id, "name": one.name} for one in self._sessions.files.all()]
        self.tell("levels", levels=levels)

    # --- what the page may want ---------------------------------------------------------------

    async def _open(self, message: dict[str, Any]) -> None:
        level = self._sessions.files.get(message.get("level"))
        if level is None:
            raise MalformedError("there is no such level (it may have been renamed)")
        if self.level is not None and self.level.id == level.id and self.draft is not None:
            self.show()
            return
        self.level, self.draft, self.ground = level, None, None
        self._found = None
        self._look()
        self.draft = Draft.of(level.read(), level.read_edits(), level.name)
        self.show()

    async def _change(self, message: dict[str, Any]) -> None:
        level, draft = self.opened()
        merge = merge_of(message)
        self.draft = draft.change(changes_of(message), level.name, merge)
        # While a control is dragged the seed stays that was found: a search would take too long.
        self.show(pinned=merge.startswith("drag"))

    async def _release(self, _message: dict[str, Any]) -> None:
        if self.opened() and self._pinned:
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

    async def _save(self, _message: dict[str, Any]) -> None:
        level, draft = self.opened()
        saved = save_draft(level, draft)
        if saved.conflict is not None:
            self._tell_conflict(*saved.conflict)
            return
        self.draft = draft.saved(saved.edits)
        self._look()
        self.tell("saved", name=level.name)
        self._tell_draft()

    async def _adopt(self, message: dict[str, Any]) -> None:
        level, draft = self.opened()
        theirs, edits = level.read(), level.read_edits()
        if message.get("how") == "theirs":
            self.draft = Draft.of(theirs, edits, level.name)
        elif message.get("how") == "mine":
            self.draft = draft.rebased(theirs, level.name, edits)
        else:
            raise MalformedError("`how` is `theirs` or `mine`")
        self._look()
        self.show()

    async def _tell_schema(self, _message: dict[str, Any]) -> None:
        if self._schema is None:
            # Every generator is imported for it: the sockets need not wait.
            self._schema = await asyncio.to_thread(_schema)
        self.tell("schema", schema=self._schema)

    async def _seeds(self, message: dict[str, Any]) -> None:
        level, draft = self.opened()
        edits = await asyncio.to_thread(draft.built_edits, level.name)
        self._sessions.sheets.ask(self.id, message, draft.content, level, edits, self._box)

    async def _stop_seeds(self, _message: dict[str, Any]) -> None:
        self._sessions.sheets.stop(self.id)
        self._box.forget("seed")

    async def _choose_overlay(self, message: dict[str, Any]) -> None:
        self.opened()
        self._overlay = overlay_of(message)
        # A build that is under way looks for the overlay when it is done.
        if self._overlay and not self._builds:
            self._start(self._build_overlay())

    async def _tell_overlays(self, _message: dict[str, Any]) -> None:
        self.tell("overlays", overlays=await asyncio.to_thread(known_overlays))

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
        return self._sessions.files

    def tell(self, event: str, **fields: Any) -> None:
        """Send the tab an event."""
        self._box.put(event, {"event": event, **fields})

    def _tell_draft(self) -> None:
        draft = self.opened()[1]
        self.tell(
            "draft",
            revision=self._revision,
            level=self.opened()[0].id,
            text=draft.content.decode("utf-8-sig", "replace"),
            data=_data_of(draft.content, self.opened()[0].name),
            changed=draft.changed,
            edits=draft.hand.count,
            undo=len(draft.done),
            redo=len(draft.undone),
        )

    def _tell_conflict(self, mine: bytes, theirs: bytes) -> None:
        from exporter.studio.differences import differing_lines

        self.tell("conflict", lines=differing_lines(mine, theirs))

    def show(self, pinned: bool = False) -> None:
        """Build the draft, and tell the tab what became of it.

        Args:
            pinned: Build it with the seed that was found, if the spec searches for one.
        """
        self._revision += 1
        self._pinned = pinned
        self._tell_draft()
        self._start(self._build(self._revision))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        async def run() -> None:
            try:
                await work
            finally:
                # At once: whoever chooses an overlay from now on starts it.
                self._builds.discard(build)

        build = asyncio.get_running_loop().create_task(run())
        self._builds.add(build)

    async def _task(self, revision: int) -> BuildTask:
        """Return what builders need of the draft.

        Raises:
            SpecError: The hand edits have faults.
        """
        level, draft = self.opened()
        facts: dict[str, object] = {"revision": revision, "level": level.id, "drawn": self.drawn}
        # Many edits are a long text: the sockets need not wait for it.
        edits = await asyncio.to_thread(draft.built_edits, level.name)
        place = level.path.parent, level.root
        pinned = self._found if self._pinned else None
        return BuildTask(draft.content, level.name, *place, edits, facts, pinned=pinned)

    async def _build(self, revision: int) -> None:
        level, _ = self.opened()
        try:
            task = await self._task(revision)
        except SpecError as error:
            self.tell("problems", revision=revision, problems=_fields(error.problems))
            return
        if revision < self._revision:
            return
        shown = await self._sessions.builders.build(self.id, task)
        if shown is None:  # overtaken by a newer draft
            return
        if shown.found is not None:
            self._found = shown.found
        root = level.root if level.root is not None else level.path.parent
        for name in shown.files:
            self._files.setdefault(root / name, signature(root / name))
        if shown.ground is not None and self.level is level:
            self.ground = shown.ground
        if shown.message:
            self._box.put("level", shown.message)
        self.tell("problems", revision=revision, problems=_fields(shown.problems))
        if shown.message and revision == self._revision:
            await self._build_overlay()

    async def _build_overlay(self) -> None:
        """Compute the overlay that is chosen, until it is still the one when it is done."""
        done, revision = "", self._revision
        while self._overlay != done and revision == self._revision:
            done = self._overlay
            if not done:
                return
            try:
                task = replace(await self._task(revision), overlay=done)
            except SpecError:
                return  # the level is not shown either, and its problems are told
            shown = await self._sessions.builders.build(self.id, task)
            if shown is not None and shown.message and self._overlay == done:
                self._box.put("overlay", shown.message)

    # --- the files ----------------------------------------------------------------------------

    def _look(self) -> None:
        """Note how the files of the level are now."""
        if self.level is None:
            return
        self._files = {path: signature(path) for path in (self.level.path, self.level.edits)}

    def look_again(self) -> None:
        """Follow the files of the open level, if they have changed."""
        if self.level is None or self.draft is None:
            return
        changed = [path for path, known in self._files.items() if signature(path) != known]
        if not changed:
            return
        self._look()
        try:
            theirs, edits = self.level.read(), self.level.read_edits()
        except SpecError as error:
            # It may be on its way: editors remove and rename when they save.
            self.tell("problems", revision=self._revision, problems=_fields(error.problems))
            return
        draft = followed(self.draft, theirs, edits, self.level.name)
        if draft is not None:
            self.draft = draft
            self.show()
        elif theirs != self.draft.base:
            self._tell_conflict(self.draft.content, theirs)
        else:
            mine = self.draft.built_edits(self.level.name)
            self._tell_conflict(mine or b"", edits or b"")


class Sessions:
    """All sessions, and what they share.

    Args:
        files: The levels.
        builders: Builds their drafts.
        sheets: Makes contact sheets of them.
    """

    def __init__(
        self, files: LevelFiles, builders: Builders, sheets: SeedSheets | None = None
    ) -> None:
        self.files = files
        self.builders = builders
        self.sheets = sheets or SeedSheets()
        self._sessions: dict[str, Session] = {}
        self._present: dict[str, int] = {}
        self._follow: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to build, and to follow the files."""
        self.builders.start()
        self._follow = asyncio.get_running_loop().create_task(self._follow_files())

    async def close(self) -> None:
        """End everything."""
        if self._follow is not None:
            self._follow.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._follow
        await self.sheets.close()
        await self.builders.close()

    def open(self, id: object) -> Session:
        """Return the session of a tab that comes back, or a new one."""
        found = self._sessions.get(id) if isinstance(id, str) else None
        # A tab that was duplicated has the id of the first: it gets a session of its own.
        if found is None or self._present.get(found.id):
            self._forget()
            found = Session(self)
            self._sessions[found.id] = found
        self._present[found.id] = 1
        found.joined()
        return found

    def leave(self, session: Session) -> None:
        """Note that the tab of a session has gone."""
        self.sheets.stop(session.id)
        self._present.pop(session.id, None)
        session.left = monotonic()
        # It is made anew with the picture when the tab comes back.
        session.ground = None

    def _forget(self) -> None:
        """Forget sessions whose tabs have been gone for long, and the oldest of too many."""
        gone = sorted(
            (one for one in self._sessions.values() if one.id not in self._present),
            key=lambda one: one.left,
        )
        too_many = len(self._sessions) - MAXIMUM_SESSIONS + 1
        for place, session in enumerate(gone):
            if place < too_many or monotonic() - session.left > FORGOTTEN_SECONDS:
                del self._sessions[session.id]

    async def _follow_files(self) -> None:
        since = monotonic()
        while True:
            await asyncio.sleep(FILE_SECONDS)
            if not self._present:
                continue
            for session in [*self._sessions.values()]:
                if session.id in self._present:
                    _follow(session)
            if monotonic() - since < LEVELS_SECONDS:
                continue
            since = monotonic()
            with contextlib.suppress(SpecError, OSError):
                if await asyncio.to_thread(self.files.look):
                    for id in self._present:
                        self._sessions[id].tell_levels()


def _follow(session: Session) -> None:
    """Let a session follow its files; what goes wrong there is no other session's matter."""
    try:
        session.look_again()
    except ExporterError as error:
        session.tell("refused", text=str(error))
    except Exception:
        # A bug of ours: its traceback is for the terminal, and the studio goes on.
        traceback.print_exc()


def _fields(problems: tuple[Problem, ...]) -> list[dict[str, Any]]:
    return [problem_fields(one) for one in problems]


def _data_of(content: bytes, file: str) -> Any:
    """Return the plain data of a spec's text; None where it cannot be read."""
    try:
        return read_document(content, file).data
    except SpecError:
        return None


def _schema() -> dict[str, Any]:
    from exporter.reading.schema import level_schema

    return level_schema()
