"""The loop of the daemon, in this process: builds, drops, stores and reports."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

import pytest

from exporter.export.events import BatchDone, LevelResult, Ready, Remark, Upkeep
from exporter.export.level_builder import build_files
from exporter.export.tasks import Task, TaskResult
from exporter.model.exit_codes import ExitCode
from exporter.watch import loop as loop_module
from exporter.watch.lock import LOCK, claim_project
from exporter.watch.loop import Loop
from silent_reporter import SilentReporter
from status_files import read_levels

CAVE = "size: [8, 8]\nseed: {seed}\nlayers: {{ground: {{generator: cellular_caves}}}}\n"


class Workers:
    """Workers in this process: a level is built when it is its turn, unless it was cancelled."""

    def __init__(self, *_: Any) -> None:
        self.queue: list[Task] = []
        self.submitted: list[str] = []
        self.cancelled: list[str] = []
        self.hold = threading.Event()
        self.hold.set()
        self.closed = False

    @property
    def pending(self) -> int:
        return len(self.queue)

    def submit(self, jobs: Sequence[Task]) -> None:
        self.queue += jobs
        self.submitted += [task.spec for task in jobs]

    def cancel(self, spec: str) -> bool:
        self.cancelled.append(spec)
        self.queue = [task for task in self.queue if task.spec != spec]
        return True

    def results(self, timeout: float | None, also: Sequence[Any] = ()) -> list[TaskResult]:
        if self.queue and self.hold.is_set():
            return [build_files(self.queue.pop(0))]
        wait(also, timeout)
        return []

    def warm_up(self, spares: int = 1) -> None:
        self.warmed = spares

    def trim(self, idle: int) -> None:
        self.trimmed = idle

    def close(self) -> None:
        self.closed = True


class Watch:
    """A loop that runs in a thread over a small project."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.reporter = SilentReporter()
        self.workers = Workers()
        self.loop: Loop | None = None
        self.exit_code: int | None = None
        self.thread = threading.Thread()

    def spec(self, name: str) -> Path:
        return self.root / "levels" / f"{name}.level.yaml"

    def write(self, name: str, seed: int = 1) -> None:
        self.spec(name).write_text(CAVE.format(seed=seed))

    def start(self, *, poll: bool = False) -> None:
        lock = claim_project(self.root)
        assert lock is not None
        self.loop = Loop(self.root, self.reporter, lock, 1, poll, 10.0)
        self.thread = threading.Thread(target=self._run, args=(self.loop,))
        self.thread.start()

    def _run(self, loop: Loop) -> None:
        self.exit_code = loop.run()

    def stop(self) -> None:
        if self.loop is None:
            return
        loop, self.loop = self.loop, None
        loop.stop(ExitCode.DONE)
        self.thread.join(60)
        loop.close()
        assert not self.thread.is_alive()

    def of(self, kind: type[Any]) -> list[Any]:
        return [event for event in list(self.reporter.events) if isinstance(event, kind)]

    def until(self, holds: Callable[[], Any], seconds: float = 60.0) -> None:
        limit = time.monotonic() + seconds
        while time.monotonic() < limit:
            if holds():
                return
            time.sleep(0.005)
        raise AssertionError(f"never: {self.reporter.events}")

    def results(self, name: str) -> list[str]:
        return [event.status for event in self.of(LevelResult) if event.level == name]


@pytest.fixture
def watch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Watch]:
    root = tmp_path / "game"
    (root / "levels").mkdir(parents=True)
    (root / "exporter.yaml").write_text("targets:\n  tiled: {path: t, blob: false}\n")
    result = Watch(root)
    result.write("a")
    monkeypatch.setattr(loop_module, "Workers", lambda *_, **_more: result.workers)
    yield result
    result.stop()


def test_it_exports_then_says_that_it_is_ready(watch: Watch) -> None:
    watch.write("b")
    watch.start()
    watch.until(lambda: watch.of(Ready))
    kinds = [type(event) for event in watch.reporter.events]
    assert kinds == [LevelResult, LevelResult, Upkeep, BatchDone, Ready]
    assert watch.of(Ready)[0].levels == 2
    assert all(event.elapsed > 0 for event in watch.of(LevelResult))
    assert (watch.root / "t" / "a.tmj").is_file()
    watch.until(lambda: getattr(watch.workers, "warmed", 0) == loop_module.WARM_WORKERS)
    watch.stop()
    assert watch.exit_code == ExitCode.DONE
    assert watch.workers.closed
    lock = claim_project(watch.root)
    assert lock is not None
    lock.close()


@pytest.mark.parametrize("poll", [False, True])
def test_it_exports_what_is_saved_and_nothing_else(watch: Watch, poll: bool) -> None:
    watch.write("b")
    watch.start(poll=poll)
    watch.until(lambda: watch.of(Ready))
    watch.write("b", seed=2)
    watch.until(lambda: watch.results("b") == ["built", "built"])
    assert watch.results("a") == ["built"]
    assert watch.of(LevelResult)[-1].causes == ("levels/b.level.yaml",)


@pytest.mark.parametrize("poll", [False, True])
def test_hand_edits_that_come_change_and_go_rebuild_their_level_alone(
    watch: Watch, poll: bool
) -> None:
    watch.write("b")
    watch.start(poll=poll)
    watch.until(lambda: watch.of(Ready))
    edits = watch.root / "levels" / "b.edits.yaml"
    for number, text in enumerate(("floor", "null", "")):
        if text:
            edits.write_text(f"layers: {{ground: [{{at: [0, 0], was: wall, now: {text}}}]}}\n")
        else:
            edits.unlink()
        watch.until(lambda expected=number + 2: len(watch.results("b")) == expected)
        assert watch.of(LevelResult)[-1].causes == ("levels/b.edits.yaml",)
    assert watch.results("a") == ["built"]


def test_a_painted_map_is_imported_if_its_target_says_so(
    watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("exporter.watch.rescans.PAUSE_SECONDS", 0.1)
    settings = "targets:\n  tiled: {path: t, blob: false, edits: auto}\n"
    (watch.root / "exporter.yaml").write_text(settings)
    watch.start()
    watch.until(lambda: watch.of(Ready))
    position = watch.root / "t" / "a.tmj"
    document = json.loads(position.read_text())
    document["layers"][0]["data"][9] = 0
    position.write_text(json.dumps(document))
    edits = watch.root / "levels" / "a.edits.yaml"
    watch.until(lambda: watch.results("a") == ["built", "built"])
    assert "at: [1, 1]" in edits.read_text()
    assert json.loads(position.read_text())["layers"][0]["data"][9] == 0
    assert watch.of(LevelResult)[-1].preserved == ()


def test_a_newer_save_drops_the_older_one(watch: Watch) -> None:
    watch.start()
    watch.until(lambda: watch.of(Ready))
    watch.workers.hold.clear()
    watch.write("a", seed=2)
    watch.until(lambda: watch.workers.submitted.count("levels/a.level.yaml") == 2)
    watch.write("a", seed=3)
    watch.until(lambda: watch.workers.cancelled)
    watch.workers.hold.set()
    watch.until(lambda: len(watch.results("a")) == 2)
    assert "seed: 3" in watch.spec("a").read_text()
    assert [read_level["status"] for read_level in read_levels(watch.root)] == ["built"]


def test_changes_that_no_event_announces_are_detected_and_polled_for(
    watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("exporter.watch.rescans.PAUSE_SECONDS", 0.1)
    monkeypatch.setattr("exporter.watch.rescans.PAUSE_FACTOR", 1)
    monkeypatch.setattr(loop_module, "BELATED_SECONDS", 0.2)
    monkeypatch.setattr(
        "exporter.watch.change_signal.ChangeSignal.set_by_event", lambda *_, **_more: None
    )
    watch.start()
    watch.until(lambda: watch.of(Ready))
    watch.write("a", seed=2)
    watch.until(lambda: watch.results("a") == ["built", "built"])
    watch.until(lambda: watch.of(Remark))
    assert watch.loop is not None
    assert watch.loop.observers.polling
    assert [event.text for event in watch.of(Remark)] == [
        "changes are not announced here: looking at the files regularly instead"
    ]


def test_a_deleted_state_folder_costs_the_lock_nothing(
    watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("exporter.watch.rescans.PAUSE_SECONDS", 0.1)
    monkeypatch.setattr("exporter.watch.rescans.PAUSE_FACTOR", 1)
    watch.start()
    watch.until(lambda: watch.of(Ready))
    (watch.root / ".exporter" / LOCK).unlink()
    watch.until(lambda: (watch.root / ".exporter" / LOCK).exists())
    time.sleep(0.2)
    assert claim_project(watch.root) is None


def test_a_daemon_whose_lock_was_taken_leaves(
    watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("exporter.watch.rescans.PAUSE_SECONDS", 0.3)
    monkeypatch.setattr("exporter.watch.rescans.PAUSE_FACTOR", 1)
    watch.start()
    watch.until(lambda: watch.of(Ready))
    (watch.root / ".exporter" / LOCK).unlink()
    other = claim_project(watch.root)
    assert other is not None
    watch.until(lambda: watch.exit_code is not None)
    assert watch.exit_code == ExitCode.USAGE
    assert [event.text for event in watch.of(Remark)] == ["another daemon watches this project now"]
    other.close()
