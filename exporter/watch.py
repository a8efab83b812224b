"""The watch daemon: export, then export again whatever changes.

Events ring the bell, the scan tells the truth. System events are only a hint that something may
have changed; which specs did is found by looking at the files, and whether a level is stale by
hashing them, as in a one-shot export. So an editor may save however it likes, and lost events,
links and network drives cost a moment of delay and no more: the scan is also repeated at leisure.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from exporter.errors import Problem, SpecError, StoreError
from exporter.export import Event, LevelResult, Removal, Settings, export_project
from exporter.project import FILE_NAME, find_specs, fixed_part, load_project, shown
from exporter.reporting import ExportReporter
from exporter.status import problem_report
from exporter.store import Store, try_lock

if TYPE_CHECKING:
    from watchdog.observers.api import BaseObserver

# Quiet time after the last event before a batch; longer while a file is empty, gone or half
# written, and never beyond the cap, however busy the folder is.
QUIET_SECONDS = 0.04
UNSETTLED_SECONDS = 0.1
LONGEST_WAIT = 0.3
# At leisure the files are looked at again, at most this often and using at most half a percent
# of one processor.
RESCAN_SECONDS = 2.0
RESCAN_FACTOR = 200
POLL_SECONDS = 0.25

Signature = tuple[int, int, int, int]
Snapshot = dict[str, Signature]

EXIT_DONE = 0
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130


def watch_project(root: Path, *, json: bool, jobs: int | None, poll: bool) -> int:
    """Export a project, and again whenever it changes, until interrupted.

    Returns:
        The exit code: 130 after Ctrl+C, 0 after a polite request to end, 2 when the project is
        being watched already.
    """
    (root / ".exporter").mkdir(exist_ok=True)
    lock = try_lock(root / ".exporter" / "watch.lock")
    if lock is None:
        owner = _lock_owner(root)
        print(f"exporter: {root} is being watched already{owner}", file=sys.stderr)
        return EXIT_USAGE
    with lock, _stop_signals() as stop:
        _write_lock_owner(root)
        talk: _Talk = _JsonTalk() if json else _HumanTalk()
        _Watch(root, talk, jobs, poll, stop).run()
        return stop.code


class _Stop(threading.Event):
    """Set by a signal; remembers which."""

    code = EXIT_DONE


@contextlib.contextmanager
def _stop_signals() -> Iterator[_Stop]:
    stop = _Stop()

    def handle(number: int, _frame: Any) -> None:
        if stop.is_set():
            os._exit(EXIT_INTERRUPTED)  # asked twice: leave at once
        stop.code = EXIT_INTERRUPTED if number == signal.SIGINT else EXIT_DONE
        stop.set()

    names = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    previous = {number: signal.signal(number, handle) for number in numbers}
    try:
        yield stop
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def _lock_owner(root: Path) -> str:
    with contextlib.suppress(OSError, ValueError):
        process = int((root / ".exporter" / "watch.pid").read_text(encoding="ascii"))
        return f" (by process {process})"
    return ""


def _write_lock_owner(root: Path) -> None:
    with contextlib.suppress(OSError):
        (root / ".exporter" / "watch.pid").write_text(f"{os.getpid()}\n", encoding="ascii")


class _Talk:
    """What a daemon says."""

    def event(self, event: Event) -> None:
        raise NotImplementedError

    def refused(self, problems: tuple[Problem, ...]) -> None:
        raise NotImplementedError

    def ready(self, specs: int) -> None:
        raise NotImplementedError


class _HumanTalk(_Talk):
    def __init__(self) -> None:
        self.reporter = ExportReporter()

    def event(self, event: Event) -> None:
        self.reporter.event(event)
        sys.stdout.flush()

    def refused(self, problems: tuple[Problem, ...]) -> None:
        for problem in problems:
            print(problem.render(), file=sys.stderr, flush=True)

    def ready(self, specs: int) -> None:
        levels = "1 level" if specs == 1 else f"{specs} levels"
        print(f"watching {levels}; Ctrl+C stops", flush=True)


class _JsonTalk(_Talk):
    def _say(self, document: dict[str, Any]) -> None:
        print(json.dumps(document), flush=True)

    def event(self, event: Event) -> None:
        if isinstance(event, Removal):
            self._say(
                {
                    "event": "removed",
                    "level": event.level,
                    "spec": event.spec,
                    "paths": list(event.paths),
                    "removed": list(event.paths),
                }
            )
        elif event.status != "unchanged":
            self._say({"event": "level", **event.report()})
            if event.traceback:
                print(event.traceback, file=sys.stderr, flush=True)

    def refused(self, problems: tuple[Problem, ...]) -> None:
        errors = [problem_report(problem) for problem in problems]
        self._say({"event": "error", "errors": errors})

    def ready(self, specs: int) -> None:
        self._say({"event": "ready", "levels": specs})


class _Watch:
    """The loop, with the state it guards."""

    def __init__(self, root: Path, talk: _Talk, jobs: int | None, poll: bool, stop: _Stop) -> None:
        self.root = root
        self.talk = talk
        self.jobs = jobs
        self.poll = poll
        self.stop = stop
        self.bell = threading.Event()
        self.observer: BaseObserver | None = None
        self.watched: frozenset[Path] = frozenset()
        self.patterns: tuple[str, ...] = ()
        self.snapshot: Snapshot = {}
        self.scan_seconds = 0.0

    def run(self) -> None:
        self._read_patterns()
        # The snapshot is taken before the export: what changes meanwhile is seen afterwards.
        self.snapshot = self._scan()
        self._listen()
        self._export(None)
        self._include_inputs()
        self.talk.ready(len(self._specs(self.snapshot)))
        try:
            while not self.stop.is_set():
                self._wait()
                if not self.stop.is_set():
                    self._look()
        finally:
            self._deafen()

    # --- noticing -----------------------------------------------------------------------------

    def _wait(self) -> None:
        """Wait for the bell, then for quiet; or for the time of the next look at leisure."""
        leisure = POLL_SECONDS if self.poll else max(RESCAN_SECONDS, 0.0)
        deadline = monotonic() + max(leisure, RESCAN_FACTOR * self.scan_seconds)
        while not self.bell.wait(0.1):
            if self.stop.is_set() or monotonic() >= deadline:
                return
        limit = monotonic() + LONGEST_WAIT
        while not self.stop.is_set() and monotonic() < limit:
            self.bell.clear()
            if not self.bell.wait(QUIET_SECONDS):
                return
        self.bell.clear()

    def _look(self) -> None:
        """Find what changed since the last look, and export it once it has settled."""
        changed = self._changed()
        if not changed:
            return
        limit = monotonic() + UNSETTLED_SECONDS
        while monotonic() < limit and any(self._unsettled(path) for path in changed):
            self.stop.wait(QUIET_SECONDS / 2)
            changed = self._changed()
        if not changed:
            return
        self.snapshot = self._scan()
        if FILE_NAME in changed:
            self._read_patterns()
            self.snapshot = self._scan()
            self._listen()
            self._export(None)
        else:
            self._export(frozenset(self._affected(changed)))
        self._include_inputs()

    def _changed(self) -> set[str]:
        started = monotonic()
        now = self._scan()
        self.scan_seconds = monotonic() - started
        old = self.snapshot
        return {path for path in now.keys() | old.keys() if now.get(path) != old.get(path)}

    def _unsettled(self, path: str) -> bool:
        """Whether a file is gone, empty or half written, as in the middle of a save."""
        from exporter.spec.document import read_document

        try:
            content = (self.root / path).read_bytes()
        except OSError:
            return True
        if not content.strip():
            return True
        if path not in self._specs(self.snapshot) and path != FILE_NAME:
            return False
        try:
            return bool(read_document(content, path).problems)
        except SpecError:
            return True

    def _affected(self, changed: set[str]) -> set[str]:
        """Return the specs to look at: changed ones, and those that read a changed file."""
        store = Store(self.root, self.root / ".exporter")
        readers = {
            spec
            for spec, entry in store.peek().items()
            if not changed.isdisjoint(entry.inputs)
            or not changed.isdisjoint(output.path for output in entry.outputs)
        }
        return changed | readers

    def _specs(self, snapshot: Snapshot) -> list[str]:
        return [path for path in snapshot if path in self._spec_paths]

    def _scan(self) -> Snapshot:
        """Return the state of exporter.yaml, every spec and every file a spec read."""
        specs = find_specs(self.root, self.patterns)
        self._spec_paths = frozenset(specs)
        snapshot: Snapshot = {}
        for path in (FILE_NAME, *specs, *self._extra):
            with contextlib.suppress(OSError):
                status = os.stat(self.root / path)
                snapshot[path] = (
                    status.st_mtime_ns,
                    status.st_ctime_ns,
                    status.st_size,
                    status.st_ino,
                )
        return snapshot

    _spec_paths: frozenset[str] = frozenset()
    _extra: tuple[str, ...] = ()

    def _include_inputs(self) -> None:
        """Watch what specs read, and the outputs: a deleted output comes back."""
        entries = Store(self.root, self.root / ".exporter").peek().values()
        inputs = {path for entry in entries for path in entry.inputs}
        outputs = {output.path for entry in entries for output in entry.outputs}
        extra = tuple(sorted(inputs | outputs))
        fresh = self._extra != extra
        self._extra = extra
        # Our own writing is not news; what was known before keeps its state.
        now = self._scan()
        for path in outputs | (inputs - self.snapshot.keys()):
            if path in now:
                self.snapshot[path] = now[path]
            else:
                self.snapshot.pop(path, None)
        for path in self.snapshot.keys() - now.keys() - self._spec_paths - {FILE_NAME}:
            if path not in extra:
                self.snapshot.pop(path, None)
        if fresh:
            self._listen()

    def _read_patterns(self) -> None:
        try:
            self.patterns = load_project(self.root).patterns
        except SpecError:
            # Reported by the export; the patterns in force stay.
            return

    # --- listening ----------------------------------------------------------------------------

    def _folders(self) -> frozenset[Path]:
        """Return the folders whose events ring the bell; those that exist, links resolved."""
        inputs = {(self.root / path).parent for path in self._extra}
        starts = {self.root / fixed_part(pattern) for pattern in self.patterns}
        folders = {folder.resolve() for folder in starts if folder.is_dir()}
        beside = {folder.resolve() for folder in inputs if folder.is_dir()}
        return frozenset(folders | beside)

    def _listen(self) -> None:
        """Observe the folders that matter; where events cannot be had, looking at leisure does."""
        if self.poll:
            return
        folders = self._folders()
        if folders == self.watched and self.observer is not None:
            return
        self._deafen()
        from watchdog.events import FileSystemEvent, FileSystemEventHandler
        from watchdog.observers import Observer

        bell = self.bell

        class Ringer(FileSystemEventHandler):
            def on_any_event(self, event: FileSystemEvent) -> None:
                # Our own reading must not wake us.
                if event.event_type not in ("opened", "closed_no_write"):
                    bell.set()

        starts = {(self.root / fixed_part(pattern)).resolve() for pattern in self.patterns}
        observer = Observer()
        try:
            for folder in sorted(folders):
                observer.schedule(Ringer(), str(folder), recursive=folder in starts)
            if self.root not in folders:
                observer.schedule(Ringer(), str(self.root), recursive=False)
            observer.start()
        except OSError as error:
            print(
                f"exporter: no change events here ({error.strerror or error}); "
                "looking at the files regularly instead",
                file=sys.stderr,
            )
            self.poll = True
            return
        self.observer = observer
        self.watched = folders

    def _deafen(self) -> None:
        if self.observer is not None:
            with contextlib.suppress(RuntimeError):
                self.observer.stop()
                self.observer.join()
            self.observer = None

    # --- exporting ----------------------------------------------------------------------------

    def _export(self, only: frozenset[str] | None) -> None:
        settings = Settings(jobs=self.jobs)
        try:
            export_project(self.root, settings, event=self._tell)
        except SpecError as error:
            self.talk.refused(error.problems)
        except StoreError as error:
            self.talk.refused((Problem(str(error), shown(self.root)),))

    def _tell(self, event: Event) -> None:
        if isinstance(event, LevelResult | Removal):
            self.talk.event(event)
