"""The change signal, and file systems that announce nothing, recognised by their mounts."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from exporter.watch import change_signal as module
from exporter.watch.change_signal import ChangeSignal
from exporter.watch.observers import _silent, silent_file_system

MOUNTS = """22 1 8:1 / / rw - ext4 /dev/sda1 rw
30 22 0:40 / /mnt/c rw - 9p C: rw
31 22 0:41 / /mnt/my\\040share rw shared:7 - cifs //server/share rw
32 30 0:42 / /mnt/c/work rw - ext4 /dev/sdb1 rw
33 22 0:43 / /ssh rw - fuse.sshfs host: rw
34 22 0:44 / /disk rw - fuseblk /dev/sdc1 rw
35 30 0:45 / /mnt/c/late rw - ext4 /dev/sdd1 rw
36 30 0:46 / /mnt/c/late rw - nfs4 host:/late rw
this line means nothing
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/home/me/game", None),
        ("/mnt/c/game", "9p"),
        ("/mnt/c", "9p"),
        ("/mnt/cache/game", None),
        ("/mnt/c/work/game", None),
        ("/mnt/my share/game", "cifs"),
        ("/ssh/game", "fuse.sshfs"),
        ("/disk/game", None),
        ("/mnt/c/late/game", "nfs4"),  # the last mount covers the rest
        ("/", None),
    ],
)
def test_a_path_lies_on_its_nearest_mount(path: str, kind: str | None) -> None:
    assert _silent(MOUNTS, path) == kind


@pytest.mark.parametrize("path", ["/", "/home/me/game"])
def test_the_root_may_send_no_events_and_nothing_may_be_mounted(path: str) -> None:
    assert _silent("22 1 0:9 / / rw - nfs4 host:/ rw\n", path) == "nfs4"
    assert _silent("", path) is None


@pytest.mark.parametrize(
    "kind",
    [
        "9p",
        "afs",
        "cifs",
        "drvfs",
        "fuse.sshfs",
        "nfs",
        "nfs4",
        "prl_fs",
        "smb3",
        "smbfs",
        "vboxsf",
        "vmhgfs",
    ],
)
def test_network_drives_and_shared_folders_send_no_events(kind: str) -> None:
    assert _silent(f"22 1 0:9 / /share rw - {kind} host rw\n", "/share/game") == kind


@pytest.fixture
def mounts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "platform", "linux")
    result = tmp_path / "mountinfo"
    monkeypatch.setattr("exporter.watch.observers._MOUNTS", result)
    return result


def test_links_are_resolved_before_mounts_are_looked_at(tmp_path: Path, mounts: Path) -> None:
    (tmp_path / "share").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "share")
    point = str((tmp_path / "share").resolve()).replace(" ", "\\040")
    mounts.write_bytes(
        f"30 22 0:40 / {point} rw - 9p C: rw\n".encode() + b"31 22 0:41 / /\xff rw\n"
    )
    assert silent_file_system(tmp_path / "link" / "game") == "9p"
    assert silent_file_system(tmp_path) is None


def test_only_linux_tells_its_mounts(mounts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert silent_file_system(Path("/")) is None  # not to be read
    mounts.write_text("22 1 0:9 / / rw - nfs4 host:/ rw\n")
    assert silent_file_system(Path("/")) == "nfs4"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert silent_file_system(Path("/")) is None


def test_only_events_count_as_events(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "monotonic", lambda: 5.0)
    signal = ChangeSignal()
    assert not signal.is_set
    assert signal.last == signal.last_event == float("-inf")
    signal.set()
    assert (signal.is_set, signal.last, signal.last_event) == (True, 5.0, float("-inf"))
    signal.clear()
    signal.set_by_event()
    assert (signal.is_set, signal.last, signal.last_event) == (True, 5.0, 5.0)
    signal.close()


def test_a_signal_remembers_few_of_the_paths_that_events_name_until_it_is_cleared() -> None:
    signal = ChangeSignal()
    signal.set_by_event("/game/a", "/game/b")
    signal.set_by_event("/game/b", "/game/c")
    signal.set_by_event()
    assert signal.paths == ("/game/a", "/game/b", "/game/c")
    for number in range(1000):
        signal.set_by_event(f"/game/{number}")
    assert len(signal.paths) == module.MAXIMUM_PATHS
    signal.clear()
    assert signal.paths == ()
    signal.close()


def test_a_signal_that_was_cleared_can_be_set_again() -> None:
    signal = ChangeSignal()
    for _ in range(3):
        signal.set()
        signal.set()
        assert signal.channel.poll(10)
        signal.clear()
        assert not signal.channel.poll(0)
    signal.close()
    signal.set()
