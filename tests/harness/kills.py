"""Exports that are killed between any two calls to the system: whole files with an owner stay."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

from daemon_harness import Project, environment, expected_outputs, leftovers, level_text
from exporter.export.clean import clean_stale
from silent_reporter import SilentReporter

# Exports a project in forked children; the n-th child is killed before or after its n-th call.
DRIVER = """
import builtins, json, os, signal, sys, threading
from pathlib import Path
from exporter.export.export import export_project
from exporter.export.settings import Settings
from silent_reporter import SilentReporter

CALLS = ("open", "write", "fsync", "replace", "rename", "unlink", "utime", "chmod", "mkdir",
         "rmdir", "ftruncate")

def watched(count, last):
    sequentially = threading.Lock()  # files are synced by several threads
    def wrap(real):
        def call(*arguments, **options):
            for moment in (0, 1):
                with sequentially:
                    count[0] += 1
                    if count[0] == last:
                        os.kill(os.getpid(), signal.SIGKILL)
                if moment == 0:
                    result = real(*arguments, **options)
            return result
        return call
    for name in CALLS:
        setattr(os, name, wrap(getattr(os, name)))

def export(root, last, report=None):
    child = os.fork()
    if child == 0:
        try:
            count = [0]
            watched(count, last)
            export_project(root, Settings(jobs=1), SilentReporter())
            if report:
                builtins.open(report, "w").write(str(count[0]))
            os._exit(0)
        except BaseException:
            import traceback
            traceback.print_exc()
        os._exit(1)
    return os.waitpid(child, 0)[1]

# Imports and tables once, so that every child is cheap.
from exporter.build.build import build_level
from exporter.reading.reader import parse_level
from exporter.targets import TARGETS
build_level(parse_level(b"size: [12, 12]\\nlayers: {g: {generator: cellular_caves}}", "w"))
for line in sys.stdin:
    task = json.loads(line)
    print(export(Path(task["root"]), task["last"], task.get("report")), flush=True)
"""


class Killer:
    """Runs exports that are killed at a given moment."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", DRIVER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment(),
        )

    def count(self, root: Path, report: Path) -> int:
        """Export to the end; return the number of moments at which it could have been killed."""
        assert self.export(root, 0, report) == 0
        return int(report.read_text())

    def export(self, root: Path, last: int, report: Path | None = None) -> int:
        """Export; return how the process ended (0 or the signal)."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        task = {"root": str(root), "last": last, "report": str(report) if report else None}
        self.process.stdin.write(json.dumps(task) + "\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())

    def close(self) -> None:
        """End the driver."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(60)
        self.process.stdout.close()


def check_killed_change(folder: Path, *, cached: bool, moments: int) -> int:
    """Kill the export of a changed level at so many moments; return at how many it was."""
    old = level_text(1, layer="ground")
    # The other layer's name makes some files new, some stale and some only changed.
    new = level_text(2, layer="floor")
    before, after = expected_outputs("cave", old), expected_outputs("cave", new)
    killer = Killer()
    start = Project(folder / "start")
    start.spec("cave").write_text(old)
    assert killer.export(start.root, 0) == 0
    assert start.outputs() == before
    start.spec("cave").write_text(new)
    if not cached:
        shutil.rmtree(start.root / ".exporter" / "cache")
    trial = folder / "count"
    shutil.copytree(start.root, trial)
    steps = killer.count(trial, folder / "report")
    assert steps > 100
    kills = range(1, steps + 1, max(1, steps // moments))
    for number, last in enumerate(kills):
        project = Project(folder / "trial")
        shutil.copytree(start.root, project.root, dirs_exist_ok=True)
        # Close to the end the count may be off by one: whether a time must be stepped varies.
        assert killer.export(project.root, last) in ((9, 0) if last > steps - 20 else (9,))
        _assert_whole(project, before, after)
        if number % 2:
            assert killer.export(project.root, 0) == 0
            clean_stale(project.root, SilentReporter())  # the former layer's files
            assert project.outputs() == after, last
            project.assert_true()
        else:
            _assert_owned(killer, project, last)
        shutil.rmtree(project.root)
    killer.close()
    return len(kills)


def _assert_whole(project: Project, before: dict[str, bytes], after: dict[str, bytes]) -> None:
    for path, data in project.outputs().items():
        if path.endswith(".tmp"):
            continue
        assert data in (before.get(path), after.get(path)), path
    # Referenced files come first: a reader of the new scene sees the files it needs.
    scene = project.outputs().get("godot/levels/cave.tscn")
    if scene == after["godot/levels/cave.tscn"]:
        for needed in ("cave.tileset.png", "cave.tileset.tres"):
            data = project.outputs()[f"godot/levels/{needed}"]
            assert data == after[f"godot/levels/{needed}"]


def _assert_owned(killer: Killer, project: Project, last: int) -> None:
    """Check that every file has an owner: when the spec goes, nothing of it is left.

    The copy of a project has another folder than was noted, so that its files only become stale.
    """
    project.spec("cave").unlink()
    assert killer.export(project.root, 0) == 0
    clean_stale(project.root, SilentReporter())
    assert not project.outputs(), last
    assert not leftovers(project.root)


def check_killed_first_export(folder: Path, moments: int) -> int:
    """Kill the first export of a level; nothing that is left is without an owner."""
    killer = Killer()
    first = Project(folder / "first")
    first.write("cave")
    steps = killer.count(first.root, folder / "report")
    kills = range(1, steps - 20, max(1, steps // moments))
    for last in kills:
        project = Project(folder / "trial")
        project.write("cave")
        assert killer.export(project.root, last) == 9
        _assert_owned(killer, project, last)
        shutil.rmtree(project.root)
    killer.close()
    return len(kills)
