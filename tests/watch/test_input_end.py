"""A daemon that ends with its standard input, and so with the program that runs it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from daemon_harness import CHECKOUT, Project
from exporter.watch.input_end import stopped_by_input

SECONDS = 60


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    reader, writer = os.pipe()
    yield reader, writer
    for descriptor in (reader, writer):
        try:
            os.close(descriptor)
        except OSError:
            continue


def test_a_line_that_says_stop_stops_and_other_lines_do_not(pipe: tuple[int, int]) -> None:
    reader, writer = pipe
    stopped = threading.Event()
    with stopped_by_input(reader, stopped.set):
        os.write(writer, b"go on\nstopped\nst")
        assert not stopped.wait(0.05)
        os.write(writer, b"op\n")
        assert stopped.wait(SECONDS)


def test_the_end_of_the_input_stops(pipe: tuple[int, int]) -> None:
    reader, writer = pipe
    stopped = threading.Event()
    with stopped_by_input(reader, stopped.set):
        os.close(writer)
        assert stopped.wait(SECONDS)


def test_nobody_is_stopped_who_has_ended(pipe: tuple[int, int]) -> None:
    reader, writer = pipe
    stopped = threading.Event()
    with stopped_by_input(reader, stopped.set):
        pass
    os.write(writer, b"stop\n")
    assert not stopped.wait(0.05)


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
def test_a_daemon_ends_with_its_input_if_it_was_asked_to(tmp_path: Path, way: str) -> None:
    project = Project(tmp_path)
    project.write("cave")
    daemon = watching(tmp_path, "--end-with-input")
    output, _ = daemon.communicate("stop\n" if way == "stop" else None, timeout=SECONDS)
    assert daemon.returncode == 0, output


def test_a_daemon_goes_on_without_input_unless_it_was_asked_to_end(tmp_path: Path) -> None:
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
    assert daemon.wait(SECONDS) == 0
    daemon.stdout.close()
