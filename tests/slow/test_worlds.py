"""Worlds in an export that is killed, in several processes and under a daemon."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from daemon_harness import DEADLINE, Daemon, Project, environment
from exporter.store.entries import is_part
from exporter.store.manifest import Manifest
from world_project import PARTS, WorldProject


@pytest.fixture
def world(tmp_path: Path) -> WorldProject:
    """Return a world that one process has exported, without its outputs and state."""
    return WorldProject(tmp_path / "game")


def test_killed_export_in_several_processes_ends_with_the_same_bytes(world: WorldProject) -> None:
    world.run("--jobs", "1")
    contents = world.contents()
    shutil.rmtree(world.root / "tiled")
    shutil.rmtree(world.root / ".exporter")
    moments = random.Random(3)
    done: dict[str, int] = {}
    kills = 0
    for _ in range(20):
        command = [sys.executable, "-m", "exporter", "export", str(world.root), "--jobs", "2"]
        running = subprocess.Popen(
            command,
            env=environment(),
            start_new_session=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        # The first kills come at any moment, the others soon after another part is stored.
        limit = time.monotonic() + (moments.uniform(0.2, 0.8) if kills < 1 else DEADLINE)
        while time.monotonic() < limit and running.poll() is None:
            if kills >= 1 and len(_stored(world)) > len(done):
                time.sleep(moments.uniform(0, 0.05))
                break
            time.sleep(0.002)
        if running.poll() is not None:
            break
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()
        kills += 1
        stored = _stored(world)
        # Stored parts are not made again, and each of the two processes loses one part at most.
        assert all(world.part(p).stat().st_mtime_ns == at for p, at in done.items())
        assert len({p for p in PARTS if world.part(p).exists()} - stored) <= 2
        done = {p: world.part(p).stat().st_mtime_ns for p in stored}
    else:
        world.run("--jobs", "2")
    assert kills >= 3
    assert world.contents() == contents


def _stored(world: WorldProject) -> set[str]:
    """Return the parts that the manifest has as done."""
    manifest = Manifest(world.root / ".exporter")
    manifest.refresh()
    return {
        key.partition("\n")[2]
        for key, entry in manifest.entries.items()
        if is_part(key) and entry.key
    }


def test_daemon_makes_the_parts_that_change(world: WorldProject) -> None:
    project = Project.__new__(Project)
    project.root = world.root
    with Daemon(project) as daemon:
        assert all(world.part(part).exists() for part in PARTS)
        times = world.times()
        world.write(seed=9)
        daemon.wait_for("level", level="cavern", status="built")
        after = world.times()
        assert all(after[part] != times[part] for part in PARTS)
        daemon.signal(signal.SIGTERM)
    contents = world.contents()
    shutil.rmtree(world.root / "tiled")
    world.run()
    assert world.contents() == contents
