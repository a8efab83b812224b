"""Write the commits of several specs to disk together.

A commit stores the output files of one spec. All files are written under temporary names, synced,
then renamed; in each spec, referenced files come before the files that refer to them. Before that
the manifest records the new paths and contents. So if an export is killed, every file that it
leaves is known as an output, and a file that a user made or edited is never mistaken for an output.

A disk takes milliseconds to sync one small file, and hardly longer for a hundred. So the manifest's
journal is synced once for all commits, and all files are synced at the same time.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from dataclasses import field, replace

from exporter.model.errors import StoreError
from exporter.model.lazy_dataclass import dataclass
from exporter.store.atomic_files import Signature, later_time, signature_of
from exporter.store.commit_plan import CommitPlan, File
from exporter.store.contents import digest_of
from exporter.store.entries import ManifestEntry, Output, is_shared
from exporter.store.folder import Directory, Folder, split
from exporter.store.held_files import refused
from exporter.store.indexes import Indexes
from exporter.store.manifest import Manifest

# Endings of files that engines put beside an output, which are renamed with it.
BESIDE = (".import", ".meta")
# Files synced at the same time: more gained nothing.
_SYNCING_THREADS = 8


class ContentMissingError(Exception):
    """The content of an output file is neither in memory nor in the cache."""


@dataclass(frozen=True, slots=True)
class Committed:
    """What a commit did, or in a dry run would do.

    Attributes:
        entry: The spec's new manifest entry, with its outputs.
        written: The paths of files that were written or renamed.
        preserved: The paths of user-modified files, which were not written.
        moved: Renamed files, each as (new path, old path).
    """

    entry: ManifestEntry
    written: tuple[str, ...]
    preserved: tuple[str, ...] = ()
    moved: tuple[tuple[str, str], ...] = ()


# The result of a commit, or the error that ended it.
Outcome = Committed | StoreError | ContentMissingError


@dataclass(slots=True)
class _Temporary:
    file: File
    folder: Directory
    temporary: str
    name: str


@dataclass(slots=True)
class _Commit:
    plan: CommitPlan
    pending: list[_Temporary] = field(default_factory=list)
    error: StoreError | None = None
    done: Committed | None = None

    def fail(self, error: OSError | StoreError, path: str) -> None:
        """Record `error` unless there is an earlier one; discard unfinished files.

        `path` is the file that could not be written.
        """
        if self.error is None:
            self.error = error if isinstance(error, StoreError) else refused(error, path)
        self.discard()

    def discard(self) -> None:
        for item in self.pending:
            with contextlib.suppress(OSError):
                item.folder.unlink(item.temporary)
        self.pending = []


class GroupCommit:
    """Collects planned commits, and writes them to disk in `finish`.

    No two commits in a group write the same file. A commit that renames files, or takes files over
    from other specs, must be alone in its group.

    Args:
        folder: The project's folder.
        manifest: The record of the files that the exporter wrote.
        indexes: The lists of outputs that lie in the target folders.
        removed: The modification times of files that this process removed, by path: a file that is
            written there again gets a later time, at which Godot notices it.
        dry: Whether to change only the manifest in memory, and nothing on disk.
    """

    def __init__(
        self,
        folder: Folder,
        manifest: Manifest,
        indexes: Indexes,
        removed: dict[str, int],
        *,
        dry: bool,
    ) -> None:
        self.folder = folder
        self.manifest = manifest
        self.indexes = indexes
        self.dry = dry
        self._removed = removed
        self._commits: list[_Commit] = []
        self._paths: set[str] = set()
        self._durable = False

    def __bool__(self) -> bool:
        return bool(self._commits)

    def touches(self, files: Iterable[File]) -> bool:
        """Return whether a commit of the group writes or renames one of `files`."""
        return any(file.path.casefold() in self._paths for file in files)

    def add(self, plan: CommitPlan) -> None:
        """Add `plan` to the group, for `finish` to carry out."""
        commit = _Commit(plan)
        self._commits.append(commit)
        written = set(plan.changed)
        self._paths.update(
            file.path.casefold()
            for file in plan.files
            if file.path in written or not is_shared(file.path)
        )
        if self.dry or not self._announce(plan):
            commit.done = self._done(plan)

    def finish(self) -> list[Outcome]:
        """Write all commits to disk, and empty the group.

        Return the result or the error of each commit, in the order of adding.
        """
        commits, self._commits, self._paths = self._commits, [], set()
        durable, self._durable = self._durable, False
        if self.dry or not commits:
            return [commit.done for commit in commits if commit.done is not None]
        waiting = [commit for commit in commits if commit.done is None]
        try:
            if waiting:
                self.manifest.flush(durable=durable)
                self._move_and_write(waiting)
            outcomes: list[Outcome] = [
                commit.error or commit.done or self._done(commit.plan) for commit in commits
            ]
            self.manifest.flush()
        except StoreError as error:
            return [commit.error or error for commit in commits]
        return outcomes

    # --- inside -------------------------------------------------------------------------------

    def _announce(self, plan: CommitPlan) -> bool:
        """Record the files that `plan` will write, before any is written.

        If the process is then killed, every file that it leaves is known as an output. The spec's
        entry in the manifest gets no key yet, so an interrupted export is repeated.

        Returns:
            Whether there is anything to do: files to write, rename or take over, or outputs that
            become stale. If not, nothing is recorded.
        """
        if not (plan.writes or plan.moves or plan.stale or plan.moved_out):
            return False
        coming: list[Output] = []
        for file in plan.files:
            record = plan.known.get(file.path)
            if file.path in plan.writes:
                content = digest_of(plan.writes[file.path]) if file.once else file.sha256
                coming.append(replace(file.output(_written(record)), coming=content))
            elif record is not None:
                coming.append(record)
        places = {output.path for output in coming}
        old = self.manifest.entries.get(plan.entry.spec)
        rest = tuple(o for o in (old.files if old else ()) if o.path not in places)
        known = {o.path for o in old.files} if old else set()
        announced = replace(plan.entry, key="", outputs=tuple(coming), stale=rest)
        if old is not None:
            announced = replace(announced, level=old.level)  # its outputs still have that name
        self.manifest.put(announced)
        self._durable = self._durable or any(path not in known for path in plan.changed)
        return True

    def _move_and_write(self, commits: list[_Commit]) -> None:
        with contextlib.ExitStack() as stack:
            folders = _OpenFolders(self.folder, stack)
            for commit in commits:
                stack.callback(commit.discard)
            for commit in commits:
                self._prepare(commit, folders)
            _sync(commits)
            for commit in commits:
                self._reveal(commit)

    def _prepare(self, commit: _Commit, folders: _OpenFolders) -> None:
        """Rename files that move, and write new content under temporary names."""
        plan = commit.plan
        path = ""
        try:
            self._move(plan)
            for file in plan.files:
                if file.path in plan.writes:
                    path = file.path
                    position, name = split(path)
                    folder = folders.at(position)
                    temporary = folder.create(name, plan.writes[path], durable=False)
                    commit.pending.append(_Temporary(file, folder, temporary, name))
        except (OSError, StoreError) as error:
            commit.fail(error, path)

    def _reveal(self, commit: _Commit) -> None:
        for item in list(commit.pending):
            path = item.file.path
            try:
                self._check_unchanged(path, commit.plan)
                self._step_time(path, item.folder, item.temporary, item.name)
                item.folder.replace(item.temporary, item.name)
            except (OSError, StoreError) as error:
                commit.fail(error, path)
                return
            commit.pending.remove(item)

    def _done(self, plan: CommitPlan) -> Committed:
        """Record the finished commit of `plan` in the manifest; return its result."""
        self._give_up(plan)
        outputs = tuple(self._output(plan, file) for file in plan.files)
        done = replace(plan.entry, outputs=outputs, stale=plan.stale)
        self.manifest.put(done)
        return Committed(done, plan.changed, plan.preserved, tuple(plan.moves.items()))

    def _move(self, plan: CommitPlan) -> None:
        """Rename files, each with the sidecar that its engine wrote beside it."""
        for new, old in plan.moves.items():
            self._rename(old, new)
            for suffix in BESIDE:
                beside, position = f"{old}{suffix}", f"{new}{suffix}"
                free = not self.folder.exists(position)
                if position not in plan.looks and free and self.folder.is_file(beside):
                    self._rename(beside, position)

    def _rename(self, old: str, new: str) -> None:
        (before, name), (after, new_name) = split(old), split(new)
        try:
            with self.folder.open(before) as source, self.folder.open(after, make=True) as target:
                source.move(name, target, new_name)
        except OSError as error:
            raise refused(error, old) from None

    def _check_unchanged(self, path: str, plan: CommitPlan) -> None:
        """Raise StoreError if the file `path` has changed since `plan` was made."""
        look = plan.looks[path]
        if path in plan.moves:
            return
        if self._signature(path) != look.signature:
            raise StoreError(
                f"{path} was changed by another program during the export (export again)"
            )

    def _step_time(self, path: str, folder: Directory, temporary: str, name: str) -> None:
        """Give the file `temporary` a time at which Godot notices the change.

        It will replace the file `path`, which is called `name` in `folder`, so it gets a time in a
        later second.
        """
        try:
            old: int | None = folder.status(name).st_mtime_ns
        except OSError:
            old = self._removed.pop(path, None)
        if old is not None:
            later = later_time(old, folder.status(temporary).st_mtime_ns)
            if later is not None:
                folder.set_time(temporary, later)

    def _give_up(self, plan: CommitPlan) -> None:
        """Delete, in other specs' entries, the files that `plan` takes over.

        Only the manifest changes, no file. An entry that loses an output also loses its key, so its
        spec counts as not exported.
        """
        for owner, paths in plan.moved_out.items():
            entry = self.manifest.entries[owner]
            outputs = tuple(o for o in entry.outputs if o.path not in paths)
            stale = tuple(o for o in entry.stale if o.path not in paths)
            key = "" if len(outputs) != len(entry.outputs) else entry.key
            self.manifest.put(replace(entry, key=key, outputs=outputs, stale=stale))

    def _output(self, plan: CommitPlan, file: File) -> Output:
        record = plan.known.get(file.path)
        new = file.output(_written(record))
        look = plan.looks[file.path]
        if file.path in plan.preserved:
            if not new.written:
                listed = self.indexes.listed(file.home, file.path)
                new = replace(new, written=min(listed) if listed else "")
            return replace(new, signature=None)
        if file.path in plan.writes:
            return replace(new, written=file.sha256, signature=self._signature(file.path))
        if file.path in plan.moves:
            return replace(new, written=look.content, signature=self._signature(file.path))
        return replace(new, written=look.content, signature=look.signature)

    def _signature(self, path: str) -> Signature | None:
        try:
            return signature_of(self.folder.status(path))
        except OSError:
            return None


class _OpenFolders:
    """Opens folders and keeps them open, so that a group opens each only once."""

    def __init__(self, folder: Folder, stack: contextlib.ExitStack) -> None:
        self._folder = folder
        self._stack = stack
        self._open: dict[str, Directory] = {}

    def at(self, path: str) -> Directory:
        if path not in self._open:
            opened = self._folder.open(path, make=True)
            self._open[path] = self._stack.enter_context(opened)
        return self._open[path]


def _sync(commits: list[_Commit]) -> None:
    waiting = [(commit, item) for commit in commits for item in commit.pending]
    if not waiting:
        return
    # Imported here: an export without stale levels writes nothing.
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(min(_SYNCING_THREADS, len(waiting))) as threads:
        errors = list(threads.map(_sync_one, [item for _, item in waiting]))
    for (commit, item), error in zip(waiting, errors, strict=True):
        if error is not None:
            commit.fail(error, item.file.path)


def _sync_one(item: _Temporary) -> OSError | None:
    try:
        item.folder.sync(item.temporary)
    except OSError as error:
        return error
    return None


def _written(record: Output | None) -> str:
    return "" if record is None else record.written
