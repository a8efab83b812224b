"""A client of the agents' server over standard input and output, as an agent's program has one."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from mcp.client.session import ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client

from exporter.agents.answers import MAXIMUM_TEXT


def in_session(project: Path, play: Callable[[ClientSession], Awaitable[None]]) -> None:
    """Play a session with the real command."""

    async def run() -> None:
        command = StdioServerParameters(
            command=sys.executable, args=["-m", "exporter", "mcp", str(project)]
        )
        async with stdio_client(command) as (read, write), ClientSession(read, write) as session:
            await session.initialize()
            await play(session)

    asyncio.run(asyncio.wait_for(run(), 300))


async def call(session: ClientSession, tool: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool; return its answer without pictures."""
    result = await session.call_tool(tool, arguments)
    text = result.content[0].text
    assert len(text.encode()) <= MAXIMUM_TEXT
    return json.loads(text)
