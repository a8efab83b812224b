"""Which part of the package is mutated, and which tests judge it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Room:
    """A part of the package and its tests.

    Attributes:
        sources: Files and folders of the package, relative to the checkout.
        tests: Files, in the order in which they are run: the quick ones first. Of those, the one
            that is named after the mutated module goes before the others.
    """

    sources: tuple[str, ...]
    tests: tuple[str, ...]


ROOMS: dict[str, Room] = {
    "pipeline": Room(
        ("exporter/pipeline",),
        (
            "tests/pipeline/test_stages.py",
            "tests/pipeline/test_results.py",
            "tests/pipeline/test_requirements.py",
            "tests/pipeline/test_files.py",
            "tests/pipeline/test_inputs.py",
            "tests/pipeline/test_build.py",
            "tests/export/test_export_stages.py",
            "tests/reading/test_references.py",
        ),
    ),
    "export": Room(("exporter/export",), ("tests/export", "tests/console")),
    "watch": Room(
        ("exporter/watch",),
        (
            "tests/watch/test_change_signal.py",
            "tests/watch/test_timing.py",
            "tests/watch/test_loop_times.py",
            "tests/watch/test_daemon.py",
            "tests/watch/test_lock.py",
            "tests/watch/test_mid_save.py",
            "tests/watch/test_observers.py",
            "tests/watch/test_loop.py",
            "tests/slow/test_saving.py",
        ),
    ),
    "geometry": Room(("exporter/geometry",), ("tests/geometry",)),
    "store": Room(("exporter/store",), ("tests/store", "tests/extend/test_staleness.py")),
    "project": Room(
        ("exporter/project",), ("tests/project", "tests/extend/test_outside_targets.py")
    ),
    "blob": Room(("exporter/blob",), ("tests/blob",)),
    "reading": Room(
        ("exporter/reading",),
        (
            "tests/reading/test_document.py",
            "tests/reading/test_places.py",
            "tests/reading/test_reader.py",
            "tests/reading/test_level_checks.py",
            "tests/reading/test_references.py",
            "tests/reading/test_validation.py",
            "tests/reading/test_json_text.py",
            "tests/reading/test_schema.py",
            "tests/reading/test_limits.py",
            "tests/reading/test_spec_changes.py",
            "tests/reading/test_migration.py",
        ),
    ),
}
