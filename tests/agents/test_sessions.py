"""Recorded sessions of agents: from a brief to an exported map that a judge accepts."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import yaml
from mcp.client.session import ClientSession

from agent_client import call, in_session
from fix_pasting import paste
from level_judge import Map, faults

SESSIONS = sorted((Path(__file__).parent / "sessions").glob("*.yaml"))
MAXIMUM_TOKENS = 12_000


class Replay:
    """An agent that makes the calls of a session, with the text that its answers leave it."""

    def __init__(self, session: ClientSession) -> None:
        self.session = session
        self.text = self.digest = ""
        self.call: dict[str, Any] = {}
        self.answer: dict[str, Any] = {}
        self.written = self.exchanged = 0

    async def play(self, step: dict[str, Any]) -> None:
        """Make the next call."""
        if "call" in step:
            self.call = step
        self._edit(step)
        arguments = {key: value for key, value in self.call.items() if key not in ("call", *EDITS)}
        if "text" in arguments:
            if arguments["text"] != "same":
                self.text = arguments["text"]
            arguments["text"] = self.text
        if arguments.get("digest") == "answered":
            arguments["digest"] = self.digest
        self.answer = await call(self.session, self.call["call"], **arguments)
        self.digest = self.answer.get("digest", self.digest)
        self.written += len(arguments.get("text", ""))
        self.exchanged += len(json.dumps(arguments)) + len(json.dumps(self.answer))

    def _edit(self, step: dict[str, Any]) -> None:
        """Change the text as the last answer or the agent's mind says."""
        if "paste" in step:
            self.text = paste(self.text, self.answer["problems"][step["paste"]])
        if "take" in step:
            seed = self.answer["seeds"][step["take"]]
            self.text = re.sub(r"^seed: .*$", f"seed: {seed}", self.text, flags=re.MULTILINE)
        if "theirs" in step:
            self.text = self.answer["text"]
        for old, new in step.get("change", {}).items():
            assert self.text.count(old) == 1, old
            self.text = self.text.replace(old, new)
        if step.get("correct"):
            argument = step["correct"]
            self.call = {**self.call, argument: self.answer["fix"]}
        if set(step) & {"paste", "take", "theirs", "change"} and "text" in self.call:
            self.call = {**self.call, "text": "same"}


EDITS = ("paste", "take", "theirs", "change", "correct")


def missing(answer: Any, expected: Any) -> bool:
    """Whether an answer lacks a part that the session expects."""
    if isinstance(expected, dict):
        return any(key not in answer or missing(answer[key], expected[key]) for key in expected)
    if isinstance(expected, list):
        pairs = zip(answer, expected, strict=False)
        return len(answer) < len(expected) or any(missing(*pair) for pair in pairs)
    return bool(answer != expected)


async def replayed(session: ClientSession, file: Path, project: Path, read: int) -> list[str]:
    """Replay a session; return its faults.

    Args:
        session: The client.
        file: The recorded session.
        project: The folder of the project.
        read: Characters that every agent reads first.
    """
    recorded = yaml.safe_load(file.read_text(encoding="utf-8"))
    replay = Replay(session)
    for number, step in enumerate(recorded["calls"], 1):
        expected = step.pop("answer", {})
        await replay.play(step)
        if missing(replay.answer, expected):
            return [f"call {number}: {replay.answer}"]
    (level,) = replay.call["levels"]
    if replay.answer["levels"][0]["status"] != "built":
        return [str(replay.answer)]
    map = Map(project / "out" / f"{level}.tmj")
    cells = [f"[{x},{y},1]," for x in range(map.size[0]) for y in range(map.size[1])]
    tokens = (read + replay.exchanged) // 4
    wrong = faults(map, recorded["judge"])
    if 10 * replay.written > len("".join(cells)):
        wrong.append(f"{replay.written} characters of specs")
    if tokens > MAXIMUM_TOKENS:
        wrong.append(f"{tokens} tokens")
    return wrong


def test_sessions_end_in_levels_that_a_judge_accepts(tmp_path: Path) -> None:
    (tmp_path / "exporter.yaml").write_text(
        "levels: '*.level.yaml'\ntargets:\n  tiled: {path: out}\n"
    )
    wrong: dict[str, list[str]] = {}

    async def play(session: ClientSession) -> None:
        listed = (await session.list_tools()).tools
        guide = (await session.read_resource("exporter://guide")).contents[0].text
        tools = json.dumps([item.model_dump(exclude_none=True) for item in listed])
        for file in SESSIONS:
            wrong[file.stem] = await replayed(session, file, tmp_path, len(tools) + len(guide))

    in_session(tmp_path, play)
    assert len(wrong) >= 12
    assert not {name: some for name, some in wrong.items() if some}
