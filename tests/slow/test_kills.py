"""An export that is killed between any two calls to the system leaves whole files with an owner."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from daemon_harness import Project, environment, expected_outputs, leftovers, level_text
from exporter.export.clean import clean_stale
from silent_reporter import SilentReporter

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked here")

MOMENTS = {True: 28, False: 12}

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
    one_by_one = threading.Lock()  # files are synced by several threads
    def wrap(real):
        def call(*arguments, **options):
            for moment in (0, 1):
                with one_by_one:
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
from exporter.pipeline.build import build_level
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


@pytest.mark.parametrize("cached", [True, False], ids=["with cache", "without cache"])
def test_a_kill_at_any_moment_leaves_the_old_file_or_the_new_one(
    tmp_path: Path, cached: bool
) -> None:
    old = level_text(1, layer="ground")
    # The other layer's name makes some files new, some stale and some only changed.
    new = level_text(2, layer="floor")
    before, after = expected_outputs("cave", old), expected_outputs("cave", new)
    killer = Killer()
    start = Project(tmp_path / "start")
    start.spec("cave").write_text(old)
    assert killer.export(start.root, 0) == 0
    assert start.outputs() == before
    start.spec("cave").write_text(new)
    if not cached:
        shutil.rmtree(start.root / ".exporter" / "cache")
    trial = tmp_path / "count"
    shutil.copytree(start.root, trial)
    report = tmp_path / "report"
    assert killer.export(trial, 0, report) == 0
    steps = int(report.read_text())
    assert steps > 100
    stride = max(1, steps // MOMENTS[cached])
    for number, last in enumerate(range(1, steps + 1, stride)):
        project = Project(tmp_path / "trial")
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
            # Every file has an owner: when the spec goes, nothing of it is left. In a copy its
            # folder is another one than was noted, so that its files only become stale.
            project.spec("cave").unlink()
            assert killer.export(project.root, 0) == 0
            clean_stale(project.root, SilentReporter())
            assert not project.outputs(), last
            assert not leftovers(project.root)
        shutil.rmtree(project.root)
    killer.close()


def _assert_whole(project: Project, before: dict[str, bytes], after: dict[str, bytes]) -> None:
    for path, data in project.outputs().items():
        if path.endswith(".tmp"):
            continue
        assert data in (before.get(path), after.get(path)), path
    # Referenced files come first: whoever sees the new scene sees what it needs.
    scene = project.outputs().get("godot/levels/cave.tscn")
    if scene == after["godot/levels/cave.tscn"]:
        for needed in ("cave.tileset.png", "cave.tileset.tres"):
            data = project.outputs()[f"godot/levels/{needed}"]
            assert data == after[f"godot/levels/{needed}"]


def test_a_kill_in_the_first_export_leaves_nothing_without_an_owner(tmp_path: Path) -> None:
    killer = Killer()
    report = tmp_path / "report"
    first = Project(tmp_path / "first")
    first.write("cave")
    assert killer.export(first.root, 0, report) == 0
    steps = int(report.read_text())
    for last in range(1, steps - 20, max(1, steps // 10)):
        project = Project(tmp_path / "trial")
        project.write("cave")
        assert killer.export(project.root, last) == 9
        project.spec("cave").unlink()
        assert killer.export(project.root, 0) == 0
        clean_stale(project.root, SilentReporter())
        assert not project.outputs(), last
        assert not leftovers(project.root)
        shutil.rmtree(project.root)
    killer.close()


def test_a_file_of_the_users_in_a_claimed_place_is_not_taken_for_ours(tmp_path: Path) -> None:
    """A path that was announced but never written may have got another owner since."""
    from dataclasses import replace

    from exporter.store.store import Entry, Output, Store

    project = Project(tmp_path / "project")
    with Store(project.root, project.root / ".exporter") as store:
        digest = hashlib.sha256(b"ours").hexdigest()
        announced = Output("tiled/cave.tmj", "tilemap", None, "tiled", 4, "", coming=digest)
        sidecar = replace(announced, path="tiled/cave.meta", once=True)
        store.manifest.put(Entry("levels/cave.level.yaml", "cave", outputs=(announced, sidecar)))
        store.manifest.flush()
    (project.root / "tiled").mkdir()
    (project.root / "tiled" / "cave.tmj").write_text("mine")
    (project.root / "tiled" / "cave.meta").write_text("mine")
    assert project.export().returncode == 1  # there is no spec at all
    assert project.outputs() == {"tiled/cave.tmj": b"mine", "tiled/cave.meta": b"mine"}
