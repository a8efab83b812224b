"""`exporter preview --watch`: changes are drawn, errors reported, Ctrl+C ends it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import exporter
from daemon_harness import DEADLINE, environment, wait_until

CAVE = "size: [12, 10]\nseed: 3\nlayers:\n  ground: {generator: cellular_caves}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.level.yaml").write_text(CAVE)
    (tmp_path / "b.level.yaml").write_text(CAVE.replace("seed: 3", "seed: 4"))
    return tmp_path


@pytest.fixture
def watching(folder: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "exporter", "preview", "a.level.yaml", "b.level.yaml"]
    process = subprocess.Popen(
        [*command, "--watch"],
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    yield process
    process.kill()
    process.communicate()


@pytest.mark.skipif(os.name == "nt", reason="consoles send Ctrl+C to a whole group there")
def test_a_change_is_drawn_an_error_is_reported_and_an_interrupt_ends_it(
    folder: Path, watching: subprocess.Popen[str]
) -> None:
    first, second = folder / "a.png", folder / "b.png"
    wait_until(lambda: first.exists() and second.exists())
    before, other = first.read_bytes(), second.stat().st_mtime_ns
    assert watching.stderr is not None
    assert "waiting for changes" in watching.stderr.readline()
    (folder / "a.level.yaml").write_text("size: [12, 10]\nlayers: 7\n")
    reported = watching.stderr.readline()
    assert reported.startswith("a.level.yaml:2:9: error: ")
    assert first.read_bytes() == before
    (folder / "a.level.yaml").write_text(CAVE.replace("seed: 3", "seed: 8"))
    wait_until(lambda: first.read_bytes() != before)
    # Hand edits that appear are a change, too.
    before = first.read_bytes()
    level = exporter.build_level(exporter.load_level(folder / "a.level.yaml"))
    y, x = np.argwhere(~level.walkable())[0].tolist()
    edit = f"{{at: [{x}, {y}], was: wall, now: floor}}"
    (folder / "a.edits.yaml").write_text(f"layers:\n  ground:\n    - {edit}\n")
    wait_until(lambda: first.read_bytes() != before)
    assert second.stat().st_mtime_ns == other
    watching.send_signal(signal.SIGINT)
    assert watching.wait(DEADLINE) == 0
