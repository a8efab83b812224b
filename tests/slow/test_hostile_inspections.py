"""`exporter inspect` of hostile files: little time and memory, whatever they ask for."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from hostile_blobs import greedy, greedy_for_inspection

MOST_SECONDS = 2
MOST_MEGABYTES = 256
# The peak that the system has of the process itself: `resource` counts that of its parent, too.
INSPECT = """
import pathlib, sys, time
from exporter.cli.main import main
main(["inspect", sys.argv[1]])
print("seconds:", time.process_time())
print(pathlib.Path("/proc/self/status").read_text())
"""
USED = re.compile(r"^seconds: (\S+)$.*^VmHWM:\s+(\d+) kB$", re.MULTILINE | re.DOTALL)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux says what it took")
def test_no_hostile_file_takes_long_or_much_memory(tmp_path: Path) -> None:
    dear = {}
    file = tmp_path / "hostile.lvb"
    for what, data in {**greedy(), **greedy_for_inspection()}.items():
        file.write_bytes(data)
        command = [sys.executable, "-c", INSPECT, str(file)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        output = USED.search(done.stdout)
        assert output, (what, done.stderr)
        seconds, megabytes = float(output[1]), int(output[2]) >> 10
        if seconds > MOST_SECONDS or megabytes > MOST_MEGABYTES:
            dear[what] = f"{seconds:.1f} s, {megabytes} MB"
    assert dear == {}
