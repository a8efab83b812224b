"""Small projects in a temporary folder, and real daemons that watch them.

Tests wait for conditions, with a deadline that only a broken daemon misses, and never for times.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).resolve().parents[2]
if str(CHECKOUT) not in sys.path:
    sys.path.append(str(CHECKOUT))  # for the scripts, which run without an installed package

import exporter  # noqa: E402

POLITE_SECONDS = 60.0
DEADLINE = 300.0
TARGETS = """targets:
  godot: {path: godot/levels}
  tiled: {path: tiled}
"""
OUTPUT_FOLDERS = ("godot", "tiled")
INDEX = ".level-exporter-index"


def level_text(seed: int = 1, *, size: int = 12, layer: str = "ground", more: str = "") -> str:
    """Return the text of a small level spec."""
    return (
        f"size: [{size}, {size}]\nseed: {seed}\n"
        f"layers:\n  {layer}: {{generator: cellular_caves}}\n{more}"
    )


class Project:
    """A project of small levels."""

    def __init__(self, root: Path, settings: str = TARGETS) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)
        (root / "levels").mkdir(exist_ok=True)
        (root / "exporter.yaml").write_text("levels: levels/**/*.level.yaml\n" + settings)

    def spec(self, name: str) -> Path:
        """Return the path of a level's spec."""
        return self.root / "levels" / f"{name}.level.yaml"

    def write(self, name: str, seed: int = 1, **options: Any) -> Path:
        """Write a level's spec in place."""
        path = self.spec(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(level_text(seed, **options))
        return path

    def outputs(self) -> dict[str, bytes]:
        """Return the content of every file in the target folders, but for the indexes."""
        result = {}
        for folder in OUTPUT_FOLDERS:
            for path in (self.root / folder).rglob("*"):
                if path.is_file() and path.name != INDEX:
                    result[path.relative_to(self.root).as_posix()] = path.read_bytes()
        return result

    def seed_on_disk(self, name: str, seed: int, **options: Any) -> bool:
        """Whether a level's outputs are those of the given spec (and all of them are there)."""
        expected = expected_outputs(name, level_text(seed, **options))
        own = {path: data for path, data in self.outputs().items() if _is_of(path, name)}
        return own == expected

    def manifest(self) -> dict[str, str]:
        """Return the SHA-256 of every output the manifest names."""
        from exporter.store.store import Store

        entries = Store(self.root, self.root / ".exporter").peek()
        return {o.path: o.sha256 for entry in entries.values() for o in entry.outputs}

    def export(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run `exporter export --json` in this process."""
        from command_line import run

        return run("export", self.root, "--json", *arguments)

    def assert_true(self) -> None:
        """Assert that the manifest names exactly the files present, with their content."""
        files = {path: hashlib.sha256(data).hexdigest() for path, data in self.outputs().items()}
        assert self.manifest() == files
        # A daemon that runs writes its status now and then; an interrupted write stays for ever.
        wait_until(lambda: not leftovers(self.root), "a temporary file is left")


def _is_of(path: str, name: str) -> bool:
    return path.rsplit("/", 1)[-1].startswith(f"{name}.")


_EXPECTED: dict[tuple[str, str], dict[str, bytes]] = {}


def expected_outputs(name: str, text: str, settings: str = TARGETS) -> dict[str, bytes]:
    """Return the outputs of a level, built in memory."""
    from exporter.export.level_builder import build_files
    from exporter.export.tasks import Task
    from exporter.project.settings_file import parse_project

    key = (name, text + settings)
    if key not in _EXPECTED:
        project = parse_project(settings.encode(), "exporter.yaml", Path("/nowhere"))
        spec = f"levels/{name}.level.yaml"
        built = build_files(Task(project, spec, text.encode(), "", "", fresh=True))
        assert not built.problems, built.problems
        _EXPECTED[key] = {file.path: file.data or b"" for file in built.files}
    return _EXPECTED[key]


def leftovers(root: Path) -> list[str]:
    """Return the temporary files below a folder."""
    return [str(path) for path in root.rglob(".*.tmp") if "/cache/" not in path.as_posix()]


def fresh_copy(project: Project, folder: Path) -> Project:
    """Return a project with the same specs and inputs but without any state or output."""
    ignored = shutil.ignore_patterns(".exporter", *OUTPUT_FOLDERS)
    shutil.copytree(project.root, folder, ignore=ignored)
    copy = Project.__new__(Project)
    copy.root = folder
    return copy


def environment(**more: str) -> dict[str, str]:
    """Return the environment in which the exporter runs that this process has imported.

    In a checkout that need not be the checkout's: an installed one has compiled kernels.
    """
    package, harness = Path(exporter.__file__).parents[1], CHECKOUT / "tests" / "harness"
    paths = [str(package), str(harness), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), **more}


def wait_until(condition: Callable[[], Any], what: str = "", seconds: float = DEADLINE) -> None:
    """Wait until a condition holds; fail when it does not before the deadline."""
    limit = time.monotonic() + seconds
    while time.monotonic() < limit:
        try:
            if condition():
                return
        except OSError:
            pass  # files come and go during the scan
        time.sleep(0.02)
    raise AssertionError(f"not in {seconds:g} seconds: {what or condition}")


class Daemon:
    """A running `exporter watch --json`."""

    def __init__(self, project: Project, *arguments: str, before: str = "", **more: str) -> None:
        self.project = project
        command = [sys.executable, "-P", "-m", "exporter", "watch", str(project.root), "--json"]
        if before:
            code = f"{before}\nimport sys\nfrom exporter.cli.main import main\nsys.exit(main())"
            command = [sys.executable, "-c", code, "watch", str(project.root), "--json"]
        self.process = subprocess.Popen(
            [*command, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(**more),
            start_new_session=True,
        )
        self.events: list[dict[str, Any]] = []
        self.errors: list[str] = []
        self._new: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._threads = [
            threading.Thread(target=self._read_output, daemon=True),
            threading.Thread(target=self._read_errors, daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> Daemon:
        self.wait_for("ready")
        return self

    def __exit__(self, *_: object) -> None:
        # Politely first: a daemon killed in the middle of its status leaves a temporary file.
        with contextlib.suppress(subprocess.TimeoutExpired):
            if self.process.poll() is None:
                self.process.send_signal(signal.SIGCONT)
                self.process.terminate()
                self.process.wait(POLITE_SECONDS)
        self.kill()

    def _read_output(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            event = json.loads(line)
            self.events.append(event)
            self._new.put(event)

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        self.errors.extend(self.process.stderr)

    def wait_for(self, event: str, **values: Any) -> dict[str, Any]:
        """Return the next event of a kind with these values; earlier ones are passed over."""
        limit = time.monotonic() + DEADLINE
        while time.monotonic() < limit:
            try:
                result = self._new.get(timeout=0.2)
            except queue.Empty:
                if self.process.poll() is not None and self._new.empty():
                    break
                continue
            if result["event"] == event and all(result.get(k) == v for k, v in values.items()):
                return result
        raise AssertionError(
            f"no {event} {values}\nevents: {self._short()}\nstderr: {''.join(self.errors)}"
        )

    def _short(self) -> list[dict[str, Any]]:
        hidden = ("outputs", "layers", "written")
        return [{k: v for k, v in e.items() if k not in hidden} for e in self.events[-12:]]

    def of(self, event: str, level: str) -> list[dict[str, Any]]:
        """Return all events of a kind for a level so far."""
        return [item for item in self.events if item["event"] == event and item["level"] == level]

    def fence(self) -> None:
        """Wait until everything done so far has been dealt with: a save later on is exported."""
        number = len(self.of("level", "fence")) + 1
        self.project.write("fence", seed=number)
        self.wait_for("level", level="fence")

    def signal(self, number: int) -> int:
        """Send a signal and return the exit code."""
        self.process.send_signal(number)
        return self.process.wait(DEADLINE)

    def kill(self) -> None:
        """End it whatever state it is in."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
        self.process.wait(DEADLINE)
        for thread in self._threads:
            thread.join(DEADLINE)
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()


def children(process: int) -> Iterator[int]:
    """Return all descendants of a process (Linux)."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if parent == process:
            child = int(stat.parent.name)
            yield child
            yield from children(child)
