"""One export of a project: which levels are stale, building them, storing what came out.

The same class serves `exporter export` and every batch of `exporter watch`. It compares what is
wanted (the specs and what they read) with what the manifest says is there, and never relies on
what it was told had changed. A level is recognised as unchanged by the hash of its spec's bytes
and of everything else that went into it, without parsing it.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from time import monotonic

from exporter.export.events import Event, LevelResult, Removal, State
from exporter.export.jobs import Built, Task, content_from, peek_name
from exporter.export.status import Status
from exporter.export.workers import build_all
from exporter.model.errors import Problem, SpecError, StoreError
from exporter.model.keys import stage_key
from exporter.project.project import FILE_NAME, Project, load_project, shown
from exporter.project.spec_files import find_specs
from exporter.store.atomic_files import Signature, signature_of
from exporter.store.cache import Cache
from exporter.store.code_identity import code_identity
from exporter.store.snapshots import FileSignature, SeenFiles
from exporter.store.store import (
    ContentMissingError,
    Entry,
    File,
    Output,
    ProjectMark,
    Store,
    whole_file,
)

# A disk that refused is asked again after so many seconds, doubled every time up to the last.
RETRY_SECONDS = 2.0
LONGEST_RETRY_SECONDS = 30.0
# A spec that changes while it is built is built again, but not for ever.
MAXIMUM_REPEATS = 5


@dataclass(frozen=True, slots=True)
class Settings:
    """How to export.

    Attributes:
        levels: Globs of level names; empty for all.
        jobs: Processes to build in; None chooses.
        force: Build everything, and overwrite files that are not ours.
        dry_run: Write nothing.
    """

    levels: tuple[str, ...] = ()
    jobs: int | None = None
    force: bool = False
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class Stale:
    """A level to build: its task, its name and what made it stale."""

    task: Task
    level: str
    causes: tuple[str, ...]


@dataclass(slots=True)
class _Failure:
    """A level that failed, and what would have to change before it is tried again."""

    result: LevelResult
    key: str
    inputs: dict[str, str]
    retry_at: float | None = None
    pause: float = RETRY_SECONDS


Progress = Callable[[int, int], None]


def export_project(
    root: Path,
    settings: Settings,
    *,
    event: Callable[[Event], None] = lambda _: None,
    progress: Progress = lambda _done, _total: None,
) -> list[LevelResult]:
    """Export the levels of a project that are stale, and remove what belongs to none.

    Args:
        root: The project's folder.
        settings: How to export.
        event: Told each level as soon as it is finished, and each removal.
        progress: Told how many of the stale levels are done.

    Returns:
        A result for every selected level, in the order of their specs' paths.

    Raises:
        SpecError: exporter.yaml is wrong.
        StoreError: The project's state folder cannot be used.
    """
    results: dict[str, LevelResult] = {}

    def note(happened: Event) -> None:
        if isinstance(happened, LevelResult):
            results[happened.spec] = happened
        event(happened)

    export = Export(root, settings, note)
    stale = export.look(full=True)
    export.tell_unchanged(stale)
    causes = {one.task.spec: one.causes for one in stale}
    tasks = [one.task for one in stale]
    total = len(tasks)
    progress(0, total)
    done = 0
    for _ in range(MAXIMUM_REPEATS):
        again: list[Task] = []
        for built in build_all(tasks, settings.jobs):
            retry = export.accept(built, causes[built.task.spec])
            if retry is not None:
                again.append(retry)
                continue
            done += 1
            progress(done, total)
        tasks = again
        if not tasks:
            break
    export.finish()
    return [results[spec] for spec in sorted(results)]


class Export:
    """The comparison of a project's specs with its outputs, over one or many batches."""

    def __init__(self, root: Path, settings: Settings, event: Callable[[Event], None]) -> None:
        self.root = root
        self.settings = settings
        self.event = event
        state = root / ".exporter"
        self.store = Store(root, state)
        self.cache = Cache(state)
        self.status = Status()
        self.identity = code_identity()
        self.specs: list[str] = []
        self.failures: dict[str, _Failure] = {}
        self._project: Project | None = None
        self._mark: ProjectMark | None = None
        self._seen = SeenFiles(root)
        self._mark_signature: FileSignature | None = None
        # Outputs whose times changed but whose content was found to be ours.
        self._verified: dict[str, Signature] = {}
        self._linked: tuple[list[str], list[Path]] | None = None
        self._saved = 0

    # --- looking ------------------------------------------------------------------------------

    def look(self, *, full: bool, early: bool = False) -> list[Stale]:
        """Return the levels that must be built, and settle all that needs no building.

        Args:
            full: Look at the outputs, too: one that was removed or edited makes its level stale.
            early: Only find what could be built already; settle and tell nothing yet, because
                the files may still be changing.

        Raises:
            SpecError: exporter.yaml is wrong.
            StoreError: The project's state folder cannot be used.
        """
        if self.settings.dry_run or early:
            self.store.peek()
            return self._compare(full, early)
        with self.store:
            stale = self._compare(full, early)
            mark = self._mark
            if mark is not None and mark != self.store.project:
                self.store.manifest.mark(mark)
            self.store.manifest.flush()
        return stale

    def _compare(self, full: bool, early: bool) -> list[Stale]:
        mark = self._read_mark()
        self.specs = find_specs(self.root, mark.patterns)
        keys: dict[str, str] = {}
        names: dict[str, str] = {}
        unread: dict[str, LevelResult] = {}
        for spec in self.specs:
            try:
                seen = self._seen.look_at(spec, self._name)
            except FileNotFoundError:
                continue  # gone since it was listed; the next look sees that
            except OSError as error:
                unread[spec] = self._unreadable(spec, error)
                continue
            keys[spec] = level_key(self.identity, mark.fingerprint, spec, seen.digest)
            names[spec] = seen.name
        if not early:
            self._remove_gone(names)
            self._forget_gone()
            self._keep_plugins(mark)
            for result in unread.values():
                if self._selected(result.level):
                    self._fail(result, "", {})
        stale = [
            (spec, causes)
            for spec in keys
            if self._selected(names[spec])
            and (causes := self._causes(spec, keys[spec], mark, full)) is not None
        ]
        stale = self._refuse_twins(names, keys, stale, early)
        return self._tasks(stale, keys, names)

    def _read_mark(self) -> ProjectMark:
        try:
            self._mark_signature = self._seen.signature(FILE_NAME)
            content = (self.root / FILE_NAME).read_bytes()
        except OSError as error:
            message = f"cannot be read ({error.strerror or error})"
            raise SpecError([Problem(message, shown(self.root / FILE_NAME))]) from None
        digest = stage_key(self.identity, hashlib.sha256(content).hexdigest())
        if self._mark is None or self._mark.sha256 != digest:
            known = self.store.project
            self._project = None
            if known is not None and known.sha256 == digest:
                self._mark = known
            else:
                self._project = load_project(self.root)
                self._mark = ProjectMark(digest, self._project.patterns, self._project.fingerprint)
        return self._mark

    def _name(self, spec: str, digest: str, content: bytes) -> str:
        """Return a level's name, without reading the spec where the manifest knows it."""
        entry = self.store.entries.get(spec)
        if entry is not None and self._mark is not None:
            fingerprint = self._mark.fingerprint
            if entry.key == level_key(self.identity, fingerprint, spec, digest):
                return entry.level
        return peek_name(content, spec)

    def specs_differ(self) -> bool:
        """Whether exporter.yaml, a spec or a file that was read is not as at the last look.

        That is judged by signatures; only where times are too coarse is content read.
        """
        if self._seen.signature(FILE_NAME) != self._mark_signature:
            return True
        if self._mark is not None and find_specs(self.root, self._mark.patterns) != self.specs:
            return True
        return self._seen.differ()

    def outputs_differ(self) -> bool:
        """Whether an output is not as we left it, or a failed level is due for another try."""
        now = monotonic()
        if self.store.manifest.is_other_on_disk():
            return True
        if any(f.retry_at is not None and now >= f.retry_at for f in self.failures.values()):
            return True
        return not all(
            self._output_stands(output)
            for spec, entry in self.store.entries.items()
            if spec not in self.failures
            for output in entry.outputs
        )

    def _output_stands(self, output: Output) -> bool:
        """Whether an output is as we left it; one that was only touched is read but once."""
        try:
            signature = signature_of(os.stat(f"{self.root}/{output.path}"))
        except OSError:
            return False
        if output.once or signature in (output.signature, self._verified.get(output.path)):
            return True
        if not self.store.is_current(output):
            return False
        self._verified[output.path] = signature
        return True

    def _unreadable(self, spec: str, error: OSError) -> LevelResult:
        # Its signature tells when it is worth another try.
        self._seen.note_unread(spec)
        name = Path(spec).name.split(".")[0]
        message = f"cannot be read ({error.strerror or error})"
        problem = Problem(message, shown(self.root / spec))
        return LevelResult(name, spec, "failed", problems=(problem,))

    def _remove_gone(self, names: dict[str, str]) -> None:
        """Remove the outputs of specs that are gone; those of renamed ones change hands."""
        here = set(self.specs)
        gone = [spec for spec in self.store.entries if spec not in here and spec != FILE_NAME]
        if not gone:
            return
        heirs = {
            name.casefold(): spec for spec, name in names.items() if spec not in self.store.entries
        }
        for spec in sorted(gone):
            entry = self.store.entries[spec]
            heir = heirs.pop(entry.level.casefold(), None)
            if self.settings.dry_run:
                if heir is None:
                    paths = tuple(output.path for output in entry.outputs)
                    self.event(Removal(entry.level, spec, paths))
            elif heir is not None:
                self.store.move(spec, heir)
            else:
                paths = tuple(self.store.forget(spec))
                kept = tuple(
                    output.path
                    for output in entry.outputs
                    if not output.adopted and (self.root / output.path).exists()
                )
                self.status.changed = True
                self.event(Removal(entry.level, spec, paths, kept))

    def _keep_plugins(self, mark: ProjectMark) -> None:
        """Bring the engine plugins that exporter.yaml asks for up to date.

        Their entry stands in the manifest under exporter.yaml itself.
        """
        if self.settings.dry_run:
            return
        entry = self.store.entries.get(FILE_NAME)
        key = stage_key("plugins", mark.sha256)
        if entry is None and mark == self.store.project:
            return  # none was asked for, and exporter.yaml is the same
        if entry is not None and entry.key == key and self._all_stand(entry):
            return
        from exporter.project.plugins import plugin_files

        self._project = self._project or load_project(self.root)
        files = [
            whole_file(file.path, file.kind, None, file.target, file.data)
            for file in plugin_files(self._project)
        ]
        if not files:
            self.store.forget(FILE_NAME)
            return
        self.store.commit(Entry(FILE_NAME, "", key), files, force=self.settings.force)

    def _all_stand(self, entry: Entry) -> bool:
        return all(self._output_stands(output) for output in entry.outputs)

    def _forget_gone(self) -> None:
        here = set(self.specs)
        for spec in [spec for spec in self.failures if spec not in here]:
            del self.failures[spec]
        self.status.keep(here)
        self._seen.keep(here | self.inputs())
        if len(self._verified) > 10_000:
            self._verified.clear()

    def inputs(self) -> set[str]:
        """Return the paths of all files that specs read, or tried to."""
        paths = {path for entry in self.store.entries.values() for path in entry.inputs}
        paths.update(path for failure in self.failures.values() for path in failure.inputs)
        return paths

    def _causes(self, spec: str, key: str, mark: ProjectMark, full: bool) -> tuple[str, ...] | None:
        """Return what makes a level stale; None when it is not, or failed for good."""
        entry = self.store.entries.get(spec)
        failure = self.failures.get(spec)
        if failure is not None and failure.key == key and not self._inputs_changed(failure.inputs):
            due = failure.retry_at is not None and monotonic() >= failure.retry_at
            return failure.result.causes if due else None
        if self.settings.force or entry is None:
            return (spec,)
        changed = self._inputs_changed(entry.inputs)
        if entry.key != key:
            others = self.store.project is not None and self.store.project != mark
            return (FILE_NAME if others else spec, *changed)
        if changed:
            return changed
        if full:
            lost = [out.path for out in entry.outputs if not self._output_stands(out)]
            if lost:
                return tuple(lost)
        if failure is not None:
            # What failed was taken back: the level is again what was exported before.
            del self.failures[spec]
            self.status.settle(spec)
        return None

    def _inputs_changed(self, inputs: dict[str, str]) -> tuple[str, ...]:
        return tuple(path for path, digest in inputs.items() if self._digest(path) != digest)

    def _digest(self, path: str) -> str:
        try:
            return self._seen.look_at(path).digest
        except OSError:
            self._seen.note_unread(path)
            return ""

    def _selected(self, name: str) -> bool:
        patterns = self.settings.levels
        return not patterns or any(fnmatchcase(name, pattern) for pattern in patterns)

    def _refuse_twins(
        self,
        names: dict[str, str],
        keys: dict[str, str],
        stale: list[tuple[str, tuple[str, ...]]],
        early: bool,
    ) -> list[tuple[str, tuple[str, ...]]]:
        """Fail every stale level whose name, without regard to case, another spec has too."""
        owners: dict[str, list[str]] = {}
        for spec, name in names.items():
            owners.setdefault(name.casefold(), []).append(spec)
        single = []
        for spec, causes in stale:
            twins = [other for other in owners[names[spec].casefold()] if other != spec]
            if not twins:
                single.append((spec, causes))
                continue
            if early:
                continue
            message = f"the level is called {names[spec]!r}, as in {', '.join(twins)}"
            problem = Problem(message, shown(self.root / spec))
            # The twins are inputs of the failure: when one changes, this level is looked at again.
            inputs = {twin: self._seen.digest(twin) for twin in twins}
            result = LevelResult(names[spec], spec, "failed", problems=(problem,), causes=causes)
            self._fail(result, keys[spec], inputs)
        return single

    def _tasks(
        self, stale: list[tuple[str, tuple[str, ...]]], keys: dict[str, str], names: dict[str, str]
    ) -> list[Stale]:
        tasks = []
        for spec, causes in stale:
            if self._project is None:
                self._project = load_project(self.root)
            try:
                content = (self.root / spec).read_bytes()
            except OSError:
                continue  # the next look sees what became of it
            if hashlib.sha256(content).hexdigest() != self._seen.digest(spec):
                continue  # being written just now
            task = Task(
                self._project, spec, content, keys[spec], self.identity, self.settings.force
            )
            tasks.append(Stale(task, names[spec], causes))
        return tasks

    def tell_unchanged(self, stale: Iterable[Stale]) -> None:
        """Tell the levels that are neither stale nor failed."""
        busy = {one.task.spec for one in stale} | self.failures.keys()
        for spec in self.specs:
            entry = self.store.entries.get(spec)
            if spec in busy or entry is None or not self._selected(entry.level):
                continue
            self.event(
                LevelResult(
                    entry.level,
                    spec,
                    "unchanged",
                    outputs=entry.outputs,
                    warnings=entry.warnings,
                    layers=entry.layers,
                )
            )

    @property
    def patterns(self) -> tuple[str, ...]:
        """The globs of level specs, as far as they are known."""
        if self._mark is not None:
            return self._mark.patterns
        return self.store.project.patterns if self.store.project is not None else ()

    def is_amid_a_save(self) -> bool:
        """Whether a spec is missing or empty, as in the middle of a save."""
        for spec in {*self.specs, *self.store.entries}:
            signature = self._seen.signature(spec)
            if signature is None or signature[1] == 0:
                return True
        return False

    def linked_folders(self) -> list[Path]:
        """Return the folders of specs that are reached through a link, by their real paths."""
        if self._linked is None or self._linked[0] != self.specs:
            inside = os.path.realpath(self.root)
            folders = {os.path.normpath(os.path.dirname(f"{inside}/{s}")) for s in self.specs}
            real = {os.path.realpath(folder) for folder in folders} - folders
            for spec in self.specs:
                if os.path.islink(f"{self.root}/{spec}"):
                    real.add(os.path.dirname(os.path.realpath(f"{self.root}/{spec}")))
            self._linked = (self.specs, sorted(map(Path, real)))
        return self._linked[1]

    # --- storing ------------------------------------------------------------------------------

    def accept(self, built: Built, causes: tuple[str, ...]) -> Task | None:
        """Store a built level and tell what became of it.

        Returns:
            A task to build instead: the spec changed meanwhile, or the cache lost a content.
        """
        self._saved += built.saved
        task = built.task
        if not self.settings.dry_run and self._outdated(built):
            return self._renewed(task)
        if built.problems:
            self._fail(_result(built, "failed", causes), task.key, built.inputs)
            return None
        if self.settings.dry_run:
            outputs = tuple(_output_to_be(file) for file in built.files)
            self.event(replace(_result(built, "built", causes), outputs=outputs))
            return None
        entry = Entry(
            task.spec, built.level, task.key, built.inputs, (), built.layers, built.warnings
        )
        try:
            with self.store:
                done, written = self.store.commit(
                    entry, built.files, force=self.settings.force, content=self._content
                )
        except ContentMissingError:
            return replace(task, fresh=True)
        except StoreError as error:
            problem = Problem(str(error), shown(self.root / task.spec))
            result = replace(_result(built, "failed", causes), problems=(problem,))
            self._fail(result, task.key, built.inputs, again=True)
            return None
        self.failures.pop(task.spec, None)
        result = replace(_result(built, "built", causes), outputs=done.outputs, written=written)
        self.status.changed = True
        self.status.note(result)
        self.event(result)
        return None

    def _content(self, file: File) -> bytes:
        data = content_from(self.cache, file)
        if data is None:
            raise ContentMissingError(file.path)
        return data

    def _outdated(self, built: Built) -> bool:
        """Whether the spec, or a file it read, is no longer what was built."""
        try:
            if (self.root / built.task.spec).read_bytes() != built.task.content:
                return True
        except OSError:
            return True
        return bool(self._inputs_changed(built.inputs))

    def _renewed(self, task: Task) -> Task | None:
        try:
            content = (self.root / task.spec).read_bytes()
        except OSError:
            return None
        digest = hashlib.sha256(content).hexdigest()
        assert self._mark is not None
        key = level_key(self.identity, self._mark.fingerprint, task.spec, digest)
        return replace(task, content=content, key=key)

    def _fail(
        self, result: LevelResult, key: str, inputs: dict[str, str], *, again: bool = False
    ) -> None:
        """Remember and tell a failure; one that repeats itself is not told twice."""
        old = self.failures.get(result.spec)
        failure = _Failure(result, key, dict(inputs))
        if again:
            if old is not None and old.retry_at is not None:
                failure.pause = min(2 * old.pause, LONGEST_RETRY_SECONDS)
            failure.retry_at = monotonic() + failure.pause
        self.failures[result.spec] = failure
        self.status.note(result)
        if old is None or old.key != key or old.result.problems != result.problems:
            self.event(result)

    def finish(self, *, compact: bool = True) -> None:
        """End a batch: the manifest in one file, the cache within its bound, the status.

        Raises:
            StoreError: The manifest cannot be written.
        """
        if self.settings.dry_run:
            return
        with self.store:
            if compact:
                self.store.save()
            self.status.write(self.store, self.specs)
        self.cache.grown(self._saved)
        self._saved = 0


def level_key(identity: str, fingerprint: str, spec: str, digest: str) -> str:
    """Return the hash of what a level is made from, apart from the files its spec reads.

    Args:
        identity: See `exporter.store.code_identity.code_identity`.
        fingerprint: See `exporter.project.project.Project`.
        spec: The spec's path.
        digest: SHA-256 of the spec's bytes.
    """
    return stage_key(identity, fingerprint, spec, digest)


def _result(built: Built, status: State, causes: tuple[str, ...]) -> LevelResult:
    return LevelResult(
        built.level,
        built.task.spec,
        status,
        built.seconds,
        problems=built.problems,
        warnings=built.warnings,
        layers=built.layers,
        traceback=built.traceback,
        causes=causes,
    )


def _output_to_be(file: File) -> Output:
    return Output(file.path, file.kind, file.layer, file.target, file.size, file.sha256)


def failed(results: Iterable[LevelResult]) -> bool:
    """Whether any level failed."""
    return any(result.status == "failed" for result in results)
