"""Define options that several commands share, and parse their values."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from exporter.model.exit_codes import ExitCode

if TYPE_CHECKING:
    from exporter.console.styles import Styles
    from exporter.console.text import OutputOptions

# The group of commands to which each command adds its parser.
Commands = Any
# The default if an option is missing; the same as in `exporter.console.problems`.
MAXIMUM_ERRORS = 10


class UsageError(Exception):
    """A wrong call of a command: bad arguments or options.

    It ends the command with one line of text and exit code 2.
    """


def completes(action: argparse.Action, kind: Literal["metric", "overlay"]) -> None:
    """Let shells complete the value of the option `action`.

    They offer the names of all metrics, or of all overlays, as `kind` chooses.
    """
    action.completes = kind  # type: ignore[attr-defined]


def report_options(parser: argparse.ArgumentParser) -> Any:
    """Return the group of `parser` for options about printing.

    It is added to `parser` if it is missing.
    """
    title = "printing"
    groups = {group.title: group for group in parser._action_groups}
    return groups.get(title) or parser.add_argument_group(title)


def add_project(parser: argparse.ArgumentParser) -> None:
    """Add the optional argument `PROJECT`, the project's folder."""
    parser.add_argument(
        "project",
        nargs="?",
        type=Path,
        metavar="PROJECT",
        help="folder with exporter.yaml (default: this folder or its nearest parent with one)",
    )


def add_jobs(parser: Any) -> None:
    """Add `--jobs`, the number of processes that build levels."""
    parser.add_argument(
        "--jobs", type=positive, metavar="N", help="number of build processes (default: automatic)"
    )


def add_json(parser: argparse.ArgumentParser, *, lines: bool = False) -> None:
    """Add `--json`, output for programs.

    If `lines` is true, the command prints one JSON object on a line for each event; else one
    document.
    """
    text = "print one JSON object per line" if lines else "print the report as JSON"
    report_options(parser).add_argument("--json", action="store_true", help=text)


def add_overwrite(parser: Any) -> None:
    """Add `--overwrite`, to replace user-modified and untracked files."""
    parser.add_argument(
        "--overwrite",
        action="store_true",
        help="replace files that you changed or that the exporter did not write, too",
    )


def add_amount(parser: argparse.ArgumentParser) -> None:
    """Add `--quiet` and `--verbose`, which exclude each other."""
    amount = report_options(parser).add_mutually_exclusive_group()
    add_silently(amount)
    amount.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        help="also print unchanged levels, causes and the paths of written files",
    )


def add_silently(parser: Any) -> None:
    """Add only `--quiet`, for commands that have no `--verbose`.

    `parser` may also be a group of options.
    """
    parser.add_argument("-q", "--quiet", action="store_true", help="print only errors and warnings")


def add_timings(parser: argparse.ArgumentParser) -> None:
    """Add `--timings`, to print the time of each build stage."""
    report_options(parser).add_argument(
        "--timings", action="store_true", help="print the time of each stage of each level"
    )


def add_maximum_errors(parser: argparse.ArgumentParser) -> None:
    """Add `--max-errors`, the most errors, and the most warnings, to print."""
    report_options(parser).add_argument(
        "--max-errors",
        type=positive,
        default=MAXIMUM_ERRORS,
        metavar="N",
        help="print at most N errors and N warnings, and count the rest; --json has all "
        f"(default: {MAXIMUM_ERRORS})",
    )


def add_annotations(parser: argparse.ArgumentParser) -> None:
    """Add `--annotations`, which prints problems in a form for CI services."""
    report_options(parser).add_argument(
        "--annotations",
        choices=("github", "sarif"),
        metavar="FORMAT",
        help="github: also print each problem as a workflow command on standard error; "
        "sarif: print only a SARIF document of all problems",
    )


def check_annotations(options: argparse.Namespace) -> None:
    """Check `--annotations`, and set the options that it implies.

    A SARIF document must be the only output, so it implies `--quiet`.

    Raises:
        UsageError: SARIF and `--json` are requested together.
    """
    if options.annotations == "sarif":
        if options.json:
            raise UsageError("--json and --annotations sarif both print a document (leave one out)")
        options.quiet, options.verbose, options.timings = True, False, False


def add_color(parser: argparse.ArgumentParser) -> None:
    """Add `--color`, which sets when output is coloured."""
    report_options(parser).add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        metavar="WHEN",
        help="auto (on terminals, unless NO_COLOR is set), always or never (default: auto)",
    )


def styles_of(options: argparse.Namespace) -> Styles:
    """Return whether stdout and stderr are coloured; never with `--json`."""
    from exporter.console.styles import PLAIN, choose_styles

    return PLAIN if getattr(options, "json", False) else choose_styles(options.color)


def failure_code(options: argparse.Namespace | None) -> int:
    """Return the exit code of a failed command.

    It is 1, unless the command has set another one in `options`; None if `options` were not parsed.
    """
    return int(getattr(options, "failure", ExitCode.FAILED))


def output_options(options: argparse.Namespace) -> OutputOptions:
    """Return the verbosity and colours that `options` select."""
    from exporter.console.text import OutputOptions

    return OutputOptions(
        styles_of(options),
        getattr(options, "quiet", False),
        getattr(options, "verbose", False),
        getattr(options, "timings", False),
        getattr(options, "max_errors", sys.maxsize),  # without such an option, no limit
    )


def leaf_parsers(
    parser: argparse.ArgumentParser,
) -> Iterator[tuple[tuple[str, ...], argparse.ArgumentParser]]:
    """Yield each command that has no subcommands: its words and its parser.

    The words are those that call the command, without those of `parser`.
    """
    choices = subcommands(parser)
    if not choices:
        yield (), parser
    for name, inner in choices.items():
        for words, leaf in leaf_parsers(inner):
            yield (name, *words), leaf


def subcommands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Return the parsers of the subcommands of `parser` by name, in order."""
    for action in parser._actions:  # argparse has no public list of them
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def add_max_seconds(parser: Any) -> None:
    """Add `--max-seconds`, the time limit for building each level."""
    from exporter.export.settings import DEFAULT_MAX_SECONDS

    parser.add_argument(
        "--max-seconds",
        type=positive,
        default=DEFAULT_MAX_SECONDS,
        metavar="SECONDS",
        help=f"refuse or end levels that take longer (default: {DEFAULT_MAX_SECONDS})",
    )


def positive(text: str) -> int:
    """Parse `text` as a whole number of 1 or more.

    Raises:
        argparse.ArgumentTypeError: The text is no such number.
    """
    if not re.fullmatch("[0-9]{1,18}", text) or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of 1 or more")
    return int(text)


def seed(text: str) -> int | str:
    """Parse a seed: an integer if `text` looks like one, else the text itself."""
    return int(text) if re.fullmatch(r"-?(?:0|[1-9][0-9]{0,18})", text) else text


def point(text: str) -> tuple[int, int]:
    """Parse a cell written as `X,Y`.

    Raises:
        argparse.ArgumentTypeError: The text has another form.
    """
    return _pair(text, ",", "X,Y")


def extent(text: str) -> tuple[int, int]:
    """Parse a width and height written as `WxH`, both at least 1.

    Raises:
        argparse.ArgumentTypeError: The text has another form, or a side is 0.
    """
    width, height = _pair(text.lower(), "x", "WxH")
    if width < 1 or height < 1:
        raise argparse.ArgumentTypeError("a view of no cells shows nothing (write at least 1x1)")
    return width, height


def project_root(given: Path | None) -> Path:
    """Return the folder of the project that a command works on.

    `given` is the folder that the user named; None to search for exporter.yaml in the working
    folder and its parents.

    Raises:
        UsageError: No project was found.
    """
    from exporter.model.errors import SpecError
    from exporter.project.project import FILE_NAME, find_project

    if given is None:
        try:
            return find_project(Path())
        except SpecError as error:
            raise UsageError(error.problems[0].message) from None
    if given.name == FILE_NAME and given.is_file():
        given = given.parent
    if not given.is_dir():
        from exporter.cli.own_command import quoted

        raise UsageError(
            f"there is no folder {str(given)!r} (correct the name, or make a project with "
            f"`exporter init {quoted(given)}`)"
        )
    if not (given / FILE_NAME).is_file():
        from exporter.cli.own_command import quoted

        raise UsageError(
            f"{given} has no {FILE_NAME} (make one with `exporter init {quoted(given)}`)"
        )
    return given.resolve()


def _pair(text: str, separator: str, form: str) -> tuple[int, int]:
    first, result, second = text.partition(separator)
    try:
        if not result:
            raise ValueError
        return int(first), int(second)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form {form}") from None
