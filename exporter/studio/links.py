"""Encode a draft's changes as texts of a URL, and decode them.

A followed link proposes its changes. A user applies them as one step, previews them (meanwhile the
draft cannot be changed or saved), or discards them.

A pair is a path and a value, both texts:

    layers.ground.wall_percent   45                     sets a value
    layers.ground.wall_percent   (empty)                removes the entry
    layers.river@1               {"generator":"flow"}   adds an entry at index 1 (counted from 0)
    layers.river@1               (empty)                moves the entry to index 1

Entries of lists are numbers, `objects[0].count`; keys that are not words are `layers["my map"]`.

Links are untrusted: pairs are only data, a change that would break the spec is refused, and nothing
changes before the user decides.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from typing import Any

from exporter.model.errors import ExporterError, SpecError
from exporter.model.lazy_dataclass import dataclass
from exporter.project.level_files import LevelFile
from exporter.reading.change_steps import differences
from exporter.reading.changes import Change, Insert, Move, Rename, SetValue
from exporter.reading.reader import read_as_far_as_good
from exporter.reading.yaml_reader import Path, read_document
from exporter.studio.drafts import Draft
from exporter.studio.events import FollowedState, LinkedValueData
from exporter.studio.request_checks import Action, MalformedError, changes_of, edits
from exporter.studio.session_builds import TabSession

Pair = tuple[str, str]

# After so many refused pairs the others are not tried, because each try reads the whole spec.
MAXIMUM_REFUSED = 10
# Limit of changes in a link.
MAXIMUM_LINKED = 100
# Limits of shown paths and values, not of the applied ones.
_REPORTED_LENGTH = 200
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_STEP = re.compile(
    r'\.?(?P<word>[A-Za-z_][A-Za-z0-9_-]*)|\[(?:(?P<number>[0-9]{1,9})|(?P<key>"(?:[^"\\]|\\.)*"))\]'
)
_POSITION = re.compile(r"@([0-9]{1,9})\Z")


class LinkActions:
    """Handles the requests of one session to make and to follow links.

    Attributes:
        actions: The handler of each request, by the name of the request (`do`).
    """

    def __init__(self, session: TabSession) -> None:
        self._session = session
        self.actions: dict[str, Action] = {
            "link": self._link,
            "follow": self._follow,
            "decide": self._decide,
        }
        # The link without a decision of the user, and its level.
        self._proposal: tuple[str, list[Pair]] = ("", [])
        # The tab's own draft, while it looks at that of a link.
        self._own: Draft | None = None

    @property
    def looking(self) -> bool:
        """Whether the shown draft is only a preview of a link's changes."""
        return self._own is not None

    def check_allowed(self, do: str) -> None:
        """Refuse the request `do` if it edits or saves the draft in a preview.

        Raises:
            ExporterError: A preview is shown, and the request would change or save the draft.
        """
        if self.looking and do in edits():
            raise ExporterError(
                "this draft is a preview of a link, which cannot be edited (choose `Apply`, or "
                "`Back to my draft`)"
            )

    def own_draft(self) -> Draft | None:
        """Return the draft without a preview's changes; None if no level is open."""
        return self._session.draft if self._own is None else self._own

    def stop_looking(self) -> bool:
        """End the preview of a link; return whether there was one."""
        if self._own is None:
            return False
        self._session.draft, self._own = self._own, None
        return True

    async def _link(self, _message: dict[str, Any]) -> None:
        level, draft = self._session.opened()
        pairs = await asyncio.to_thread(link_pairs, draft, level.name)
        self._session.send(
            {"event": "link", "level": level.name, "pairs": pairs, "edits": draft.redrawn}
        )

    async def _follow(self, message: dict[str, Any]) -> None:
        session = self._session
        pairs = _pairs_of(message)
        level, _ = session.opened()
        if message.get("level") != level.id:
            return  # it could not be opened, which was reported then
        if self.stop_looking():
            session.show()
        result = await self._followed(pairs)
        self._proposal = (level.id, pairs)
        self._report(result, "offered" if result.changed else "unchanged")

    async def _decide(self, message: dict[str, Any]) -> None:
        session, how = self._session, message["how"]
        looking = self.stop_looking()
        level, draft = session.opened()
        id, pairs = self._proposal
        if how != "look":
            self._proposal = ("", [])
        try:
            result = await self._followed(pairs) if how != "drop" and id == level.id else None
        except ExporterError:
            session.show()
            raise
        if result is None:
            if looking:
                session.show()
            return
        if how == "look":
            self._own = draft
        session.draft = result.draft
        session.show()
        self._report(result, "looking" if how == "look" else "applied")

    async def _followed(self, pairs: list[Pair]) -> Followed:
        """Return the result of applying `pairs`, a link's changes, to the draft.

        Raises:
            ExporterError: The draft has changed meanwhile.
        """
        level, draft = self._session.opened()
        result = await asyncio.to_thread(follow_pairs, draft, pairs, level)
        if self._session.draft is not draft:
            raise ExporterError("the file has changed meanwhile (open the link again)")
        return result

    def _report(self, followed: Followed, state: FollowedState) -> None:
        self._session.send(
            {
                "event": "followed",
                "state": state,
                "level": self._session.opened()[0].id,
                "revision": self._session.builds.revision,
                "undo": len(followed.draft.done),
                "changed": [_linked_value(pair) for pair in followed.changed],
                "refused": [_linked_value(pair) for pair in followed.refused],
            }
        )


@dataclass(frozen=True, slots=True)
class Followed:
    """The draft after following a link, and the result for each change.

    Attributes:
        draft: The draft with the accepted changes as one step; the same draft if all were refused.
        changed: The changes that were accepted: path and value.
        refused: The changes that were refused: path and reason.
    """

    draft: Draft
    changed: tuple[Pair, ...]
    refused: tuple[Pair, ...]


def link_pairs(draft: Draft, file: str) -> list[Pair]:
    """Return the changes from the saved spec to `draft`: paths and values.

    The seed comes first, even if it did not change. Hand edits are not included. `file` is the
    spec's name for messages.

    Raises:
        SpecError: One of the texts cannot be read.
        ExporterError: There are too many changes for a link.
    """
    before, after = (read_document(item, file).data for item in (draft.base, draft.content))
    changes = differences(before, after)
    pairs = [pair_of(change) for change in changes if change.path]
    if len(pairs) < len(changes):
        raise ExporterError("the whole spec changed, which a link cannot represent (send the file)")
    seed = after.get("seed") if isinstance(after, dict) else None
    if isinstance(seed, int | str) and all(change.path != ("seed",) for change in changes):
        pairs = [pair_of(SetValue(("seed",), seed)), *pairs]
    if len(pairs) > MAXIMUM_LINKED:
        raise ExporterError(
            f"a link holds at most {MAXIMUM_LINKED} changes, and these are {len(pairs)}: "
            "save the spec, and send the file"
        )
    return pairs


def follow_pairs(draft: Draft, pairs: Sequence[Pair], level: LevelFile) -> Followed:
    """Apply a link's `pairs` to `draft`, the draft of `level`, as one step.

    Raises:
        MalformedError: The link has too many values.
    """
    trial = _Trial(draft, level)
    expected: list[tuple[str, dict[str, Any]]] = []
    refused: list[Pair] = []
    for path, value in pairs:
        try:
            item = _message_of(path, value)
            changes_of({"changes": [item]})
            expected.append((path, item))
        except MalformedError as error:
            refused.append((path, str(error)))
    if expected:
        changes = changes_of({"changes": [item for _, item in expected]})
        trial.take([(path, change) for (path, _), change in zip(expected, changes, strict=True)])
    # They were checked together already, so this one step cannot fail.
    after = draft.change(trial.accepted, level.name, linked=True) if trial.accepted else draft
    return Followed(after, _changed(draft, after, level.name), (*refused, *trial.refused))


class _Trial:
    """Separates the applicable changes of a link from the refused ones.

    The changes are made to `draft`, the draft of `level`.

    Attributes:
        accepted: The applicable changes.
        refused: The paths of refused changes, each with the reason.
    """

    def __init__(self, draft: Draft, level: LevelFile) -> None:
        self._draft = draft
        self._level = level
        # Faults that the spec already has do not refuse a change.
        self._known = set(self._faults(draft))
        self.accepted: list[Change] = []
        self.refused: list[Pair] = []

    def take(self, values: list[tuple[str, Change]]) -> None:
        """Apply the changes `values`, each with its path as text.

        If they fail together, halves are tried separately, which finds a few bad changes in few
        tries.
        """
        if len(self.refused) >= MAXIMUM_REFUSED:
            reason = "not tried, because so much else was refused"
            self.refused += [(path, reason) for path, _ in values]
            return
        changes = [change for _, change in values]
        try:
            after = self._draft.change(changes, self._level.name)
            new = [fault for fault in self._faults(after) if fault not in self._known]
            reason = new[0] if new else ""
        except SpecError as error:
            reason = error.problems[0].message
        except ExporterError as error:
            reason = str(error)
        if not reason:
            self._draft = after
            self.accepted += changes
        elif len(values) == 1:
            self.refused.append((values[0][0], reason))
        else:
            half = len(values) // 2
            self.take(values[:half])
            self.take(values[half:])

    def _faults(self, draft: Draft) -> list[str]:
        read = read_as_far_as_good(draft.content, self._level.name, self._level.path.parent)
        return [problem.message for problem in read.problems]


def _changed(before: Draft, after: Draft, file: str) -> tuple[Pair, ...]:
    if after is before:
        return ()
    result = differences(*(read_document(item.content, file).data for item in (before, after)))
    return tuple(map(pair_of, result))


def pair_of(change: Change) -> Pair:
    """Return a change in the form of links: a path and a value, as texts."""
    if isinstance(change, SetValue | Insert):
        value = json.dumps(change.value, ensure_ascii=False, separators=(",", ":"))
    else:
        value = ""
    path = path_text(change.path)
    if isinstance(change, Insert):
        last = change.path[-1]
        position = last if isinstance(last, int) else change.index
        return f"{path}@{position or 0}", value
    if isinstance(change, Move):
        return f"{path}@{change.index}", value
    # Differences are never shown as renames.
    assert not isinstance(change, Rename)
    return path, value


def path_text(path: Path) -> str:
    """Return a path as links have it: `objects[0]`, `layers["my map"]`."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        elif _WORD.fullmatch(step):
            text += f".{step}"
        else:
            text += f"[{json.dumps(step, ensure_ascii=False)}]"
    return text.removeprefix(".")


def _message_of(path: str, value: str) -> dict[str, Any]:
    """Return a pair of a link as a change in the form of the page's requests.

    Raises:
        MalformedError: The pair is malformed.
    """
    placed = _POSITION.search(path)
    position = int(placed[1]) if placed else None
    steps = _path_of(path[: placed.start()] if placed else path)
    if not value:
        return {"remove": steps} if position is None else {"move": steps, "place": position}
    try:
        document = json.loads(value, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise MalformedError("the value is not JSON") from None
    if position is None:
        return {"set": steps, "value": document}
    if isinstance(steps[-1], int):
        return {"insert": steps, "value": document}
    return {"insert": steps, "value": document, "place": position}


def _path_of(text: str) -> list[str | int]:
    steps: list[str | int] = []
    at = 0
    while at < len(text):
        result = _STEP.match(text, at)
        # Words have dots between them, and none before the first.
        if result is None or (result["word"] and result[0].startswith(".") != bool(steps)):
            raise MalformedError("this is not a path in a spec")
        at = result.end()
        if result["word"]:
            steps.append(result["word"])
        elif result["number"]:
            steps.append(int(result["number"]))
        else:
            steps.append(_key_of(result["key"]))
    if not steps:
        raise MalformedError("this is not a path in a spec")
    return steps


def _key_of(text: str) -> str:
    try:
        return str(json.loads(text))
    except ValueError:
        raise MalformedError("this is not a path in a spec") from None


def _pairs_of(message: dict[str, Any]) -> list[Pair]:
    pairs = message["pairs"]
    if len(pairs) > MAXIMUM_LINKED:
        raise MalformedError(f"the link has too many changes (allowed: {MAXIMUM_LINKED})")
    return [(path, value) for path, value in pairs]


def _linked_value(pair: Pair) -> LinkedValueData:
    path, text = (
        item if len(item) <= _REPORTED_LENGTH else f"{item[:_REPORTED_LENGTH]}..." for item in pair
    )
    return {"path": path, "text": text}


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")
