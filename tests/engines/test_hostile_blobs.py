"""Hostile blobs in all four readers: each reads or refuses the same, in bounded memory and time.

No limit is set on the memory of the processes: their peak is measured, so that an allocation that
fails cannot pass for a refusal.
"""

from __future__ import annotations

import random
import re
import struct
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

import mutated_blobs
from engine_harness import Godot, Mono, Node
from engine_harness.folders import CORE, JAVASCRIPT_READER, ROOT, copy_addon
from engine_harness.processes import MOST_SECONDS, home_environment
from exporter.blob import read_container
from exporter.model.errors import BlobError
from hostile_blobs import greedy, greedy_for_strangers, odd_chunks, odd_values

HERE = Path(__file__).parent
# Codecs that the reader of JavaScript lacks: it refuses blobs that the others read.
SMALL_PROFILE = {3, 16, 17, 18, 20}
MOST_MEGABYTES = 256
# Far more than it takes: only a reader that hangs exceeds it.
SLOWEST_MILLISECONDS = 60_000
PEAK = re.compile(r"^VmHWM:\s+(\d+) kB", re.MULTILINE)
JUDGED = re.compile(r"^(read|refused) (\d+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Judgement:
    """A reader's answers about blobs, in their order, and the time."""

    answers: list[str]
    slowest_milliseconds: int
    peak_megabytes: int


@dataclass(frozen=True, slots=True)
class Reader:
    """A command that judges a file of blobs; the file and the limits are added to it."""

    command: list[str]
    home: Path

    def judge(self, blobs: list[bytes], limits: str = "default") -> Judgement:
        """Return the reader's answers about blobs."""
        file = self.home / "judged.blobs"
        file.write_bytes(b"".join(struct.pack("<I", len(blob)) + blob for blob in blobs))
        log = self.home / "judged.log"
        environment = {**home_environment(self.home), "PYTHONPATH": str(ROOT)}
        with log.open("wb") as output:
            code = subprocess.run(
                [*self.command, str(file), limits],
                env=environment,
                stdout=output,
                stderr=subprocess.STDOUT,
                timeout=MOST_SECONDS,
                check=False,
            ).returncode
        printed = log.read_text(encoding="utf-8", errors="replace")
        lines = JUDGED.findall(printed)
        peak = PEAK.search(printed)
        assert code == 0, printed[-3000:]
        assert len(lines) == len(blobs), printed[-3000:]
        assert peak or not sys.platform.startswith("linux"), printed[-3000:]
        return Judgement(
            [answer for answer, _ in lines],
            max(int(milliseconds) for _, milliseconds in lines),
            int(peak[1]) >> 10 if peak else 0,
        )


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("judges")


@pytest.fixture(scope="module")
def python(home: Path) -> Reader:
    return Reader([sys.executable, str(ROOT / "tests/harness/judge_blobs.py")], home)


@pytest.fixture(scope="module")
def csharp(mono: Mono, home: Path) -> Reader:
    program = mono.compile([*CORE, HERE / "csharp" / "JudgeBlobs.cs"], home / "judge.exe")
    return Reader([mono.runtime, str(program)], home)


@pytest.fixture(scope="module")
def gdscript(godot: Godot, home: Path) -> Reader:
    project = godot.new_project(home / "project")
    copy_addon(project)
    script = str(HERE / "engine_harness" / "judge_blobs.gd")
    return Reader(
        [godot.command, "--headless", "--path", str(project), "--script", script, "--"], home
    )


@pytest.fixture(scope="module")
def javascript(node: Node, home: Path) -> Reader:
    script = str(HERE / "javascript" / "judge_blobs.mjs")
    return Reader([node.command, "--no-warnings", script, JAVASCRIPT_READER.as_uri()], home)


@pytest.fixture(params=["csharp", "gdscript", "javascript"])
def engine(request: pytest.FixtureRequest) -> Reader:
    """A reader of an engine; the others are not needed for it."""
    reader: Reader = request.getfixturevalue(request.param)
    return reader


# Makers of blobs, by their oddity.
Blobs = Callable[[], Iterable[tuple[str, bytes]]]
OfPython = Callable[[Blobs], dict[str, tuple[bytes, str]]]


@pytest.fixture(scope="module")
def of_python(python: Reader) -> OfPython:
    """Blobs and the answers of Python's reader, computed once for all the other readers."""

    @cache
    def judged(built_by: Blobs) -> dict[str, tuple[bytes, str]]:
        blobs = dict(built_by())
        answers = python.judge(list(blobs.values())).answers
        return dict(zip(blobs, zip(blobs.values(), answers, strict=True), strict=True))

    return judged


def mutated() -> Iterator[tuple[str, bytes]]:
    originals = mutated_blobs.originals()
    for case in range(200, 360):
        yield f"case {case}", mutated_blobs.mutated(originals, random.Random(f"1 {case}"))


def fast_profile_only(blobs: dict[str, bytes]) -> dict[str, bytes]:
    """Return the blobs that a reader of the fast profile has to judge as the others do."""

    def uses_others(blob: bytes) -> bool:
        try:
            return any(chunk.codec in SMALL_PROFILE for chunk in read_container(blob))
        except BlobError:
            return False

    return {name: blob for name, blob in blobs.items() if not uses_others(blob)}


def assert_judged_alike(item: Reader, judged: dict[str, tuple[bytes, str]]) -> list[str]:
    """Assert that a reader judges blobs as Python's does; return the answers."""
    blobs = {name: blob for name, (blob, _) in judged.items()}
    if "judge_blobs.mjs" in " ".join(item.command):
        blobs = fast_profile_only(blobs)
    expected = [judged[name][1] for name in blobs]
    result = item.judge(list(blobs.values()))
    differing = {
        name: (f"Python: {theirs}", f"this reader: {ours}")
        for name, theirs, ours in zip(blobs, expected, result.answers, strict=True)
        if theirs != ours
    }
    assert differing == {}
    return expected


def test_all_readers_check_the_same_types_of_values(engine: Reader, of_python: OfPython) -> None:
    answers = assert_judged_alike(engine, of_python(odd_values))
    assert answers[0] == "read"
    assert 100 < answers.count("read") < answers.count("refused")


def test_all_readers_check_the_same_fields_of_the_directory(
    engine: Reader, of_python: OfPython
) -> None:
    answers = assert_judged_alike(engine, of_python(odd_chunks))
    assert 10 < answers.count("read") < answers.count("refused")


def test_all_readers_judge_mutated_blobs_alike(engine: Reader, of_python: OfPython) -> None:
    answers = assert_judged_alike(engine, of_python(mutated))
    assert 5 < answers.count("read") < answers.count("refused")


@pytest.mark.parametrize("name", ["python", "csharp", "gdscript", "javascript"])
def test_what_asks_for_too_much_is_refused_before_it_is_created(
    request: pytest.FixtureRequest, name: str
) -> None:
    reader: Reader = request.getfixturevalue(name)
    blobs = greedy()
    assert_little_is_used(reader, blobs, dict.fromkeys(blobs, "refused"))


@pytest.mark.parametrize("name", ["python", "csharp", "gdscript", "javascript"])
def test_within_the_limits_for_strangers_no_blob_takes_much(
    request: pytest.FixtureRequest, name: str
) -> None:
    reader: Reader = request.getfixturevalue(name)
    blobs = greedy_for_strangers()
    blobs = fast_profile_only(blobs) if name == "javascript" else blobs
    expected = {what: "read" if what.startswith("nearly") else "refused" for what in blobs}
    assert_little_is_used(reader, blobs, expected, "strangers")


def assert_little_is_used(
    reader: Reader, blobs: dict[str, bytes], expected: dict[str, str], limits: str = "default"
) -> None:
    """Assert the answers, and that no blob takes much time or memory.

    One process judges all: its peak is at least that of each blob alone.
    """
    judged = reader.judge(list(blobs.values()), limits)
    assert dict(zip(blobs, judged.answers, strict=True)) == expected
    assert judged.peak_megabytes < MOST_MEGABYTES
    assert judged.slowest_milliseconds < SLOWEST_MILLISECONDS
