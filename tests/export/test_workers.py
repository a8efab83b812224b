"""The number of worker processes, and levels that no worker can build."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from exporter.explore.processes import interrupts_blocked
from exporter.export import worker_process
from exporter.export import workers as workers_module
from exporter.export.workers import Workers, sensible_processes
from small_game import Game


@pytest.fixture
def game(tmp_path: Path) -> Game:
    return Game(tmp_path / "game")


@pytest.mark.parametrize("error", [OSError, EOFError])
def test_levels_are_reported_when_no_process_can_be_started(
    game: Game, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    attempts: list[None] = []

    def refuse(*_: Any) -> Any:
        attempts.append(None)
        raise error

    monkeypatch.setattr(workers_module, "_Worker", refuse)
    workers = Workers(1)
    workers.submit([game.task("a"), game.task("b")])
    assert len(attempts) == 3
    assert workers.pending == 2
    assert [built.problems[0].message for built in workers.results(None)] == [
        "the worker process that built this level cannot be started"
    ] * 2


@pytest.mark.skipif(os.name != "posix", reason="blocks signals")
def test_processes_are_started_while_interrupts_are_blocked() -> None:
    def blocked() -> bool:
        return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())

    with interrupts_blocked():
        assert blocked()
        with interrupts_blocked():
            assert blocked()
        assert blocked()  # unchanged
    assert not blocked()


def test_workers_import_nothing_that_lies_in_the_current_folder(tmp_path: Path) -> None:
    """It may be a stranger's project, or a checkout without compiled kernels."""
    project, marked = tmp_path / "project", tmp_path / "marked"
    for name in "abcdefgh":
        spec = project / "levels" / f"{name}.level.yaml"
        spec.parent.mkdir(parents=True, exist_ok=True)
        spec.write_text("size: [64, 64]\nseed: 1\nlayers: {ground: {generator: cellular_caves}}\n")
    (project / "exporter.yaml").write_text("targets:\n  tiled: {path: tiled}\n")
    for module in ("random.py", "numpy.py", "exporter/__init__.py"):
        file = project / module
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"open({str(marked)!r}, 'a').write(__file__)\n")
    # As the program `exporter` is: a script in a folder of its own.
    script = tmp_path / "scripts" / "run.py"
    script.parent.mkdir()
    script.write_text(
        "from exporter.__main__ import run\n"
        "if __name__ == '__main__':\n    raise SystemExit(run())\n"
    )
    command = [sys.executable, str(script), "export", "--jobs", "2", "--json"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert not marked.exists(), marked.read_text()


def test_getting_ready_works() -> None:
    worker_process._warm()


@pytest.mark.parametrize(
    ("levels", "requested", "processors", "processes"),
    [
        (15, None, 8, 1),
        (16, None, 8, 8),
        (16, None, None, 1),
        (20, None, 64, 20),
        (2, 3, 1, 2),
        (5, 3, 1, 3),
        (0, 3, 8, 0),
    ],
)
def test_few_levels_are_built_here_and_many_on_every_processor(
    monkeypatch: pytest.MonkeyPatch,
    levels: int,
    requested: int | None,
    processors: int | None,
    processes: int,
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: processors)
    assert sensible_processes(levels, requested) == processes
