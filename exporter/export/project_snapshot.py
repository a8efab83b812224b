"""Read a project's exporter.yaml and specs, with hashes of their contents.

Files with unchanged hashes are not parsed, because the manifest has the needed facts about them.
"""

from __future__ import annotations

import hashlib
import os
import posixpath
from collections.abc import Callable, Collection
from dataclasses import field
from pathlib import Path

from exporter.export.tasks import level_key, peek_chunk, peek_name
from exporter.model.errors import Problem, SpecError
from exporter.model.input_files import read_input
from exporter.model.keys import stage_key
from exporter.model.lazy_dataclass import dataclass
from exporter.model.limits import MAXIMUM_INPUT_BYTES, MAXIMUM_SPEC_BYTES
from exporter.project.project import FILE_NAME, STATE_FOLDER, Project, display_path
from exporter.project.spec_files import MISNAMED, look_for_specs
from exporter.reading.names import edits_file
from exporter.store.entries import ProjectMark, spec_of
from exporter.store.snapshots import FileSignature, Snapshots
from exporter.store.store import Store

# The part of the state folder in which engine plugins put painted cells.
PAINTED = "painted"


@dataclass(frozen=True, slots=True)
class LevelRequest:
    """What is known of a level from its spec, before it is built.

    Attributes:
        name: The level's name.
        key: The hash of the spec, the project's settings and the exporter's code.
        digest: The hash of the spec's bytes.
        is_world: Whether the level is a world, which is exported in chunks.
    """

    name: str
    key: str
    digest: str
    is_world: bool = False


@dataclass(frozen=True, slots=True)
class ProjectSnapshot:
    """The exporter.yaml and the specs of a project at one moment.

    Attributes:
        mark: The hash of exporter.yaml, and facts read from it, as the manifest remembers them.
        specs: The paths of all specs, sorted.
        project: Returns the parsed exporter.yaml; raises `SpecError` if it is wrong.
        levels: Name and hashes of the level of each readable spec, by the path of the spec.
        unreadable: Why each other spec cannot be read, by the path of the spec.
        others: Folders that cannot be listed (with `/` at the end), and files that look like specs
            or edits but belong to no pattern or spec of the project.
        edits: The paths of all files of hand edits.
    """

    mark: ProjectMark
    specs: list[str]
    project: Callable[[], Project]
    levels: dict[str, LevelRequest] = field(default_factory=dict)
    unreadable: dict[str, Problem] = field(default_factory=dict)
    others: tuple[str, ...] = ()
    edits: frozenset[str] = frozenset()

    @property
    def unreadable_folders(self) -> tuple[str, ...]:
        """The folders that cannot be listed, each with `/` at the end."""
        return tuple(path for path in self.others if path.endswith("/"))

    def hides(self, spec: str) -> bool:
        """Return whether `spec` lies in a folder that cannot be read."""
        return spec.startswith(self.unreadable_folders)

    def new_edits(self, spec: str, inputs: Collection[str]) -> tuple[str, ...]:
        """Return the edits file of `spec` if it is new: not among `inputs`.

        `inputs` are the files that the last build of the spec read. The result is a tuple of this
        path, or empty.
        """
        if not self.edits:
            return ()
        file = edits_file(spec)
        return (file,) if file in self.edits and file not in inputs else ()


class ProjectFiles:
    """Reads exporter.yaml, specs and input files; detects which changed.

    Args:
        root: The project's folder.
        store: The store with the manifest, whose facts spare reading unchanged files.
        identity: The hash of the exporter's code.
    """

    def __init__(self, root: Path, store: Store, identity: str) -> None:
        self.root = root
        self.store = store
        self.identity = identity
        self.specs: list[str] = []
        self._misnamed: tuple[str, ...] = ()
        self.edits: frozenset[str] = frozenset()
        # Specs of the manifest that are known to be missing.
        self.known_absent: set[str] = set()
        self._seen = Snapshots(root)
        self._project: Project | None = None
        self._mark: ProjectMark | None = None
        self._mark_signature: FileSignature | None = None
        # The result of the last reading, so that keys are not hashed again.
        self._levels: dict[str, LevelRequest] = {}
        self._worlds: set[str] = set()
        self._linked: tuple[list[str], list[Path]] | None = None

    def read(self) -> ProjectSnapshot:
        """Read exporter.yaml and all specs; parse only changed ones.

        Raises:
            SpecError: exporter.yaml is wrong.
        """
        previous = self._mark
        mark = self._read_mark()
        if mark != previous:
            self._levels = {}
        result = look_for_specs(self.root, mark.patterns)
        self.specs, self.edits, self._misnamed = result.specs, result.edits, result.misnamed
        snapshot = ProjectSnapshot(
            mark, self.specs, self.project, others=tuple(result.others), edits=result.edits
        )
        for spec in result.misnamed:
            snapshot.unreadable[spec] = Problem(MISNAMED, display_path(self.root / spec))
        for spec in self.specs:
            try:
                snapshot.levels[spec] = self._level(spec, mark)
            except FileNotFoundError:
                continue  # deleted since it was listed; the next scan sees that
            except OSError as error:
                # Its signature shows when it is worth another try.
                self._seen.note_unread(spec)
                message = f"cannot be read ({error.strerror or error})"
                snapshot.unreadable[spec] = Problem(message, display_path(self.root / spec))
        self._levels = snapshot.levels
        return snapshot

    def read_again(self, paths: Collection[str]) -> tuple[ProjectSnapshot, tuple[str, ...]] | None:
        """Read only the specs among `paths`, which have changed.

        Returns:
            A new snapshot, and those of `paths` that are specs. None if all files must be read,
            because no path is a known spec, exporter.yaml changed, or a spec is unreadable or
            changed its level's name.
        """
        specs = tuple(path for path in paths if path in self._levels)
        mark = self._mark
        if not specs or mark is None or self._seen.signature(FILE_NAME) != self._mark_signature:
            return None
        levels = dict(self._levels)
        for spec in specs:
            try:
                level = self._level(spec, mark)
            except OSError:
                return None
            if levels[spec].name != level.name:
                return None
            levels[spec] = level
        self._levels = levels
        return ProjectSnapshot(mark, self.specs, self.project, levels, edits=self.edits), specs

    def _level(self, spec: str, mark: ProjectMark) -> LevelRequest:
        """Return what is known of the level of `spec`; read only a changed spec.

        `mark` has the facts about exporter.yaml.

        Raises:
            OSError: The spec cannot be read.
        """
        seen = self._seen.look_at(spec, self._name)
        known = self._levels.get(spec)
        if known is not None and (known.digest, known.name) == (seen.digest, seen.name):
            return known
        key = level_key(self.identity, mark.fingerprint, spec, seen.digest)
        return LevelRequest(seen.name, key, seen.digest, spec in self._worlds)

    def project(self) -> Project:
        """Return the parsed and checked exporter.yaml.

        Raises:
            SpecError: exporter.yaml is wrong.
        """
        if self._project is None:
            # Imported here: an export without stale levels need not import targets.
            from exporter.project.settings_file import load_project

            self._project = load_project(self.root)
        return self._project

    def content(self, spec: str) -> bytes | None:
        """Return the bytes of `spec` as `read` found them.

        None if the spec is unreadable, or has changed since then.
        """
        try:
            content = read_input(self.root / spec, MAXIMUM_INPUT_BYTES)
        except OSError:
            return None
        return content if hashlib.sha256(content).hexdigest() == self._seen.digest(spec) else None

    def digest(self, path: str) -> str:
        """Return the hash of the file at `path` as it is now; "" if unreadable."""
        try:
            return self._seen.look_at(path).digest
        except OSError:
            self._seen.note_unread(path)
            return ""

    def changed(self, inputs: dict[str, str]) -> tuple[str, ...]:
        """Return the paths of files whose content has changed.

        `inputs` has the hash that each file had, by path.
        """
        return tuple(path for path, digest in inputs.items() if self.digest(path) != digest)

    def differ(self) -> bool:
        """Return whether exporter.yaml, a spec or an input file has changed.

        Files are compared by signature (times, inode, size); contents are read only if a file
        system stores times in whole seconds.
        """
        if self._seen.signature(FILE_NAME) != self._mark_signature:
            return True
        if self._mark is not None:
            result = look_for_specs(self.root, self._mark.patterns)
            known = (self.specs, self.edits, self._misnamed)
            if (result.specs, result.edits, result.misnamed) != known:
                return True
        return self._seen.differ()

    def keep(self, inputs: set[str]) -> None:
        """Forget the hashes of files that are needed no more.

        Needed are exporter.yaml, the specs, and the files in `inputs`.
        """
        self._seen.keep(set(self.specs) | inputs)

    @property
    def fingerprint(self) -> str:
        """The hash of the settings that affect outputs; "" if still unknown."""
        return self._mark.fingerprint if self._mark is not None else ""

    @property
    def patterns(self) -> tuple[str, ...]:
        """The glob patterns of level specs; empty if still unknown."""
        if self._mark is not None:
            return self._mark.patterns
        return self.store.project.patterns if self.store.project is not None else ()

    def is_amid_a_save(self, announced: Collection[str] = ()) -> bool:
        """Return whether a file seems to be just being saved: missing or empty.

        `announced` are paths that have changed. If one of them is a spec or an edits file, only
        these are checked, otherwise all files.
        """
        known = {spec_of(key) for key in self.store.entries}
        files = {*self.specs, *self.edits, *known} - self.known_absent
        for path in files.intersection(announced) or files:
            signature = self._seen.signature(path)
            if signature is None or signature[1] == 0:
                return True
        return False

    def linked_folders(self) -> list[Path]:
        """Return the folders in which specs lie that are reached by links.

        The links are resolved.
        """
        if self._linked is None or self._linked[0] != self.specs:
            inside = os.path.realpath(self.root)
            folders = {os.path.normpath(os.path.dirname(f"{inside}/{s}")) for s in self.specs}
            real = {os.path.realpath(folder) for folder in folders} - folders
            for spec in self.specs:
                if os.path.islink(f"{self.root}/{spec}"):
                    real.add(os.path.dirname(os.path.realpath(f"{self.root}/{spec}")))
            self._linked = (self.specs, sorted(map(Path, real)))
        return self._linked[1]

    def _read_mark(self) -> ProjectMark:
        try:
            self._mark_signature = self._seen.signature(FILE_NAME)
            content = read_input(self.root / FILE_NAME, MAXIMUM_SPEC_BYTES)
        except OSError as error:
            message = f"cannot be read ({error.strerror or error})"
            raise SpecError([Problem(message, display_path(self.root / FILE_NAME))]) from None
        digest = stage_key(self.identity, hashlib.sha256(content).hexdigest())
        if self._mark is None or self._mark.sha256 != digest:
            known = self.store.project
            self._project = None
            if known is not None and known.sha256 == digest:
                self._mark = known
            else:
                project = self.project()
                self._mark = ProjectMark(
                    digest,
                    project.patterns,
                    project.fingerprint,
                    _homes(project),
                    self.identity,
                )
        return self._mark

    def _name(self, spec: str, digest: str, content: bytes) -> str:
        """Return the name of the level of `spec`; record whether it is a world.

        The name comes from the manifest if `digest`, the hash of the spec's `content`, is
        unchanged.
        """
        if peek_chunk(content, spec):
            self._worlds.add(spec)
        else:
            self._worlds.discard(spec)
        entry = self.store.entries.get(spec)
        if entry is not None and self._mark is not None:
            fingerprint = self._mark.fingerprint
            if entry.key == level_key(self.identity, fingerprint, spec, digest):
                return entry.level
        return peek_name(content, spec)


def _homes(project: Project) -> tuple[str, ...]:
    """Return the sorted folders of targets and plugins.

    These are the folders that have an index, a list of their outputs.
    """
    from exporter.project.plugins import plugin_folders

    targets = {posixpath.normpath(target.options.path) for target in project.targets}
    return tuple(sorted(targets.union(plugin_folders(project))))


def waiting_files(root: Path) -> list[Path]:
    """Return the sorted files of painted cells that wait to be imported.

    Engine plugins write these files into the state folder of the project `root`.
    """
    folder = root / STATE_FOLDER / PAINTED
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries if entry.name.endswith(".json")]
    except OSError:
        return []
    return [folder / name for name in sorted(names)]
