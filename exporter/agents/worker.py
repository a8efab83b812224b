"""Run the tools for agents in a process with limited resources.

A call that takes too long, or that the agent cancels, ends the process; the next call starts
another one.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import signal
import sys
import traceback
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from exporter.agents.answers import Answer, RefusedCallError, fitted, problems_data, refusal_data
from exporter.model.errors import ExporterError, SpecError

MAXIMUM_SECONDS = 60.0
MAXIMUM_MEMORY = 4 << 30
BUG = "the exporter has a bug here; its traceback is in the server's standard error"


class Worker:
    """Runs the calls of tools in a separate process, one after another.

    Args:
        root: The project's folder.
        read_only: Refuse to write specs and outputs.
        seconds: Limit for the seconds of a call, after which the process is ended.
    """

    def __init__(
        self, root: Path, *, read_only: bool = False, seconds: float = MAXIMUM_SECONDS
    ) -> None:
        self._arguments = (root, read_only)
        self._seconds = seconds
        self._threads = ThreadPoolExecutor(1, "worker")
        self._turn = asyncio.Lock()
        self._process: Any = None
        self._connection: Any = None

    async def call(self, tool: str, arguments: dict[str, Any]) -> Answer:
        """Run `tool`, a method of `Tools`, in the process; return its answer.

        The answer of a refused call has the key `refused`.
        """
        async with self._turn:
            running = asyncio.get_running_loop().run_in_executor(
                self._threads, self._call, tool, arguments
            )
            try:
                return await asyncio.shield(running)
            except asyncio.CancelledError:
                # The thread waits for an answer that does not come any more.
                self.stop()
                with contextlib.suppress(Exception):
                    await running
                raise

    def stop(self) -> None:
        """End the process at once."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.join(5)

    def _call(self, tool: str, arguments: dict[str, Any]) -> Answer:
        if self._process is None:
            self._start()
        try:
            self._connection.send((tool, arguments))
            if not self._connection.poll(self._seconds):
                self.stop()
                return {"refused": f"stopped after {self._seconds:g} seconds: ask for less"}
            answer: Answer = self._connection.recv()
        except (EOFError, OSError):
            self.stop()
            return {"refused": "the call was ended, or needed more memory than it may have"}
        return answer

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(theirs, *self._arguments), daemon=True, name="exporter mcp"
        )
        self._process.start()
        theirs.close()


def _serve(connection: Connection, root: Path, read_only: bool) -> None:
    """Answer the calls that `connection` receives; runs in the worker process."""
    # Standard output belongs to the protocol.
    os.dup2(sys.stderr.fileno(), 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _limit_memory()
    from exporter.agents.tools import Tools

    with contextlib.suppress(EOFError, OSError):
        while True:
            tool, arguments = connection.recv()
            connection.send(fitted(_answer(root, read_only, tool, arguments, Tools)))


def _answer(root: Path, read_only: bool, tool: str, arguments: dict[str, Any], tools: Any) -> Any:
    try:
        return getattr(tools(root, read_only=read_only), tool)(**arguments)
    except RefusedCallError as error:
        return refusal_data(str(error), arguments, error.data)
    except SpecError as error:
        return {"refused": "the spec has problems", "problems": problems_data(error.problems)}
    except (ExporterError, ValueError) as error:
        return refusal_data(str(error), arguments, {})
    except MemoryError:
        return {"refused": "this needs more memory than a call may have"}
    except Exception:
        traceback.print_exc()
        return {"refused": BUG}


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = MAXIMUM_MEMORY if hard == resource.RLIM_INFINITY else min(MAXIMUM_MEMORY, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
