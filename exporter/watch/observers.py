"""Observe folders for changes, by events of the operating system."""

from __future__ import annotations

import contextlib
import logging
import os
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from exporter.project.project import STATE_FOLDER
from exporter.watch.change_signal import ChangeSignal

if TYPE_CHECKING:
    from watchdog.observers.api import BaseObserver

# Each tree costs an inotify instance and two threads; the periodic scan covers further ones.
MAXIMUM_PLACES = 24
_DEBOUNCE_EVENTS = ("opened", "closed_no_write")
_COMPLETE_EVENTS = ("closed", "moved")
# File systems on which changes made elsewhere cause no events here.
_SILENT_FILE_SYSTEMS = frozenset(
    {"9p", "afs", "cifs", "drvfs", "nfs", "nfs4", "prl_fs", "smb3", "smbfs", "vboxsf", "vmhgfs"}
)
# The kernel's table of mounts: the fifth field is the folder, the kind follows a dash.
_MOUNTS = Path("/proc/self/mountinfo")
_MOUNT = re.compile(r"^(?:\S+ ){4}(\S+) .*? - (\S+)", re.MULTILINE)


class Observers:
    """Observers of folders, which set the change signal at every event.

    `remark` is called with a message for the user if the system's events cannot be used.
    """

    def __init__(self, signal: ChangeSignal, root: Path, remark: Callable[[str], None]) -> None:
        self.signal = signal
        self.root = root
        self.remark = remark
        self.polling = False
        self._observer: BaseObserver | None = None
        self._observed: dict[str, tuple[bool, tuple[int, int] | None]] = {}

    def observe(self, trees: Iterable[Path], folders: Iterable[Path]) -> None:
        """Observe `trees` and `folders`, instead of those observed until now.

        `trees` are observed with all their subfolders, `folders` without. If the list has not
        changed, the observers stay; a folder that was replaced is observed again.
        """
        if self.polling:
            return
        places = _places(trees, folders)
        expected = {position: (whole, _identity(position)) for position, whole in places.items()}
        observer = self._observer
        if expected == self._observed and observer is not None and _is_alive(observer):
            return
        self.stop()
        self._observed = expected
        try:
            self._observer = self._start(places)
            # Changes between the last scan and now caused no event.
            self.signal.set()
        except OSError as error:
            self.give_up(f"no change events here ({error.strerror or error})")

    def give_up(self, why: str) -> None:
        """Stop relying on system events, and report the reason `why`."""
        if not self.polling:
            self.polling = True
            self.remark(f"{why}: looking at the files regularly instead")
        self.stop()

    def stop(self) -> None:
        """End the observers."""
        observer, self._observer = self._observer, None
        if observer is not None:
            with contextlib.suppress(RuntimeError, OSError):
                observer.stop()
                observer.join(5)

    def _start(self, places: dict[str, bool]) -> BaseObserver:
        from watchdog.events import FileSystemEvent, FileSystemEventHandler
        from watchdog.observers import Observer

        _watch_the_log(self.signal)
        signal, changed = self.signal, self.signal.set_by_event
        state = os.path.join(os.path.realpath(self.root), STATE_FOLDER)

        class Handler(FileSystemEventHandler):
            def on_any_event(self, event: FileSystemEvent) -> None:
                # Our own reading, and our own notes, must not wake us.
                if event.event_type in _DEBOUNCE_EVENTS or str(event.src_path).startswith(state):
                    return
                named = (os.fsdecode(path) for path in (event.src_path, event.dest_path) if path)
                complete = event.event_type in _COMPLETE_EVENTS
                if event.is_directory and event.event_type == "modified":
                    complete = signal.is_complete  # it follows every event of a file
                changed(*named, complete=complete)

        observer = Observer()
        try:
            for position, whole in places.items():
                observer.schedule(Handler(), position, recursive=whole)
            observer.start()
        except BaseException:
            with contextlib.suppress(Exception):
                observer.stop()
            raise
        return observer


def _places(trees: Iterable[Path], folders: Iterable[Path]) -> dict[str, bool]:
    """Return the folders to observe, links resolved: True for whole trees.

    Folders inside a tree are left out.
    """
    places: dict[str, bool] = {}
    roots: list[Path] = []
    for tree in sorted({Path(os.path.realpath(tree)) for tree in trees}):
        if tree.is_dir() and not any(tree.is_relative_to(root) for root in roots):
            roots.append(tree)
            places[str(tree)] = True
    for folder in sorted({Path(os.path.realpath(folder)) for folder in folders}):
        if folder.is_dir() and not any(folder.is_relative_to(root) for root in roots):
            places[str(folder)] = False
    return dict(list(places.items())[:MAXIMUM_PLACES])


class _LogHandler(logging.Handler):
    """Sets the signal on warnings of watchdog, such as a full queue."""

    def __init__(self, signal: ChangeSignal) -> None:
        super().__init__(logging.WARNING)
        self.signal = signal

    def emit(self, record: logging.LogRecord) -> None:
        self.signal.set_by_event()


def _watch_the_log(signal: ChangeSignal) -> None:
    logger = logging.getLogger("watchdog")
    if not any(isinstance(handler, _LogHandler) for handler in logger.handlers):
        logger.addHandler(_LogHandler(signal))
        logger.propagate = False


def _is_alive(observer: BaseObserver) -> bool:
    return observer.is_alive() and all(emitter.is_alive() for emitter in observer.emitters)


def _identity(position: str) -> tuple[int, int] | None:
    try:
        status = os.stat(position)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def silent_file_system(path: Path) -> str | None:
    """Return the type of the file system at `path` if it may miss changes.

    Such file systems (network drives) send no events for changes by other machines. Return None for
    all others.
    """
    if not sys.platform.startswith("linux"):
        return None
    try:
        text = _MOUNTS.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return None
    return _silent(text, os.path.realpath(path))


def _silent(mounts: str, path: str) -> str | None:
    kinds: dict[str, str] = {}
    for point, kind in _MOUNT.findall(mounts):
        kinds[point.replace("\\040", " ").rstrip("/")] = kind
    nearest = path.rstrip("/")
    while nearest and nearest not in kinds:
        nearest = nearest.rpartition("/")[0]
    kind = kinds.get(nearest, "")
    return kind if kind in _SILENT_FILE_SYSTEMS or kind.startswith("fuse.") else None
