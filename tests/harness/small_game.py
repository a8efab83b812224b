"""A small project that is exported in this process, once or batch by batch as a watch does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from exporter.export.events import LevelResult, Remark
from exporter.export.export import Export, export_project
from exporter.export.level_builder import build_files
from exporter.export.settings import Settings
from exporter.export.tasks import Task, TaskResult
from exporter.project.settings_file import load_project
from exporter.store.code_identity import code_identity
from exporter.store.indexes import INDEX, read_index
from silent_reporter import SilentReporter

CAVE = "size: [8, 8]\nseed: {seed}\nlayers: {{ground: {{generator: cellular_caves}}}}\n"


class Game:
    """A small project, and an export of it that stays open as in a watch."""

    def __init__(self, root: Path) -> None:
        self.root = root
        (root / "levels").mkdir(parents=True)
        self.settings("targets:\n  tiled: {path: t, blob: false, bitmaps: false}\n")
        self.reporter = SilentReporter()

    def settings(self, text: str) -> None:
        (self.root / "exporter.yaml").write_text(text)

    def spec(self, name: str) -> Path:
        return self.root / "levels" / f"{name}.level.yaml"

    def write(self, name: str, seed: int = 1, more: str = "") -> None:
        self.spec(name).write_text(CAVE.format(seed=seed) + more)

    def export(self, **settings: Any) -> dict[str, LevelResult]:
        self.reporter = SilentReporter()
        results = export_project(self.root, Settings(jobs=1, **settings), self.reporter)
        return {result.spec.split("/")[-1].split(".")[0]: result for result in results}

    def open(self, **settings: Any) -> Export:
        self.reporter = SilentReporter()
        return Export(self.root, Settings(**settings), self.reporter)

    def batch(self, export: Export, *, full: bool = True) -> list[LevelResult]:
        """Run one batch of a watch."""
        self.reporter.events.clear()
        export.committer.status.begin()
        for task in tasks(export, full=full):
            accepted = export.run.accept([build_files(task)])
            assert (accepted.tasks, accepted.repeats) == ([], [])
        export.committer.finish()
        return [event for event in self.reporter.events if isinstance(event, LevelResult)]

    def task(self, name: str, seed: int = 1) -> Task:
        """Return the task of a level, which need not be written."""
        content = CAVE.format(seed=seed).encode()
        project = load_project(self.root)
        return Task(project, f"levels/{name}.level.yaml", content, "key", code_identity())

    def outputs(self) -> list[str]:
        """Return the files of the target folder, but for its index."""
        files = (path for path in (self.root / "t").rglob("*") if path.is_file())
        displayed = (path for path in files if path.name != INDEX)
        return sorted(path.relative_to(self.root).as_posix() for path in displayed)

    def contents(self) -> dict[str, bytes]:
        """Return the content of every file in target folders of one letter, with the indexes."""
        return {
            path.relative_to(self.root).as_posix(): path.read_bytes()
            for path in self.root.glob("?/**/*")
            if path.is_file()
        }

    def remarks(self) -> list[str]:
        """Return the remarks of the last export."""
        return [event.text for event in self.reporter.events if isinstance(event, Remark)]

    def index(self, folder: str = "t") -> dict[str, frozenset[str]]:
        """Return the list of a target folder's index."""
        return read_index((self.root / folder / INDEX).read_bytes())


def tasks(export: Export, *, full: bool = True) -> list[Task]:
    """Plan an export; return the first tasks of its levels."""
    return export.run.begin(export.plan(full=full).levels)


def repeats(export: Export, result: TaskResult) -> list[Task]:
    """Store a result; return the levels to build once more."""
    accepted = export.run.accept([result])
    assert accepted.tasks == []
    return accepted.repeats
