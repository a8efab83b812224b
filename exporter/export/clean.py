"""Removing everything the exporter wrote, and nothing else."""

from __future__ import annotations

from pathlib import Path

from exporter.export.commit import remove_outputs
from exporter.export.events import Reporter
from exporter.export.status import Status
from exporter.project.project import STATE_FOLDER
from exporter.store.store import Store


def clean_project(root: Path, reporter: Reporter) -> int:
    """Remove all outputs of a project; return how many.

    Raises:
        StoreError: The project's state folder cannot be used.
    """
    removed = 0
    with Store(root, root / STATE_FOLDER) as store:
        for spec in sorted(store.entries):
            removal = remove_outputs(store, spec, "cleaned")
            removed += len(removal.paths)
            reporter.report(removal)
        store.save()
        Status().write(store, [])
    return removed
