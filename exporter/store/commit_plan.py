"""Plan a commit without writing, so that a dry run is right."""

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

# How many files a refusal names.
NAMED_FILES = 5


@dataclass(frozen=True, slots=True)
class File:
    """A file to write.

    Attributes:
        path: Relative to the project, with `/`.
        kind: Its purpose.
        layer: The layer it was made from, if any.
        target: The target's name.
        size: Bytes of its content.
        sha256: Hash of its content.
        data: Its content; None if the cache has it.
        once: Whether it is a sidecar, which the engine completes.
        home: The folder whose index lists it, relative to the project; empty for none.
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
        """Return the file's output record for the manifest.

        Args:
            written: Hash of the content it was last given; empty when there never was one.
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
    """The effects of a commit.

    Attributes:
        entry: The spec's new entry, without its outputs.
        files: The files to write, in order.
        known: Their manifest entries, by path.
        looks: The present files, by path.
        moves: Files that are only renamed: the new path and the old one.
        writes: The contents to write, by path.
        preserved: User-modified files, which stay.
        stale: Outputs that the level no longer has, which stay until they are cleaned.
        moved_out: Outputs taken over from deleted specs, by spec.
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
        """Whether it concerns no files of other specs and no other names of files."""
        return not (self.moves or self.moved_out)

    @property
    def changed(self) -> tuple[str, ...]:
        """The paths whose content changes, in order."""
        return tuple(f.path for f in self.files if f.path in self.writes or f.path in self.moves)


class Planner:
    """Plans commits from the manifest and the files on disk.

    Args:
        folder: The project's folder.
        manifest: The manifest.
        indexes: The target folders' indexes.
        rules: Rules of sidecars and of engines' file identities.
        live: The existing specs, with the names of their levels; files of other specs and of
            renamed levels may be taken over. None for all.
        removed: Existing files that the commits planned in a dry run would remove.
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
        """Return the effects of a commit of these files.

        Raises:
            StoreError: An untracked file exists at a path.
            ContentMissingError: From `content`.
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
        """Take over files from deleted specs; refuse those of existing specs."""
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
        """Whether the outputs of an entry are still those of a level."""
        if self.live is None:
            return True
        return self.live.get(entry.spec, "\0").casefold() == entry.level.casefold()

    def _previous_level(self, plan: CommitPlan) -> str:
        """Find a level's previous name without a manifest entry: in a clone.

        Some of its files are listed with the same content under a name that no level has now:
        pictures of layers do not contain their level's name.

        Returns:
            The name with the most such files; empty for none.
        """
        level = plan.entry.level
        names = {name.casefold() for name in (self.live or {}).values()}
        result: dict[str, int] = {}
        for file in plan.files:
            folder = _folder(file)
            start = f"{folder}{level}."
            # What belongs to no layer, such as the tileset's picture, is the same in many levels.
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
        """Find the outputs of a level that was renamed, by their new names."""
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
        """Return the indexed content of a file's previous name, if unchanged.

        Without a manifest entry, an edited file stays under its name.
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
        """Keep the numbers by which engines know existing files.

        Only a file that was renamed has another number than it would get; files that name it must
        name it by that number, too.
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
        """Decide which files are written, with which content, and which are kept."""
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
                    # Of a kind that cannot be merged: it is the engine's once it is written.
                    plan.files[number] = replace(file, sha256=look.content)
                    continue
                data = merged
            plan.writes[file.path] = data
        plan.preserved = tuple(remaining)

    def _merged(self, file: File, plan: CommitPlan, data: bytes) -> bytes | None:
        """Return a sidecar with our keys and the engine's; None if unchanged."""
        merged = self.rules.merged(file.path, self._read(plan, file), data)
        if merged is None:
            return None
        own = self.rules.own_part(file.path, merged.replace(b"\r\n", b"\n"))
        return merged if own == data else data

    def _read(self, plan: CommitPlan, file: File) -> bytes:
        """Return the present file at a path, under its previous name."""
        path = plan.moves.get(file.path, file.path)
        try:
            return self.folder.read(path)[0]
        except OSError as error:
            raise refused(error, path) from None


def _folder(file: File) -> str:
    """Return the folder whose index lists a file, as a prefix of its path."""
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
    """Return a file to be with its content at hand."""
    return File(path, kind, layer, target, len(data), digest_of(data), data, once, home)
