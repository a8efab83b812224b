"""Remove stale outputs; keep user-modified ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from exporter.export.deleted_specs import DeletedSpecs
from exporter.export.events import Reason, Removal
from exporter.export.project_snapshot import ProjectSnapshot
from exporter.project.project import FILE_NAME
from exporter.store.entries import Output
from exporter.store.ownership import THEIRS, FileState
from exporter.store.parts import part_key, parts_by_spec, position_of
from exporter.store.store import Removed, Store


def remove_outputs_of_deleted_specs(
    store: Store, deleted: DeletedSpecs, snapshot: ProjectSnapshot
) -> Iterator[Removal]:
    """Remove the outputs of deleted specs; reassign outputs of renamed specs.

    Args:
        store: The store, locked by the caller.
        deleted: The specs that disappeared.
        snapshot: The requested levels.

    Yields:
        The removals worth a report.
    """
    parts = parts_by_spec(store.entries)
    for old, new in deleted.renamed.items():
        store.move(old, new)
        for key in parts.get(old, ()):
            store.move(key, part_key(new, *position_of(key)))
    # After a change of branches a level on disk may use what another one has written.
    current = _are_current(store, snapshot)
    for spec in deleted.deleted:
        removal = remove_outputs(store, spec, with_shared=current)
        for key in parts.get(spec, ()):
            removal = removal.joined(remove_outputs(store, key, with_shared=current))
        if removal.paths or removal.preserved or removal.held or spec not in store.entries:
            yield removal


def _are_current(store: Store, snapshot: ProjectSnapshot) -> bool:
    """Return whether the manifest entry of every spec is current."""
    entries = store.entries
    return all(
        spec in entries
        and spec in snapshot.levels
        and entries[spec].key == snapshot.levels[spec].key
        for spec in snapshot.specs
    )


def remove_outputs(
    store: Store, spec: str, reason: Reason = "spec gone", *, with_shared: bool = True
) -> Removal:
    """Remove the outputs of one spec; keep user-modified ones.

    Args:
        store: The manifest.
        spec: The spec.
        reason: Why they are removed.
        with_shared: See `Store.forget`.

    Raises:
        StoreError: A file cannot be removed.
    """
    level = store.entries[spec].level
    return removal(level, spec, store.forget(spec, with_shared=with_shared), reason)


def removal(level: str, spec: str, done: Removed, reason: Reason) -> Removal:
    """Return the report of files that were removed."""
    return Removal(level, spec, done.removed, done.preserved, reason, done.held)


def stale_outputs(store: Store, live: Iterable[str], *, listed: bool) -> list[Output]:
    """Return stale, unmodified output files, sorted by path.

    Args:
        store: The manifest.
        live: The specs whose outputs are not stale.
        listed: Whether the manifest has all outputs of these specs, so that all other files an
            index lists are stale.
    """
    live = {*live, FILE_NAME}
    result = [output for entry in store.entries.values() for output in entry.stale]
    for spec, entry in store.entries.items():
        result += entry.outputs if spec not in live else ()
    if listed:
        result += store.listed_only()
    return sorted(
        (output for output in result if _may_be_removed(store, output)),
        key=lambda output: output.path,
    )


def _may_be_removed(store: Store, output: Output) -> bool:
    state = store.look(output).state
    return state not in THEIRS and state is not FileState.MISSING and not store.is_twin(output)
