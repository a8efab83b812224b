"""Store the output files of a project: check, write and remove them.

A commit writes the files of one spec; `commit_plan` plans it and `group_commit` executes it. If an
export is killed, every file that it leaves is complete and recorded, and a file that a user made or
edited is never mistaken for an output.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from exporter.model.errors import OutsideError, StoreError
from exporter.model.lazy_dataclass import dataclass
from exporter.store.atomic_files import Signature, release_lock, signature_of, take_lock
from exporter.store.commit_plan import Content, File, Planner
from exporter.store.contents import FileRules, NoRules
from exporter.store.entries import ManifestEntry, Output, ProjectMark, is_shared
from exporter.store.file_names import is_leftover
from exporter.store.folder import Folder, split
from exporter.store.group_commit import BESIDE, Committed, ContentMissingError, GroupCommit, Outcome
from exporter.store.held_files import is_held, refused
from exporter.store.index_updates import all_homes, are_redundant, indexes_changed, update_indexes
from exporter.store.indexes import Indexes
from exporter.store.manifest import Manifest
from exporter.store.ownership import THEIRS, FileProbe, FileState, look_at
from exporter.store.status_files import LEVEL_STATUSES, StatusFiles
from exporter.store.user_folder import trusted_folders

LOCK = "lock"
IGNORE = ".gitignore"
REMEMBERED_REMOVALS = 10_000


def _at_hand(file: File) -> bytes:
    if file.data is None:
        raise ContentMissingError(file.path)
    return file.data


@dataclass(frozen=True, slots=True)
class Removed:
    """The result of removing output files: three lists of paths.

    Attributes:
        removed: Files that were removed (in a dry run: that would be).
        preserved: User-modified files, which stay.
        held: Files that another program holds open, to remove later.
    """

    removed: tuple[str, ...] = ()
    preserved: tuple[str, ...] = ()
    held: tuple[str, ...] = ()


class Store:
    """The output files of one project, and their manifest.

    Write only inside `with store:`, which holds the project's write lock and may be nested. Between
    two such blocks other processes may write; their changes are read when the lock is taken again.

    Args:
        root: The project's folder.
        state: The state folder of the project.
        rules: The rules for files that engines complete or know by an id; None for no such files.
        dry: Whether to change only the manifest in memory, and nothing on disk.

    Attributes:
        live: The level's name for each existing spec, by the spec's path, so that files of deleted
            specs can be taken over; None if all specs of the manifest exist.
        homes: The folders that have an index (a list of their outputs), according to the project.
        statuses: The status files for engine plugins.
    """

    def __init__(
        self, root: Path, state: Path, rules: FileRules | None = None, *, dry: bool = False
    ) -> None:
        self.root = root
        self.state = state
        self.rules = rules if rules is not None else NoRules()
        self.dry = dry
        self.manifest = Manifest(state)
        self.folder = Folder(root, lambda: trusted_folders(root))
        self.indexes = Indexes(
            self.folder,
            lambda home, mark: self.manifest.marks.is_redundant(home, mark),
            lambda home, path: self.manifest.marks.said(home, path),
        )
        self._own = Folder(root, closed=False, follow=False)
        self.statuses = StatusFiles(self._own, state)
        self.live: dict[str, str] | None = None
        self.homes: tuple[str, ...] = ()
        self._lock: Any = None
        self._depth = 0
        self._cleaned = False
        # Modification times of removed files: a file that returns must look changed to Godot.
        self._removed: dict[str, int] = {}
        # In a dry store: existing files whose removal is planned.
        self._would_be_removed: set[str] = set()

    @property
    def entries(self) -> dict[str, ManifestEntry]:
        """The manifest's entries by the path of their spec."""
        return self.manifest.entries

    @property
    def project(self) -> ProjectMark | None:
        """What the manifest remembers of exporter.yaml; None if nothing."""
        return self.manifest.project

    def __enter__(self) -> Store:
        if self._depth == 0 and not self.dry:
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
        self._depth -= 1
        if self._depth == 0 and not self.dry:
            release_lock(self._lock)
            self._lock = None

    def peek(self) -> dict[str, ManifestEntry]:
        """Read the manifest without taking the lock; return its entries."""
        self.manifest.refresh()
        return self.entries

    def set_homes(self, homes: tuple[str, ...]) -> None:
        """Set the folders that have an index, according to exporter.yaml.

        A manifest without a valid seal is trusted only for files in these folders.
        """
        self.homes = homes
        self.manifest.restrict(homes)

    # --- looking ------------------------------------------------------------------------------

    def look(self, output: Output) -> FileProbe:
        """Find out who wrote the file at the path of `output`, and its state.

        A file outside the writable folders counts as user-modified.
        """
        listed = self.indexes.listed(output.home, output.path)
        unchanged = None
        if output.signature is not None and output.written:
            unchanged = (output.signature, output.written)
        try:
            return look_at(
                self.folder,
                output.path,
                output.sha256,
                {output.written, output.coming}.union(listed) - {""},
                self.rules,
                sidecar=output.once,
                unchanged=unchanged,
            )
        except OutsideError:
            return FileProbe(FileState.USER_MODIFIED)

    def signature(self, path: str) -> Signature | None:
        """Return the present signature of the file `path`; None if missing."""
        try:
            return signature_of(os.lstat(f"{self.root}/{path}"))
        except OSError:
            return None

    def note_signatures(self, spec: str, signatures: dict[str, Signature]) -> None:
        """Record that outputs of `spec` have new signatures but the same content.

        `signatures` are by path. Their files are not read again until they change.
        """
        entry = self.entries[spec]
        outputs = tuple(
            replace(output, signature=signatures.get(output.path, output.signature))
            for output in entry.outputs
        )
        marks, alone = self.manifest.indexes, self.manifest.marks.alone
        self.manifest.put(replace(entry, outputs=outputs))
        if marks:
            self.manifest.mark_indexes(marks, alone)  # they have no signatures

    def indexes_changed(self) -> bool:
        """Return whether an index changed on disk since the manifest recorded it."""
        return indexes_changed(self.manifest, self.indexes)

    # --- committing ---------------------------------------------------------------------------

    def commit(
        self,
        entry: ManifestEntry,
        files: Iterable[File],
        *,
        overwrite: bool = False,
        content: Content = _at_hand,
    ) -> Committed:
        """Write the output files of one spec, and record them in the manifest.

        User-modified files are kept; files that the spec no longer has stay until `exporter clean`.
        In a dry run nothing is written.

        Args:
            entry: The spec's new manifest entry, without outputs.
            files: The files in the order of writing: a file comes before those that refer to it.
            overwrite: Whether to overwrite untracked and user-modified files.
            content: Returns the content of a file; called only for files that must be written.

        Raises:
            StoreError: A file cannot be written, or there is a file that the exporter did not
                write.
            ContentMissingError: Raised by `content`; nothing was written.
        """
        (outcome,) = self.commit_all([(entry, files)], overwrite=overwrite, content=content)
        if not isinstance(outcome, Committed):
            raise outcome
        return outcome

    def commit_all(
        self,
        commits: Sequence[tuple[ManifestEntry, Iterable[File]]],
        *,
        overwrite: bool = False,
        content: Content = _at_hand,
    ) -> list[Outcome]:
        """Write the files of several specs, as `commit` does for one.

        Specs that share no file, rename none and take none from another spec are written together,
        to wait for the disk only once.

        Args:
            commits: Each spec's new manifest entry, and its files in the order of writing.
            overwrite: Whether to overwrite untracked and user-modified files.
            content: Returns the content of a file; called only for files that must be written.

        Returns:
            The result or the error of each commit, in the order of `commits`.
        """
        planner = Planner(
            self.folder, self.manifest, self.indexes, self.rules, self.live, self._would_be_removed
        )
        outcomes: list[Outcome] = []
        group = GroupCommit(self.folder, self.manifest, self.indexes, self._removed, dry=self.dry)
        for entry, given in commits:
            files = list(given)
            if group.touches(files):
                outcomes += group.finish()
            try:
                plan = planner.plan(entry, list(files), content, overwrite=overwrite)
                if group and not plan.is_independent:
                    outcomes += group.finish()
                    plan = planner.plan(entry, files, content, overwrite=overwrite)
            except (StoreError, ContentMissingError) as error:
                outcomes += [*group.finish(), error]
                continue
            if self.dry:
                self._would_be_removed.update(plan.moves.values())
                self._would_be_removed.difference_update(file.path for file in plan.files)
            group.add(plan)
            if not plan.is_independent:
                outcomes += group.finish()
        return outcomes + group.finish()

    def move(self, old: str, new: str) -> None:
        """Record that the spec `old` is now called `new`; its outputs stay as is."""
        entry = self.entries[old]
        self.manifest.drop(old)
        self.manifest.put(replace(entry, spec=new, key=""))

    # --- removing -----------------------------------------------------------------------------

    def forget(self, spec: str, *, with_shared: bool = True) -> Removed:
        """Remove the outputs and the manifest entry of the deleted spec `spec`.

        User-modified files stay, and are untracked then. Files that other specs share stay. Files
        that another program holds open stay, and are recorded as stale. If `with_shared` is false,
        because entries of other specs may be outdated, files that specs can share are only recorded
        as stale, too.
        """
        entry = self.entries.get(spec)
        if entry is None:
            return Removed()
        own = [
            output
            for output in entry.files
            if not self.manifest.is_shared_with_others(output.path, spec)
        ]
        spared = [output for output in own if is_shared(output.path) and not with_shared]
        done = self.remove(output for output in own if output not in spared)
        left = tuple(output for output in own if output in spared or output.path in done.held)
        if left and not self.dry:
            self.manifest.put(replace(entry, key="", outputs=(), stale=left))
        else:
            self.manifest.drop(spec)
        return done

    def remove_stale(self, spec: str, homes: Collection[str]) -> Removed:
        """Remove files of earlier exports of `spec` that its level no longer has.

        Only files in the target folders `homes` are removed, and none that a user has modified.
        """
        entry = self.entries[spec]
        there = [output for output in entry.stale if output.home in homes]
        done = self.remove(there)
        rest = tuple(
            output for output in entry.stale if output not in there or output.path in done.held
        )
        if rest != entry.stale:
            self.manifest.put(replace(entry, stale=rest))
        return done

    def remove(self, outputs: Iterable[Output]) -> Removed:
        """Remove the files of `outputs`, but not those that a user has modified.

        The caller must remove the outputs from the manifest.
        """
        removed: list[str] = []
        remaining: list[str] = []
        held: list[str] = []
        for output in outputs:
            look = self.look(output)
            if look.state is FileState.MISSING:
                continue
            if look.state in THEIRS:
                remaining.append(output.path)
            elif self.is_twin(output):
                continue
            elif self.dry:
                self._would_be_removed.add(output.path)
                removed.append(output.path)
            elif self._unlink(output.path):
                removed.append(output.path)
            else:
                held.append(output.path)
        return Removed(tuple(removed), tuple(remaining), tuple(held))

    def listed_only(self) -> list[Output]:
        """Return the files that an index lists but the manifest lacks.

        In a clone without a state folder these are all outputs. A file may be removed only if it
        still has the content that the index lists.
        """
        marks = self.manifest.marks
        if marks.current.keys() >= set(self.homes) and are_redundant(
            self.manifest, self.indexes, marks.current
        ):
            return []
        known = {output.path for entry in self.entries.values() for output in entry.files}
        known |= self._would_be_removed
        result = []
        for home in all_homes(self.manifest, self.homes):
            for path, digests in sorted(self.indexes.lines(home).items()):
                if path in known or not self.folder.is_file(path):
                    continue
                once = path.endswith(BESIDE)
                written = min(digests)
                result.append(
                    Output(path, "", None, "", 0, written, once, written=written, home=home)
                )
        return result

    def is_twin(self, output: Output) -> bool:
        """Return whether another output of the same spec is the same file.

        That is so if two paths differ only in case and the disk ignores case.
        """
        folded = output.path.casefold()
        owner = self.manifest.owner(output.path)
        for other in self.entries[owner].outputs if owner is not None else ():
            if other.path != output.path and other.path.casefold() == folded:
                with contextlib.suppress(OSError):
                    return os.path.samefile(self.root / output.path, self.root / other.path)
        return False

    # --- saving -------------------------------------------------------------------------------

    def save(self) -> None:
        """Write all changes into the manifest file, and remove the journal."""
        if self.manifest.has_journal and not self.dry:
            self.manifest.compact()

    def write_indexes(self) -> tuple[str, ...]:
        """Write all indexes that differ from the manifest.

        Returns:
            The paths of these indexes; a dry run writes none of them.

        Raises:
            StoreError: An index cannot be written.
        """
        return update_indexes(
            self.manifest, self.indexes, self.homes, self._would_be_removed, dry=self.dry
        )

    # --- inside -------------------------------------------------------------------------------

    def _make_state_folder(self) -> None:
        try:
            with self._own.open(".") as root, root.enter(self.state.name, make=True) as state:
                with contextlib.suppress(FileNotFoundError):
                    state.status(IGNORE)
                    return
                state.replace(state.create(IGNORE, b"*\n", durable=False), IGNORE)
        except OSError as error:
            if os.path.islink(self.state):
                raise StoreError(
                    f"{self.state} is a symbolic link, but the state folder must be a real folder "
                    "(remove the link)"
                ) from None
            if isinstance(error, NotADirectoryError):
                raise StoreError(f"{self.state} is not a folder (move it away)") from None
            raise refused(error, self.state) from None

    def _remove_temporaries(self) -> None:
        folders = {
            split(output.path)[0] for entry in self.entries.values() for output in entry.files
        }
        ours = [self.state.name, f"{self.state.name}/{LEVEL_STATUSES}"]
        for base, paths in ((self._own, ours), (self.folder, sorted(folders))):
            for path in paths:
                with contextlib.suppress(OSError, StoreError), base.open(path) as folder:
                    for name in filter(is_leftover, folder.names()):
                        folder.unlink(name)

    def _unlink(self, name: str) -> bool:
        """Remove the file at path `name`; return False if a program holds it open.

        Raises:
            StoreError: The file cannot be removed for another reason.
        """
        folder, last = split(name)
        try:
            with self.folder.open(folder) as directory:
                second = directory.status(last).st_mtime_ns
                directory.unlink(last)
        except FileNotFoundError:
            return True
        except OSError as error:
            if is_held(error):
                return False
            raise refused(error, name) from None
        if len(self._removed) >= REMEMBERED_REMOVALS:
            self._removed.clear()
        self._removed[name] = second
        self.folder.remove_empty(folder)
        return True
