"""Report an export to programs: one JSON document, or a line per event.

Nothing else is printed on standard output.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

from exporter.console.timings import timings_report
from exporter.export import events
from exporter.model.errors import Problem


class JsonDocument:
    """A reporter that prints one JSON document at the end.

    `timings` adds the time of each stage of a level.
    """

    def __init__(self, *, timings: bool = False) -> None:
        self._timings = timings
        self._dropped: list[events.DroppedTarget] = []
        self._removals: list[events.Removal] = []
        self._remarks: list[str] = []
        self._written: set[str] = set()
        self._preserved: set[str] = set()
        self._stale: tuple[str, ...] = ()
        self._problems: tuple[Problem, ...] = ()

    def report(self, event: events.Event) -> None:
        """Collect an event; print the document at the end of the export."""
        match event:
            case events.LevelResult():
                # The level itself is among the results at the end.
                _print_traceback(event)
                self._written.update(event.written)
                self._preserved.update(event.preserved)
            case events.Removal():
                self._removals.append(event)
                self._preserved.update(event.preserved)
            case events.PreservedOutputs():
                self._preserved.update(event.paths)
            case events.ProjectProblems():
                self._problems = event.problems
            case events.Stale():
                self._stale = event.paths
            case events.DroppedTarget():
                self._dropped.append(event)
            case events.Upkeep():
                self._written.update(event.paths)
                self._preserved.update(event.preserved)
            case events.Remark():
                self._remarks.append(event.text)
            case events.Refusal():
                errors = [events.problem_report(problem) for problem in event.problems]
                self._print({"levels": [], "errors": errors})
            case events.Finished():
                self._print({"levels": self._levels(event.results)})
            case events.Interrupted():
                self._print({"levels": self._levels(event.results), "interrupted": True})
            case events.Progress() | events.Building() | events.BatchDone():
                pass
            case events.Ready() | events.Recovered():
                pass

    def _levels(self, results: Sequence[events.LevelResult]) -> list[dict[str, Any]]:
        return [_level_document(result, self._timings) for result in results]

    def _print(self, document: dict[str, Any]) -> None:
        document["removed"] = [removal.report() for removal in self._removals]
        document["written"] = sorted(self._written)
        document["kept"] = sorted(self._preserved)
        document["stale"] = list(self._stale)
        errors = [item for item in self._problems if item.severity == "error"]
        warnings = [item for item in self._problems if item.severity == "warning"]
        if errors:
            document["errors"] = [events.problem_report(problem) for problem in errors]
        if warnings:
            document["warnings"] = [f"{warning.file}: {warning.message}" for warning in warnings]
        if self._dropped:
            document["dropped_targets"] = [item.report() for item in self._dropped]
        if self._remarks:
            document["remarks"] = self._remarks
        print(json.dumps(document, indent=1))


class JsonLines:
    """A reporter that prints a line of JSON for each event.

    `timings` adds the time of each stage of a level.
    """

    def __init__(self, *, timings: bool = False) -> None:
        self._timings = timings

    def report(self, event: events.Event) -> None:
        """Print an event as one line of JSON."""
        match event:
            case events.LevelResult():
                self._level(event)
            case events.Removal():
                self._print("removed", event.report())
            case events.PreservedOutputs():
                document = {"level": event.level, "spec": event.spec, "kept": list(event.paths)}
                self._print("kept", document)
            case events.Recovered():
                self._print(
                    "recovered",
                    {"level": event.level, "spec": event.spec, "gone": event.was_deleted},
                )
            case events.ProjectProblems():
                reports = [events.problem_report(problem) for problem in event.problems]
                self._print("problems", {"problems": reports})
            case events.Stale():
                self._print("stale", {"paths": list(event.paths)})
            case events.DroppedTarget():
                self._print("dropped target", event.report())
            case events.Upkeep():
                document = {"what": event.what, "written": list(event.paths)}
                self._print("upkeep", {**document, "kept": list(event.preserved)})
            case events.Refusal():
                errors = [events.problem_report(problem) for problem in event.problems]
                self._print("error", {"errors": errors})
            case events.Ready():
                self._print("ready", {"levels": event.levels})
            case events.Remark():
                self._print("remark", {"message": event.text})
            case events.Finished():
                self._print("finished", {"levels": len(event.results)})
            case events.Progress():
                self._print("progress", _progress(event))
            case events.Interrupted():
                self._print("interrupted", {})
            case events.Building(has_progress=True):
                document = {"level": event.level, "spec": event.spec, "stage": event.stage}
                self._print("building", document)
            case events.Building() | events.BatchDone():
                pass

    def _level(self, result: events.LevelResult) -> None:
        if result.status != "unchanged":
            elapsed = round(result.elapsed * 1000, 3)
            document = _level_document(result, self._timings)
            self._print("level", {**document, "milliseconds": elapsed})
            _print_traceback(result)

    @staticmethod
    def _print(event: str, document: dict[str, Any]) -> None:
        print(json.dumps({"event": event, **document}), flush=True)


def _progress(event: events.Progress) -> dict[str, Any]:
    document: dict[str, Any] = {"done": event.done, "total": event.total}
    if event.surveys[1]:
        document["surveys"] = {"done": event.surveys[0], "total": event.surveys[1]}
    if event.parts[1]:
        document["parts"] = {"done": event.parts[0], "total": event.parts[1]}
    if event.surveys[1] or event.parts[1]:
        document["memory"] = event.memory
    return document


def _level_document(result: events.LevelResult, timings: bool) -> dict[str, Any]:
    document = result.report()
    if timings:
        document["timings"] = timings_report(result.timings)
    return document


def _print_traceback(result: events.LevelResult) -> None:
    if result.traceback:
        print(result.traceback, file=sys.stderr, flush=True)
