"""Seeded mutation testing: changes the package in small wrong ways and sees whether tests notice.

    python tests/mutation/mutate.py --room store --mutants 60 --seed 1
    python tests/mutation/mutate.py --room all

A run of many minutes, outside CI. Every mutant is made in a copy of the checkout in a temporary
folder and judged by the tests of its room (`rooms.py`); the checkout itself is never written. The
survivors are printed with their lines, then a count. A survivor that `accepted.toml` explains
(equivalent, or not worth a test) is counted as explained, which is not killed. Exit code 1 when
a room's share of killed mutants is below `--least`.

Why not a tool that exists: mutmut (3.8) mutates functions only, so neither limits nor defaults,
and replaces them by dispatching wrappers that our registries would see; cosmic-ray (8.7) edits the
checkout in place. Neither takes a seeded sample, removes a statement, or gives each part of a
package its own tests.
"""

from __future__ import annotations

import argparse
import atexit
import contextlib
import ctypes
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from mutants import Mutant, mutants_of
from rooms import ROOMS, Room

CHECKOUT = Path(__file__).resolve().parents[2]
COPIED = ("exporter", "templates", "tests", "sample_project", "pyproject.toml")
NOT_COPIED = shutil.ignore_patterns("__pycache__", ".exporter", "*.c", "*.html", ".hypothesis")
ACCEPTED = Path(__file__).parent / "accepted.toml"
PROCESSES = 2
SECONDS = 60.0
# A mutant that asks for the whole memory or disk gets an error instead.
MEMORY_BYTES = 4 << 30
FILE_BYTES = 1 << 30
PR_SET_CHILD_SUBREAPER = 36


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a mutant: `killed`, `hung` (which is killed, too) or `survived`."""

    mutant: Mutant
    outcome: str
    seconds: float
    told: str = ""


@dataclass(frozen=True, slots=True)
class Tally:
    """The counts of a room."""

    room: str
    possible: int
    mutants: int
    killed: int
    explained: int
    survived: int
    seconds: float

    @property
    def share(self) -> float:
        """The share of killed mutants, 0 to 1."""
        return self.killed / self.mutants if self.mutants else 1.0

    def row(self) -> str:
        """Return the room's line of the table."""
        return (
            f"{self.room:10}{self.possible:9}{self.mutants:9}{self.killed:8}{self.explained:11}"
            f"{self.survived:10}{100 * self.share:8.1f} %{self.seconds:8.0f} s"
        )


HEADER = f"{'room':10}{'possible':>9}{'mutants':>9}{'killed':>8}{'explained':>11}{'survived':>10}"
HEADER += f"{'killed':>10}{'time':>10}"


# --- in the processes of the pool ---------------------------------------------------------


class _Copy:
    """A copy of the checkout in which one mutant at a time lives."""

    def __init__(self) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="mutation-"))
        atexit.register(shutil.rmtree, self.root, ignore_errors=True)
        for name in COPIED:
            source = CHECKOUT / name
            if source.is_dir():
                shutil.copytree(source, self.root / name, ignore=NOT_COPIED, symlinks=True)
            else:
                shutil.copy2(source, self.root / name)
        for page in CHECKOUT.glob("*.md"):
            shutil.copy2(page, self.root / page.name)
        self._second = 10**9

    @contextlib.contextmanager
    def holding(self, mutant: Mutant) -> Iterator[None]:
        """Let the copy have a mutant for a while."""
        path = self.root / mutant.file
        source = path.read_bytes()
        try:
            self._write(path, mutant.apply(source))
            yield
        finally:
            self._write(path, source)

    def _write(self, path: Path, source: bytes) -> None:
        path.write_bytes(source)
        # Compiled modules are recognised by whole seconds and size: no two texts share a second.
        self._second += 1
        os.utime(path, (self._second, self._second))


_copy: _Copy | None = None


def _begin() -> None:
    """Prepare a process of the pool: what a mutant leaves running becomes its child."""
    global _copy
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    _copy = _Copy()


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _run_tests(tests: Sequence[str], seconds: float) -> tuple[int | None, str]:
    """Run tests in the copy; return the exit code (None when they hung) and what was printed."""
    assert _copy is not None
    scratch = Path(tempfile.mkdtemp(prefix="scratch-", dir=_copy.root.parent))
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "--tb=line"]
    # The profile `ci` of hypothesis draws the same examples every time and keeps no database.
    command += ["-p", "no:cacheprovider", "--hypothesis-profile=ci", f"--basetemp={scratch}/t"]
    environment = {**os.environ, "PYTHONPATH": str(_copy.root), "TMPDIR": str(scratch)}
    process = subprocess.Popen(
        [*command, *tests],
        cwd=_copy.root,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
        preexec_fn=_limit,
    )
    try:
        told, _ = process.communicate(timeout=seconds)
        return process.returncode, told
    except subprocess.TimeoutExpired:
        return None, "no answer"
    finally:
        _end_children()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
        shutil.rmtree(scratch, ignore_errors=True)


def _end_children() -> None:
    """End every process that this one started, directly or not, and that still runs."""
    for _ in range(50):
        left = list(_descendants(os.getpid()))
        if not left:
            return
        for process in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        time.sleep(0.02)
        # Those that came to us when their parents ended.
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


def _descendants(parent: int) -> Iterator[int]:
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            fields = stat.read_text().rpartition(")")[2].split()
            if fields[0] != "Z" or int(fields[1]) == parent:
                children.setdefault(int(fields[1]), []).append(int(stat.parent.name))
    pending = [parent]
    while pending:
        for child in children.get(pending.pop(), []):
            yield child
            pending.append(child)


def _judge(mutant: Mutant, tests: Sequence[str]) -> Verdict:
    assert _copy is not None
    began = time.monotonic()
    with _copy.holding(mutant):
        code, told = _run_tests(_nearest_first(tests, mutant.file), SECONDS)
    outcome = "hung" if code is None else "survived" if code == 0 else "killed"
    closing = [line for line in told.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return Verdict(mutant, outcome, time.monotonic() - began, "; ".join(closing[:1]))


def _nearest_first(tests: Sequence[str], file: str) -> list[str]:
    """Return the tests with those named after a module at the front."""
    stem = Path(file).stem.strip("_")
    return sorted(tests, key=lambda test: stem not in Path(test).stem)


# --- one room ------------------------------------------------------------------------------


def sample(room: Room, number: int, seed: int) -> tuple[list[Mutant], int]:
    """Return some of a room's mutants, the same for the same seed, and how many there are."""
    found: list[Mutant] = []
    for source in room.sources:
        path = CHECKOUT / source
        for module in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            found += mutants_of(module.read_bytes(), module.relative_to(CHECKOUT).as_posix())
    chosen = random.Random(seed).sample(found, min(number, len(found)))
    return sorted(chosen), len(found)


def test_files(room: Room) -> list[str]:
    """Return the test files of a room in the order in which they are run."""
    files: list[str] = []
    for test in room.tests:
        path = CHECKOUT / test
        for file in sorted(path.rglob("test_*.py")) if path.is_dir() else [path]:
            files.append(file.relative_to(CHECKOUT).as_posix())
    return files


def explanations() -> dict[tuple[str, str, str], str]:
    """Return why survivors are accepted, by file, line of the source and change."""
    entries = tomllib.loads(ACCEPTED.read_text(encoding="utf-8")).get("mutant", [])
    return {(one["file"], one["line"], one["change"]): one["why"] for one in entries}


def identity(mutant: Mutant) -> tuple[str, str, str]:
    """Return what `accepted.toml` knows a mutant by; line numbers are no part of it."""
    source = (CHECKOUT / mutant.file).read_bytes()
    line = source.decode().split("\n")[mutant.line(source) - 1].strip()
    return mutant.file, line, mutant.words(source)


def run_room(name: str, number: int, seed: int, verbose: bool) -> Tally:
    """Judge a sample of a room's mutants and print the survivors."""
    began = time.monotonic()
    chosen, possible = sample(ROOMS[name], number, seed)
    tests = test_files(ROOMS[name])
    with ProcessPoolExecutor(PROCESSES, initializer=_begin) as pool:
        code, told = pool.submit(_run_tests, tests, SECONDS).result()
        if code != 0:
            raise SystemExit(f"the tests of {name} fail without any mutant, or hang:\n{told}")
        pending = [pool.submit(_judge, mutant, tests) for mutant in chosen]
        verdicts = []
        for future in pending:
            verdicts.append(future.result())
            if verbose:
                print(_told(verdicts[-1]), flush=True)
    accepted = explanations()
    survivors = [one.mutant for one in verdicts if one.outcome == "survived"]
    unexplained = [mutant for mutant in survivors if identity(mutant) not in accepted]
    for mutant in unexplained:
        print(_shown(mutant), flush=True)
    for one in verdicts:
        if one.outcome != "survived" and identity(one.mutant) in accepted:
            print(f"accepted, but killed after all:\n{_shown(one.mutant)}")
    return Tally(
        name,
        possible,
        len(chosen),
        len(verdicts) - len(survivors),
        len(survivors) - len(unexplained),
        len(unexplained),
        time.monotonic() - began,
    )


def _told(verdict: Verdict) -> str:
    source = (CHECKOUT / verdict.mutant.file).read_bytes()
    place = f"{verdict.mutant.file}:{verdict.mutant.line(source)}"
    words = f"{verdict.mutant.what}: {verdict.mutant.words(source)}"
    return f"{verdict.outcome:9}{verdict.seconds:5.1f} s  {place}: {words[:100]}  {verdict.told}"


def _shown(mutant: Mutant) -> str:
    source = (CHECKOUT / mutant.file).read_bytes()
    head = f"{mutant.file}:{mutant.line(source)}: {mutant.what}: {mutant.words(source)}"
    return "\n".join([head, *(f"    {line}" for line in mutant.difference(source))])


def main() -> int:
    """Run the mutants of one room or of all."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--room", choices=[*ROOMS, "all"], required=True)
    parser.add_argument("--mutants", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--least", type=float, default=0.0, help="share to be killed, 0 to 1")
    parser.add_argument("--verbose", action="store_true", help="tell every mutant's fate")
    arguments = parser.parse_args()
    names = list(ROOMS) if arguments.room == "all" else [arguments.room]
    tallies = [
        run_room(name, arguments.mutants, arguments.seed, arguments.verbose) for name in names
    ]
    print(HEADER)
    for tally in tallies:
        print(tally.row())
    return int(any(tally.share < arguments.least for tally in tallies))


if __name__ == "__main__":
    sys.exit(main())
