"""A daemon that ends with its standard input, as one that an editor started."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from daemon_harness import CHECKOUT, DEADLINE, Project


def watching(root: Path, *options: str) -> subprocess.Popen[str]:
    """A daemon that has exported its project."""
    daemon = subprocess.Popen(
        [sys.executable, "-m", "exporter", "watch", str(root), *options],
        cwd=CHECKOUT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert daemon.stdout is not None
    while "watching" not in (line := daemon.stdout.readline()):
        assert line, "the daemon has ended"
    return daemon


@pytest.mark.parametrize("way", ["stop", "end"])
def test_a_daemon_ends_with_its_input_if_it_was_requested_to(tmp_path: Path, way: str) -> None:
    project = Project(tmp_path)
    project.write("cave")
    daemon = watching(tmp_path, "--end-with-input")
    output, _ = daemon.communicate("stop\n" if way == "stop" else None, timeout=DEADLINE)
    assert daemon.returncode == 0, output


def test_a_daemon_goes_on_without_input_unless_it_was_requested_to_end(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.write("cave")
    daemon = watching(tmp_path)
    assert daemon.stdin is not None
    assert daemon.stdout is not None
    daemon.stdin.close()
    project.write("cave", seed=2)
    assert "cave" in daemon.stdout.readline()
    assert daemon.poll() is None
    daemon.terminate()
    assert daemon.wait(DEADLINE) == 0
    daemon.stdout.close()
