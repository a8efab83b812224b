"""For people: results on standard output, problems and remarks on standard error."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from exporter.console.progress import ProgressBar
from exporter.console.wording import count, duration
from exporter.export import events
from exporter.export.staleness import EXPORTER
from exporter.model.errors import Problem
from exporter.project.project import FILE_NAME

# So many stale files are named; more only in a dry run.
LISTED_STALE_FILES = 5
_REASONS: dict[events.Reason, str] = {
    "spec gone": " (its spec was deleted)",
    "cleaned": "",
    "stale": " that no spec and target writes any more",
    "renamed": " that have another name now",
    "plugin replaced": " of an older plugin",
}


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
            case events.Recovered():
                if self.watching:
                    state = "gone" if event.gone else "ok again"
                    print(f"{event.level or event.spec}: {state}", flush=True)
            case events.ProjectProblems():
                self._problems(event.problems)
            case events.Kept():
                self._kept(event.paths)
            case events.Stale():
                self._stale(event.paths)
            case events.Upkeep():
                self._upkeep(event)
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
            self._error(warning.render())
        if result.status == "built":
            print(f"{result.level}: {self._what(result)}", flush=True)
            if self.dry_run:
                self._list(result.written)
        self._kept(result.kept)

    def _what(self, result: events.LevelResult) -> str:
        files = count(len(result.outputs), "file")
        if self.dry_run:
            if not result.written:
                return "would be built, without any change of its files"
            what = f"would write {len(result.written)} of {files}"
            return f"{what}{_recipes(result)}"
        if self.watching:
            written = f"{len(result.written)} of {files} written"
            return f"{_why(result)}, {written} in {duration(result.elapsed)}"
        return f"{files}, {len(result.written)} written in {duration(result.seconds)}"

    def _removal(self, removal: events.Removal) -> None:
        if removal.paths:
            verb = "would remove" if self.dry_run else "removed"
            name = f"{removal.level}: " if removal.level else ""
            reason = _REASONS[removal.reason]
            files = count(len(removal.paths), "file")
            if removal.reason == "renamed" and not self.dry_run:
                print(f"{name}renamed {files}", flush=True)
            else:
                print(f"{name}{verb} {files}{reason}", flush=True)
                self._list(removal.paths)
        for path in removal.held:
            self._error(
                f"{path}: warning: not removed: held open by another program, or read-only "
                "(it is removed another time)"
            )
        self._kept(removal.kept)

    def _kept(self, paths: Sequence[str]) -> None:
        for path in paths:
            self._error(f"{path}: warning: {events.KEPT}")

    def _stale(self, paths: Sequence[str]) -> None:
        if not paths:
            return
        files = count(len(paths), "file")
        verb = "is" if len(paths) == 1 else "are"
        self._error(
            f"exporter: {files} {verb} stale: no spec and target writes them any more "
            "(`exporter clean --stale` removes them)"
        )
        limit = len(paths) if self.dry_run else LISTED_STALE_FILES
        for path in paths[:limit]:
            self._error(f"  {path}")
        if len(paths) > limit:
            self._error(f"  and {len(paths) - limit} more")

    def _upkeep(self, event: events.Upkeep) -> None:
        if event.what == "plugin" and event.paths:
            verb = "would write" if self.dry_run else "wrote"
            print(f"plugin: {verb} {count(len(event.paths), 'file')}", flush=True)
        if self.dry_run:
            if event.what == "index":
                print(f"would write {count(len(event.paths), 'index file')}", flush=True)
            self._list(event.paths)
        self._kept(event.kept)

    @staticmethod
    def _list(paths: Sequence[str]) -> None:
        for path in paths:
            print(f"  {path}", flush=True)

    def _finished(self, results: Sequence[events.LevelResult]) -> None:
        counts = dict.fromkeys(("built", "unchanged", "failed"), 0)
        for result in results:
            counts[result.status] += 1
        if not results:
            return  # why was told
        names = {"built": "to build"} if self.dry_run else {}
        said = [f"{number} {names.get(state, state)}" for state, number in counts.items() if number]
        incomplete = sum(1 for one in results if one.status != "failed" and not one.complete)
        if incomplete:
            said.append(f"{incomplete} incomplete")
        print(f"{count(len(results), 'level')}: {', '.join(said)}")

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
    if EXPORTER in causes:
        return "the exporter changed"
    if FILE_NAME in causes:
        return f"{FILE_NAME} changed"
    lost = [path for path in causes if path in outputs]
    if lost:
        return f"{count(len(lost), 'file')} missing or edited"
    return f"{', '.join(causes)} changed" if causes else "exported"


def _recipes(result: events.LevelResult) -> str:
    """Say which layers another version of their generator made before."""
    changes = [
        f"{recipe.layer}: recipe {recipe.former} to {recipe.version} of {recipe.generator}"
        for recipe in result.recipes
    ]
    return f" ({', '.join(changes)})" if changes else ""
