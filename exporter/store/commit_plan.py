"""Plan which files a commit writes, renames and keeps; write nothing.

A commit stores the output files of one spec. A dry run uses the same plan, so that it reports
exactly what would happen.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import field, replace

from exporter.model.errors import StoreError
from exporter.model.lazy_dataclass import dataclass
from exporter.store.contents import FileRules, digest_of
from exporter.store.entries import ManifestEntry, Output, is_part, is_shared, spec_of
from exporter.store.folder import Folder
from exporter.store.held_files import refused
from exporter.store.indexes import Indexes
from exporter.store.manifest import Manifest
from exporter.store.ownership import THEIRS, FileProbe, FileState, look_at

# The most files that one error message names.
NAMED_FILES = 5


@dataclass(frozen=True, slots=True)
class File:
    """One output file of a spec, with its content, for a commit to store.

    Attributes:
        path: The path relative to the project, with `/`.
        kind: The purpose of the file.
        layer: The layer that the file was made from; empty if none.
        target: The target's name.
        size: The size of the content in bytes.
        sha256: The SHA-256 of the content.
        data: The content; None if it is in the cache.
        once: Whether the file is a sidecar: a settings file that the engine completes.
        home: The folder whose index lists the file, relative to the project; empty if none.
    """

    path: str
    kind: str
    layer: str | None
    target: str
    size: int
    sha256: str
    data: bytes | None
    once: bool = False
    home: str = ""

    def output(self, written: str = "") -> Output:
        """Return the record of this file for the manifest.

        `written` is the hash of the content that the exporter last wrote to the file; empty if
        never.
        """
        return Output(
            self.path,
            self.kind,
            self.layer,
            self.target,
            self.size,
            self.sha256,
            self.once,
            written,
            home=self.home,
        )


Content = Callable[[File], bytes]


@dataclass(slots=True)
class CommitPlan:
    """What a commit does to each output file of one spec.

    Attributes:
        entry: The spec's new manifest entry, without outputs.
        files: All output files of the spec, in the order of writing.
        known: The manifest's records of the spec's files before the commit, by path.
        looks: The state of the files on disk, by path, when the commit was planned.
        moves: Files that are only renamed: old paths by new path.
        writes: The contents of files to write, by path.
        preserved: The paths of user-modified files, which are not written.
        stale: Files of earlier exports that the level no longer has; they stay on disk until
            `exporter clean`.
        moved_out: Files that now belong to this spec and no longer to another: a set of paths for
            the path of each deleted spec, or spec whose level was renamed.
    """

    entry: ManifestEntry
    files: list[File]
    known: dict[str, Output]
    looks: dict[str, FileProbe] = field(default_factory=dict)
    moves: dict[str, str] = field(default_factory=dict)
    writes: dict[str, bytes] = field(default_factory=dict)
    preserved: tuple[str, ...] = ()
    stale: tuple[Output, ...] = ()
    moved_out: dict[str, set[str]] = field(default_factory=dict)

    @property
    def is_independent(self) -> bool:
        """Whether the commit renames no file and takes no file from other specs."""
        return not (self.moves or self.moved_out)

    @property
    def changed(self) -> tuple[str, ...]:
        """The paths of files that are written or renamed, in the order of `files`."""
        return tuple(f.path for f in self.files if f.path in self.writes or f.path in self.moves)


class Planner:
    """Plans commits by comparing the manifest with the files on disk.

    Args:
        folder: The project's folder.
        manifest: The record of the files that the exporter wrote.
        indexes: The lists of outputs that lie in the target folders.
        rules: The rules for sidecars (settings files that engines complete) and for engines' ids.
        live: The level's name for each existing spec, by the spec's path. Files of other specs, and
            of earlier names of levels, may be taken over. None if all specs of the manifest exist.
        removed: Files on disk that the dry run would have removed, so they count as missing.
    """

    def __init__(
        self,
        folder: Folder,
        manifest: Manifest,
        indexes: Indexes,
        rules: FileRules,
        live: Mapping[str, str] | None,
        removed: Collection[str] = (),
    ) -> None:
        self.folder = folder
        self.manifest = manifest
        self.indexes = indexes
        self.rules = rules
        self.live = live
        self.removed = removed

    def plan(
        self, entry: ManifestEntry, files: list[File], content: Content, *, overwrite: bool
    ) -> CommitPlan:
        """Plan the commit of the output `files` of a spec.

        Args:
            entry: The spec's new manifest entry, without outputs.
            files: The spec's output files, in the order of writing.
            content: Returns a file's content; called only for files that must be written.
            overwrite: Whether to overwrite untracked and user-modified files.

        Raises:
            StoreError: The path of one of `files` has a file that the exporter did not write, or
                that belongs to another spec.
            ContentMissingError: Raised by `content`.
        """
        old = self.manifest.entries.get(entry.spec)
        known = {output.path: output for output in old.files} if old else {}
        plan = CommitPlan(entry, files, known)
        self._take_over(plan)
        if old is not None:
            previous = old.level
        else:
            previous = "" if is_part(entry.spec) else self._previous_level(plan)
        if previous not in ("", entry.level):
            self._move(plan, previous)
        for file in files:
            plan.looks[file.path] = self._look(plan, file)
        self._keep_identities(plan, old, content)
        self._refuse_foreign(plan, overwrite)
        self._choose(plan, content, overwrite)
        places = {file.path for file in plan.files} | set(plan.moves.values())
        plan.stale = tuple(
            output
            for path, output in known.items()
            if path not in places
            and path not in self.removed
            and not self.manifest.is_shared_with_others(path, entry.spec)
            and self.folder.is_file(path)
        )
        return plan

    def _take_over(self, plan: CommitPlan) -> None:
        """Take over files from deleted specs; raise if an existing spec has one."""
        for file in plan.files:
            owner = self.manifest.owner(file.path)
            if owner is None or owner == plan.entry.spec:
                continue
            theirs = self.manifest.entries[owner]
            output = next(
                output for output in theirs.files if output.path.casefold() == file.path.casefold()
            )
            if output not in theirs.stale and self._is_live(theirs):
                # A newer version of the exporter may write it otherwise, for all of them in turn.
                if output.path == file.path and is_shared(file.path):
                    plan.known.setdefault(file.path, output)
                    continue
                raise StoreError(f"{file.path} is already an output of {spec_of(owner)}")
            plan.moved_out.setdefault(owner, set()).add(output.path)
            if output.path == file.path:
                plan.known.setdefault(file.path, output)

    def _is_live(self, entry: ManifestEntry) -> bool:
        """Return whether the spec of `entry` exists and its level has that name."""
        if self.live is None:
            return True
        return self.live.get(entry.spec, "\0").casefold() == entry.level.casefold()

    def _previous_level(self, plan: CommitPlan) -> str:
        """Find the old name of a renamed level by its files; "" without one.

        This is for a fresh clone, which has no manifest. Some of the level's files, such as
        pictures, have the same content under both names, so an index lists this content under a
        name that no level has now.
        """
        level = plan.entry.level
        names = {name.casefold() for name in (self.live or {}).values()}
        result: dict[str, int] = {}
        for file in plan.files:
            folder = _folder(file)
            start = f"{folder}{level}."
            # A file of no layer, such as the tileset's picture, is the same in many levels.
            if file.layer is None or not file.home or not file.path.startswith(start):
                continue
            if self.folder.exists(file.path):
                continue
            ending = file.path[len(start) - 1 :]
            for path in self.indexes.paths_with(file.home, file.sha256):
                name = path[len(folder) : -len(ending)]
                is_previous = path.endswith(ending) and name.casefold() not in names
                if is_previous and self.folder.is_file(path):
                    result[name] = result.get(name, 0) + 1
        return max(sorted(result), key=lambda name: result[name], default="")

    def _move(self, plan: CommitPlan, previous_level: str) -> None:
        """Plan to rename the level's files, which are named `previous_level`."""
        level = plan.entry.level
        for file in plan.files:
            folder = _folder(file)
            start = f"{folder}{level}."
            if not file.path.startswith(start):
                continue
            previous = f"{folder}{previous_level}.{file.path[len(start) :]}"
            record = plan.known.get(previous) or self._listed(file, previous)
            if record is None or self.manifest.owner(previous) not in (None, plan.entry.spec):
                continue
            used = file.path not in self.removed and self.folder.exists(file.path)
            if used or previous in self.removed or not self.folder.is_file(previous):
                continue
            plan.moves[file.path] = previous
            plan.known[file.path] = replace(record, path=file.path, coming="")

    def _listed(self, file: File, previous: str) -> Output | None:
        """Return a record of the file `previous` from the index of its folder.

        `file` is the same output under its new name. None if the index does not list `previous`, or
        a user has changed that file, which then keeps its name.
        """
        digests = self.indexes.lines(file.home).get(previous) if file.home else None
        if not digests:
            return None
        look = look_at(self.folder, previous, "", digests, self.rules, sidecar=file.once)
        if look.state is not FileState.STALE:
            return None
        return Output(previous, file.kind, file.layer, file.target, 0, "", file.once, look.content)

    def _look(self, plan: CommitPlan, file: File) -> FileProbe:
        record = plan.known.get(file.path)
        previous = plan.moves.get(file.path)
        if (previous or file.path) in self.removed:
            return FileProbe(FileState.MISSING)
        remembered = {record.written, record.coming} if record else set()
        listed = self.indexes.listed(file.home, previous or file.path)
        unchanged = None
        if record is not None and record.signature is not None and record.written:
            unchanged = (record.signature, record.written)
        return look_at(
            self.folder,
            previous or file.path,
            file.sha256,
            remembered.union(listed) - {""},
            self.rules,
            sidecar=file.once,
            unchanged=unchanged,
        )

    def _keep_identities(
        self, plan: CommitPlan, old: ManifestEntry | None, content: Content
    ) -> None:
        """Keep the ids (uids, guids) by which engines know existing files.

        A renamed file keeps its old id, so in all files of `plan` the new id is replaced by the old
        one. A new file whose id another spec's file has gets a different one.
        """
        pairs = dict(old.identities) if old else {}
        occupied = self._identities_of_others(plan.entry.spec)
        for file in plan.files:
            look = plan.looks[file.path]
            if look.state is FileState.UP_TO_DATE or not self.rules.may_have_identity(file.path):
                continue
            data = look.data
            if data is None and look.state is FileState.STALE:
                data = self._read(plan, file)
            placed_at = self.rules.identity(file.path, data) if data is not None else None
            if placed_at is None and not (occupied and look.state is FileState.MISSING):
                continue
            own = self.rules.identity(file.path, content(file))
            if own is None:
                continue
            if placed_at is not None and placed_at != own:
                pairs[own] = placed_at
            elif placed_at is None and own not in pairs:
                other = own
                while other in occupied:
                    other = self.rules.other_identity(other)
                if other != own:
                    pairs[own] = other
        if not pairs:
            return
        used: dict[str, str] = {}
        for number, file in enumerate(plan.files):
            if not self.rules.may_have_identity(file.path):
                continue
            data = content(file)
            for own, other in pairs.items():
                if own.encode() in data:
                    used[own] = other
                    data = data.replace(own.encode(), other.encode())
            digest = digest_of(data)
            if digest != file.sha256:
                changed = replace(file, data=data, sha256=digest, size=len(data))
                plan.files[number] = changed
                plan.looks[file.path] = self._look(plan, changed)
        plan.entry = replace(plan.entry, identities=used)

    def _identities_of_others(self, spec: str) -> set[str]:
        return {
            identity
            for other, identities in self.manifest.identities.items()
            if other != spec
            for identity in identities.values()
        }

    def _refuse_foreign(self, plan: CommitPlan, overwrite: bool) -> None:
        ways = {FileState.BLOCKED: "is not a file", FileState.UNREADABLE: "cannot be read"}
        foreign = []
        for file in plan.files:
            state = plan.looks[file.path].state
            if state in ways:
                raise StoreError(f"{file.path} exists but {ways[state]}")
            if state is FileState.UNTRACKED and not file.once and not overwrite:
                foreign.append(file.path)
        if foreign:
            more = f" and {len(foreign) - NAMED_FILES} more" if len(foreign) > NAMED_FILES else ""
            names = ", ".join(foreign[:NAMED_FILES]) + more
            verb = "exists and was" if len(foreign) == 1 else "exist and were"
            it = "it" if len(foreign) == 1 else "them"
            raise StoreError(
                f"{names} {verb} not written by the exporter (move {it} away, or replace {it} "
                "with --overwrite)"
            )

    def _choose(self, plan: CommitPlan, content: Content, overwrite: bool) -> None:
        remaining = []
        for number, file in enumerate(plan.files):
            look = plan.looks[file.path]
            if look.state is FileState.UP_TO_DATE:
                continue
            if look.state in THEIRS and not overwrite:
                remaining.append(file.path)
                continue
            data = content(file)
            if file.once and look.state is FileState.STALE:
                merged = self._merged(file, plan, data)
                if merged is None:
                    # It cannot be merged: once written, such a sidecar is the engine's.
                    plan.files[number] = replace(file, sha256=look.content)
                    continue
                data = merged
            plan.writes[file.path] = data
        plan.preserved = tuple(remaining)

    def _merged(self, file: File, plan: CommitPlan, data: bytes) -> bytes | None:
        """Return the sidecar on disk, updated with the exporter's keys in `data`.

        A sidecar is a settings file that an engine completes. None if it cannot be updated.
        """
        merged = self.rules.merged(file.path, self._read(plan, file), data)
        if merged is None:
            return None
        own = self.rules.own_part(file.path, merged.replace(b"\r\n", b"\n"))
        return merged if own == data else data

    def _read(self, plan: CommitPlan, file: File) -> bytes:
        """Return the content of `file` on disk, under its old name if renamed."""
        path = plan.moves.get(file.path, file.path)
        try:
            return self.folder.read(path)[0]
        except OSError as error:
            raise refused(error, path) from None


def _folder(file: File) -> str:
    """Return the folder whose index lists `file`, as a path prefix.

    The prefix ends with `/`; it is empty for the project's folder.
    """
    return f"{file.home}/" if file.home not in ("", ".") else ""


def whole_file(
    path: str,
    kind: str,
    layer: str | None,
    target: str,
    data: bytes,
    once: bool = False,
    home: str = "",
) -> File:
    """Return a `File` with the content `data`; compute its size and hash.

    The other arguments are the attributes of `File`.
    """
    return File(path, kind, layer, target, len(data), digest_of(data), data, once, home)
