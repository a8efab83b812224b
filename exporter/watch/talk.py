"""What the daemon says: one calm line for each level, or JSON lines for programs."""

from __future__ import annotations

import json
import sys
from typing import Any, Protocol

from exporter.console.reporting import milliseconds
from exporter.export.events import Event, LevelResult, Removal, problem_report
from exporter.model.errors import Problem
from exporter.project.project import FILE_NAME


class Talk(Protocol):
    """What a daemon says."""

    def event(self, event: Event, seconds: float) -> None:
        """Tell a finished level or a removal, and the time since the change was noticed."""

    def refused(self, problems: tuple[Problem, ...]) -> None:
        """Tell that the whole project cannot be exported."""

    def ready(self, specs: int) -> None:
        """Tell that the first export is done."""

    def remark(self, text: str) -> None:
        """Tell something about the watching itself."""


class HumanTalk:
    """For people: results on standard output, troubles on standard error."""

    def event(self, event: Event, seconds: float) -> None:
        """Tell a finished level or a removal, and the time since the change was noticed."""
        if isinstance(event, Removal):
            print(f"{event.level}: spec gone, {_files(len(event.paths))} removed", flush=True)
            for path in event.kept:
                self.remark(f"kept {path} (edited since it was exported)")
            return
        if event.status == "unchanged":
            return
        for problem in event.problems:
            print(problem.render(), file=sys.stderr, flush=True)
        if event.traceback:
            print(event.traceback, file=sys.stderr, flush=True)
        for warning in event.warnings:
            print(f"{event.spec}: warning: {warning}", file=sys.stderr, flush=True)
        if event.status == "built":
            written = f"{len(event.written)} of {_files(len(event.outputs))} written"
            print(f"{event.level}: {_why(event)}, {written} in {milliseconds(seconds)}", flush=True)

    def refused(self, problems: tuple[Problem, ...]) -> None:
        """Tell that the whole project cannot be exported."""
        for problem in problems:
            print(problem.render(), file=sys.stderr, flush=True)

    def ready(self, specs: int) -> None:
        """Tell that the first export is done."""
        levels = "1 level" if specs == 1 else f"{specs} levels"
        print(f"watching {levels}; Ctrl+C stops", flush=True)

    def remark(self, text: str) -> None:
        """Tell something about the watching itself."""
        print(f"exporter: {text}", file=sys.stderr, flush=True)


class JsonTalk:
    """For programs: one JSON object on each line of standard output."""

    def event(self, event: Event, seconds: float) -> None:
        """Tell a finished level or a removal, and the time since the change was noticed."""
        if isinstance(event, Removal):
            self._say(
                {
                    "event": "removed",
                    "level": event.level,
                    "spec": event.spec,
                    "paths": list(event.paths),
                    "removed": list(event.paths),
                    "kept": list(event.kept),
                }
            )
        elif event.status != "unchanged":
            elapsed = round(seconds * 1000, 3)
            self._say({"event": "level", **event.report(), "milliseconds": elapsed})
            if event.traceback:
                print(event.traceback, file=sys.stderr, flush=True)

    def refused(self, problems: tuple[Problem, ...]) -> None:
        """Tell that the whole project cannot be exported."""
        self._say({"event": "error", "errors": [problem_report(p) for p in problems]})

    def ready(self, specs: int) -> None:
        """Tell that the first export is done."""
        self._say({"event": "ready", "levels": specs})

    def remark(self, text: str) -> None:
        """Tell something about the watching itself."""
        self._say({"event": "remark", "message": text})

    @staticmethod
    def _say(document: dict[str, Any]) -> None:
        print(json.dumps(document), flush=True)


def _files(number: int) -> str:
    return f"{number} file" if number == 1 else f"{number} files"


def _why(result: LevelResult) -> str:
    """Say what made a level stale."""
    outputs = {output.path for output in result.outputs}
    causes = result.causes
    if result.spec in causes:
        return "spec changed"
    if FILE_NAME in causes:
        return f"{FILE_NAME} changed"
    lost = [path for path in causes if path in outputs]
    if lost:
        return f"{_files(len(lost))} missing or edited"
    return f"{', '.join(causes)} changed" if causes else "exported"
