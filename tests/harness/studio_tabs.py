"""A studio that really serves, and a tab of it without a browser."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from numpy.typing import NDArray
from websockets.sync.client import ClientConnection, connect

from exporter.studio.frames import read_frame

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


def make_project(folder: Path, name: str = "cave", spec: str = CAVE) -> Path:
    """Make a project with one level in a folder."""
    (folder / "exporter.yaml").write_text(
        "levels: levels/**/*.level.yaml\ntargets:\n  tiled: {path: tiled}\n"
    )
    (folder / "levels").mkdir()
    (folder / "levels" / f"{name}.level.yaml").write_text(spec)
    return folder


class Studio:
    """A server in a process of its own."""

    def __init__(self, place: Path, *options: str) -> None:
        command = [sys.executable, "-m", "exporter", "serve", str(place), "--no-open", "--json"]
        self.process = subprocess.Popen(
            [*command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, self.process.communicate()[1]
        self.url: str = json.loads(line)["url"]
        parts = urlsplit(self.url)
        self.port = parts.port or 0
        self.token = parts.fragment
        self.tabs: list[Tab] = []
        self.origin = f"http://127.0.0.1:{self.port}"

    def socket(self, **options: Any) -> ClientConnection:
        """A WebSocket from the studio's own page, without its first message."""
        options.setdefault("origin", self.origin)
        return connect(f"ws://127.0.0.1:{self.port}/session", max_size=None, **options)

    def tab(self, session: str | None = None) -> Tab:
        """A tab that is greeted."""
        self.tabs.append(Tab(self, session))
        return self.tabs[-1]

    def close_tabs(self) -> None:
        """Close all tabs that are greeted."""
        for tab in self.tabs:
            tab.close()
        self.tabs.clear()

    def end(self) -> None:
        """End the server."""
        self.close_tabs()
        self.process.terminate()
        self.process.communicate(timeout=60)


class Tab:
    """What the page does, without a browser."""

    def __init__(self, studio: Studio, session: str | None = None) -> None:
        self._socket = studio.socket().__enter__()
        self.send(token=studio.token, session=session)
        self.arrays: list[NDArray[Any]] = []
        self.welcome = self.wait_for("welcome")
        self.session = self.welcome["session"]
        self.levels = {one["name"]: one["id"] for one in self.wait_for("levels")["levels"]}

    def send(self, **message: Any) -> None:
        self._socket.send(json.dumps(message))

    def next(self, timeout: float = 20.0) -> dict[str, Any]:
        message = self._socket.recv(timeout=timeout)
        if isinstance(message, str):
            found: dict[str, Any] = json.loads(message)
            return found
        header, self.arrays = read_frame(message)
        return header

    def wait_for(self, event: str, timeout: float = 20.0) -> dict[str, Any]:
        """The next event of a kind; others before it are passed over."""
        while True:
            message = self.next(timeout)
            if message["event"] == event:
                return message

    def shown(self, do: str, **message: Any) -> dict[str, Any]:
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
            told = self.wait_for("problems")
            if told["revision"] >= revision:
                found: list[dict[str, Any]] = told["problems"]
                return found

    def set(self, path: list[str | int], value: Any) -> dict[str, Any]:
        return self.shown("change", changes=[{"set": path, "value": value}])

    def cells(self) -> NDArray[Any]:
        """The cells of the first layer."""
        return self.arrays[1]

    def close(self) -> None:
        self._socket.close()
