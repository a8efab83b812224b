"""A studio that really serves, and a tab of it without a browser."""

from __future__ import annotations

import json
import multiprocessing
import shutil
import subprocess
import sys
import threading
from functools import cache
from multiprocessing import forkserver
from pathlib import Path
from pkgutil import iter_modules
from typing import Any
from urllib.parse import urlsplit

from numpy.typing import NDArray
from websockets.sync.client import ClientConnection, connect

from daemon_harness import DEADLINE, wait_until
from exporter import generators, measures
from exporter.explore.processes import interrupts_blocked
from exporter.project.level_files import LevelFiles
from exporter.studio.events import Event
from exporter.studio.frames import read_frame
from exporter.studio.listening import ServerOptions, listen
from exporter.studio.request_checks import check_of, members_of, names_of
from exporter.studio.serving import serve

LEVEL = "levels/cave.level.yaml"
CAVE = """\
# the first cave
size: [32, 24]
seed: 7   # a good one
layers:
  ground: {generator: cellular_caves, wall_percent: 40}
objects:
  - {name: start}
visibility: {radius: 6}
"""


def make_project(folder: Path, levels: dict[str, str] | None = None) -> Path:
    """Make a project in a folder.

    Args:
        folder: It is made if it is missing.
        levels: The texts of its specs by their names; default: a cave.
    """
    (folder / "levels").mkdir(parents=True)
    (folder / "exporter.yaml").write_text(
        "levels: levels/**/*.level.yaml\ntargets:\n  tiled: {path: tiled}\n"
    )
    for name, spec in (levels or {"cave": CAVE}).items():
        (folder / "levels" / f"{name}.level.yaml").write_text(spec)
    return folder


def places_of(event: Any) -> list[int]:
    """Where the arrays of a message are, in the order of `Tab.arrays`."""
    if isinstance(event, dict):
        if set(event) == {"at", "type", "shape"}:
            return [event["at"]]
        event = [*event.values()]
    if not isinstance(event, list):
        return []
    return sorted({position for item in event for position in places_of(item)})


def assert_fits(event: dict[str, Any]) -> None:
    """Check an event against the types that the page is checked against, too."""
    kinds = [item for item in members_of(Event) if event["event"] in names_of(item, "event")]
    places = [check_of(kind)(event) for kind in kinds]
    assert None in places, (event["event"], places)


class StudioClient:
    """Opens tabs of the studio that serves at an address."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.url = url
        self.port = parts.port or 0
        self.token = parts.fragment
        self.origin = f"http://127.0.0.1:{self.port}"
        self.tabs: list[Tab] = []

    def socket(self, **options: Any) -> ClientConnection:
        """Open a WebSocket as the studio's own page does, without its first message."""
        options.setdefault("origin", self.origin)
        # Without a limit pings are answered although the test reads nothing for a while.
        options.setdefault("max_queue", None)
        return connect(
            f"ws://127.0.0.1:{self.port}/session",
            max_size=None,
            open_timeout=DEADLINE,
            close_timeout=1,  # a tab that reads nothing never hears that it is closed
            ping_timeout=None,
            **options,
        )

    def tab(self, session: str | None = None, **options: Any) -> Tab:
        """Open a tab that is greeted; with `max_queue` the socket waits until it is read."""
        self.tabs.append(Tab(self, session, **options))
        return self.tabs[-1]

    def opened(self, level: str = LEVEL, **options: Any) -> Tab:
        """Open a tab, and a level in it."""
        tab = self.tab(**options)
        tab.displayed_level("open", level=tab.levels[level])
        return tab

    def tab_again(self, tab: Tab) -> Tab:
        """Close a tab, and open one that comes back to its session."""
        tab.close()
        wait_until(lambda: self.tab(tab.session).session == tab.session)
        return self.tabs[-1]

    def close_tabs(self) -> None:
        """Close all tabs that are greeted."""
        for tab in self.tabs:
            tab.close()
        self.tabs.clear()


class Studio(StudioClient):
    """A studio that serves in a thread of this process.

    Args:
        place: A project's folder, or a spec.
        options: Those of `ServerOptions`.
    """

    def __init__(self, location: Path, **options: Any) -> None:
        start_fork_server()
        # No build is given up because the machine has other work.
        options.setdefault("max_seconds", 300)
        self._listening = listen(ServerOptions(**options))
        super().__init__(self._listening.address)
        self._ends = threading.Event()
        self.location = location
        self.files = LevelFiles(location)
        arguments = (self.files, self._listening, self._ends.wait)
        self._thread = threading.Thread(target=serve, args=arguments, daemon=True)
        self._thread.start()

    def reset(self, levels: dict[str, str]) -> None:
        """Close all tabs, and make the project again; everything beside it is removed."""
        self.close_tabs()
        for path in self.location.parent.iterdir():
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
        make_project(self.location, levels)
        self.files.look()

    def end(self) -> None:
        """End the server."""
        self.close_tabs()
        self._ends.set()
        self._thread.join(DEADLINE)
        self._listening.socket.close()
        assert not self._thread.is_alive(), "the studio does not end"


class StudioProcess(StudioClient):
    """A studio in a process of its own, for tests of how it starts and ends.

    Args:
        place: A project's folder, or a spec.
        options: Those of `exporter serve`.
    """

    def __init__(self, location: Path, *options: str) -> None:
        command = [
            sys.executable,
            "-P",
            "-m",
            "exporter",
            "serve",
            str(location),
            "--no-open",
            "--json",
        ]
        self.process = subprocess.Popen(
            [*command, *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, self.process.communicate()[1]
        super().__init__(json.loads(line)["url"])

    def end(self) -> None:
        """End the server."""
        self.close_tabs()
        self.process.terminate()
        self.process.communicate(timeout=DEADLINE)


@cache
def start_fork_server() -> None:
    """Start the process that processes of studios are forked from, with all that they import.

    It imports them once, so that each of its processes begins at once.
    """
    views = ["viewed", "comparing", "compared", "overlaid", "stepped", "seed_levels"]
    modules = [f"exporter.studio.{name}" for name in views]
    for package in (generators, measures):
        modules += [
            iter_module.name
            for iter_module in iter_modules(package.__path__, f"{package.__name__}.")
        ]
    multiprocessing.get_context("forkserver").set_forkserver_preload(modules)
    with interrupts_blocked():
        forkserver.ensure_running()


class Tab:
    """The page's actions, without a browser."""

    def __init__(self, studio: StudioClient, session: str | None = None, **options: Any) -> None:
        self._socket = studio.socket(**options).__enter__()
        self.send(token=studio.token, session=session)
        self.arrays: list[NDArray[Any]] = []
        self.welcome = self.wait_for("welcome")
        self.session = self.welcome["session"]
        self.levels = {item["name"]: item["id"] for item in self.wait_for("levels")["levels"]}

    def send(self, **message: Any) -> None:
        self._socket.send(json.dumps(message))

    def next(self, timeout: float = DEADLINE) -> dict[str, Any]:
        message = self._socket.recv(timeout=timeout)
        document: dict[str, Any]
        if isinstance(message, str):
            document = json.loads(message)
        else:
            document, self.arrays = read_frame(message)
        assert_fits(document)
        return document

    def wait_for(self, event: str, timeout: float = DEADLINE) -> dict[str, Any]:
        """The next event of a kind; others before it are passed over."""
        while True:
            message = self.next(timeout)
            if message["event"] == event:
                return message

    def displayed_level(self, do: str, **message: Any) -> dict[str, Any]:
        """Do something, and return the level that is shown then."""
        self.send(do=do, **message)
        revision = self.wait_for("draft")["revision"]
        while True:
            level = self.wait_for("level")
            if level["revision"] >= revision:
                return level

    def problems(self, do: str, **message: Any) -> list[dict[str, Any]]:
        """Do something, and return the problems that there are then."""
        self.send(do=do, **message)
        revision = self.wait_for("draft")["revision"]
        while True:
            reported = self.wait_for("problems")
            if reported["revision"] >= revision:
                result: list[dict[str, Any]] = reported["problems"]
                return result

    def set(self, path: list[str | int], value: Any) -> dict[str, Any]:
        return self.displayed_level("change", changes=[{"set": path, "value": value}])

    def cells(self) -> NDArray[Any]:
        """The cells of the first layer."""
        return self.arrays[1]

    def close(self) -> None:
        self._socket.close()
