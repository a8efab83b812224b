"""Build the drafts of one session: the level, then the requested views.

A view is what the page shows besides the level, such as an overlay. A newer draft replaces an older
one that waits or is being built.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from dataclasses import replace
from typing import Any, Protocol

from exporter.model.errors import SpecError
from exporter.project.level_files import LevelFile, LevelFiles
from exporter.studio.builders import Builders
from exporter.studio.common_events import ProblemData
from exporter.studio.drafts import Draft
from exporter.studio.events import TextEvent
from exporter.studio.outbox import Outbox
from exporter.studio.problems import problems_fields
from exporter.studio.tasks import Area, BuildTask
from exporter.studio.views import StudioView


class TabSession(Protocol):
    """The parts of `Session` that its helpers use.

    `drawn`: the number of the last request that drew cells. `ground`: the pickled level without
    hand edits; empty if it is not built.
    """

    id: str
    drawn: int
    level: LevelFile | None
    draft: Draft | None
    ground: bytes
    builds: SessionBuilds

    @property
    def files(self) -> LevelFiles:
        """The levels that can be opened."""

    def opened(self) -> tuple[LevelFile, Draft]:
        """Return the open level and its draft."""

    def show(self) -> None:
        """Build the draft, and send the tab the level or its problems."""

    def send(self, event: TextEvent) -> None:
        """Send an event to the tab."""

    def send_draft(self) -> None:
        """Send the tab the text and state of the draft."""

    def send_levels(self) -> None:
        """Send the tab the list of levels that can be opened."""

    def follows(self, files: Iterable[str]) -> None:
        """Also watch `files`, input files of the open level, for changes."""


class ViewRequest(Protocol):
    """Makes a view for each new draft."""

    def view(self, level: LevelFile, draft: Draft) -> StudioView:
        """Return the view of `draft`, the draft of the open level `level`.

        If that is impossible, the view has the problem.
        """


class SessionBuilds:
    """Builds the drafts of one session, and the views of these drafts.

    Args:
        session: The session.
        builders: Builds the levels.
        background_builders: Builds views that are less urgent.
        box: The messages to the tab.

    Attributes:
        revision: The number of the newest draft.
        pinned: Whether the last draft was built with the seed found for an earlier one.
        box: The messages to the tab.
    """

    def __init__(
        self, session: TabSession, builders: Builders, background_builders: Builders, box: Outbox
    ) -> None:
        self.revision = 0
        self.pinned = False
        self.box = box
        self._session = session
        self._builders = builders
        self._background = background_builders
        # Counts the requests for background views: only the last one is answered.
        self._request_number = 0
        self._computing: set[asyncio.Task[None]] = set()
        # The seed that the spec's search has found.
        self._searched_seed: int | None = None
        # The part of a world that is in view.
        self._area: Area | None = None
        self._running: set[asyncio.Task[None]] = set()
        self._views: dict[str, StudioView | ViewRequest] = {}

    def begin(self, pinned: bool = False) -> None:
        """Number a new draft, and cancel the background view of the last one.

        `pinned`: if the spec searches for a seed, whether to use the seed that was found last.
        """
        self.revision += 1
        self.pinned = pinned
        self.once("", None)

    def start(self) -> None:
        """Build the newest draft, and send its level and views to the tab."""
        self._start(self._build(self.revision))

    def forget(self) -> None:
        """Forget the previous level: the seed its search found, the area in view."""
        self._searched_seed = None
        self._area = None

    def look_at(self, area: Area) -> None:
        """Show the window `area` of the open world."""
        self._area = area
        self.start()

    def want(self, kind: str, view: StudioView | ViewRequest | None) -> None:
        """Show `view` with every draft from now on.

        `view` replaces the shown view of the same `kind`; None hides that view.
        """
        if view is None:
            self._views.pop(kind, None)
            return
        self._views[kind] = view
        # A running build checks for views at its end.
        if not self._running:
            self._start(self._build_views())

    def once(self, kind: str, request: StudioView | ViewRequest | None) -> None:
        """Build the view `request` of the present draft once, in the background.

        A new draft or a later call cancels this build. `kind` is the kind of view. If `request` is
        None, the running build is only cancelled.
        """
        self._request_number += 1
        self._background.give_up(self._session.id)
        if request is not None:
            work = self._compute(kind, request, self._request_number)
            task = asyncio.get_running_loop().create_task(work)
            self._computing.add(task)
            task.add_done_callback(self._computing.discard)

    async def _compute(self, kind: str, request: StudioView | ViewRequest, number: int) -> None:
        opened = self._session.opened()
        try:
            task = await self._task(self.revision)
        except SpecError:
            return  # the level is not shown either, and its problems are reported
        task = replace(task, view=await _view_of(request, *opened))
        if number != self._request_number:
            return
        displayed = await self._background.build(self._session.id, task)
        if displayed is not None and number == self._request_number:
            self.box.put(kind, displayed.message or task.refusal(displayed.problems[0].message))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        async def run() -> None:
            try:
                await work
            finally:
                # Clear it at once: a request for a view from now on starts the next build.
                self._running.discard(build)

        build = asyncio.get_running_loop().create_task(run())
        self._running.add(build)

    async def _task(self, revision: int) -> BuildTask:
        """Return the task to build the present draft, whose number is `revision`.

        Raises:
            SpecError: The hand edits have faults.
        """
        level, draft = self._session.opened()
        # Many edits are a long text: the sockets need not wait for it.
        edits = await asyncio.to_thread(draft.built_edits, level.name)
        pinned = self._searched_seed if self.pinned else None
        task = _task_of(level, draft.content, edits, revision, self._session.drawn, pinned)
        return replace(task, area=self._area)

    async def _build(self, revision: int) -> None:
        level, _ = self._session.opened()
        try:
            task = await self._task(revision)
        except SpecError as error:
            self._send_problems(revision, problems_fields(error.problems))
            return
        if revision < self.revision:
            return
        displayed = await self._builders.build(self._session.id, task)
        # Overtaken by a newer draft, or by another level.
        if displayed is None or self._session.level is not level:
            return
        if displayed.searched_seed is not None:
            self._searched_seed = displayed.searched_seed
        self._session.follows(displayed.files)
        if displayed.message:
            self._session.ground = displayed.ground
            self.box.put("level", displayed.message)
        self._send_problems(revision, problems_fields(displayed.problems))
        if displayed.message and revision == self.revision:
            await self._build_views()

    async def _build_views(self) -> None:
        """Build and send the requested views, until a newer draft comes."""
        done: dict[str, StudioView | ViewRequest] = {}
        revision = self.revision
        while revision == self.revision and self._session.level is not None:
            waiting = [kind for kind in self._views if done.get(kind) is not self._views[kind]]
            if not waiting:
                return
            kind = waiting[0]
            expected = done[kind] = self._views[kind]
            opened = self._session.opened()
            try:
                task = await self._task(revision)
            except SpecError:
                return  # the level is not shown either, and its problems are reported
            view = await _view_of(expected, *opened)
            if revision != self.revision:
                return  # a message sent now would replace the newer draft's
            task = replace(task, view=view)
            displayed = await self._builders.build(self._session.id, task)
            if displayed is not None and self._views.get(kind) is expected:
                # Without a message the build was ended, or its process has.
                message = displayed.message or task.refusal(displayed.problems[0].message)
                self.box.put(kind, message)

    def _send_problems(self, revision: int, problems: list[ProblemData]) -> None:
        self.box.put("problems", {"event": "problems", "revision": revision, "problems": problems})


async def _view_of(request: StudioView | ViewRequest, level: LevelFile, draft: Draft) -> StudioView:
    if isinstance(request, StudioView):
        return request
    return await asyncio.to_thread(request.view, level, draft)


def first_task(files: LevelFiles) -> BuildTask | None:
    """Return the task to build the only level of a project.

    The first tab will request it. Return None if there are several levels, or the files cannot be
    read.
    """
    levels = files.all()
    if len(levels) != 1:
        return None
    (level,) = levels
    try:
        draft = Draft.of(level.read(), level.read_edits(), level.name)
        edits = draft.built_edits(level.name)
    except SpecError:
        return None  # the tab will get the problems
    return _task_of(level, draft.content, edits, 1, 0, None)


def _task_of(
    level: LevelFile,
    content: bytes,
    edits: bytes | None,
    revision: int,
    drawn: int,
    pinned: int | None,
) -> BuildTask:
    facts: dict[str, object] = {"revision": revision, "level": level.id, "drawn": drawn}
    position = level.path.parent, level.root
    return BuildTask(content, level.name, *position, edits, facts, pinned=pinned)
