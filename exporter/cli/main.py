"""Run the command line: find the command, parse its options, run it.

Each command is a module of this package, or of an installed one. Wrong arguments are reported in
one line, with suggestions.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from exporter._version import __version__
from exporter.cli.arguments import UsageError, add_color, failure_code, leaf_parsers, subcommands
from exporter.export.plain_warnings import plain_warnings
from exporter.model.exit_codes import ExitCode
from exporter.model.installed import entry_points

# Options whose value can begin with a minus sign.
_SIGNED = frozenset({"--sort", "--where"})
# All commands in the order of the help; listed here so that printing it imports none of them.
GROUPS = {
    "Everyday": {
        "init": "start a game, or add the exporter to one",
        "watch": "export on every save, while you work",
        "serve": "open the studio: see, walk and tune levels",
        "export": "export all levels once, as in a build",
        "check": "find every error, write nothing",
    },
    "Look and choose": {
        "preview": "draw levels as pictures, or in the terminal",
        "seeds": "search thousands of seeds for the levels you want",
        "stats": "print the metrics of a level",
        "diff": "compare two levels, or a level with its commit",
        "edits": "keep what you painted on exported maps",
    },
    "Tools": {
        "inspect": "list the content of a blob or pack, or a file's entropy",
        "table": "convert records (JSON, CSV, XML) to typed tables",
        "sudoku": "solve, check and make sudokus",
        "schema": "print the JSON Schema of level specs, for editors",
        "plugins": "list every generator, format and target",
        "mcp": "serve a project to an agent over standard input (MCP)",
        "trust": "let a project write into a folder outside it",
        "clean": "remove files that the exporter wrote",
        "completion": "complete commands and options in your shell",
    },
}
COMMANDS = {name: text for group in GROUPS.values() for name, text in group.items()}
# Each entry point of other packages is a module like those of this package.
OUTSIDE = "exporter.commands"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that `arguments` name; return the exit code.

    None means the arguments of this process.
    """
    options: argparse.Namespace | None = None
    try:
        words = sys.argv[1:] if arguments is None else arguments
        options = parse(command_parser(words), words)
        _warn_uncompiled_checkout(Path(__file__).parents[2])
        with plain_warnings():
            code = int(options.run(options))
        _flush_output()
        return code
    except SystemExit:
        # Raised by `--help` and `--version`, and for wrong arguments.
        if _output_is_dropped():
            return failure_code(options)
        raise
    except BrokenPipeError:
        # The reader of the output, such as `| head`, has ended.
        sys.stderr.close()
        return int(getattr(options, "outcome", ExitCode.DONE))
    except OSError as error:
        # Commands report OSErrors of their files, so one with a file name is a bug.
        if error.filename is not None or not _output_is_dropped(probe="\n"):
            raise
        return failure_code(options)
    except Exception as error:
        from exporter.cli.failures import report_failure

        failure = report_failure(error, options)
        if failure is None:
            raise
        return failure


def _warn_uncompiled_checkout(root: Path) -> None:
    """Warn if the checkout in folder `root` has no compiled kernels.

    Without them the exporter is far slower. Python that is started inside a checkout uses the
    checkout, even if a compiled exporter is installed.
    """
    if not (root / "setup.py").is_file():
        return
    names = os.listdir(root / "exporter" / "kernels")
    if not any(name.endswith((".so", ".pyd")) for name in names):
        print(
            f"exporter: warning: {root} runs without compiled kernels, which takes far longer "
            f'(compile them: `"{sys.executable}" -m pip install -e "{root}"`; or use the installed '
            "exporter: `exporter` instead of `python -m exporter`)",
            file=sys.stderr,
        )


def _flush_output() -> None:
    """Write buffered output to stdout now, so that a failure is noticed."""
    if sys.stdout is not None:
        sys.stdout.flush()


def _output_is_dropped(probe: str = "") -> bool:
    """Return whether standard output cannot be written.

    If so, this is reported, and further output is discarded. False if only the reader of the
    output, such as `| head`, has ended. Buffered text is written to find out; `probe` is a text to
    write if there may be none.
    """
    try:
        if probe:
            print(end=probe)
        _flush_output()
    except OSError as error:
        # Python would try once more at its end, and print a traceback.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return False  # the reader of the output has ended
        reason = error.strerror or error
        print(f"exporter: standard output cannot be written ({reason})", file=sys.stderr)
        return True
    return False


def command_parser(words: Sequence[str] | None = None) -> Parser:
    """Return a parser of the command line.

    `words` are the arguments of the command line: only the command that they name is imported and
    complete. None for a parser of all commands.

    Raises:
        UsageError: A command of another package cannot be used.
    """
    parser = Parser(
        prog="exporter",
        description="Turn level specs (*.level.yaml) into files for Godot, Unity, Tiled and more.",
        examples=("exporter init my-game", "exporter watch my-game --serve"),
    )
    parser.add_argument("--version", action="version", version=f"exporter {__version__}")
    commands = parser.add_subparsers(
        prog="exporter", metavar="COMMAND", required=True, help=argparse.SUPPRESS
    )
    parser.usage = "exporter [-h] [--version] COMMAND ..."
    name = next((word for word in words or () if not word.startswith("-")), None)
    if words is None or name == "completion":  # `completion` describes all commands
        imported = (*COMMANDS, *_outside())
    elif name in COMMANDS:
        imported = (name,)
    else:
        imported = _outside()
        for command in COMMANDS if name else ():
            commands.add_parser(command)  # to suggest its name
    for command in imported:
        _command(command).add(commands)
    outside = {entry.dest: entry.help or "" for entry in commands._choices_actions}
    for command, inner in commands.choices.items():
        text = COMMANDS.get(command) or outside.get(command, "")
        inner.description = f"{text[:1].upper()}{text[1:]}."
    lines = [parser.description or ""]
    for title, helps in {**GROUPS, "Of other packages": outside}.items():
        if helps:
            lines += ["", f"{title}:", *(f"  {name:<12}{text}" for name, text in helps.items())]
    parser.description = "\n".join(lines)
    for _, leaf in leaf_parsers(parser):
        add_color(leaf)
    parser.set_defaults(command_line=parser)  # for `completion`
    return parser


def _outside() -> tuple[str, ...]:
    """Return the names of commands that other packages add.

    A name that is also one of the exporter's own is left out.
    """
    return tuple(point.name for point in entry_points(OUTSIDE) if point.name not in COMMANDS)


def _command(name: str) -> Any:
    """Return the module of the command `name`.

    Raises:
        UsageError: The command belongs to another package, and cannot be imported.
    """
    if name in COMMANDS:
        return importlib.import_module(f"exporter.cli.{name}")
    point = next(point for point in entry_points(OUTSIDE) if point.name == name)
    try:
        return importlib.import_module(point.module)
    except Exception as error:
        raise UsageError(
            f"the command {name!r} of {point.distribution} cannot be imported "
            f"({type(error).__name__}: {error})"
        ) from error


class Parser(argparse.ArgumentParser):
    """A parser that accepts options only by their full names.

    An abbreviation could become ambiguous, or mean another option, in a later version. The command
    lines `examples` are printed at the end of the help.
    """

    def __init__(self, *, examples: Sequence[str] = (), **settings: Any) -> None:
        displayed = (
            "\n".join(("Examples:", *(f"  {line}" for line in examples))) if examples else None
        )
        parts = [text for text in (settings.pop("epilog", None), displayed) if text]
        super().__init__(
            allow_abbrev=False,
            epilog="\n".join(parts) or None,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            **settings,
        )

    def error(self, message: str) -> NoReturn:
        """Print what is wrong, and how to get help, in one line; then exit."""
        self.refuse(message, f"see `{self.prog} --help`")

    def refuse(self, message: str, hint: str) -> NoReturn:
        """Print what is wrong (`message`) and what to write (`hint`); then exit."""
        self.exit(ExitCode.USAGE, f"{self.prog}: {message} ({hint})\n")


def parse(parser: Parser, arguments: Sequence[str]) -> argparse.Namespace:
    """Parse the command line `arguments`, without the program's name.

    Raises:
        SystemExit: An error was reported, or the help was printed.
    """
    words = _join_negative_values(arguments)
    leaf = _leaf(parser, words)
    options, rest = parser.parse_known_args(words)
    if rest:
        _refuse_unknown(leaf, rest)
    return options


def _join_negative_values(words: Iterable[str]) -> list[str]:
    """Join `--sort -farthest` to one word, `--sort=-farthest`.

    Otherwise a value with a minus sign is taken for an option. Only options that allow such values
    are joined.
    """
    joined: list[str] = []
    for word in words:
        signed = word.startswith("-") and not word.startswith("--")
        if joined and joined[-1] in _SIGNED and signed:
            joined[-1] = f"{joined[-1]}={word}"
        else:
            joined.append(word)
    return joined


def _leaf(parser: Parser, words: Sequence[str]) -> Parser:
    """Return the parser of the command that `words` name.

    For an unknown command, an error is printed, and the process exits.
    """
    for word in words:
        inner = subcommands(parser)
        if not inner or word.startswith("-"):
            break
        if word not in inner:
            what = "action" if " " in parser.prog else "command"
            hint = _hint(word, inner, f"known: {', '.join(inner)}")
            parser.refuse(f"there is no {what} {word!r}", hint)
        below = inner[word]
        assert isinstance(below, Parser)  # subparsers have the class of their parser
        parser = below
    return parser


def _refuse_unknown(parser: Parser, rest: Sequence[str]) -> NoReturn:
    """Report the arguments `rest`, which the command does not know; exit."""
    option = next((word for word in rest if word.startswith("-") and word != "-"), None)
    if option is None:
        parser.error(f"unexpected argument {rest[0]!r}")
    name = option.partition("=")[0]
    known = [text for action in parser._actions for text in action.option_strings]
    hint = _hint(name, known, f"see `{parser.prog} --help`")
    parser.refuse(f"there is no option {name!r}", hint)


def _hint(word: str, known: Iterable[str], otherwise: str) -> str:
    """Return a hint at the name in `known` that is similar to `word`.

    If there is none, or there are several, return `otherwise`.
    """
    from difflib import get_close_matches

    names = list(known)
    begun = [name for name in names if len(word) > 2 and name.startswith(word)]
    close = begun or get_close_matches(word, names, n=1, cutoff=0.7)
    return f"did you mean {close[0]!r}?" if len(close) == 1 else otherwise
