"""Damaged blobs in the readers of the engines.

Each is refused with the reader's own error or gives its values; none crashes, hangs or asks for
memory without bound. All blobs of a test go through one process: an exception of another kind would
end it.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import damaged_blobs as damage
import exporter
from engine_harness import Godot, Mono, Node
from engine_harness.breakers import (
    SLOWEST_MILLISECONDS,
    break_in_csharp,
    break_in_javascript,
    compile_breaker,
)
from engine_harness.folders import VECTORS
from engine_harness.godot import BREAK_BLOBS
from exporter.blob import read_pack

Break = Callable[[list[bytes]], list[str]]
Damage = Callable[[bytes], Iterable[bytes]]


@dataclass(frozen=True, slots=True)
class Reader:
    """A reader's results for blobs, the first of them whole: `error`, `same` or `other`."""

    break_blobs: Break
    profile: str = "small"
    # An interpreter takes seconds where the others read at once.
    is_slow: bool = False

    def answers(self, name: str, damage: Damage) -> list[str]:
        """Return the result of a shared blob with damage."""
        whole = (VECTORS / f"{name}.lvb").read_bytes()
        if self.profile == "fast":
            whole = exporter.write_pack(read_pack(whole), "fast")
        first, *answers = self.break_blobs([whole, *damage(whole)])
        assert first == "same"
        return answers


@pytest.fixture(scope="module")
def csharp(mono: Mono, tmp_path_factory: pytest.TempPathFactory) -> Reader:
    program = compile_breaker(mono, tmp_path_factory.mktemp("breaker"))
    return Reader(lambda blobs: break_in_csharp(mono, program, blobs))


@pytest.fixture(scope="module")
def gdscript(godot: Godot, tmp_path_factory: pytest.TempPathFactory) -> Reader:
    project = godot.new_project(tmp_path_factory.mktemp("damage"), ("level_exporter",))

    def break_blobs(blobs: list[bytes]) -> list[str]:
        whole, *texts = (base64.b64encode(blob).decode() for blob in blobs)
        question = {"whole": whole, "blobs": [whole, *texts]}
        # The engine's own complaints are part of it.
        reported: dict[str, Any] = godot.query(project, BREAK_BLOBS, question, allow_errors=True)
        assert reported["whole"] == ""
        assert len(reported["answers"]) == len(blobs)
        assert reported["slowest"] < SLOWEST_MILLISECONDS
        return list(reported["answers"])

    return Reader(break_blobs, is_slow=True)


@pytest.fixture(scope="module")
def javascript(node: Node, tmp_path_factory: pytest.TempPathFactory) -> Reader:
    folder: Path = tmp_path_factory.mktemp("damage")
    return Reader(lambda blobs: break_in_javascript(node, folder, blobs), "fast")


@pytest.fixture(params=["csharp", "gdscript", "javascript"])
def reader(request: pytest.FixtureRequest) -> Reader:
    """A reader of an engine; the others are not needed for it."""
    result: Reader = request.getfixturevalue(request.param)
    return result


def test_cut_and_flipped_bytes_are_refused_or_change_nothing(reader: Reader) -> None:
    names = ("small-cave", "data", "every-codec", "relief")
    for name in names[:2] if reader.is_slow else names:
        answers = reader.answers(name, damage.cut_and_flipped)
        # A newer minor version and the flags that may be ignored change nothing.
        assert set(answers) <= {"error", "same"}, name
        assert answers.count("same") <= 4, name


def test_damage_under_right_checksums_ends_in_an_answer(reader: Reader) -> None:
    names = ("small-cave", "data", "every-codec", "every-menu", "sights-coded", "relief")
    for name in names[:3] if reader.is_slow else names:
        # The rest are other cells: no checksum is left that could tell.
        assert reader.answers(name, damage.damaged_payloads).count("error") > 40, name


def test_directories_that_are_wrong_are_refused_or_change_nothing(reader: Reader) -> None:
    answers = reader.answers("small-cave", damage.wrong_directories)
    assert answers.count("error") > len(answers) // 2
    assert "error" in reader.answers("small-cave", damage.damaged_entries)


def test_chunks_in_another_order_end_in_an_answer(reader: Reader) -> None:
    name = "data" if reader.is_slow else "large"
    answers = reader.answers(name, damage.wrong_directories)
    assert answers.count("error") > len(answers) // 2


def test_payloads_outside_the_file_or_over_another_are_refused(reader: Reader) -> None:
    assert set(reader.answers("small-cave", damage.misplaced_payloads)) == {"error"}
