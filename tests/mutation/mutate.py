"""Run seeded mutation tests: small wrong changes that tests must notice.

    python tests/mutation/mutate.py --package store --mutants 60
    python tests/mutation/mutate.py --mutants 200 --record killed.json
    python tests/mutation/mutate.py --replay killed.json --checkout OLDER --only survived

A run of many minutes, outside CI. The checkout is copied to a temporary folder first: it is never
written. Without `--package` the mutants are spread over all packages by their lines. Each mutant
is judged by the tests of its package (`judges.py`). Survivors are printed with their lines, then a
table. `accepted.toml` explains survivors that are equivalent or not worth a test; they count as
explained, not as killed.

A record names mutants by file, function and text, so that it can be replayed on another revision,
whose lines have moved and whose tests are others.

Why not mutmut (3.8): it mutates functions only, so neither limits nor defaults, and replaces them
by dispatching wrappers that our registries would see. Why not cosmic-ray (8.7): it edits the
checkout in place. Neither takes a seeded sample or removes a statement.
"""

from __future__ import annotations

import argparse
import ast
import atexit
import contextlib
import ctypes
import importlib
import itertools
import json
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
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import NoReturn

sys.path.insert(0, str(Path(__file__).parent))

from judges import packages, tests_of
from mutants import Mutant, candidates_of, is_python

CHECKOUT = Path(__file__).resolve().parents[2]
COPIED = ("exporter", "templates", "tests", "sample_project", "pyproject.toml", "LICENSE")
NOT_COPIED = shutil.ignore_patterns("__pycache__", ".exporter", "*.c", ".hypothesis")
ACCEPTED = Path(__file__).parent / "accepted.toml"
PROCESSES = 2
# A mutant hangs when its tests take this long, and this many times their usual time.
SECONDS = 60.0
SLOWDOWN = 5.0
# Modules that the tests import besides the package.
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
MEMORY_BYTES = 8 << 30
FILE_BYTES = 1 << 30
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of a mutant: `killed`, `hung` (counted as killed), `survived` or `explained`."""

    package: str
    mutant: Mutant
    outcome: str
    seconds: float
    failure: str = ""


@dataclass(frozen=True, order=True, slots=True)
class Key:
    """The name of a mutant in any revision: no line numbers.

    Attributes:
        file: Path of the source, relative to the checkout, with `/`.
        function: Qualified name of the innermost function or class around it; empty outside.
        line: Text of the line where the change begins, after that of the line before it where it
            says no more than `continue`.
        change: The change in one line.
        occurrence: Counts equal changes of equal lines in one function, from 0.
    """

    file: str
    function: str
    line: str
    change: str
    occurrence: int = 0


# --- in the processes of the pool ---------------------------------------------------------


def copy_checkout(source: Path, folder: Path) -> None:
    """Copy the files that the tests need."""
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

    It imports the modules of every run of tests except the package itself, so that a run is a fork
    and not a second of importing; and processes that a mutant leaves running become its children.
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
    """Run tests in the copy; return the exit code (None when they hung) and the output."""
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
    printed = (scratch / "printed").read_text(errors="replace") if ended else "no answer"
    shutil.rmtree(scratch, ignore_errors=True)
    return (os.waitstatus_to_exitcode(status) if ended else None), printed


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
        output = os.open(scratch / "printed", os.O_WRONLY | os.O_CREAT)
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
        # Processes that came to us when their parents ended.
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


def _time_tests(tests: Sequence[str]) -> float:
    """Return the seconds that tests take without a mutant; they must pass."""
    began = time.monotonic()
    code, printed = _run_tests(tests, 10 * SECONDS)
    if code != 0:
        raise SystemExit(f"these tests fail without any mutant: {tests}\n{printed}")
    return time.monotonic() - began


def _judge(package: str, mutant: Mutant, tests: Sequence[str], seconds: float) -> Verdict:
    assert _copy is not None
    began = time.monotonic()
    with _copy.holding(mutant):
        code, printed = _run_tests(_nearest_first(tests, mutant.file), seconds)
    outcome = "hung" if code is None else "survived" if code == 0 else "killed"
    closing = [line for line in printed.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return Verdict(package, mutant, outcome, time.monotonic() - began, "; ".join(closing[:1]))


def _nearest_first(tests: Sequence[str], file: str) -> list[str]:
    """Return the tests with those named after a module at the front."""
    stem = Path(file).stem.strip("_")
    return sorted(tests, key=lambda test: stem not in Path(test).stem)


# --- mutants of a checkout -----------------------------------------------------------------


def candidates_by_key(checkout: Path, file: str) -> dict[Key, Mutant]:
    """Return every change of a module, by its key."""
    source = (checkout / file).read_bytes()
    functions = _functions(ast.parse(source))
    lines = source.decode().split("\n")
    keyed: dict[Key, Mutant] = {}
    for mutant in candidates_of(source, file):
        number = mutant.line(source)
        inside = [span for span in functions if span[0] <= number <= span[1]]
        function = max(inside)[2] if inside else ""
        line = lines[number - 1].strip()
        if line in ("continue", "break", "return"):
            line = f"{lines[number - 2].strip()} {line}"
        key = Key(file, function, line, mutant.words(source))
        while key in keyed:
            key = replace(key, occurrence=key.occurrence + 1)
        keyed[key] = mutant
    return keyed


def _functions(tree: ast.AST, prefix: str = "") -> list[tuple[int, int, str]]:
    """Return the first line, the last line and the name of each function and class."""
    spans = []
    for node in ast.iter_child_nodes(tree):
        name = prefix
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{prefix}.{node.name}" if prefix else node.name
            spans.append((node.lineno, node.end_lineno or node.lineno, name))
        spans += _functions(node, name)
    return spans


def _path(checkout: Path, file: Path) -> str:
    return file.relative_to(checkout).as_posix()


def sample(checkout: Path, chosen: Sequence[str], number: int, seed: int) -> list[Key]:
    """Return some mutants, spread over packages by their lines; the same for the same seed."""
    files = {name: sorted((checkout / "exporter" / name).rglob("*.py")) for name in chosen}
    lines = {
        name: sum(len(file.read_bytes().splitlines()) for file in of) for name, of in files.items()
    }
    whole = sum(lines.values())
    keys: list[Key] = []
    for name, of in files.items():
        draw = random.Random(f"{seed} {name}")
        candidates = {
            key: mutant
            for file in of
            for key, mutant in candidates_by_key(checkout, _path(checkout, file)).items()
        }
        share = max(1, round(number * lines[name] / whole))
        shuffled = draw.sample(list(candidates), len(candidates))
        good = (
            key
            for key in shuffled
            if is_python(candidates[key], (checkout / key.file).read_bytes())
        )
        keys += itertools.islice(good, share)
    return sorted(keys)


# --- judging -------------------------------------------------------------------------------


def judge(checkout: Path, keys: Sequence[Key], verbose: bool) -> dict[Key, Verdict]:
    """Judge mutants and print the survivors; mutants that this checkout lacks are left out."""
    accepted = explanations()
    verdicts: dict[Key, Verdict] = {}
    by_package: dict[str, list[Key]] = {}
    for key in keys:
        by_package.setdefault(key.file.split("/")[1], []).append(key)
    context = multiprocessing.get_context("spawn")  # without the threads of this process
    with ProcessPoolExecutor(PROCESSES, context, _begin, (checkout,)) as pool:
        plain = {name: pool.submit(_time_tests, tests_of(checkout, name)) for name in by_package}
        pending = {}
        for name, of in by_package.items():
            seconds = max(SECONDS, SLOWDOWN * plain[name].result())
            for key in of:
                file = checkout / key.file
                mutant = candidates_by_key(checkout, key.file).get(key) if file.exists() else None
                if mutant is None:
                    print(f"not in this checkout: {key}")
                    continue
                tests = tests_of(checkout, name)
                pending[key] = pool.submit(_judge, name, mutant, tests, seconds)
        for key, future in pending.items():
            verdict = future.result()
            if verdict.outcome == "survived" and (key.file, key.line, key.change) in accepted:
                verdict = replace(verdict, outcome="explained")
            verdicts[key] = verdict
            if verbose or verdict.outcome == "survived":
                print(described(checkout, verdict), flush=True)
    return verdicts


def described(checkout: Path, verdict: Verdict) -> str:
    """Return the outcome of a mutant, its place and the lines that it changes."""
    mutant = verdict.mutant
    source = (checkout / mutant.file).read_bytes()
    head = f"{verdict.outcome} {verdict.seconds:.1f} s {mutant.file}:{mutant.line(source)}: "
    head += f"{mutant.what}: {mutant.words(source)[:140]} {verdict.failure}"
    return "\n".join([head, *(f"    {line}" for line in mutant.difference(source))])


def table(verdicts: Sequence[Verdict]) -> str:
    """Return the counts of each package and of all."""
    rows = [
        f"{'package':14}{'mutants':>8}{'killed':>8}{'hung':>6}{'explained':>11}{'survived':>10}"
    ]
    for name in [*sorted({verdict.package for verdict in verdicts}), "all"]:
        counts = Counter(item.outcome for item in verdicts if name in (item.package, "all"))
        rows.append(
            f"{name:14}{counts.total():8}{counts['killed']:8}{counts['hung']:6}"
            f"{counts['explained']:11}{counts['survived']:10}"
        )
    return "\n".join(rows)


def explanations() -> dict[tuple[str, str, str], str]:
    """Return why survivors are accepted, by file, line of the source and change."""
    entries = tomllib.loads(ACCEPTED.read_text(encoding="utf-8")).get("mutant", [])
    return {(entry["file"], entry["line"], entry["change"]): entry["why"] for entry in entries}


def main() -> int:
    """Judge a sample of mutants, or those of a record."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--package", action="append", help="default: all; repeatable")
    parser.add_argument("--mutants", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--checkout", type=Path, default=CHECKOUT)
    parser.add_argument("--record", type=Path, help="JSON file that is written")
    parser.add_argument("--replay", type=Path, help="judge the mutants of a record")
    parser.add_argument("--only", help="replay the mutants of this outcome")
    parser.add_argument("--verbose", action="store_true", help="print all, not survivors only")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="checkout-") as folder:
        checkout = Path(folder)
        copy_checkout(arguments.checkout.resolve(), checkout)
        chosen = arguments.package or packages(checkout)
        if arguments.replay:
            entries = json.loads(arguments.replay.read_text(encoding="utf-8"))
            keys = [
                Key(**entry["key"])
                for entry in entries
                if entry["outcome"] == (arguments.only or entry["outcome"])
                and entry["key"]["file"].split("/")[1] in chosen
            ]
        else:
            keys = sample(checkout, chosen, arguments.mutants, arguments.seed)
        verdicts = judge(checkout, keys, arguments.verbose)
    if arguments.record:
        entries = [
            {"key": asdict(key), "outcome": verdict.outcome} for key, verdict in verdicts.items()
        ]
        arguments.record.write_text(json.dumps(entries, indent=1) + "\n", encoding="utf-8")
    print(table(list(verdicts.values())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
