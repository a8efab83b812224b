"""Offer to keep or revert an agent's change of the open level's file."""

from __future__ import annotations

import asyncio
from typing import Any

from exporter.model.errors import ChangedFileError, ExporterError, SpecError
from exporter.model.lazy_dataclass import dataclass
from exporter.project.agent_log import was_written_by_agent
from exporter.project.level_files import LevelFile
from exporter.project.saving import save_spec
from exporter.reading.change_steps import differences
from exporter.reading.yaml_reader import read_document
from exporter.studio.common_events import DifferingLine
from exporter.studio.differences import differing_lines
from exporter.studio.request_checks import Action
from exporter.studio.session_builds import TabSession

# How often a changed file is looked up in the log of agents, which is written just after the file.
_MOST_LOOKS = 10


@dataclass(frozen=True, slots=True)
class Proposal:
    """An agent's change of a level's file: the texts before and after."""

    level: LevelFile
    before: bytes
    after: bytes


class Proposals:
    """The changes by agents that a tab's user has not decided about.

    Attributes:
        actions: The handler of each request, by the name of the request (`do`).
    """

    def __init__(self, session: TabSession) -> None:
        self._session = session
        self._pending: dict[str, Proposal] = {}
        self._changed: Proposal | None = None
        self._looks = 0
        self.actions: dict[str, Action] = {"proposal": self._decide}

    def follow(self, level: LevelFile, before: bytes, after: bytes) -> None:
        """Record that a level's text changed from `before` to `after`.

        An agent may have made the change; `look` finds out.
        """
        if before == after:
            return
        pending = self._pending.pop(level.id, None)
        if pending is not None and pending.after == before:
            before = pending.before
        self._changed = Proposal(level, before, after) if before != after else None
        self._looks = 0
        if pending is not None:
            self.send()

    def look(self) -> None:
        """If an agent made the recorded change, ask whether to keep it.

        This is called repeatedly, because the agent's log is written after the file. After some
        calls the change counts as not made by an agent.
        """
        changed = self._changed
        if changed is None:
            return
        self._looks += 1
        level = changed.level
        try:
            by_agent = level.root is not None and was_written_by_agent(
                level.root, level.path, changed.after
            )
        except (SpecError, ValueError):  # no log that can be read, or a file beside the project
            by_agent = False
        if by_agent:
            self._pending[level.id] = changed
            self.send()
        if by_agent or self._looks >= _MOST_LOOKS:
            self._changed = None

    def drop(self) -> None:
        """Forget the agent's change of the open level, because the user saved."""
        if self._pending.pop(self._session.opened()[0].id, None) is not None:
            self.send()

    def send(self) -> None:
        """Send the agent's change of the open level; if none, an empty proposal."""
        level, _ = self._session.opened()
        pending = self._pending.get(level.id)
        lines: list[DifferingLine] = []
        values = 0
        if pending is not None:
            lines = differing_lines(pending.after, pending.before)
            values = _changed_values(pending)
        self._session.send({"event": "proposal", "values": values, "lines": lines})

    async def _decide(self, message: dict[str, Any]) -> None:
        level, _ = self._session.opened()
        pending = self._pending.pop(level.id, None)
        self.send()
        if pending is None or message["how"] == "keep":
            return
        try:
            await asyncio.to_thread(
                save_spec, level.path, pending.after, pending.before, level.root
            )
        except ChangedFileError:
            raise ExporterError(
                "the file has changed since the agent wrote it, and stays as it is"
            ) from None


def _changed_values(proposal: Proposal) -> int:
    """Return how many values differ in a proposal's texts; 0 if unreadable."""
    texts, name = (proposal.before, proposal.after), proposal.level.name
    try:
        return len(differences(*(read_document(text, name).data for text in texts)))
    except SpecError:
        return 0
