"""Godot 4 without a screen: import projects and run GDScripts in them.

Godot's exit code says little: an import that fails, a script that does not parse and a resource
that is missing all end with 0. So every run's output is scanned for error lines, and an import
also for `valid=false`, the mark a failed import leaves for good.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine_harness.folders import copy_addon
from engine_harness.import_host import ImportHost, can_share
from engine_harness.line_process import LineProcess
from engine_harness.processes import MOST_SECONDS, home_environment, run

RUNNER = Path(__file__).with_name("run_query.gd")
READ_SCENE = Path(__file__).with_name("read_scene.gd")
READ_BLOBS = Path(__file__).with_name("read_blobs.gd")
BREAK_BLOBS = Path(__file__).with_name("break_blobs.gd")
ERROR_LINE = re.compile(
    r"^(?:\s*(?:USER |SCRIPT )?ERROR:|.*Parse Error|.*Error importing|.*handle_crash).*$", re.M
)
WARNING_LINE = re.compile(r"^\s*(?:USER )?WARNING:.*$", re.M)

PROJECT_FILE = """\
config_version=5

[application]

config/name="{name}"
config/features=PackedStringArray("4.3")
"""


class GodotError(AssertionError):
    """Godot reported an error; the message is its whole output."""


@dataclass(frozen=True, slots=True)
class Godot:
    """The `godot` command, with a home folder of its own for settings and caches."""

    command: str
    home: Path
    importer: ImportHost = field(compare=False)
    games: dict[Any, LineProcess] = field(default_factory=dict, compare=False)

    @classmethod
    def find(cls, home: Path) -> Godot | None:
        """Return Godot if its command is on the path."""
        command = shutil.which("godot") or shutil.which("godot4")
        return cls(command, home, ImportHost([command, "--headless"], home)) if command else None

    def close(self) -> None:
        """End the processes that are kept between tests."""
        self.importer.close()
        while self.games:
            self.games.popitem()[1].close()

    def new_project(self, folder: Path, plugins: tuple[str, ...] = ()) -> Path:
        """Make a minimal project with these plugins enabled, the addon's with its files."""
        folder.mkdir(parents=True, exist_ok=True)
        text = PROJECT_FILE.format(name=folder.name)
        if plugins:
            listed = ", ".join(f'"res://addons/{plugin}/plugin.cfg"' for plugin in plugins)
            text += f"\n[editor_plugins]\n\nenabled=PackedStringArray({listed})\n"
        (folder / "project.godot").write_text(text, encoding="utf-8")
        if "level_exporter" in plugins:
            copy_addon(folder)
        return folder

    def import_project(
        self, project: Path, seconds: float = MOST_SECONDS, *, first_start: bool = False
    ) -> str:
        """Import a project's files and return Godot's output.

        Args:
            project: Folder with `project.godot`.
            seconds: Time limit.
            first_start: Run `godot --import` on it, as continuous integration does; otherwise the
                session's editor imports it if it can.

        Raises:
            GodotError: When the output has an error line or an import is marked invalid.
        """
        faults = []
        if first_start or not can_share(project):
            code, output = self._run(["--path", str(project), "--import"], seconds)
            if code != 0:
                faults.append(f"exit code {code}")
        else:
            try:
                output = self.importer.import_project(project, seconds)
            except EOFError as error:
                raise GodotError(str(error)) from error
        faults += errors_in(output)
        faults += [
            f"{path.relative_to(project)}: valid=false"
            for path in sorted(project.rglob("*.import"))
            if "valid=false" in path.read_text(encoding="utf-8", errors="replace")
        ]
        if faults:
            raise GodotError("\n".join([*faults, "--- output ---", output]))
        return output

    def run(self, arguments: list[str], seconds: float = MOST_SECONDS) -> str:
        """Run `godot --headless` with these arguments and return its output.

        Raises:
            GodotError: It does not end in time, or with another exit code than 0.
        """
        code, output = self._run(arguments, seconds)
        if code != 0:
            raise GodotError(f"exit code {code}\n{output}")
        return output

    def query(
        self,
        project: Path,
        script: Path | str,
        arguments: Any = None,
        seconds: float = MOST_SECONDS,
        allow_errors: bool = False,
        allow_warnings: bool = True,
        window: tuple[int, int] | None = None,
    ) -> Any:
        """Run a GDScript inside a project and return the result of its `query`.

        Args:
            project: Folder with `project.godot`.
            script: The script, as a path or as text; it has a function
                `query(arguments: Variant) -> Variant`, whose result must be JSON-able (bytes
                go through `Marshalls.raw_to_base64`).
            arguments: JSON-able value for that function; numbers arrive as GDScript floats.
            seconds: Time limit.
            allow_errors: Whether the test expects error lines in the output.
            allow_warnings: Whether there may be warnings.
            window: Width and height of a window on a virtual screen, where the script can see the
            drawing; None to run without any.

        Raises:
            GodotError: When Godot reports an error or the script gives no result.
        """
        answer, output = self.query_with_output(project, script, arguments, seconds, window)
        faults = [] if allow_errors else errors_in(output)
        if not allow_warnings:
            faults += [line.strip() for line in WARNING_LINE.findall(output)]
        if faults:
            raise GodotError("\n".join([*faults, output]))
        return answer

    def query_with_output(
        self,
        project: Path,
        script: Path | str,
        arguments: Any = None,
        seconds: float = MOST_SECONDS,
        window: tuple[int, int] | None = None,
    ) -> tuple[Any, str]:
        """Run a GDScript as `query` does and return its result and all that Godot printed.

        Raises:
            GodotError: When the script gives no result.
        """
        with tempfile.TemporaryDirectory(dir=self.home) as scratch:
            if isinstance(script, str):
                script_path = Path(scratch) / "query.gd"
                script_path.write_text(script, encoding="utf-8")
            else:
                script_path = script
            question, answer = Path(scratch) / "question.json", Path(scratch) / "answer.json"
            question.write_text(json.dumps(arguments), encoding="utf-8")
            job = {"script": script_path, "question": question, "answer": answer}
            process = self._open_game(project, window)
            try:
                said, output = process.ask(
                    {name: str(path.resolve()) for name, path in job.items()}, seconds
                )
            except EOFError as error:
                raise GodotError("\n".join([*errors_in(str(error)), str(error)])) from error
            finally:
                if window:
                    process.close()
            if said != "answered":
                raise GodotError("\n".join([*errors_in(output), output]))
            # Godot writes control characters in texts as they are.
            return json.loads(answer.read_text(encoding="utf-8"), strict=False), output

    def _open_game(self, project: Path, window: tuple[int, int] | None) -> LineProcess:
        """Return a game that answers queries: the last one, if its project is unchanged."""
        state = None if window else (project, files_and_times(project))
        for key in [key for key, game in self.games.items() if key != state or not game.is_running]:
            self.games.pop(key).close()
        if state in self.games:
            return self.games[state]
        command = [*self._command(window), "--path", str(project), "--script", str(RUNNER)]
        game = LineProcess(command, home_environment(self.home))
        if state:
            self.games[state] = game
        return game

    def _command(self, window: tuple[int, int] | None = None) -> list[str]:
        if window is None:
            return [self.command, "--headless"]
        width, height = window
        return [
            *("xvfb-run", "-a", "-s", f"-screen 0 {width}x{height}x24", self.command),
            *("--rendering-driver", "opengl3", "--audio-driver", "Dummy"),
            *("--resolution", f"{width}x{height}"),
        ]

    def _run(self, arguments: list[str], seconds: float) -> tuple[int, str]:
        try:
            return run([*self._command(), *arguments], home_environment(self.home), seconds)
        except subprocess.TimeoutExpired as expired:
            printed = expired.stdout or b""
            raise GodotError(
                f"no end after {seconds} s\n{printed.decode('utf-8', 'replace')}"
            ) from expired


def files_and_times(project: Path) -> tuple[tuple[str, int], ...]:
    """Return the files of a project and their times of change, without Godot's own."""
    times = (
        (str(path), path.stat().st_mtime_ns)
        for path in project.rglob("*")
        if ".godot" not in path.parts and not path.is_dir()
    )
    return tuple(sorted(times))


def errors_in(output: str) -> list[str]:
    """Return the error lines of Godot's output."""
    return [line.strip() for line in ERROR_LINE.findall(output)]
