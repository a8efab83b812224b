"""For programs: one JSON document, or one JSON object a line; nothing else on standard output."""

from __future__ import annotations

import json
import sys
from typing import Any

from exporter.export import events
from exporter.model.errors import Problem


class JsonDocument:
    """One document when a one-shot export is over."""

    def __init__(self) -> None:
        self._removals: list[events.Removal] = []
        self._remarks: list[str] = []
        self._written: set[str] = set()
        self._kept: set[str] = set()
        self._stale: tuple[str, ...] = ()
        self._problems: tuple[Problem, ...] = ()

    def report(self, event: events.Event) -> None:
        """Collect an event; the last one prints the document."""
        match event:
            case events.LevelResult():
                # The level itself is among the results at the end.
                _print_traceback(event)
                self._written.update(event.written)
                self._kept.update(event.kept)
            case events.Removal():
                self._removals.append(event)
                self._kept.update(event.kept)
            case events.Kept():
                self._kept.update(event.paths)
            case events.ProjectProblems():
                self._problems = event.problems
            case events.Stale():
                self._stale = event.paths
            case events.Upkeep():
                self._written.update(event.paths)
                self._kept.update(event.kept)
            case events.Remark():
                self._remarks.append(event.text)
            case events.Refusal():
                errors = [events.problem_report(problem) for problem in event.problems]
                self._print({"levels": [], "errors": errors})
            case events.Finished():
                self._print({"levels": [result.report() for result in event.results]})
            case events.Progress() | events.Ready() | events.Recovered():
                pass

    def _print(self, document: dict[str, Any]) -> None:
        document["removed"] = [removal.report() for removal in self._removals]
        document["written"] = sorted(self._written)
        document["kept"] = sorted(self._kept)
        document["stale"] = list(self._stale)
        errors = [one for one in self._problems if one.severity == "error"]
        warnings = [one for one in self._problems if one.severity == "warning"]
        if errors:
            document["errors"] = [events.problem_report(problem) for problem in errors]
        if warnings:
            document["warnings"] = [f"{one.file}: {one.message}" for one in warnings]
        if self._remarks:
            document["remarks"] = self._remarks
        print(json.dumps(document, indent=1))


class JsonLines:
    """One object for each event, as it happens."""

    def report(self, event: events.Event) -> None:
        """Print one event."""
        match event:
            case events.LevelResult():
                self._level(event)
            case events.Removal():
                self._print("removed", event.report())
            case events.Kept():
                document = {"level": event.level, "spec": event.spec, "kept": list(event.paths)}
                self._print("kept", document)
            case events.Recovered():
                self._print(
                    "recovered", {"level": event.level, "spec": event.spec, "gone": event.gone}
                )
            case events.ProjectProblems():
                reports = [events.problem_report(problem) for problem in event.problems]
                self._print("problems", {"problems": reports})
            case events.Stale():
                self._print("stale", {"paths": list(event.paths)})
            case events.Upkeep():
                document = {"what": event.what, "written": list(event.paths)}
                self._print("upkeep", {**document, "kept": list(event.kept)})
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
                self._print("progress", {"done": event.done, "total": event.total})

    def _level(self, result: events.LevelResult) -> None:
        if result.status != "unchanged":
            elapsed = round(result.elapsed * 1000, 3)
            self._print("level", {**result.report(), "milliseconds": elapsed})
            _print_traceback(result)

    @staticmethod
    def _print(event: str, document: dict[str, Any]) -> None:
        print(json.dumps({"event": event, **document}), flush=True)


def _print_traceback(result: events.LevelResult) -> None:
    if result.traceback:
        print(result.traceback, file=sys.stderr, flush=True)
