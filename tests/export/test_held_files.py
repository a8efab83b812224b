"""Files that another program holds open: retried, reported, written whole.

The errors of Windows are injected into the system calls.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from edited_outputs import ThreeEngines
from exporter.cli.main import main
from exporter.export import run as run_module
from exporter.export.clean import clean_project
from exporter.export.events import LevelResult, Removal
from exporter.model.errors import HeldError
from exporter.store import held_files
from silent_reporter import SilentReporter

ATTEMPTS = held_files.ATTEMPTS


class Holder:
    """A program that holds files open: the system refuses to replace, rename or remove them.

    Attributes:
        refusals: How many calls are refused before the file is let go.
        calls: The calls that were made for these files.
    """

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, held: Callable[[str], bool], refusals: int, code: int
    ) -> None:
        self.held = held
        self.refusals = refusals
        self.code = code
        self.calls: list[str] = []
        for name in ("replace", "rename", "unlink"):
            monkeypatch.setattr(os, name, self._wrapped(name, getattr(os, name)))
        monkeypatch.setattr(held_files.time, "sleep", lambda _seconds: None)

    def _wrapped(self, name: str, real: Callable[..., None]) -> Callable[..., None]:
        def call(*arguments: Any, **options: Any) -> None:
            # A rename needs the old name as well as the new one.
            names = [str(argument) for argument in arguments[: 1 if name == "unlink" else 2]]
            path = next((item for item in names if self.held(item)), "")
            if path:
                self.calls.append(name)
                if len(self.calls) <= self.refusals:
                    error = PermissionError(13, "The file is used by another process", path)
                    error.winerror = self.code  # type: ignore[attr-defined]
                    raise error
            real(*arguments, **options)

        return call


def is_map(path: str) -> bool:
    return path.endswith("a.tmj")


@pytest.fixture(params=[5, 32, 33])
def code(request: pytest.FixtureRequest) -> int:
    """The names on Windows: access denied, sharing violation, lock violation."""
    number: int = request.param
    return number


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds that pass only while the export sleeps."""
    now = [0.0]

    class Clock:
        @staticmethod
        def monotonic() -> float:
            return now[0]

        @staticmethod
        def sleep(seconds: float) -> None:
            now[0] += seconds

    monkeypatch.setattr(run_module, "time", Clock)
    return now


def leftovers(game: ThreeEngines) -> list[Path]:
    return list(game.root.rglob(".*.tmp"))


def test_a_file_that_is_held_for_a_moment_is_written_without_a_word(
    three: ThreeEngines, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    holder = Holder(monkeypatch, is_map, ATTEMPTS - 1, code)
    three.write("a", seed=2)
    result = three.export()["a"]
    assert (result.status, three.remarks()) == ("built", [])
    assert "t/a.tmj" in result.written
    assert holder.calls == ["replace"] * ATTEMPTS


def test_a_file_that_is_held_for_longer_is_reported_and_written_later(
    three: ThreeEngines, monkeypatch: pytest.MonkeyPatch, clock: list[float], code: int
) -> None:
    before = three.files()
    Holder(monkeypatch, is_map, 3 * ATTEMPTS, code)
    three.write("a", seed=2)
    three.write("b", seed=3)
    results = three.export()
    assert {result.status for result in results.values()} == {"built"}
    assert "t/b.tmj" in results["b"].written  # others do not wait
    (remark,) = three.remarks()
    assert "a.tmj is held open by another program" in remark
    assert 0 < clock[0] < 10
    assert three.files()["t/a.tmj"] != before["t/a.tmj"]
    monkeypatch.undo()
    done = three.files()
    three.export(force=True)
    assert three.files() == done
    assert not leftovers(three)


def test_a_file_that_is_held_for_ever_fails_its_level_and_a_later_run_mends_it(
    three: ThreeEngines, monkeypatch: pytest.MonkeyPatch, clock: list[float]
) -> None:
    before = three.files()
    with monkeypatch.context() as patched:
        Holder(patched, is_map, 10**9, 32)
        three.write("a", seed=2)
        result = three.export()["a"]
        assert result.status == "failed"
        assert "held open by another program" in result.problems[0].message
        assert 10 <= clock[0] < 11
        assert three.files()["t/a.tmj"] == before["t/a.tmj"]  # the old one, never half
        assert not leftovers(three)
    result = three.export()["a"]
    assert (result.status, result.preserved) == ("built", ())
    done = three.files()
    assert done["t/a.tmj"] != before["t/a.tmj"]
    three.export(force=True, overwrite=True)
    assert three.files() == done


def test_the_command_line_waits_and_exits_with_1(
    three: ThreeEngines, monkeypatch: pytest.MonkeyPatch, clock: list[float]
) -> None:
    Holder(monkeypatch, is_map, 10**9, 32)
    three.write("a", seed=2)
    assert main(["export", str(three.root)]) == 1


@pytest.mark.parametrize("path", ["g/a.tscn", "g/a.ground.png.import", "u/a.ground.png.meta"])
def test_every_kind_of_file_may_be_held(
    three: ThreeEngines, monkeypatch: pytest.MonkeyPatch, clock: list[float], path: str
) -> None:
    (three.root / path).unlink()
    if not path.endswith(".tscn"):
        three.settings(
            (three.root / "exporter.yaml").read_text().replace("u}", "u, block_size: 3}")
        )
    Holder(monkeypatch, lambda item: item.endswith(Path(path).name), 2 * ATTEMPTS, 32)
    result = three.export()["a"]
    assert (result.status, path in result.written) == ("built", True)
    assert len(three.remarks()) == 1


def test_a_rename_waits_for_a_held_file(
    three: ThreeEngines, monkeypatch: pytest.MonkeyPatch, clock: list[float]
) -> None:
    holder = Holder(monkeypatch, is_map, 2 * ATTEMPTS, 32)
    old = (three.root / "g/a.ground.png.import").read_bytes()
    three.write("a", more="level: z\n")
    result = three.export()["a"]
    assert (result.level, result.status) == ("z", "built")
    assert len(holder.calls) > 2 * ATTEMPTS
    assert {path.split("/")[-1].split(".")[0] for path in three.files()} == {"b", "z"}
    assert (three.root / "g/z.ground.png.import").read_bytes() == old
    assert len(three.remarks()) == 1


def test_what_is_held_while_its_spec_is_deleted_goes_another_time(
    three: ThreeEngines, monkeypatch: pytest.MonkeyPatch
) -> None:
    three.spec("a").unlink()
    with monkeypatch.context() as patched:
        Holder(patched, is_map, 10**9, 32)
        for _ in range(2):  # each export reports it again
            three.export()
            (removal,) = [event for event in three.reporter.events if isinstance(event, Removal)]
            assert removal.held == ("t/a.tmj",)
            assert "t/a.tmj" not in removal.paths
        assert {path for path in three.files() if "/a." in path} == {"t/a.tmj"}
    three.export()
    assert three.reported_removed() == {"t/a.tmj"}
    assert not {path for path in three.files() if "/a." in path}


def test_what_is_held_while_it_is_cleaned_goes_another_time(
    three: ThreeEngines, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        Holder(patched, is_map, 10**9, 32)
        reporter = SilentReporter()
        clean_project(three.root, reporter)
        reported = [event.held for event in reporter.events if isinstance(event, Removal)]
        assert ("t/a.tmj",) in reported
        assert set(three.files()) == {"t/a.tmj"}
    clean_project(three.root, SilentReporter())
    assert three.files() == {}


def test_a_watch_tries_a_held_file_again_until_it_is_written(
    three: ThreeEngines, monkeypatch: pytest.MonkeyPatch
) -> None:
    from exporter.export import failures

    now = [100.0]
    monkeypatch.setattr(failures, "monotonic", lambda: now[0])
    opened = three.open(grace=5.0)
    three.batch(opened)
    before = three.files()["t/a.tmj"]
    Holder(monkeypatch, is_map, 2 * ATTEMPTS, 32)
    three.write("a", seed=2)
    (result,) = three.batch(opened)
    assert result.status == "failed"
    assert "held open" in result.problems[0].message
    assert three.files()["t/a.tmj"] == before
    reported: list[LevelResult] = []
    for _ in range(6):
        now[0] += failures.LONGEST_RETRY_SECONDS
        if opened.planner.staleness.outputs_differ(opened.committer.reports.preserved):
            reported += three.batch(opened)
    (result,) = reported
    assert (result.status, "t/a.tmj" in result.written) == ("built", True)
    assert three.files()["t/a.tmj"] != before


def test_other_refusals_are_no_waiting(
    three: ThreeEngines, monkeypatch: pytest.MonkeyPatch, clock: list[float]
) -> None:
    real = os.replace

    def refuse(old: Any, new: Any, **options: Any) -> None:
        if is_map(str(new)):
            raise OSError(28, "No space left on device", "t/a.tmj")
        real(old, new, **options)

    three.write("a", seed=2)
    monkeypatch.setattr(os, "replace", refuse)
    result = three.export()["a"]
    assert result.status == "failed"
    assert "No space left" in result.problems[0].message
    assert clock[0] == 0


def test_the_error_says_what_is_held() -> None:
    error = PermissionError(13, "denied")
    error.winerror = 32  # type: ignore[attr-defined]
    assert isinstance(held_files.refused(error, Path("t/a.tmj")), HeldError)
    assert "t/a.tmj is held open" in str(held_files.refused(error, Path("t/a.tmj")))
    assert not isinstance(held_files.refused(PermissionError(13, "denied"), Path("x")), HeldError)
