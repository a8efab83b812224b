"""Handle requests of the start page: lists with pictures, new levels.

The lists have cards for levels, presets and generators. A picture is made once for each text, in
the background, so that no draft has to wait for it.
"""

from __future__ import annotations

import asyncio
import base64
from collections import OrderedDict
from pathlib import Path
from typing import Any

from exporter.model.errors import SpecError
from exporter.model.lazy_dataclass import dataclass
from exporter.project.gallery import layer_starters, level_starters
from exporter.project.level_files import Signature, signature
from exporter.studio.builders import Builders
from exporter.studio.events import CardData
from exporter.studio.request_checks import Action, MalformedError, text_of
from exporter.studio.session_builds import TabSession
from exporter.studio.tasks import BuildTask
from exporter.studio.views import CardView

# A level that takes longer, by estimate, has no picture.
_MOST_SECONDS = 3
_MOST_KEPT = 512
# Cards beyond have no picture: whoever has so many levels searches them by name.
_MOST_PICTURES = 200


@dataclass(frozen=True, slots=True)
class _Picture:
    """A card's picture, and the state of the files that it depends on.

    `message` is what the browser is sent; `files` has each file's size and times at the time the
    picture was made.
    """

    message: bytes
    files: dict[Path, Signature]

    @property
    def is_current(self) -> bool:
        return all(signature(path) == known for path, known in self.files.items())


class Cards:
    """A cache of the pictures of cards, shared by all tabs.

    The least recently used pictures are dropped first.
    """

    def __init__(self, builders: Builders) -> None:
        self._builders = builders
        self._kept: OrderedDict[tuple[object, ...], _Picture] = OrderedDict()

    async def picture(self, owner: str, task: BuildTask) -> bytes:
        """Return the message with the picture of a card; draw it if needed.

        `task` has the spec to draw; its view is a `CardView`. `owner` identifies the tab, whose
        newer task replaces an older one.
        """
        view = task.view
        assert isinstance(view, CardView)
        key = (view.of, view.name, task.content, task.edits)
        kept = self._kept.get(key)
        if kept is None or not kept.is_current:
            reply = await self._builders.build(f"cards {owner}", task)
            if reply is None or not reply.message:
                return view.message(b"")  # overtaken or ended, so the next one asks again
            root = task.root if task.root is not None else task.folder
            files = {root / name: signature(root / name) for name in reply.files}
            kept = self._kept[key] = _Picture(reply.message, files)
        self._kept.move_to_end(key)
        while len(self._kept) > _MOST_KEPT:
            self._kept.popitem(last=False)
        return kept.message


class GalleryActions:
    """Handles the requests of one session's start page.

    Args:
        session: The session.
        cards: Draws the pictures.

    Attributes:
        actions: The handler of each request, by the name of the request (`do`).
    """

    def __init__(self, session: TabSession, cards: Cards) -> None:
        self._session = session
        self._cards = cards
        # By the kind of cards: the task that makes their pictures.
        self._drawing: dict[str, asyncio.Task[None]] = {}
        self.actions: dict[str, Action] = {"gallery": self._gallery, "create": self._create}

    def stop(self) -> None:
        """Stop drawing pictures for this session."""
        for task in self._drawing.values():
            task.cancel()
        self._drawing.clear()

    async def _gallery(self, message: dict[str, Any]) -> None:
        of = message["of"]
        make = self._levels if of == "level" else lambda: _starters(of)
        listed = await asyncio.to_thread(make)
        cards = [card for card, _ in listed]
        self._session.builds.box.put(
            f"gallery {of}", {"event": "gallery", "of": of, "cards": cards}
        )
        work = self._draw([task for _, task in listed if task is not None], self._drawing.get(of))
        self._drawing[of] = asyncio.get_running_loop().create_task(work)

    async def _draw(self, tasks: list[BuildTask], before: asyncio.Task[None] | None) -> None:
        if before is not None:
            try:
                await asyncio.wait([before])  # its pictures are kept, and need not be made again
            except asyncio.CancelledError:
                before.cancel()
                raise
        for task in tasks[:_MOST_PICTURES]:
            assert isinstance(task.view, CardView)
            message = await self._cards.picture(f"{self._session.id} {task.view.of}", task)
            self._session.builds.box.put(f"card {task.view.of} {task.view.name}", message)

    def _levels(self) -> list[tuple[CardData, BuildTask | None]]:
        """Return a card and its picture task for each level, last changed first."""
        result: list[tuple[CardData, BuildTask | None]] = []
        for level in self._session.files.all():
            try:
                content, edits = level.read(), level.read_edits()
                changed = max(_modified(level.path), _modified(level.edits))
            except SpecError:
                content, edits, changed = b"", None, 0
            place = level.path.parent, level.root
            view = CardView("level", level.id, "")
            task = BuildTask(
                content, level.name, *place, edits, max_seconds=_MOST_SECONDS, view=view
            )
            card = _card(level.id, level.name, "", changed)
            result.append((card, task))
        return sorted(result, key=lambda item: (-item[0]["changed"], item[0]["summary"]))

    async def _create(self, message: dict[str, Any]) -> None:
        from exporter.project.new_level import create_level

        session = self._session
        name, preset = text_of(message, "name"), text_of(message, "preset")
        picture = _bytes_of(message.get("picture", ""))
        created = await asyncio.to_thread(create_level, session.files, name, preset, picture)
        session.files.look()
        session.send_levels()
        result = next((item for item in session.files.all() if item.path == created), None)
        id = result.id if result is not None else None
        session.send({"event": "created", "level": id, "name": name})


def _starters(of: str) -> list[tuple[CardData, BuildTask | None]]:
    """Return a card and its picture task for each preset or generator.

    `of` is `preset` or `layer`. The task is None for a preset without a text.
    """
    result: list[tuple[CardData, BuildTask | None]] = []
    for item in level_starters() if of == "preset" else layer_starters():
        view = CardView(of, item.name, item.layer)
        task = BuildTask(
            item.text.encode(),
            f"{item.name}.level.yaml",
            Path(),
            None,
            max_seconds=_MOST_SECONDS,
            view=view,
        )
        card = _card(item.name, item.summary, item.group)
        result.append((card, task if item.text else None))
    return result


def _card(name: str, summary: str, group: str, changed: float = 0) -> CardData:
    return {"name": name, "summary": summary, "group": group, "changed": changed}


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0


def _bytes_of(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        raise MalformedError("`picture` is not base64") from None
