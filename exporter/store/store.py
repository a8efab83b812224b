"""The store: artifacts onto disk without ever showing half a file, and what to remove again.

The temporary files of a level are written first, synced together, and renamed in order, referenced
files before those that refer to them. Before the first rename the manifest records which files are
coming with which content: whenever an export is killed, every file it leaves has an owner, and a
file somebody else made or edited is never taken for ours.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from exporter.model.errors import StoreError
from exporter.store import atomic_files as disk
from exporter.store.atomic_files import refused, release_lock, replace_file, take_lock
from exporter.store.manifest import Entry, Manifest, Output, ProjectMark

STATUS = "status.json"
LOCK = "lock"
REMEMBERED_REMOVALS = 10_000


@dataclass(frozen=True, slots=True)
class File:
    """A file to be.

    Attributes:
        path: Relative to the project, with `/`.
        kind: What it is for.
        layer: The layer it was made from, if one.
        target: The target's name.
        size: Bytes of its content.
        sha256: Hash of its content.
        data: Its content; None when it is known to lie in the cache.
        once: Write it only where none exists.
    """

    path: str
    kind: str
    layer: str | None
    target: str
    size: int
    sha256: str
    data: bytes | None
    once: bool = False


def whole_file(
    path: str, kind: str, layer: str | None, target: str, data: bytes, once: bool = False
) -> File:
    """Return a file to be with its content at hand."""
    return File(path, kind, layer, target, len(data), hashlib.sha256(data).hexdigest(), data, once)


class ContentMissingError(Exception):
    """The content of a file is neither at hand nor where it was said to lie."""


Content = Callable[[File], bytes]


def _at_hand(file: File) -> bytes:
    if file.data is None:
        raise ContentMissingError(file.path)
    return file.data


class Store:
    """The files of one project.

    Everything that writes must be done inside `with store:`, which holds the project's write lock
    and may be nested. Between two such blocks other processes may
    write; what they changed is taken in when the lock is taken.
    """

    def __init__(self, root: Path, state: Path) -> None:
        self.root = root
        self.state = state
        self.manifest = Manifest(state)
        self._lock: Any = None
        self._depth = 0
        self._cleaned = False
        # Whole seconds of files we removed: one that returns must look changed to Godot.
        self._removed: dict[str, int] = {}

    @property
    def entries(self) -> dict[str, Entry]:
        """What is remembered of every spec, by its path."""
        return self.manifest.entries

    @property
    def project(self) -> ProjectMark | None:
        """What is remembered of exporter.yaml."""
        return self.manifest.project

    def __enter__(self) -> Store:
        """Take the lock, and take in what others changed."""
        if self._depth == 0:
            self._make_state_folder()
            self._lock = take_lock(self.state / LOCK)
            try:
                self.manifest.refresh()
                if not self._cleaned:
                    self._remove_temporaries()
                    self._cleaned = True
            except BaseException:
                release_lock(self._lock)
                raise
        self._depth += 1
        return self

    def __exit__(self, *_: object) -> None:
        """Release the lock."""
        self._depth -= 1
        if self._depth == 0:
            release_lock(self._lock)
            self._lock = None

    def peek(self) -> dict[str, Entry]:
        """Read the manifest without the lock."""
        self.manifest.refresh()
        return self.entries

    def is_current(self, output: Output) -> bool:
        """Whether a file is still there with the content we wrote (sidecars: still there)."""
        path = f"{self.root}/{output.path}"
        try:
            status = os.stat(path)
            if output.once:
                return True
            if status.st_size != output.bytes:
                return False
            if disk.signature_of(status) == output.signature:
                return True
            return disk.hash_file(path) == output.sha256
        except OSError:
            return False

    def commit(
        self,
        entry: Entry,
        files: Iterable[File],
        *,
        force: bool = False,
        content: Content = _at_hand,
    ) -> tuple[Entry, tuple[str, ...]]:
        """Make the files of one spec exist, remove its stale ones, and remember both.

        Args:
            entry: The spec's new entry; its outputs are filled in here.
            files: In the order in which they appear: referenced files first.
            force: Overwrite files the exporter did not write.
            content: Gives the content of a file; asked only for files that must be written.

        Returns:
            The entry with its outputs, and the paths whose content changed on disk.

        Raises:
            StoreError: A file cannot be written, or stands there and is not ours.
            ContentMissingError: From `content`; nothing has been written then.
        """
        files = list(files)
        old = self.entries.get(entry.spec)
        known = {output.path: output for output in old.outputs} if old else {}
        self._refuse_foreign(entry.spec, files, known, force)
        absent = [file for file in files if not self._stands(file, known.get(file.path))]
        contents = {file.path: content(file) for file in absent}
        written = tuple(file.path for file in absent)
        self._announce(entry, files, known, written)
        self._write(absent, contents)
        kept = {file.path for file in files}
        for stale in known.values():
            if stale.path not in kept:
                self._remove(stale, kept)
        outputs = tuple(self._output(file, known.get(file.path), written) for file in files)
        done = replace(entry, outputs=outputs)
        self.manifest.put(done)
        self.manifest.flush()
        return done, written

    def forget(self, spec: str) -> list[str]:
        """Remove the outputs of a spec that is gone; return the paths removed.

        A file whose content is no longer ours was edited by somebody and stays.
        """
        entry = self.entries.get(spec)
        if entry is None:
            return []
        removed = [output.path for output in entry.outputs if self._remove(output)]
        self.manifest.drop(spec)
        return removed

    def move(self, old: str, new: str) -> None:
        """Let the outputs of a spec that was renamed belong to its new path."""
        entry = self.entries[old]
        self.manifest.drop(old)
        self.manifest.put(replace(entry, spec=new, key=""))

    def save(self) -> None:
        """Write the manifest as one file."""
        if self.manifest.has_journal:
            self.manifest.compact()

    def write_status(self, text: str) -> None:
        """Replace the status file that engine plugins poll."""
        replace_file(self.state / STATUS, text.encode(), durable=False)

    # --- inside -----------------------------------------------------------------------------

    def _make_state_folder(self) -> None:
        try:
            self.state.mkdir(exist_ok=True)
            ignore = self.state / ".gitignore"
            if not ignore.exists():
                ignore.write_text("*\n", encoding="utf-8")
        except OSError as error:
            raise refused(error, self.state) from None

    def _remove_temporaries(self) -> None:
        """Remove what killed exports of this project left beside its outputs."""
        folders = {str(self.state)}
        for entry in self.entries.values():
            folders |= {f"{self.root}/{output.path}".rpartition("/")[0] for output in entry.outputs}
        for folder in folders:
            with contextlib.suppress(OSError):
                for name in os.listdir(folder):
                    if disk.is_leftover(name):
                        os.unlink(f"{folder}/{name}")

    def _refuse_foreign(
        self, spec: str, files: list[File], known: dict[str, Output], force: bool
    ) -> None:
        for file in files:
            if file.path in known:
                continue
            owner = self.manifest.owner(file.path)
            if owner not in (None, spec):
                raise StoreError(f"{file.path} is written by {owner} already")
            path = self.root / file.path
            if force or file.once or not path.exists():
                continue
            if not path.is_file():
                raise StoreError(f"{file.path} exists but is not a file")
            if owner is None and not self._has(path, file):
                raise StoreError(
                    f"{file.path} exists and was not written by the exporter "
                    "(move it away, or overwrite it with --force)"
                )

    def _announce(
        self, entry: Entry, files: list[File], known: dict[str, Output], written: tuple[str, ...]
    ) -> None:
        """Note what is about to change, so that a kill leaves nothing without an owner.

        Without a key the entry is never current: an interrupted export is done again.
        """
        coming: dict[str, Output] = dict(known)
        for file in files:
            if file.path not in written:
                continue
            old = known.get(file.path)
            if old is not None:
                coming[file.path] = replace(old, coming=file.sha256, adopted=False)
            else:
                coming[file.path] = Output(
                    file.path,
                    file.kind,
                    file.layer,
                    file.target,
                    file.size,
                    "",
                    file.once,
                    coming=file.sha256,
                )
        stale = known.keys() - {file.path for file in files}
        if not written and not stale:
            return
        self.manifest.put(replace(entry, key="", outputs=tuple(coming.values())))
        self.manifest.flush(durable=any(path not in known for path in written))

    def _write(self, files: list[File], contents: dict[str, bytes]) -> None:
        pending: list[tuple[Path, Path]] = []
        path = self.root
        try:
            for file in files:
                path = self.root / file.path
                self._make_folder(path.parent)
                pending.append((path, disk.write_temporary(path, contents[file.path])))
            for _, temporary in pending:
                disk.sync(temporary)
            for file, (path, temporary) in zip(files, pending, strict=True):
                second = self._second(file.path, path)
                if second is not None:
                    disk.step_timestamp(second, temporary)
                disk.replace(temporary, path)
        except OSError as error:
            raise refused(error, path) from None
        finally:
            for _, temporary in pending:
                with contextlib.suppress(OSError):
                    os.unlink(temporary)

    def _make_folder(self, folder: Path) -> None:
        # A project folder that has vanished must not come back as an empty one.
        if self.root.is_dir():
            folder.mkdir(parents=True, exist_ok=True)

    def _second(self, name: str, path: Path) -> int | None:
        """Return the modification time the file had, in nanoseconds."""
        try:
            return os.stat(path).st_mtime_ns
        except OSError:
            return self._removed.pop(name, None)

    def _stands(self, file: File, old: Output | None) -> bool:
        """Whether the file need not be written."""
        path = self.root / file.path
        try:
            status = os.stat(path)
            if file.once:
                return True
            same = old is not None and old.sha256 == file.sha256
            if same and old is not None and disk.signature_of(status) == old.signature:
                return True
            return status.st_size == file.size and disk.hash_file(path) == file.sha256
        except OSError:
            return False

    def _has(self, path: Path, file: File) -> bool:
        """Whether a file has the content it is to have."""
        try:
            return disk.hash_file(path) == file.sha256
        except OSError:
            return False

    def _output(self, file: File, old: Output | None, written: tuple[str, ...]) -> Output:
        path = self.root / file.path
        adopted = False
        if file.once and file.path not in written:
            # One that was announced but is not what we were about to write is somebody else's.
            if old is not None and old.sha256:
                return replace(old, coming="")
            adopted = not self._has(path, file)
        signature: disk.Signature | None = None
        with contextlib.suppress(OSError):
            signature = disk.signature_of(os.stat(path))
        return Output(
            file.path,
            file.kind,
            file.layer,
            file.target,
            file.size,
            file.sha256,
            file.once,
            adopted,
            "",
            signature,
        )

    def _remove(self, output: Output, kept: Collection[str] = ()) -> bool:
        """Remove a file of ours; False when it is gone already or edited by somebody."""
        if output.adopted:
            return False
        path = self.root / output.path
        try:
            # A sidecar is ours however the engine completed it, once we have written it.
            ours = output.once and bool(output.sha256)
            if not ours:
                ours = disk.hash_file(path) in (output.sha256, output.coming)
            if not ours or self._is_kept_under_another_case(path, output.path, kept):
                return False
            second = os.stat(path).st_mtime_ns
            os.unlink(path)
        except OSError:
            return False
        if len(self._removed) >= REMEMBERED_REMOVALS:
            self._removed.clear()
        self._removed[output.path] = second
        self._remove_empty_folders(path.parent)
        return True

    def _is_kept_under_another_case(self, path: Path, name: str, kept: Collection[str]) -> bool:
        """Whether removing `name` would remove a file that was just written, too."""
        return any(
            other != name
            and other.casefold() == name.casefold()
            and os.path.samefile(path, self.root / other)
            for other in kept
        )

    def _remove_empty_folders(self, folder: Path) -> None:
        while folder != self.root and self.root in folder.parents:
            try:
                folder.rmdir()
            except OSError:
                return
            folder = folder.parent
