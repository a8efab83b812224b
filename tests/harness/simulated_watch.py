"""The loop of the daemon on a clock that only the test moves.

Every wait moves the clock, and a test's planned actions happen while the loop waits for its
workers. So a test of hours takes milliseconds, and every time is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any, TypeVar

import pytest

from exporter.export.events import Event, LevelResult
from exporter.export.export import Export
from exporter.export.level_builder import build_files
from exporter.export.plan import ExportPlan
from exporter.export.tasks import Task, TaskResult
from exporter.export.workers import OnStage
from exporter.model.exit_codes import ExitCode
from exporter.watch import loop as loop_module
from exporter.watch.change_signal import ChangeSignal
from exporter.watch.lock import claim_project
from exporter.watch.loop import Loop
from status_files import read_levels, read_status

CAVE = "size: [8, 8]\nseed: {seed}\nlayers: {{ground: {{generator: cellular_caves}}}}\n"
# A loop that asks so often without waiting would do so for ever.
MAXIMUM_STEPS_AT_ONCE = 50
# Between this time and its double, waiting for a time ends exactly then.
START = 1024.0
CLOCKS = (
    "exporter.watch.loop.monotonic",
    "exporter.watch.change_signal.monotonic",
    "exporter.watch.checkout.monotonic",
    "exporter.export.failures.monotonic",
    "exporter.export.removals.monotonic",
)
Kind = TypeVar("Kind")


class SimulatedObservers:
    """Observers that see nothing: the test announces the events."""

    def __init__(self, signal: ChangeSignal, root: Path, remark: Callable[[str], None]) -> None:
        self.remark = remark
        self.polling = False
        self.stopped = False
        self.observed: list[tuple[set[Path], set[Path]]] = []

    def observe(self, trees: Iterable[Path], folders: Iterable[Path]) -> None:
        """Record the folders to observe."""
        self.observed.append((set(trees), set(folders)))

    def give_up(self, why: str) -> None:
        """Poll from now on."""
        self.polling = True
        self.remark(why)

    def stop(self) -> None:
        """Note that the end has come."""
        self.stopped = True


class SimulatedWorkers:
    """Workers that build one level after the other, each in `seconds`."""

    def __init__(self, watch: SimulatedWatch) -> None:
        self.watch = watch
        self.seconds = 0.0
        self.submitted: list[tuple[float, str]] = []
        self.cancelled: list[tuple[float, str]] = []
        self.arguments: tuple[Any, ...] = ()
        self.warmed: list[tuple[float, int]] = []
        self.trimmed: list[tuple[float, int]] = []
        self.closed = False
        self._queue: list[Task] = []
        self._done_at = 0.0

    @property
    def pending(self) -> int:
        """The number of levels that are being built."""
        return len(self._queue)

    def submit(self, jobs: Sequence[Task]) -> None:
        """Build some levels."""
        if not self._queue:
            self._done_at = self.watch.time + self.seconds
        self._queue += jobs
        self.submitted += [(self.watch.now, task.spec) for task in jobs]

    def cancel(self, spec: str) -> bool:
        """Build a level no longer."""
        self.cancelled.append((self.watch.now, spec))
        self._queue = [task for task in self._queue if task.spec != spec]
        return True

    def results(self, timeout: float, also: Sequence[Any] = ()) -> list[TaskResult]:
        """Let time pass until a level is built or one of some channels is ready."""
        assert timeout >= 0.0
        until = self.watch.time + timeout
        if self._queue:
            until = min(until, self._done_at)
        self.watch.pass_time(until, also)
        if not self._queue or self.watch.time < self._done_at:
            return []
        self._done_at = self.watch.time + self.seconds
        return [build_files(self._queue.pop(0))]

    def warm_up(self, spares: int = 1) -> None:
        """Note when spare workers are started."""
        self.warmed.append((self.watch.now, spares))

    def trim(self, idle: int) -> None:
        """Note when workers too many are ended."""
        self.trimmed.append((self.watch.now, idle))

    def close(self) -> None:
        """Note that the end has come."""
        self.closed = True


class SimulatedWatch:
    """A watched project of small levels, one of them there from the beginning.

    Attributes:
        time: The time of the monotonic clock.
        events: The reported events, and when.
        looks: When the loop looked at the files, and how: full, quiet, or early at which specs.
        scans: When it scanned them between changes.
        scan_seconds: How much of the CPU a scan takes.
    """

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root = root
        self.time = START
        self.events: list[tuple[float, Event]] = []
        self.looks: list[tuple[float, str]] = []
        self.scans: list[float] = []
        self.scan_seconds = 0.0
        self.workers = SimulatedWorkers(self)
        self._cpu = 0.0
        self._plan: list[tuple[float, Callable[[], object]]] = []
        self._steps_at_once = 0
        (root / "levels").mkdir(parents=True)
        (root / "exporter.yaml").write_text("targets:\n  tiled: {path: t, blob: false}\n")
        self.write("a")
        for clock in CLOCKS:
            monkeypatch.setattr(clock, lambda: self.time)
        monkeypatch.setattr(loop_module, "thread_time", lambda: self._cpu)
        monkeypatch.setattr(loop_module, "Workers", self._built_workers)
        monkeypatch.setattr(loop_module, "Observers", SimulatedObservers)
        self._loop: Loop | None = None

    # --- preparation ------------------------------------------------------------------------

    def loop(self, *, jobs: int | None = 1, poll: bool = False) -> Loop:
        """Return the loop, which is made when it is first asked for."""
        if self._loop is None:
            lock = claim_project(self.root)
            assert lock is not None
            self._loop = Loop(self.root, self, lock, jobs, poll, 10.0)
            self._watch_looks(self._loop.export)
        return self._loop

    def at(self, seconds: float, *actions: Callable[[], object]) -> None:
        """Do something at a time."""
        self._plan += [(START + seconds, action) for action in actions]
        self._plan.sort(key=lambda planned: planned[0])

    def run(self, seconds: float) -> int:
        """Watch until a time, then ask the loop to stop; return its exit code."""
        loop = self.loop()
        self.at(seconds, lambda: loop.stop(ExitCode.DONE))
        return loop.run()

    def close(self) -> None:
        """Close the loop."""
        if self._loop is not None:
            loop, self._loop = self._loop, None
            loop.close()

    # --- actions during a test ----------------------------------------------------------------

    def spec(self, name: str) -> Path:
        """Return the path of a level's spec."""
        return self.root / "levels" / f"{name}.level.yaml"

    def write(self, name: str, seed: int = 1) -> None:
        """Write a level's spec, which nothing announces."""
        self.spec(name).write_text(CAVE.format(seed=seed))

    def save(self, name: str, seed: int = 1) -> None:
        """Write a level's spec, and have the system announce it."""
        self.write(name, seed)
        self.announce()

    def announce(self, *paths: Path, complete: bool = False) -> None:
        """Let the system announce a change, and perhaps of what."""
        self.loop().signal.set_by_event(*map(str, paths), complete=complete)

    # --- results ------------------------------------------------------------------------------

    @property
    def now(self) -> float:
        """Seconds since the start."""
        return round(self.time - START, 6)

    def output(self, name: str) -> Path:
        """Return the path of a level's output."""
        return self.root / "t" / f"{name}.tmj"

    def of(self, kind: type[Kind]) -> list[Kind]:
        """Return the events of one kind."""
        return [event for _, event in self.events if isinstance(event, kind)]

    def results(self, name: str) -> list[tuple[float, str]]:
        """Return the results of a level, and when."""
        result = [(when, item) for when, item in self.events if isinstance(item, LevelResult)]
        return [(when, item.status) for when, item in result if item.level == name]

    def status(self) -> dict[str, Any]:
        """Return the status file."""
        return read_status(self.root)

    def levels(self) -> list[dict[str, Any]]:
        """Return the status files of the levels, by their specs."""
        return read_levels(self.root)

    def has_journal(self) -> bool:
        """Whether changes of the manifest wait in its journal."""
        return (self.root / ".exporter" / "manifest.journal").exists()

    # --- for the loop -------------------------------------------------------------------------

    def report(self, event: Event) -> None:
        """Keep one event."""
        self.events.append((self.now, event))

    def pass_time(self, until: float, channels: Sequence[Any]) -> None:
        """Move the clock, run the actions planned meanwhile, and stop when a channel is ready."""
        began = self.time
        while not wait(channels, 0):
            if not self._plan or self._plan[0][0] > until:
                self.time = max(self.time, until)
                break
            self.time = max(self.time, self._plan[0][0])
            while self._plan and self._plan[0][0] <= self.time:
                self._plan.pop(0)[1]()
        self._steps_at_once = 0 if self.time > began else self._steps_at_once + 1
        assert self._steps_at_once < MAXIMUM_STEPS_AT_ONCE, f"no waiting at {self.now}"

    def _built_workers(self, *arguments: Any, on_stage: OnStage) -> SimulatedWorkers:
        self.workers.arguments = arguments
        return self.workers

    def _watch_looks(self, export: Export) -> None:
        planner = export.planner
        plan, early_plan, differ = export.plan, planner.early_plan, planner.files.differ

        def noted_plan(*, full: bool) -> ExportPlan:
            self.looks.append((self.now, "full" if full else "quiet"))
            return plan(full=full)

        def noted_early_plan(only: Collection[str]) -> ExportPlan:
            self.looks.append((self.now, f"early {' '.join(only)}".strip()))
            return early_plan(only)

        def noted_differ() -> bool:
            self.scans.append(self.now)
            self._cpu += self.scan_seconds
            return differ()

        export.plan = noted_plan  # type: ignore[method-assign]
        planner.early_plan = noted_early_plan  # type: ignore[method-assign]
        planner.files.differ = noted_differ  # type: ignore[method-assign]
