"""Report an export as text: results on stdout, problems on stderr."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING

from exporter.console.problems import MAXIMUM_ERRORS, ProblemPrinter
from exporter.console.styles import PLAIN, Styles, styled
from exporter.export import events
from exporter.export.staleness import EXPORTER
from exporter.model.lazy_dataclass import dataclass
from exporter.model.texts import count, duration
from exporter.project.project import FILE_NAME

if TYPE_CHECKING:
    from exporter.console.progress import ProgressBar

# How many stale files are named; a dry run names all.
LISTED_STALE_FILES = 5
_REASONS: dict[events.Reason, str] = {
    "spec gone": " (its spec was deleted)",
    "cleaned": "",
    "stale": " that no spec and target writes any more",
    "renamed": " that have another name now",
    "plugin replaced": " of an older plugin",
}


@dataclass(frozen=True, slots=True)
class OutputOptions:
    """Verbosity and colour of console output.

    Attributes:
        styles: Which streams show colours.
        quiet: Print only errors and warnings.
        verbose: Also print unchanged levels, what made levels stale, and the paths of written
            files.
        timings: Print the time of each stage of a level.
        maximum_errors: Limit of printed errors, and of warnings; the others are counted.
    """

    styles: Styles = PLAIN
    quiet: bool = False
    verbose: bool = False
    timings: bool = False
    maximum_errors: int = MAXIMUM_ERRORS


class TextReporter:
    """A reporter that prints changed levels, problems and a summary.

    Args:
        output: Verbosity and colours.
        dry_run: Word the lines for a dry run, which writes nothing.
        forced: Whether every level is built, also unchanged ones.
        watching: Print the time and cause of each level's export, and the seconds since the change.
    """

    def __init__(
        self,
        output: OutputOptions | None = None,
        *,
        dry_run: bool = False,
        forced: bool = False,
        watching: bool = False,
    ) -> None:
        self.output = output or OutputOptions()
        self.dry_run = dry_run
        self.forced = forced
        self.watching = watching
        # Made only when a level is built, because importing it takes time.
        self._bar: ProgressBar | None = None
        self.problems = ProblemPrinter(self.output.styles, self.output.maximum_errors)

    def report(self, event: events.Event) -> None:
        """Print the lines for one event."""
        match event:
            case events.Progress(total=0):
                pass
            case events.Progress() | events.Building():
                self._draw(event)
            case events.Finished() | events.Interrupted():
                self._close_bar()
                self._print_event(event)
            case _:
                with self._bar.paused() if self._bar is not None else nullcontext():
                    self._print_event(event)

    def close(self) -> None:
        """Remove the progress bar, and print how many problems were omitted."""
        self._close_bar()
        self.problems.print_omitted()

    def _draw(self, event: events.Progress | events.Building) -> None:
        if self._bar is None:
            from exporter.console.progress import ProgressBar

            self._bar = ProgressBar(enabled=not self.output.quiet)
        if isinstance(event, events.Building):
            self._bar.stage(event.level, event.spec, event.stage)
        else:
            self._bar.update(event.done, event.total, event.parts, event.memory, event.surveys)

    def _close_bar(self) -> None:
        if self._bar is not None:
            self._bar.close()

    def _print_event(self, event: events.Event) -> None:
        match event:
            case events.LevelResult():
                self._level(event)
            case events.Removal():
                self._removal(event)
            case events.Recovered():
                if self.watching:
                    state = "gone" if event.was_deleted else "ok again"
                    self._say(f"{self._name(event.level or event.spec)}: {state}")
            case events.ProjectProblems():
                self.problems.print(event.problems)
                if self.watching and not event.problems:
                    self._say("level specs: ok again")
            case events.PreservedOutputs():
                self._warn_of_retained(event.paths)
            case events.Stale():
                self._stale(event.paths)
            case events.DroppedTarget():
                self._note(
                    f"exporter: exporter.yaml has no target {event.target!r} any more: "
                    f"{count(event.files, 'file')} of it stay and are stale"
                )
            case events.Upkeep():
                self._upkeep(event)
            case events.Refusal():
                self.problems.print(event.problems)
            case events.Ready():
                self._say(f"watching {count(event.levels, 'level')}; Ctrl+C stops")
            case events.Remark():
                self._error(f"exporter: {event.text}")
            case events.BatchDone():
                self.problems.print_omitted()
            case events.Interrupted():
                self._print_interruption(event)
            case events.Finished():
                self._print_summary(event.results)
            case events.Progress() | events.Building():
                pass  # drawn by the bar

    def _level(self, result: events.LevelResult) -> None:
        if result.status == "unchanged":
            if self.output.verbose:
                files = count(len(result.outputs), "file")
                self._say(f"{self._name(result.level)}: unchanged, {files}")
            if not self.watching:
                self.problems.print(result.warnings)
            return
        self.problems.print(result.problems)
        if result.traceback:
            self._error(result.traceback)
        self.problems.print(result.warnings)
        if result.status == "built" and (result.written or not self.dry_run or self.output.verbose):
            self._say(f"{self._name(result.level)}: {self._what(result)}")
            if self.dry_run or self.output.verbose:
                self._list(result.written)
        if self.output.timings and self.watching and result.timings:
            from exporter.console.timings import timings_line

            self._say(f"  {timings_line(result.timings)}", timed=False)
        self._warn_of_retained(result.preserved)

    def _what(self, result: events.LevelResult) -> str:
        files = count(len(result.outputs), "file")
        if self.dry_run:
            if not result.written:
                return "would be built, without any change of its files"
            what = f"would write {len(result.written)} of {files}"
            return f"{what}{_recipes(result)}"
        if self.watching:
            written = f"{len(result.written)} of {files} written"
            return f"{self._why(result)}, {written} in {duration(result.elapsed)}"
        why = f" ({self._why(result)})" if self.output.verbose else ""
        if self.output.verbose and result.seed is not None:
            why += f", seed {result.seed}"
        return f"{files}, {len(result.written)} written in {duration(result.seconds)}{why}"

    def _why(self, result: events.LevelResult) -> str:
        """Return why a level was built, as text; if verbose, with all causes."""
        if self.forced:
            return "--force"
        why = _why(result)
        unnamed = [cause for cause in result.causes if cause != EXPORTER and cause not in why]
        if self.output.verbose and unnamed:
            return f"{why}: {', '.join(unnamed)}"
        return why

    def _removal(self, removal: events.Removal) -> None:
        if removal.paths:
            verb = "would remove" if self.dry_run else "removed"
            name = f"{self._name(removal.level)}: " if removal.level else ""
            reason = _REASONS[removal.reason]
            files = count(len(removal.paths), "file")
            if removal.reason == "renamed" and not self.dry_run:
                self._say(f"{name}renamed {files}")
            else:
                self._say(f"{name}{verb} {files}{reason}")
                self._list(removal.paths)
        self._warn_of(
            removal.held,
            "not removed: another program holds it open, or it is read-only (the next export "
            "tries again)",
        )
        cleaned = removal.reason == "cleaned"
        self._warn_of(
            removal.preserved,
            "kept: changed since it was written" if cleaned else events.LEFT,
        )

    def _warn_of_retained(self, paths: Sequence[str]) -> None:
        for path in paths:
            self._warn_of([path], events.preserved_message(path))

    def _warn_of(self, paths: Sequence[str], text: str) -> None:
        severity = styled("warning:", "warning", self.output.styles.errors)
        for path in paths:
            if self.problems.admits("warning"):
                self._error(f"{path}: {severity} {text}")

    def _stale(self, paths: Sequence[str]) -> None:
        if not paths:
            return
        files = count(len(paths), "file")
        verb = "is" if len(paths) == 1 else "are"
        self._note(
            f"exporter: {files} {verb} stale: no spec or target writes them any more (`exporter "
            "clean --stale` removes them)"
        )
        limit = len(paths) if self.dry_run else LISTED_STALE_FILES
        for path in paths[:limit]:
            self._note(f"  {path}")
        if len(paths) > limit:
            self._note(f"  and {len(paths) - limit} more")

    def _upkeep(self, event: events.Upkeep) -> None:
        if event.what == "plugin" and event.paths:
            verb = "would write" if self.dry_run else "wrote"
            self._say(f"plugin: {verb} {count(len(event.paths), 'file')}")
        if self.dry_run or self.output.verbose:
            if event.what == "index":
                verb = "would write" if self.dry_run else "wrote"
                self._say(f"{verb} {count(len(event.paths), 'index file')}")
            self._list(event.paths)
        self._warn_of_retained(event.preserved)

    def _list(self, paths: Sequence[str]) -> None:
        for path in paths:
            self._say(f"  {path}", timed=False)

    def _print_interruption(self, event: events.Interrupted) -> None:
        if event.total is None:
            self._error("interrupted: the watch was stopped")
            return
        built = sum(1 for result in event.results if result.status == "built")
        self.close()
        verb = "was" if event.total == 1 else "were"
        self._error(f"interrupted: {built} of {count(event.total, 'level')} {verb} exported")

    def _print_summary(self, results: Sequence[events.LevelResult]) -> None:
        self.close()
        if self.output.timings:
            from exporter.console.timings import timings_table

            for line in timings_table((item.level, item.timings) for item in results):
                self._say(line)
        counts = dict.fromkeys(("built", "unchanged", "failed"), 0)
        for result in results:
            same = self.dry_run and result.status == "built" and not result.written
            counts["unchanged" if same else result.status] += 1
        if not results:
            return  # the reason was reported
        names = {"built": "to change"} if self.dry_run else {}
        said = [f"{number} {names.get(state, state)}" for state, number in counts.items() if number]
        incomplete = sum(1 for item in results if item.status != "failed" and not item.complete)
        if incomplete:
            said.append(f"{incomplete} incomplete")
        self._say(f"{count(len(results), 'level')}: {', '.join(said)}")

    def _name(self, level: str) -> str:
        return styled(level, "level", self.output.styles.output)

    def _say(self, text: str, *, timed: bool = True) -> None:
        """Print a line on standard output; in a watch, with the time of day."""
        if self.output.quiet:
            return
        if self.watching and timed:
            text = f"{styled(time.strftime('%H:%M:%S'), 'quiet', self.output.styles.output)} {text}"
        print(text, flush=True)

    def _note(self, text: str) -> None:
        if not self.output.quiet:
            self._error(text)

    def _error(self, text: str) -> None:
        self.problems.line(text)


def _why(result: events.LevelResult) -> str:
    """Return the main cause for which a level was built, as text."""
    outputs = {output.path for output in result.outputs}
    causes = result.causes
    if result.spec in causes:
        return "spec changed"
    if EXPORTER in causes:
        return "the exporter changed"
    if FILE_NAME in causes:
        return f"{FILE_NAME} changed"
    dropped = [path for path in causes if path in outputs]
    if dropped:
        return f"{count(len(dropped), 'file')} missing or edited"
    return f"{', '.join(causes)} changed" if causes else "exported"


def _recipes(result: events.LevelResult) -> str:
    """Return which layers another version of a generator had made, as text.

    The text is in brackets, to append to a result; empty if there are no such layers.
    """
    changes = [
        f"{recipe.layer}: recipe {recipe.previous} to {recipe.version} of {recipe.generator}"
        for recipe in result.recipes
    ]
    return f" ({', '.join(changes)})" if changes else ""
