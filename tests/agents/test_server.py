"""The server as a client of the protocol sees it, over standard input and output."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from mcp.client.session import ClientSession

from agent_client import call, in_session
from exporter.agents.worker import Worker

CAVE = "size: [48, 32]\nseed: 3\nlayers:\n  ground: {generator: cellular_caves}\n"
TOOLS = {
    "list_levels", "read_spec", "describe_schema", "check_spec", "preview_level", "measure_level",
    "search_seeds", "compare_levels", "write_spec", "export_levels",
}  # fmt: skip


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "exporter.yaml").write_text(
        "levels: '*.level.yaml'\ntargets:\n  tiled: {path: out}\n"
    )
    (tmp_path / "cave.level.yaml").write_text(CAVE)
    return tmp_path


def test_an_agent_makes_a_level_from_check_to_export(project: Path) -> None:
    async def play(session: ClientSession) -> None:
        listed = (await session.list_tools()).tools
        assert {tool.name for tool in listed} == TOOLS
        words = json.dumps([item.model_dump(exclude_none=True, by_alias=True) for item in listed])
        assert len(words) // 4 <= 1500
        assert (await call(session, "check_spec", text=CAVE))["ok"]
        assert "cut" not in await call(session, "describe_schema", topic="objects")
        faults = "".join(f"nonsense_{number}: {'x' * 500}\n" for number in range(30))
        assert not (await call(session, "check_spec", text=CAVE + faults))["ok"]
        assert (await call(session, "list_levels"))["levels"] == {"cave": "cave.level.yaml"}
        result = await call(session, "search_seeds", text=CAVE, where="farthest >= 40", count=1)
        text = CAVE.replace("seed: 3", f"seed: {result['seeds'][0]}")
        assert (await call(session, "write_spec", level="den", text=text))["ok"]
        measured = await call(session, "measure_level", level="den")
        assert measured["measures"]["farthest"] >= 40
        assert (await session.call_tool("preview_level", {"level": "den"})).content[1].data
        search = CAVE.replace("seed: 3", "seed: {search: 50000, where: farthest >= 9}")
        assert (await call(session, "write_spec", level="found", text=search))["ok"]
        exported = await call(session, "export_levels")
        assert [item["status"] for item in exported["levels"]] == ["built"] * 3
        guide = await session.read_resource("exporter://guide")
        assert "The loop" in guide.contents[0].text

    in_session(project, play)
    assert (project / "out" / "den.tmj").is_file()


def test_a_call_that_takes_too_long_is_ended_and_the_next_is_answered(project: Path) -> None:
    async def run() -> None:
        worker = Worker(project, seconds=0.5)
        long = CAVE.replace("[48, 32]", "[3000, 3000]")
        assert "stopped after" in (await worker.call("check_spec", {"text": long}))["refused"]
        worker._seconds = 60
        assert (await worker.call("check_spec", {"text": CAVE}))["ok"]
        waiting = asyncio.ensure_future(worker.call("check_spec", {"text": long}))
        await asyncio.sleep(0.5)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert (await worker.call("check_spec", {"text": CAVE}))["ok"]
        worker.stop()

    asyncio.run(asyncio.wait_for(run(), 120))
