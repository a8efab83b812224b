"""Remove outputs (`exporter clean`), but none that a user has modified."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from exporter.export.engine_rules import EngineRules
from exporter.export.events import Event, LevelResult, Removal, Reporter
from exporter.export.export import Export
from exporter.export.packs import remove_makings
from exporter.export.project_snapshot import ProjectFiles
from exporter.export.removals import remove_outputs
from exporter.export.settings import Settings
from exporter.export.status import Status
from exporter.export.workers import build_all
from exporter.model.errors import SpecError
from exporter.project.project import FILE_NAME, STATE_FOLDER
from exporter.store.code_identity import code_identity
from exporter.store.entries import Output, is_shared, spec_of
from exporter.store.store import Store


def clean_project(root: Path, reporter: Reporter, *, dry_run: bool = False) -> int:
    """Remove all unmodified outputs of the project in folder `root`.

    Return their number. A dry run removes nothing: `reporter` receives what would be removed.

    Raises:
        StoreError: The project's state folder cannot be used, or a file cannot be removed.
    """
    store = Store(root, root / STATE_FOLDER, EngineRules(), dry=dry_run)
    if dry_run:
        store.peek()
    with store:
        with suppress(SpecError):  # an index can be cleaned without knowing where it lies
            store.set_homes(ProjectFiles(root, store, code_identity()).read().mark.homes)
        listed = store.listed_only()
        removals = [remove_outputs(store, spec, "cleaned") for spec in sorted(store.entries)]
        done = store.remove(listed)
        removals.append(Removal("", "", done.removed, done.preserved, "cleaned", done.held))
        for removal in removals:
            if removal.paths or removal.preserved or removal.held:
                reporter.report(removal)
        if not dry_run:
            store.write_indexes()
            store.save()
            remove_makings(store.state, ())
            Status().write(store, [])
    return sum(len(removal.paths) for removal in removals)


def clean_stale(root: Path, reporter: Reporter, *, dry_run: bool = False) -> int:
    """Remove the files that no spec or target writes any more.

    Levels that are not exported yet are built in memory, to find the files that they would write.
    If a level cannot be built, or its folder cannot be read, its outputs and all files that levels
    may share are kept. While the manifest lacks a level, files that only an index lists are kept,
    too.

    Args:
        root: The project's folder.
        reporter: Receives the removed files, and the levels that cannot be built.
        dry_run: Whether to only report what would be removed.

    Returns:
        The number of removed files.

    Raises:
        SpecError: exporter.yaml is wrong; nothing is removed.
        StoreError: The project's state folder cannot be used, or a file cannot be removed.
    """
    failures = _Failures(reporter)
    export = Export(root, Settings(dry_run=True), failures)
    plan = export.plan(full=True)
    tasks = deque(export.run.begin(plan.levels))
    for group in build_all(tasks, None):
        accepted = export.run.accept(group)
        tasks.extend(accepted.tasks + accepted.repeats)
    specs = plan.snapshot.specs
    present = {*specs, FILE_NAME}
    hidden = {key for key in export.store.entries if plan.snapshot.hides(spec_of(key))}
    present.update(key for key in export.store.entries if spec_of(key) in present)
    present.update(hidden)
    complete = not plan.snapshot.unreadable_folders and all(
        export.store.entries.get(spec) is not None for spec in specs
    )
    expected = {
        output.path
        for spec, entry in export.store.entries.items()
        for output in entry.outputs
        if spec in present
    }
    store = Store(root, root / STATE_FOLDER, EngineRules(), dry=dry_run)
    if dry_run:
        store.peek()
    with store:
        store.set_homes(export.store.homes)
        known = [output for entry in store.entries.values() for output in entry.files]
        # The index of a dropped target is removed with its last file.
        previous = {output.home for output in known if output.home}
        store.homes = tuple(sorted(previous.union(export.store.homes)))
        listed = store.listed_only() if complete else []
        # The old outputs of a level that cannot be built may refer to shared files.
        removed = [
            output
            for output in (*known, *listed)
            if output.path not in expected and not (failures.any and is_shared(output.path))
        ]
        done = store.remove(removed)
        reporter.report(Removal("", "", done.removed, done.preserved, "stale", done.held))
        if not dry_run:
            _forget(store, [output for output in removed if output.path not in done.held], present)
            store.write_indexes()
            store.save()
    return len(done.removed)


def _forget(store: Store, outputs: Iterable[Output], present: set[str]) -> None:
    """Remove `outputs` from the manifest, and entries without outputs.

    Specs in `present` keep their entries even without outputs.
    """
    paths = {output.path for output in outputs}
    for spec, entry in list(store.entries.items()):
        rest = tuple(output for output in entry.outputs if output.path not in paths)
        stale = tuple(output for output in entry.stale if output.path not in paths)
        if not rest and not stale and spec not in present:
            store.manifest.drop(spec)
        elif (rest, stale) != (entry.outputs, entry.stale):
            key = entry.key if rest == entry.outputs else ""
            store.manifest.put(replace(entry, key=key, outputs=rest, stale=stale))


class _Failures:
    """A reporter that forwards only results of levels that cannot be built."""

    def __init__(self, reporter: Reporter) -> None:
        self.reporter = reporter
        self.any = False

    def report(self, event: Event) -> None:
        if isinstance(event, LevelResult) and event.problems:
            self.any = True
            self.reporter.report(event)
