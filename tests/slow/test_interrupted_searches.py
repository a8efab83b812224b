"""`exporter seeds` that is interrupted: the same command goes on to the same end."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import run
from daemon_harness import DEADLINE, environment, wait_until
from small_specs import CAVES

SEARCH = ("--count", "6", "--vary", "ground.wall_percent=25..60", "--jobs", "2")
HEAT = ("--heat", "heat.png")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
@pytest.mark.parametrize("more", [SEARCH, HEAT], ids=["search", "heat map"])
def test_interrupted_search_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...]
) -> None:
    monkeypatch.setenv("LEVEL_EXPORTER_HOME", str(tmp_path / "home"))
    spec = tmp_path / "caves.level.yaml"
    spec.write_bytes(CAVES)
    arguments = ["seeds", str(spec), "--budget", "1500", "--spread", "floor,farthest", "--json"]
    started = subprocess.Popen(
        [sys.executable, "-m", "exporter", *arguments, *more],
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    folder = tmp_path / "home" / "searches"
    wait_until(lambda: started.poll() is not None or any(folder.iterdir()), "a journal")
    started.send_signal(signal.SIGINT)
    output, error = started.communicate(timeout=DEADLINE)
    assert started.returncode == 130
    assert "the same command goes on from there" in error
    assert not (tmp_path / "heat.png").exists()
    (journal,) = folder.iterdir()
    if more is SEARCH:
        attempted = json.loads(output)["tried"]
        assert 0 < attempted < 1500
        assert len(journal.read_text().splitlines()) >= attempted
    else:
        assert "of 1,500 levels of " in error
    again = run(*arguments, *more, folder=tmp_path)
    assert not list(folder.iterdir())
    (tmp_path / "heat.png").unlink(missing_ok=True)
    assert again.returncode == 0
    assert again.stdout == run(*arguments, *more, folder=tmp_path).stdout


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
def test_a_killed_pack_goes_on_to_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEVEL_EXPORTER_HOME", str(tmp_path / "home"))
    spec = tmp_path / "caves.level.yaml"
    spec.write_bytes(CAVES)
    folder = tmp_path / "home" / "searches"
    arguments = ["seeds", str(spec), "--count", "400", "--jobs", "2", "--pack"]
    whole, again = tmp_path / "whole.lvp", tmp_path / "again.lvp"
    assert run(*arguments, str(whole), folder=tmp_path).returncode == 0
    started = subprocess.Popen(
        [sys.executable, "-m", "exporter", *arguments, str(again)],
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    wait_until(
        lambda: started.poll() is not None or any(folder.glob("*-levels.jsonl")), "some levels"
    )
    started.kill()
    started.wait(DEADLINE)
    assert not again.exists()
    assert run(*arguments, str(again), folder=tmp_path).returncode == 0
    assert again.read_bytes() == whole.read_bytes()
    assert not list(folder.iterdir())
