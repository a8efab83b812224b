"""An editor or a game that runs in a window of a virtual screen, driven by scripts."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine_harness.godot import Godot, GodotError
from engine_harness.processes import ANSI_SEQUENCE, home_environment

DRIVER = Path(__file__).with_name("driver.gd")
PLUGIN = """\
@tool
extends EditorPlugin


func _enter_tree() -> void:
	var driver := preload("driver.gd").new()
	driver.name = "Driver"
	add_child(driver)
"""
PLUGIN_FILE = """\
[plugin]

name="driver"
description="Runs the scripts of a test."
author="tests"
version="1"
script="plugin.gd"
"""
SCREEN = "1280x800x24"


@dataclass
class Driven:
    """A running Godot and the folder of the scripts for it."""

    process: subprocess.Popen[bytes]
    folder: Path
    log: Path
    numbers: Iterator[int] = field(default_factory=lambda: iter(range(1, 1_000_000)))

    @property
    def output(self) -> str:
        """Everything printed so far, without colours."""
        return ANSI_SEQUENCE.sub("", self.log.read_text(encoding="utf-8", errors="replace"))

    def run(self, body: str, seconds: float = 180) -> Any:
        """Run the lines of a function inside and return its result.

        Args:
            body: The lines of `func run(driver: Node) -> Variant`, not indented.
            seconds: Time limit.

        Raises:
            GodotError: There is no result in time.
        """
        number = next(self.numbers)
        lines = "".join(f"\t{line}\n" for line in body.strip().splitlines())
        text = f"@tool\nextends RefCounted\n\n\nfunc run(driver: Node) -> Variant:\n{lines}"
        script = self.folder / f"{number}.gd"
        script.with_suffix(".new").write_text(text, encoding="utf-8")
        script.with_suffix(".new").rename(script)
        answer = script.with_suffix(".json")
        limit = time.monotonic() + seconds
        while not answer.exists():
            if time.monotonic() > limit or self.process.poll() is not None:
                raise GodotError(f"no answer to\n{text}\n{self.output}")
            time.sleep(0.005)
        return json.loads(answer.read_text(encoding="utf-8"), strict=False)

    def until(self, body: str, wanted: Any, seconds: float = 180) -> float:
        """Ask until the answer is the wanted one; return the seconds that took.

        Raises:
            GodotError: The answer is another one in the end.
        """
        began = time.monotonic()
        while (answer := self.run(body, seconds)) != wanted:
            if time.monotonic() - began > seconds:
                raise GodotError(f"{answer!r} instead of {wanted!r}\n{self.output}")
            time.sleep(0.01)
        return time.monotonic() - began


def add_driver(project: Path) -> None:
    """Put the driver into a project, as plugin `driver`; games take it as their autoload."""
    position = project / "addons" / "driver"
    position.mkdir(parents=True)
    shutil.copy(DRIVER, position)
    (position / "plugin.gd").write_text(PLUGIN, encoding="utf-8")
    (position / "plugin.cfg").write_text(PLUGIN_FILE, encoding="utf-8")


@contextmanager
def driven(godot: Godot, project: Path, *arguments: str, window: bool = False) -> Iterator[Driven]:
    """Run Godot on a project that has the driver; it is ended on leaving.

    Args:
        godot: The engine.
        project: The project's folder.
        arguments: More arguments, such as `--editor`.
        window: Open a window on a virtual screen, so that pictures can be taken of it.
    """
    folder = Path(tempfile.mkdtemp(dir=godot.home, prefix="driver-"))
    log = folder / "output.log"
    command = [godot.command, "--path", str(project), "--audio-driver", "Dummy", *arguments]
    if window:
        screen = ["xvfb-run", "-a", "-s", f"-screen 0 {SCREEN}"]
        command = [*screen, *command, "--rendering-driver", "opengl3"]
    else:
        command.append("--headless")
    environment = {**home_environment(godot.home), "DRIVER_FOLDER": str(folder)}
    with log.open("wb") as stream:
        process = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            yield Driven(process, folder, log)
        finally:
            _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process and those it started: xvfb-run does not pass signals on."""
    group = os.getpgid(process.pid) if process.poll() is None else None
    if group is None:
        return
    for number in (15, 9):
        try:
            os.killpg(group, number)
            process.wait(60)
            return
        except subprocess.TimeoutExpired:
            continue
        except ProcessLookupError:
            return
