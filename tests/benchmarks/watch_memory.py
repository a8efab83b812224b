"""Memory, threads and open files of a daemon and its workers over many rebuilds (Linux).

python tests/benchmarks/watch_memory.py [--saves 1000]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "harness"))

from daemon_harness import Daemon, Project, children, level_text


def measure(daemon: Daemon) -> tuple[float, int, int]:
    """Return private megabytes, threads and open files of a daemon and its workers."""
    megabytes, threads, files = 0.0, 0, 0
    for process in (daemon.process.pid, *children(daemon.process.pid)):
        folder = Path(f"/proc/{process}")
        for line in (folder / "smaps_rollup").read_text().splitlines():
            if line.startswith(("Private_Clean:", "Private_Dirty:")):
                megabytes += int(line.split()[1]) / 1024
        threads += len(list((folder / "task").iterdir()))
        files += len(list((folder / "fd").iterdir()))
    return megabytes, threads, files


def main() -> None:
    """Save a level many times and print the daemon's memory."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--saves", type=int, default=1000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        project = Project(Path(name))
        project.write("cave")
        with Daemon(project) as daemon:
            print(f"{'saves':>8} {'private MB':>12} {'threads':>8} {'files':>8}")
            for number in range(1, options.saves + 1):
                new = project.root / "levels" / "new.tmp"
                new.write_text(level_text(number, size=48, more="visibility: {radius: 4}\n"))
                new.replace(project.spec("cave"))
                daemon.wait_for("level", level="cave", status="built")
                daemon.events.clear()
                if number in (50, 100) or number % (options.saves // 5) == 0:
                    megabytes, threads, files = measure(daemon)
                    print(f"{number:>8} {megabytes:>12.1f} {threads:>8} {files:>8}", flush=True)


if __name__ == "__main__":
    main()
