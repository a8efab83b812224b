"""One daemon watches a project; another one may take over."""

from __future__ import annotations

import errno
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from exporter.model.errors import StoreError
from exporter.store.atomic_files import release_lock
from exporter.watch import lock as module
from exporter.watch.lock import LOCK, OWNER, claim_project, owner_of, watched_by

HOLDER = """
import signal, sys, time
from pathlib import Path
from exporter.watch.lock import claim_project
if sys.argv[2] == "stubborn":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
lock = claim_project(Path(sys.argv[1]))
print("ready", flush=True)
time.sleep(60)
"""


def holder(root: Path, manner: str = "polite") -> subprocess.Popen[str]:
    command = [sys.executable, "-c", HOLDER, str(root), manner]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def test_the_first_one_gets_the_project_and_says_who_it_is(tmp_path: Path) -> None:
    lock = claim_project(tmp_path)
    assert lock is not None
    assert owner_of(tmp_path) == (os.getpid(), socket.gethostname())
    assert (tmp_path / ".exporter" / LOCK).exists()
    assert claim_project(tmp_path) is None
    release_lock(lock)
    again = claim_project(tmp_path)
    assert again is not None
    release_lock(again)


@pytest.mark.parametrize(("manner", "number"), [("polite", -signal.SIGTERM), ("stubborn", -9)])
def test_importing_over_ends_the_other_one(
    tmp_path: Path, manner: str, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "POLITE_SECONDS", 0.3 if manner == "stubborn" else 60.0)
    other = holder(tmp_path, manner)
    try:
        assert claim_project(tmp_path) is None
        lock = claim_project(tmp_path, takeover=True)
        assert lock is not None
        assert other.wait(60) == number
        assert owner_of(tmp_path) == (os.getpid(), socket.gethostname())
        release_lock(lock)
    finally:
        other.kill()
        other.communicate()


def test_a_daemon_that_does_not_end_is_reported_after_asking_and_forcing_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    killed: list[tuple[float, int, int]] = []

    def sleep(seconds: float) -> None:
        now[0] += seconds

    def kill(process: int, number: int) -> None:
        killed.append((round(now[0]), process, number))
        raise ProcessLookupError

    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: now[0], sleep=sleep))
    monkeypatch.setattr(module.os, "kill", kill)
    lock = claim_project(tmp_path)
    (tmp_path / ".exporter" / OWNER).write_text(f"1234567 {socket.gethostname()}\n")
    with pytest.raises(StoreError, match=r"process 1234567 .* does not stop"):
        claim_project(tmp_path, takeover=True)
    assert killed == [(100, 1234567, signal.SIGTERM), (110, 1234567, signal.SIGKILL)]
    assert round(now[0]) == 115
    release_lock(lock)


def test_a_daemon_on_another_machine_is_not_ended(tmp_path: Path) -> None:
    lock = claim_project(tmp_path)
    (tmp_path / ".exporter" / OWNER).write_text(f"{os.getpid()} elsewhere\n")
    with pytest.raises(StoreError, match=r"runs on elsewhere \(stop it there\)"):
        claim_project(tmp_path, takeover=True)
    release_lock(lock)


@pytest.mark.parametrize("text", [None, "", "nonsense here"])
def test_an_unknown_owner_cannot_be_ended(tmp_path: Path, text: str | None) -> None:
    lock = claim_project(tmp_path)
    owner = tmp_path / ".exporter" / OWNER
    if text is None:
        owner.unlink()
    else:
        owner.write_text(text)
    assert owner_of(tmp_path) is None
    with pytest.raises(StoreError, match="was not found"):
        claim_project(tmp_path, takeover=True)
    release_lock(lock)


def test_a_state_folder_that_cannot_be_created_is_reported(tmp_path: Path) -> None:
    (tmp_path / ".exporter").write_text("in the way")
    with pytest.raises(StoreError) as caught:
        claim_project(tmp_path)
    assert str(caught.value) == f"{tmp_path / '.exporter'}: {os.strerror(errno.EEXIST)}"


def test_a_state_that_cannot_be_looked_into_has_no_daemon(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root can read every folder, so a stand-in answers for the system."""

    def refuse(path: object, **_: object) -> object:
        raise PermissionError(13, "Permission denied", str(path))

    with monkeypatch.context() as patched:
        patched.setattr(os, "stat", refuse)
        result = watched_by(tmp_path)
    assert result is None
