"""Events of a daemon: signals, rivals, dead workers and observers, checkouts."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from command_line import run
from daemon_harness import (
    DEADLINE,
    Daemon,
    Project,
    children,
    environment,
    leftovers,
    wait_until,
)

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = Project(tmp_path / "project")
    project.write("cave", seed=1)
    return project


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0), (signal.SIGHUP, 0)]
)
def test_a_signal_ends_it_cleanly(project: Project, number: int, code: int) -> None:
    with Daemon(project) as daemon:
        project.write("cave", seed=2)
        # In the middle of whatever it is doing just now.
        assert daemon.signal(number) == code
    assert "Traceback" not in "".join(daemon.errors)
    assert not leftovers(project.root)
    project.assert_true()
    assert project.export().returncode == 0
    assert project.seed_on_disk("cave", 2)


@linux
def test_killed_daemon_takes_its_workers_along_and_the_next_one_goes_on(project: Project) -> None:
    with Daemon(project) as daemon:
        workers = list(children(daemon.process.pid))
        assert workers
        project.write("cave", seed=2)
        daemon.kill()
    wait_until(lambda: not any(Path(f"/proc/{worker}").exists() for worker in workers))
    project.write("cave", seed=3)
    with Daemon(project) as daemon:
        wait_until(lambda: project.seed_on_disk("cave", 3))
        daemon.fence()
    project.assert_true()


def test_a_second_daemon_says_so_and_leaves_or_takes_over(project: Project) -> None:
    with Daemon(project) as first:
        second = run("watch", str(project.root))
        assert second.returncode == 2
        assert str(first.process.pid) in second.stderr
        assert "--takeover" in second.stderr
        with Daemon(project, "--takeover") as third:
            assert first.process.wait(DEADLINE) == 0
            project.write("cave", seed=2)
            third.wait_for("level", level="cave")
            assert project.seed_on_disk("cave", 2)


def test_a_daemon_notices_exports_beside_it(project: Project) -> None:
    with Daemon(project) as daemon:
        for seed in range(2, 4):
            project.write("cave", seed=seed)
            project.write(f"other{seed}", seed=seed)
            assert project.export("--force").returncode == 0
        wait_until(lambda: project.seed_on_disk("cave", 3))
        daemon.fence()
        wait_until(lambda: project.manifest().keys() == project.outputs().keys())
    project.assert_true()


@linux
def test_a_worker_that_is_killed_is_replaced(project: Project) -> None:
    with Daemon(project) as daemon:
        for worker in list(children(daemon.process.pid)):
            with contextlib.suppress(ProcessLookupError, OSError):
                command = Path(f"/proc/{worker}/cmdline").read_bytes()
                if b"resource_tracker" not in command:
                    os.kill(worker, signal.SIGKILL)
        project.write("cave", seed=2)
        # A worker shot while building is reported; the next save works.
        daemon.wait_for("level", level="cave")
        project.write("cave", seed=3)
        wait_until(lambda: project.seed_on_disk("cave", 3))
        daemon.fence()


WORKERS = """
import os, time
from exporter.export import workers
from exporter.export.level_builder import build_files

def builder(task):
    if b"seed: 66" in task.content:
        os.abort()
    if b"seed: 77" in task.content:
        time.sleep(3600)
    if b"seed: 88" in task.content:
        raise MemoryError
    return build_files(task)
"""
ODD_BUILDER = """
import odd_builder
from exporter.watch import loop
from exporter.export.workers import Workers
loop.Workers = lambda count, timeout, **more: Workers(count, timeout, odd_builder.builder, **more)
"""


def test_a_level_that_kills_or_hangs_its_worker_is_reported_and_the_next_save_works(
    project: Project, tmp_path: Path
) -> None:
    (tmp_path / "odd_builder.py").write_text(WORKERS)
    path = os.pathsep.join([str(tmp_path), environment()["PYTHONPATH"]])
    with Daemon(project, "--max-seconds", "30", before=ODD_BUILDER, PYTHONPATH=path) as daemon:
        for seed, words in ((66, "SIGABRT"), (77, "no answer for 30 seconds"), (88, "ended")):
            project.write("odd", seed=seed)
            event = daemon.wait_for("level", level="odd", status="failed")
            assert words in event["errors"][0]["message"]
            project.write("odd", seed=seed + 1)
            wait_until(lambda seed=seed: project.seed_on_disk("odd", seed + 1))


def test_a_newer_save_cancels_the_one_that_is_being_built(project: Project, tmp_path: Path) -> None:
    (tmp_path / "odd_builder.py").write_text(WORKERS)
    path = os.pathsep.join([str(tmp_path), environment()["PYTHONPATH"]])
    with Daemon(project, before=ODD_BUILDER, PYTHONPATH=path) as daemon:
        project.write("odd", seed=77)
        daemon.fence()
        project.write("odd", seed=2)
        event = daemon.wait_for("level", level="odd")
        assert event["status"] == "built"
        assert project.seed_on_disk("odd", 2)


NO_INOTIFY = """
from watchdog.observers.inotify import InotifyObserver
def start(self):
    raise OSError(24, "Too many open files")
InotifyObserver.start = start
"""


@linux
def test_without_events_it_looks_regularly_and_says_so(project: Project) -> None:
    with Daemon(project, before=NO_INOTIFY) as daemon:
        for seed in (2, 3):
            project.write("cave", seed=seed)
            wait_until(lambda seed=seed: project.seed_on_disk("cave", seed))
        wait_until(lambda: any(event["event"] == "remark" for event in daemon.events))
        (remark,) = [event for event in daemon.events if event["event"] == "remark"]
        assert "regularly" in remark["message"]


def test_polling_sees_every_kind_of_change(project: Project) -> None:
    with Daemon(project, "--poll") as daemon:
        project.write("cave", seed=2)
        daemon.wait_for("level", level="cave", status="built")
        assert project.seed_on_disk("cave", 2)
        project.write("new/other", seed=1)
        daemon.wait_for("level", level="other", status="built")
        project.spec("cave").unlink()
        daemon.wait_for("removed", level="cave")


def test_a_burst_of_files_is_exported_whole(project: Project) -> None:
    with Daemon(project) as daemon:
        # The observer's queue runs over: many files while the daemon is stopped.
        daemon.process.send_signal(signal.SIGSTOP)
        noise = project.root / "levels" / "noise"
        noise.mkdir()
        for number in range(20_000):
            (noise / str(number)).touch()
        for number in range(8):
            project.write(f"burst{number}", seed=number)
        daemon.process.send_signal(signal.SIGCONT)
        wait_until(lambda: all(project.seed_on_disk(f"burst{n}", n) for n in range(8)))
        daemon.fence()


def test_a_checkout_is_one_batch(project: Project) -> None:
    git = project.root / ".git"
    git.mkdir()
    with Daemon(project) as daemon:

        def count() -> int:
            return sum(event["event"] == "level" for event in daemon.events)

        lock = git / "index.lock"
        lock.touch()
        for number in range(8):
            project.write(f"branch{number}", seed=number)
            time.sleep(0.02)
        before = count()
        assert not any(event.get("level", "").startswith("branch") for event in daemon.events)
        project.spec("branch3").unlink()
        lock.unlink()
        there = [number for number in range(8) if number != 3]
        wait_until(lambda: all(project.seed_on_disk(f"branch{n}", n) for n in there))
        daemon.fence()
        assert count() - before == 8
        assert not daemon.of("level", "branch3")


def test_settings_and_files_a_spec_reads_are_watched_too(project: Project) -> None:
    from PIL import Image

    picture = project.root / "art" / "hill.png"
    picture.parent.mkdir()
    spec = project.spec("hill")
    with Daemon(project) as daemon:
        relief = "size: [12, 12]\nlayers: {relief: {generator: heightmap, from_image: %s}}\n"
        spec.write_text(relief % "../art/hill.png")
        event = daemon.wait_for("level", level="hill", status="failed")
        assert "cannot be read" in event["errors"][0]["message"]
        Image.new("L", (12, 12), 40).save(picture)
        event = daemon.wait_for("level", level="hill", status="built")
        before = project.outputs()
        Image.linear_gradient("L").resize((12, 12)).save(picture)
        event = daemon.wait_for("level", level="hill", status="built")
        assert event["causes"] == ["art/hill.png"]
        assert project.outputs() != before
        cave = {p: d for p, d in project.outputs().items() if "cave" in p}
        settings = project.root / "exporter.yaml"
        settings.write_text(
            settings.read_text().replace("{path: tiled}", "{path: tiled, block_size: 2}")
        )
        event = daemon.wait_for("level", level="cave", status="built")
        assert event["written"] == ["tiled/cave.ground.png"]
        assert event["causes"] == ["exporter.yaml"]
        changed = {p for p, d in project.outputs().items() if "cave" in p and cave[p] != d}
        assert changed == {"tiled/cave.ground.png"}
        settings.write_text("targets: {godot: {path: godot, blok_size: 1}}\n")
        event = daemon.wait_for("error")
        assert "block_size" in event["errors"][0]["message"]
        project.write("cave", seed=2)
        settings.write_text("targets: {tiled: {path: tiled}}\n")
        daemon.wait_for("level", level="cave", status="built")
        stale = daemon.wait_for("stale")["paths"]
        # Changes of exporter.yaml remove nothing.
        assert {path for path in project.outputs() if path.startswith("godot/")} == set(stale)


def test_outputs_inside_the_watched_folder_never_wake_it(tmp_path: Path) -> None:
    project = Project(tmp_path / "project", "targets:\n  tiled: {path: levels/out}\n")
    project.write("cave", seed=1)
    with Daemon(project) as daemon:
        project.write("cave", seed=2)
        daemon.wait_for("level", level="cave", status="built")
        status = project.root / ".exporter" / "status.json"
        daemon.wait_for("upkeep")

        def is_left_alone() -> bool:
            before = status.stat().st_mtime_ns
            time.sleep(1.5)
            return status.stat().st_mtime_ns == before

        wait_until(is_left_alone, "a daemon that its own outputs do not wake")
        kinds = [event["event"] for event in daemon.events]
        assert kinds == ["level", "upkeep", "ready", "level", "upkeep"]


def test_a_reader_that_leaves_ends_it_quietly(project: Project) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "exporter", "watch", str(project.root), "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        process.stdout.readline()
        process.stdout.close()
        limit = time.monotonic() + DEADLINE
        seed, pause = 2, 0.2
        while process.poll() is None:
            assert time.monotonic() < limit
            project.write("cave", seed=seed)
            seed += 1
            time.sleep(pause)
            pause *= 1.5  # a save cancels a build: a slow machine needs longer to have one to tell
        assert process.returncode == 0
        assert process.stderr.read() == ""
    finally:
        process.kill()
        process.wait()
        process.stderr.close()
