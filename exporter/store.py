"""The store: artifacts onto disk without ever showing half a file, and the manifest of them.

Every file is written under a temporary name in its own folder, synced, and renamed over the old
one, so that a crash leaves the old file or the new one. The manifest says which files the
exporter wrote, from which spec and with which content; nothing else is ever removed. Paths that
are new are claimed in the manifest before they are written: a killed export never leaves a file
that nobody owns.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from exporter.errors import StoreError

MANIFEST = "manifest.json"
STATUS = "status.json"
LOCK = "lock"
MANIFEST_VERSION = 1
# Godot looks at files again only when their modification time changes in whole seconds.
TIMESTAMP_STEP = 1_000_000_000

Signature = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Output:
    """A file the exporter wrote.

    Attributes:
        path: Relative to the project, with `/`.
        kind: What it is for.
        layer: The layer it was made from, if one.
        target: The target's name.
        bytes: Its size.
        sha256: Hash of the content we wrote.
        once: Whether it is a sidecar that belongs to the user once written.
        signature: Modification time in nanoseconds, change time in nanoseconds and inode at the
            time of writing: while they are the same the content need not be hashed again.
    """

    path: str
    kind: str
    layer: str | None
    target: str
    bytes: int
    sha256: str
    once: bool = False
    signature: Signature | None = None

    def report(self) -> dict[str, Any]:
        """Return what the export report says of the file."""
        return {
            "path": self.path,
            "kind": self.kind,
            "layer": self.layer,
            "target": self.target,
            "bytes": self.bytes,
            "sha256": self.sha256,
        }


@dataclass(frozen=True, slots=True)
class Entry:
    """What the manifest remembers of one spec.

    Attributes:
        spec: Path relative to the project.
        level: The level's name.
        key: Hash of all that went in: see `exporter.export.level_key`.
        inputs: Files the spec had read, by path, with their hashes.
        outputs: In the order of writing.
        layers: What the export report says of the layers.
        warnings: What the build warned of.
    """

    spec: str
    level: str
    key: str = ""
    inputs: dict[str, str] = field(default_factory=dict)
    outputs: tuple[Output, ...] = ()
    layers: dict[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ProjectMark:
    """What is remembered of an exporter.yaml, so that an unchanged one need not be parsed.

    Attributes:
        sha256: Hash of the file and of the exporter's version.
        patterns: Globs of level specs.
        fingerprint: See `exporter.project.Project`.
    """

    sha256: str
    patterns: tuple[str, ...]
    fingerprint: str


@dataclass(frozen=True, slots=True)
class File:
    """A file to be: its path relative to the project, what it is, and its content."""

    path: str
    kind: str
    layer: str | None
    target: str
    data: bytes
    once: bool = False


class Store:
    """The files of one project. Use as a context manager: it holds the project's write lock."""

    def __init__(self, root: Path, state: Path) -> None:
        self.root = root
        self.state = state
        self.entries: dict[str, Entry] = {}
        self.project: ProjectMark | None = None
        self._lock: Any = None

    def __enter__(self) -> Store:
        """Take the lock and read the manifest."""
        self._make_state_folder()
        self._lock = take_lock(self.state / LOCK)
        self.entries = self._read_manifest()
        self._remove_temporaries()
        return self

    def __exit__(self, *_: object) -> None:
        """Release the lock."""
        if self._lock is not None:
            release_lock(self._lock)
            self._lock = None

    def peek(self) -> dict[str, Entry]:
        """Read the manifest without the lock."""
        self.entries = self._read_manifest()
        return self.entries

    def is_current(self, output: Output) -> bool:
        """Whether a file is still there with the content we wrote (sidecars: still there)."""
        path = self.root / output.path
        try:
            status = path.stat()
        except OSError:
            return False
        if output.once:
            return True
        if status.st_size != output.bytes:
            return False
        return _signature(status) == output.signature or _hash_file(path) == output.sha256

    def owner(self, path: str) -> str | None:
        """Return the spec whose output `path` is, comparing without case."""
        folded = path.casefold()
        for entry in self.entries.values():
            if any(output.path.casefold() == folded for output in entry.outputs):
                return entry.spec
        return None

    def commit(
        self, entry: Entry, files: Iterable[File], *, force: bool = False
    ) -> tuple[Entry, tuple[str, ...]]:
        """Make the files of one spec exist, remove its stale ones, and remember both.

        Args:
            entry: The spec's new entry; its outputs are filled in here.
            files: In the order in which they appear: referenced files first.
            force: Overwrite files the exporter did not write.

        Returns:
            The entry with its outputs, and the paths whose content changed on disk.

        Raises:
            StoreError: A file cannot be written, or stands there and is not ours.
        """
        files = list(files)
        old = self.entries.get(entry.spec)
        known = {output.path: output for output in old.outputs} if old else {}
        self._refuse_foreign(files, known, force)
        self._claim(entry, files, known)
        outputs, written = self._write(files, known)
        kept = {file.path for file in files}
        for stale in known.values():
            if stale.path not in kept:
                self._remove(stale)
        done = replace(entry, outputs=tuple(outputs))
        self.entries[entry.spec] = done
        return done, written

    def forget(self, spec: str) -> list[str]:
        """Remove the outputs of a spec that is gone; return the paths removed.

        A file whose content is no longer ours was edited by somebody and stays.
        """
        entry = self.entries.pop(spec, None)
        if entry is None:
            return []
        return [output.path for output in entry.outputs if self._remove(output)]

    def save(self) -> None:
        """Write the manifest."""
        document = {
            "version": MANIFEST_VERSION,
            "project": None if self.project is None else asdict(self.project),
            "levels": [_entry_document(self.entries[spec]) for spec in sorted(self.entries)],
        }
        text = json.dumps(document, indent=None, separators=(",", ":"))
        replace_file(self.state / MANIFEST, text.encode())

    def write_status(self, status: dict[str, Any]) -> None:
        """Replace the status file that engine plugins poll."""
        replace_file(self.state / STATUS, (json.dumps(status, indent=1) + "\n").encode())

    # --- inside -----------------------------------------------------------------------------

    def _make_state_folder(self) -> None:
        try:
            self.state.mkdir(exist_ok=True)
            ignore = self.state / ".gitignore"
            if not ignore.exists():
                ignore.write_text("*\n", encoding="utf-8")
        except OSError as error:
            raise StoreError(f"{self.state}: {error.strerror or error}") from None

    def _read_manifest(self) -> dict[str, Entry]:
        try:
            document = json.loads((self.state / MANIFEST).read_bytes())
            if document["version"] != MANIFEST_VERSION:
                return {}
            mark = document["project"]
            if mark is not None:
                self.project = ProjectMark(
                    mark["sha256"], tuple(mark["patterns"]), mark["fingerprint"]
                )
            return {data["spec"]: _entry_of(data) for data in document["levels"]}
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, KeyError, TypeError):
            # A damaged manifest costs a rebuild: files with our content are adopted again.
            return {}

    def _remove_temporaries(self) -> None:
        """Remove what killed exports of this project left beside its outputs."""
        folders = {self.state}
        for entry in self.entries.values():
            folders |= {(self.root / output.path).parent for output in entry.outputs}
        for folder in folders:
            with contextlib.suppress(OSError):
                for name in os.listdir(folder):
                    if _is_temporary(name) and not _alive(int(name.split(".")[-2])):
                        (folder / name).unlink(missing_ok=True)

    def _refuse_foreign(self, files: list[File], known: dict[str, Output], force: bool) -> None:
        for file in files:
            if file.path in known:
                continue
            owner = self.owner(file.path)
            if owner is not None:
                raise StoreError(f"{file.path} is written by {owner} already")
            path = self.root / file.path
            if force or file.once or not path.exists():
                continue
            if not path.is_file():
                raise StoreError(f"{file.path} stands in the way and is not a file")
            if _hash_file(path) != hashlib.sha256(file.data).hexdigest():
                raise StoreError(
                    f"{file.path} exists and was not written by the exporter "
                    "(move it away, or overwrite it with --force)"
                )

    def _claim(self, entry: Entry, files: list[File], known: dict[str, Output]) -> None:
        new = [file for file in files if file.path not in known]
        if not new:
            return
        claims = tuple(
            Output(file.path, file.kind, file.layer, file.target, -1, "", file.once)
            for file in new
            if not (file.once and (self.root / file.path).exists())
        )
        # Without a key the entry is never current, so an interrupted export is done again.
        self.entries[entry.spec] = replace(entry, key="", outputs=(*known.values(), *claims))
        self.save()

    def _write(
        self, files: list[File], known: dict[str, Output]
    ) -> tuple[list[Output], tuple[str, ...]]:
        pending: list[tuple[File, Path, Path]] = []
        digests: dict[str, str] = {}
        try:
            for file in files:
                path = self.root / file.path
                digests[file.path] = hashlib.sha256(file.data).hexdigest()
                if self._stands(file, path, digests[file.path], known.get(file.path)):
                    continue
                path.parent.mkdir(parents=True, exist_ok=True)
                pending.append((file, path, _write_temporary(path, file.data)))
            for _, _, temporary in pending:
                _sync(temporary)
            for _, path, temporary in pending:
                _step_timestamp(path, temporary)
                _replace(temporary, path)
        except OSError as error:
            for _, _, temporary in pending:
                with contextlib.suppress(OSError):
                    temporary.unlink(missing_ok=True)
            where = error.filename or ""
            raise StoreError(f"{where}: {error.strerror or error}") from None
        written = tuple(file.path for file, _, _ in pending)
        outputs = [self._output(file, digests[file.path], written, known) for file in files]
        return outputs, written

    def _stands(self, file: File, path: Path, digest: str, old: Output | None) -> bool:
        """Whether the file need not be written."""
        try:
            status = path.stat()
        except OSError:
            return False
        if file.once:
            return True
        if old is not None and old.sha256 == digest and _signature(status) == old.signature:
            return True
        return status.st_size == len(file.data) and _hash_file(path) == digest

    def _output(
        self, file: File, digest: str, written: tuple[str, ...], known: dict[str, Output]
    ) -> Output:
        old = known.get(file.path)
        if file.once and file.path not in written and old is not None:
            return old
        signature: Signature | None = None
        with contextlib.suppress(OSError):
            signature = _signature((self.root / file.path).stat())
        return Output(
            file.path,
            file.kind,
            file.layer,
            file.target,
            len(file.data),
            digest,
            file.once,
            signature,
        )

    def _remove(self, output: Output) -> bool:
        """Remove a file of ours; False when it is gone already or edited by somebody."""
        path = self.root / output.path
        try:
            # A claimed file that was never written, or was written but not yet noted.
            ours = output.once or output.bytes < 0 or _hash_file(path) == output.sha256
            if not ours:
                return False
            path.unlink()
        except OSError:
            return False
        self._remove_empty_folders(path.parent)
        return True

    def _remove_empty_folders(self, folder: Path) -> None:
        while folder != self.root and self.root in folder.parents:
            try:
                folder.rmdir()
            except OSError:
                return
            folder = folder.parent


def _entry_document(entry: Entry) -> dict[str, Any]:
    return {
        "spec": entry.spec,
        "level": entry.level,
        "key": entry.key,
        "inputs": entry.inputs,
        "outputs": [
            [o.path, o.kind, o.layer, o.target, o.bytes, o.sha256, o.once, o.signature]
            for o in entry.outputs
        ],
        "layers": entry.layers,
        "warnings": entry.warnings,
    }


def _entry_of(data: dict[str, Any]) -> Entry:
    outputs = []
    for path, kind, layer, target, size, digest, once, signature in data["outputs"]:
        mark = (signature[0], signature[1], signature[2]) if signature else None
        outputs.append(Output(path, kind, layer, target, size, digest, once, mark))
    return Entry(
        data["spec"],
        data["level"],
        data["key"],
        data["inputs"],
        tuple(outputs),
        data["layers"],
        tuple(data["warnings"]),
    )


def _signature(status: os.stat_result) -> Signature:
    return status.st_mtime_ns, status.st_ctime_ns, status.st_ino


def _hash_file(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _temporary_name(path: Path) -> Path:
    # Dot files are invisible to Godot and Unity, and `.tmp` to both.
    return path.with_name(f".{path.name}.{os.getpid()}.tmp")


def _is_temporary(name: str) -> bool:
    parts = name.split(".")
    return name.startswith(".") and parts[-1] == "tmp" and len(parts) >= 4 and parts[-2].isdigit()


def _alive(process: int) -> bool:
    if process == os.getpid():
        return False  # a leftover of an earlier process with the same number
    if os.name == "nt":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _write_temporary(path: Path, data: bytes) -> Path:
    temporary = _temporary_name(path)
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
        if path.exists():
            with contextlib.suppress(OSError):
                os.chmod(temporary, path.stat().st_mode & 0o777)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    return temporary


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _step_timestamp(path: Path, temporary: Path) -> None:
    """Give the new file a later second than the old one, so that Godot notices the change."""
    try:
        old = path.stat().st_mtime_ns
    except OSError:
        return
    new = temporary.stat().st_mtime_ns
    if old <= new and old // TIMESTAMP_STEP == new // TIMESTAMP_STEP:
        moved = (old // TIMESTAMP_STEP + 1) * TIMESTAMP_STEP
        os.utime(temporary, ns=(moved, moved))


def _replace(temporary: Path, path: Path) -> None:
    # On Windows another program may hold the old file open for a moment.
    for attempt in range(20):
        try:
            os.replace(temporary, path)
            return
        except PermissionError:
            if os.name != "nt" or attempt == 19:
                raise
            time.sleep(0.05)


def replace_file(path: Path, data: bytes) -> None:
    """Write a file atomically.

    Raises:
        StoreError: It cannot be written.
    """
    try:
        temporary = _write_temporary(path, data)
        _sync(temporary)
        _replace(temporary, path)
    except OSError as error:
        raise StoreError(f"{error.filename or path}: {error.strerror or error}") from None


def take_lock(path: Path) -> Any:
    """Wait for the exclusive lock on a file; the system releases it when the process ends.

    Raises:
        StoreError: The lock file cannot be opened.
    """
    try:
        file = open(path, "a+b")  # noqa: SIM115 - held until release_lock
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror or error}") from None
    for _ in _lock_attempts(file):
        time.sleep(0.05)
    return file


def _lock_attempts(file: Any) -> Iterator[None]:
    """Try to lock until it works; yield after each failure."""
    while True:
        try:
            if os.name == "nt":
                import msvcrt

                file.seek(0)
                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
            else:
                import fcntl

                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except OSError:
            yield


def try_lock(path: Path) -> Any:
    """Take the exclusive lock on a file if nobody holds it; return None if somebody does.

    Raises:
        StoreError: The lock file cannot be opened.
    """
    try:
        file = open(path, "a+b")  # noqa: SIM115 - held until the caller closes it
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror or error}") from None
    for _ in _lock_attempts(file):
        file.close()
        return None
    return file


def release_lock(file: Any) -> None:
    """Release a lock taken with `take_lock`."""
    file.close()
