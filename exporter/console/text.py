"""For people: results on standard output, problems and remarks on standard error."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from exporter.console.progress import ProgressBar
from exporter.console.wording import count, duration
from exporter.export import events
from exporter.model.errors import Problem
from exporter.project.project import FILE_NAME


class TextReporter:
    """A line for every level that changed, the problems, and a closing line.

    Args:
        dry_run: Say what would be done.
        watching: Say why a level was exported, and how long that took since the change.
    """

    def __init__(self, *, dry_run: bool = False, watching: bool = False) -> None:
        self.dry_run = dry_run
        self.watching = watching
        self.bar = ProgressBar()

    def report(self, event: events.Event) -> None:
        """Report one event."""
        if isinstance(event, events.Progress):
            self.bar.update(event.done, event.total)
            return
        self.bar.clear()
        match event:
            case events.LevelResult():
                self._level(event)
            case events.Removal():
                self._removal(event)
            case events.Refusal():
                self._problems(event.problems)
            case events.Ready():
                print(f"watching {count(event.levels, 'level')}; Ctrl+C stops", flush=True)
            case events.Remark():
                self._error(f"exporter: {event.text}")
            case events.Finished():
                self._finished(event.results)

    def _level(self, result: events.LevelResult) -> None:
        if result.status == "unchanged":
            return
        self._problems(result.problems)
        if result.traceback:
            self._error(result.traceback)
        for warning in result.warnings:
            self._error(f"{result.spec}: warning: {warning}")
        if result.status == "built":
            print(f"{result.level}: {self._what(result)}", flush=True)

    def _what(self, result: events.LevelResult) -> str:
        files = count(len(result.outputs), "file")
        if self.dry_run:
            return f"would write {files} in {duration(result.seconds)}"
        if self.watching:
            written = f"{len(result.written)} of {files} written"
            return f"{_why(result)}, {written} in {duration(result.elapsed)}"
        return f"{files}, {len(result.written)} written in {duration(result.seconds)}"

    def _removal(self, removal: events.Removal) -> None:
        if removal.reason == "spec gone":
            verb = "would remove" if self.dry_run else "removed"
            files = count(len(removal.paths), "file")
            print(f"{removal.level}: {verb} {files} (its spec was deleted)", flush=True)
        for path in removal.kept:
            self._error(f"exporter: kept {path} (edited since it was exported)")

    def _finished(self, results: Sequence[events.LevelResult]) -> None:
        counts = dict.fromkeys(("built", "unchanged", "failed"), 0)
        for result in results:
            counts[result.status] += 1
        said = [f"{number} {status}" for status, number in counts.items() if number]
        print(f"{count(len(results), 'level')}: {', '.join(said)}" if said else "no levels found")

    def _problems(self, problems: Sequence[Problem]) -> None:
        for problem in problems:
            self._error(problem.render())

    @staticmethod
    def _error(text: str) -> None:
        print(text, file=sys.stderr, flush=True)


def _why(result: events.LevelResult) -> str:
    """Say what made a level stale."""
    outputs = {output.path for output in result.outputs}
    causes = result.causes
    if result.spec in causes:
        return "spec changed"
    if FILE_NAME in causes:
        return f"{FILE_NAME} changed"
    lost = [path for path in causes if path in outputs]
    if lost:
        return f"{count(len(lost), 'file')} missing or edited"
    return f"{', '.join(causes)} changed" if causes else "exported"
