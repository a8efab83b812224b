"""Run the studio as a separate process, beside the watch daemon.

Either process can fail alone. The studio ends when its owner closes the pipe between them, or ends.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path

from exporter.explore.processes import interrupts_blocked
from exporter.studio.listening import Listening, ServerOptions, listen

# Seconds for the studio to end in order, while the daemon's end waits.
POLITE_SECONDS = 1.5
# The pipe closes a moment before there is an exit code.
_REAP_SECONDS = 1.0


class StudioProcess:
    """A studio that runs in a process of its own.

    Args:
        path: The project's folder, or the one spec to serve.
        options: The options of the server.
        on_address: Called with the listening socket once the studio can be opened.
        on_loss: Called in a thread with the exit code, if the studio ends by itself.
    """

    def __init__(
        self,
        path: Path,
        options: ServerOptions,
        on_address: Callable[[Listening], None],
        on_loss: Callable[[int | None], None],
    ) -> None:
        self._path = path
        self._options = options
        self._on_address = on_address
        self._on_loss = on_loss
        self._ending = threading.Event()
        self._pipe: Connection | None = None
        self._process: multiprocessing.process.BaseProcess | None = None

    @property
    def runs(self) -> bool:
        """Whether the studio was started, and has not ended."""
        return self._process is not None and self._process.is_alive()

    @contextlib.contextmanager
    def beside(self) -> Iterator[None]:
        """Start the studio for a `with` block, and end it after the block.

        Raises:
            ExporterError: The address is in use, or not allowed.
        """
        self.start()
        yield
        self.end()

    def start(self) -> None:
        """Start the studio; return when it can be opened.

        Raises:
            ExporterError: The address is in use, or not allowed.
        """
        listening = listen(self._options, self._path)
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, self._path, listening))
        with listening.socket:
            with theirs, interrupts_blocked():
                self._process.start()
            threading.Thread(target=self._watch_for_loss, daemon=True).start()
            self._on_address(listening)

    def wait(self) -> None:
        """Wait until the studio ends by itself."""
        if self._process is not None:
            self._process.join()

    def end(self) -> None:
        """Ask the studio to end; kill it if it does not end in time."""
        self._ending.set()
        if self._process is None or self._pipe is None:
            return
        self._pipe.close()
        self._process.join(POLITE_SECONDS)
        if self._process.is_alive():
            _kill_all(self._process)
            self._process.join()

    def _watch_for_loss(self) -> None:
        process = self._process
        assert process is not None
        multiprocessing.connection.wait([process.sentinel])
        process.join(_REAP_SECONDS)
        # A requested end is no loss: a terminal interrupts it together with its owner.
        if not self._ending.is_set() and process.exitcode != -signal.SIGTERM:
            self._on_loss(process.exitcode)


def _kill_all(process: multiprocessing.process.BaseProcess) -> None:
    if hasattr(os, "killpg"):
        with contextlib.suppress(OSError):  # it has no session yet, or has just ended
            assert process.pid is not None
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def _serve(pipe: Connection, position: Path, listening: Listening) -> None:
    """Serve the studio until its owner closes the pipe or ends.

    This runs in the studio's process.
    """
    if hasattr(os, "setsid"):
        # What a terminal sends to all is for the owner, which ends this process in order.
        os.setsid()
    from exporter.studio.builder_process import prepare_processes

    prepare_processes()
    from exporter.project.level_files import LevelFiles
    from exporter.studio.serving import serve

    def wait_for_end() -> None:
        with contextlib.suppress(EOFError, OSError):
            pipe.recv_bytes()

    with contextlib.suppress(KeyboardInterrupt):
        serve(LevelFiles(position), listening, wait_for_end)
