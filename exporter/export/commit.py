"""Storing what was built, reporting it, and removing what belongs to no spec."""

from __future__ import annotations

from dataclasses import replace

from exporter.export.events import LevelResult, Reason, Removal, Reporter, State
from exporter.export.failures import Failures
from exporter.export.job import BuiltLevel, content_from
from exporter.export.settings import Settings
from exporter.export.status import Status
from exporter.export.wanted import ProjectFiles, Wanted
from exporter.model.errors import Problem, StoreError
from exporter.model.keys import stage_key
from exporter.project.project import FILE_NAME, shown
from exporter.store.cache import Cache
from exporter.store.manifest import Entry, Output
from exporter.store.store import ContentMissingError, File, Store, whole_file


class Committer:
    """Brings a project's outputs to disk, and notes what became of every level.

    Everything that writes is done while the store's lock is held.
    """

    def __init__(
        self,
        store: Store,
        cache: Cache,
        failures: Failures,
        status: Status,
        settings: Settings,
        reporter: Reporter,
    ) -> None:
        self.store = store
        self.cache = cache
        self.failures = failures
        self.status = status
        self.settings = settings
        self.reporter = reporter

    def commit(self, built: BuiltLevel, causes: tuple[str, ...]) -> bool:
        """Store a built level and report the result.

        Returns:
            False if the cache has lost a content: then nothing was done, and the level must be
            built afresh.
        """
        job = built.job
        if built.problems:
            self.fail(_result(built, "failed", causes), job.key, built.inputs)
            return True
        if self.settings.dry_run:
            outputs = tuple(map(_output_to_be, built.files))
            self.reporter.report(replace(_result(built, "built", causes), outputs=outputs))
            return True
        entry = Entry(
            job.spec, built.level, job.key, built.inputs, (), built.layers, built.warnings
        )
        try:
            with self.store:
                done, written = self.store.commit(
                    entry, built.files, force=self.settings.force, content=self._content
                )
        except ContentMissingError:
            return False
        except StoreError as error:
            problem = Problem(str(error), shown(self.store.root / job.spec))
            result = replace(_result(built, "failed", causes), problems=(problem,))
            self.fail(result, job.key, built.inputs, retry=True)
            return True
        self.failures.settle(job.spec)
        result = replace(_result(built, "built", causes), outputs=done.outputs, written=written)
        self.status.changed = True
        self.status.note(result)
        self.reporter.report(result)
        return True

    def fail(
        self, result: LevelResult, key: str, inputs: dict[str, str], *, retry: bool = False
    ) -> None:
        """Note a failure, and report it if it is new."""
        self.status.note(result)
        if self.failures.note(result, key, inputs, retry=retry):
            self.reporter.report(result)

    def recover(self, spec: str) -> None:
        """Note that a failed level is again as it was exported before."""
        self.failures.settle(spec)
        self.status.settle(spec)

    def remove_gone(self, wanted: Wanted) -> None:
        """Remove the outputs of specs that are gone; those of renamed ones change hands."""
        here = set(wanted.specs)
        gone = [spec for spec in self.store.entries if spec not in here and spec != FILE_NAME]
        heirs = {
            level.name.casefold(): spec
            for spec, level in wanted.levels.items()
            if spec not in self.store.entries
        }
        for spec in sorted(gone):
            entry = self.store.entries[spec]
            heir = heirs.pop(entry.level.casefold(), None)
            if self.settings.dry_run:
                if heir is None:
                    paths = tuple(output.path for output in entry.outputs)
                    self.reporter.report(Removal(entry.level, spec, paths))
            elif heir is not None:
                self.store.move(spec, heir)
            else:
                self.status.changed = True
                self.reporter.report(remove_outputs(self.store, spec))
        self.failures.keep(here)
        self.status.keep(here)

    def keep_plugins(self, files: ProjectFiles, wanted: Wanted, *, stand: bool) -> None:
        """Bring the engine plugins that exporter.yaml asks for up to date.

        Their entry stands in the manifest under exporter.yaml itself.

        Args:
            files: The project's files.
            wanted: What they ask for.
            stand: Whether the plugins' files are all as we left them.
        """
        entry = self.store.entries.get(FILE_NAME)
        key = stage_key("plugins", wanted.mark.sha256)
        if entry is None and wanted.mark == self.store.project:
            return  # none was asked for, and exporter.yaml is the same
        if entry is not None and entry.key == key and stand:
            return
        from exporter.project.plugins import plugin_files

        plugins = [
            whole_file(file.path, file.kind, None, file.target, file.data)
            for file in plugin_files(files.project())
        ]
        if not plugins:
            self.store.forget(FILE_NAME)
            return
        self.store.commit(Entry(FILE_NAME, "", key), plugins, force=self.settings.force)

    def _content(self, file: File) -> bytes:
        data = content_from(self.cache, file)
        if data is None:
            raise ContentMissingError(file.path)
        return data


def remove_outputs(store: Store, spec: str, reason: Reason = "spec gone") -> Removal:
    """Remove the outputs of one spec; what somebody changed is kept."""
    entry = store.entries[spec]
    paths = tuple(store.forget(spec))
    kept = tuple(
        output.path
        for output in entry.outputs
        if not output.adopted and (store.root / output.path).exists()
    )
    return Removal(entry.level, spec, paths, kept, reason)


def _result(built: BuiltLevel, status: State, causes: tuple[str, ...]) -> LevelResult:
    return LevelResult(
        built.level,
        built.job.spec,
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
