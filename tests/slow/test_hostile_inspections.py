"""`exporter inspect` of hostile files: little time and memory, whatever they ask for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hostile_blobs import greedy, greedy_for_inspection

MOST_SECONDS = 2
MOST_MEGABYTES = 256


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere the units differ")
def test_no_hostile_file_takes_long_or_much_memory(tmp_path: Path) -> None:
    dear = {}
    for what, data in {**greedy(), **greedy_for_inspection()}.items():
        file = tmp_path / "hostile.lvb"
        file.write_bytes(data)
        command = [sys.executable, "-m", "exporter", "inspect", str(file)]
        with (tmp_path / "log").open("wb") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log)
            _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode in (0, 1), (what, (tmp_path / "log").read_text())
        seconds, megabytes = used.ru_utime + used.ru_stime, used.ru_maxrss >> 10
        if seconds > MOST_SECONDS or megabytes > MOST_MEGABYTES:
            dear[what] = f"{seconds:.1f} s, {megabytes} MB"
    assert dear == {}
