"""File systems that announce nothing are recognised by their mounts."""

from __future__ import annotations

import pytest

from exporter.watch.change_signal import ChangeSignal
from exporter.watch.observers import _silent

MOUNTS = """22 1 8:1 / / rw - ext4 /dev/sda1 rw
30 22 0:40 / /mnt/c rw - 9p C: rw
31 22 0:41 / /mnt/my\\040share rw shared:7 - cifs //server/share rw
32 30 0:42 / /mnt/c/work rw - ext4 /dev/sdb1 rw
33 22 0:43 / /ssh rw - fuse.sshfs host: rw
34 22 0:44 / /disk rw - fuseblk /dev/sdc1 rw
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
    ],
)
def test_a_path_lies_on_its_nearest_mount(path: str, kind: str | None) -> None:
    assert _silent(MOUNTS, path) == kind


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
