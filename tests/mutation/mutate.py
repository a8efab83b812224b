"""Seeded mutation testing: changes the package in small wrong ways and sees whether tests notice.

    python tests/mutation/mutate.py --room store --mutants 60 --seed 1
    python tests/mutation/mutate.py --room all

A run of many minutes, outside CI. The checkout is copied to a temporary folder first: it is never
written, and may be worked on meanwhile. Every mutant is judged by the tests of its room
(`rooms.py`). The survivors are printed with their lines, then a count. A survivor that
`accepted.toml` explains (equivalent, or not worth a test) is counted as explained, which is not
killed. Exit code 1 when a room's share of killed mutants is below `--least`.

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
import importlib
import multiprocessing
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
import tomllib
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

sys.path.insert(0, str(Path(__file__).parent))

from mutants import Mutant, mutants_of
from rooms import ROOMS

CHECKOUT = Path(__file__).resolve().parents[2]
COPIED = ("exporter", "templates", "tests", "sample_project", "pyproject.toml")
NOT_COPIED = shutil.ignore_patterns("__pycache__", ".exporter", "*.c", "*.html", ".hypothesis")
ACCEPTED = Path(__file__).parent / "accepted.toml"
PROCESSES = 2
# A mutant hangs when its tests take this long, and as many times what they take without it.
SECONDS = 60.0
SLOWDOWN = 5.0
# What the tests import besides the package.
IMPORTED_BEFORE = (
    "pytest",
    "hypothesis.extra.numpy",
    "jsonschema",
    "numpy",
    "PIL.Image",
    "pydantic",
    "yaml",
)
# A mutant that asks for the whole memory or disk gets an error instead.
MEMORY_BYTES = 4 << 30
FILE_BYTES = 1 << 30
PR_SET_PDEATHSIG = 1
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
    hung: int
    explained: int
    survived: int
    seconds: float

    @property
    def share(self) -> float:
        """The share of killed mutants, those that hung among them, 0 to 1."""
        return (self.killed + self.hung) / self.mutants if self.mutants else 1.0

    def row(self) -> str:
        """Return the room's line of the table."""
        return (
            f"{self.room:10}{self.possible:9}{self.mutants:9}{self.killed:8}{self.hung:6}"
            f"{self.explained:11}{self.survived:10}{100 * self.share:8.1f} %{self.seconds:8.0f} s"
        )


HEADER = f"{'room':10}{'possible':>9}{'mutants':>9}{'killed':>8}{'hung':>6}{'explained':>11}"
HEADER += f"{'survived':>10}{'share':>10}{'time':>10}"


# --- in the processes of the pool ---------------------------------------------------------


def copy_checkout(source: Path, folder: Path) -> None:
    """Copy what the tests need."""
    for name in COPIED:
        if (source / name).is_dir():
            shutil.copytree(source / name, folder / name, ignore=NOT_COPIED, symlinks=True)
        else:
            shutil.copy2(source / name, folder / name)
    for page in source.glob("*.md"):
        shutil.copy2(page, folder / page.name)


class _Copy:
    """A copy of the checkout in which one mutant at a time lives."""

    def __init__(self, source: Path) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="mutation-"))
        atexit.register(shutil.rmtree, self.root, ignore_errors=True)
        copy_checkout(source, self.root)
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


def _begin(source: Path) -> None:
    """Prepare a process of the pool.

    It imports what every run of tests needs but the package itself, so that a run is a fork and
    not a second of importing; and what a mutant leaves running becomes its child.
    """
    global _copy
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _end_with_parent()
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # threads do not outlive a fork
    for name in IMPORTED_BEFORE:
        importlib.import_module(name)
    _copy = _Copy(source)


def _end_with_parent() -> None:
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def _run_tests(tests: Sequence[str], seconds: float) -> tuple[int | None, str]:
    """Run tests in the copy; return the exit code (None when they hung) and what was printed."""
    assert _copy is not None
    scratch = Path(tempfile.mkdtemp(prefix="scratch-", dir=_copy.root.parent))
    process = os.fork()
    if process == 0:
        _be_pytest(tests, scratch)
    limit = time.monotonic() + seconds
    pause = 0.005
    ended, status = 0, 0
    while not ended and time.monotonic() < limit:
        time.sleep(pause)
        pause = min(2 * pause, 0.1)
        ended, status = os.waitpid(process, os.WNOHANG)
    _end_children()
    told = (scratch / "told").read_text(errors="replace") if ended else "no answer"
    shutil.rmtree(scratch, ignore_errors=True)
    return (os.waitstatus_to_exitcode(status) if ended else None), told


def _be_pytest(tests: Sequence[str], scratch: Path) -> NoReturn:
    """Run tests in this process, which was forked for it, and end it."""
    code = 70
    try:
        assert _copy is not None
        os.setsid()
        _end_with_parent()
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.signal(signal.SIGINT, signal.default_int_handler)
        output = os.open(scratch / "told", os.O_WRONLY | os.O_CREAT)
        for descriptor in (1, 2):
            os.dup2(output, descriptor)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.environ.update(PYTHONPATH=str(_copy.root), TMPDIR=str(scratch))
        tempfile.tempdir = None
        os.chdir(_copy.root)
        sys.path[0] = str(_copy.root)
        # The profile `ci` of hypothesis draws the same examples every time and keeps no database.
        options = ["-x", "-q", "--no-header", "--tb=line", "-n0", "-p", "no:cacheprovider"]
        options += ["--hypothesis-profile=ci", f"--basetemp={scratch}/t"]
        # Plugins were imported before, and need no rewritten asserts here.
        options += ["-W", "ignore:Module already imported:pytest.PytestAssertRewriteWarning"]
        import pytest

        code = int(pytest.main([*options, *tests]))
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


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


def _judge(mutant: Mutant, tests: Sequence[str], seconds: float) -> Verdict:
    assert _copy is not None
    began = time.monotonic()
    with _copy.holding(mutant):
        code, told = _run_tests(_nearest_first(tests, mutant.file), seconds)
    outcome = "hung" if code is None else "survived" if code == 0 else "killed"
    closing = [line for line in told.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return Verdict(mutant, outcome, time.monotonic() - began, "; ".join(closing[:1]))


def _nearest_first(tests: Sequence[str], file: str) -> list[str]:
    """Return the tests with those named after a module at the front."""
    stem = Path(file).stem.strip("_")
    return sorted(tests, key=lambda test: stem not in Path(test).stem)


# --- one room ------------------------------------------------------------------------------


class Run:
    """The judging of a sample of one room's mutants, on a copy of the checkout."""

    def __init__(self, name: str, checkout: Path) -> None:
        self.name = name
        self.room = ROOMS[name]
        self.checkout = checkout

    def sample(self, number: int, seed: int) -> tuple[list[Mutant], int]:
        """Return some mutants, the same for the same seed, and how many there are."""
        found: list[Mutant] = []
        for source in self.room.sources:
            path = self.checkout / source
            for module in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
                file = module.relative_to(self.checkout).as_posix()
                found += mutants_of(module.read_bytes(), file)
        chosen = random.Random(seed).sample(found, min(number, len(found)))
        return sorted(chosen), len(found)

    def tests(self) -> list[str]:
        """Return the test files in the order in which they are run."""
        files: list[str] = []
        for test in self.room.tests:
            path = self.checkout / test
            for file in sorted(path.rglob("test_*.py")) if path.is_dir() else [path]:
                files.append(file.relative_to(self.checkout).as_posix())
        return files

    def judge(self, number: int, seed: int, verbose: bool) -> Tally:
        """Judge a sample and print the survivors that nothing explains."""
        began = time.monotonic()
        chosen, possible = self.sample(number, seed)
        verdicts = self._verdicts(chosen, verbose)
        accepted = explanations()
        counts: Counter[str] = Counter()
        for one in verdicts:
            explained = self.identity(one.mutant) in accepted
            survived = one.outcome == "survived"
            counts["explained" if survived and explained else one.outcome] += 1
            if survived and not explained:
                print(self.shown(one.mutant), flush=True)
            elif explained and not survived:
                print(f"accepted, but {one.outcome} after all:\n{self.shown(one.mutant)}")
        outcomes = (counts[key] for key in ("killed", "hung", "explained", "survived"))
        return Tally(self.name, possible, len(chosen), *outcomes, time.monotonic() - began)

    def _verdicts(self, chosen: list[Mutant], verbose: bool) -> list[Verdict]:
        tests = self.tests()
        context = multiprocessing.get_context("spawn")  # without the threads of this process
        with ProcessPoolExecutor(PROCESSES, context, _begin, (self.checkout,)) as pool:
            began = time.monotonic()
            code, told = pool.submit(_run_tests, tests, 10 * SECONDS).result()
            if code != 0:
                raise SystemExit(f"the tests of {self.name} fail without any mutant:\n{told}")
            seconds = max(SECONDS, SLOWDOWN * (time.monotonic() - began))
            verdicts = []
            for future in [pool.submit(_judge, mutant, tests, seconds) for mutant in chosen]:
                verdicts.append(future.result())
                if verbose:
                    print(self.told(verdicts[-1]), flush=True)
        return verdicts

    def identity(self, mutant: Mutant) -> tuple[str, str, str]:
        """Return what `accepted.toml` knows a mutant by; line numbers are no part of it."""
        source = self.source(mutant)
        lines = source.decode().split("\n")[: mutant.line(source)]
        line = lines[-1].strip()
        if line in ("break", "continue", "return"):  # of which there are many
            line = f"{lines[-2].strip()} {line}"
        return mutant.file, line, mutant.words(source)

    def source(self, mutant: Mutant) -> bytes:
        """Return the text that a mutant changes."""
        return (self.checkout / mutant.file).read_bytes()

    def shown(self, mutant: Mutant) -> str:
        """Return a mutant's place and the lines it changes."""
        source = self.source(mutant)
        head = f"{mutant.file}:{mutant.line(source)}: {mutant.what}: {mutant.words(source)}"
        return "\n".join([head, *(f"    {line}" for line in mutant.difference(source))])

    def told(self, verdict: Verdict) -> str:
        """Return a mutant's fate in one line."""
        head = self.shown(verdict.mutant).partition("\n")[0]
        return f"{verdict.outcome:9}{verdict.seconds:5.1f} s  {head[:140]}  {verdict.told}"


def explanations() -> dict[tuple[str, str, str], str]:
    """Return why survivors are accepted, by file, line of the source and change."""
    entries = tomllib.loads(ACCEPTED.read_text(encoding="utf-8")).get("mutant", [])
    return {(one["file"], one["line"], one["change"]): one["why"] for one in entries}


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
    with tempfile.TemporaryDirectory(prefix="checkout-") as folder:
        copy_checkout(CHECKOUT, Path(folder))
        tallies = [
            Run(name, Path(folder)).judge(arguments.mutants, arguments.seed, arguments.verbose)
            for name in names
        ]
    print(HEADER)
    for tally in tallies:
        print(tally.row())
    return int(any(tally.share < arguments.least for tally in tallies))


if __name__ == "__main__":
    sys.exit(main())
