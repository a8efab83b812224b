"""Judges blobs with Python's reader: `judge_blobs.py FILE default|strangers`.

The file holds blobs, each after its length, four bytes little-endian. Prints `read` or `refused`
and the milliseconds that took, a line for each blob; then, on Linux, the lines of
/proc/self/status, which tell how much memory the process had at most.
"""

from __future__ import annotations

import struct
import sys
import time
from pathlib import Path

from exporter.blob import read_blob
from exporter.blob.container import read_container
from exporter.codecs import Limits
from exporter.model.errors import BlobError


def judge(blob: bytes, limits: Limits) -> str:
    """Return whether every level of a blob is read, one after the other."""
    try:
        count = max((chunk.level for chunk in read_container(blob, limits)), default=0) + 1
        for level in range(count):
            read_blob(blob, limits, level)
    except BlobError:
        return "refused"
    return "read"


def main(file: str, which: str) -> None:
    """Print the judgement of each blob of a file."""
    limits = Limits.for_strangers() if which == "strangers" else Limits()
    blobs = Path(file).read_bytes()
    at = 0
    while at < len(blobs):
        (length,) = struct.unpack_from("<I", blobs, at)
        started = time.perf_counter()
        judged = judge(blobs[at + 4 : at + 4 + length], limits)
        print(judged, round(1000 * (time.perf_counter() - started)))
        at += 4 + length
    status = Path("/proc/self/status")
    print(status.read_text() if status.exists() else "")


if __name__ == "__main__":
    main(*sys.argv[1:])
