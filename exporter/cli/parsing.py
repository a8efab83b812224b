"""Report wrong arguments in one line, with suggestions."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from exporter.cli.arguments import subcommands
from exporter.model.exit_codes import ExitCode

# Options whose value can begin with a minus sign.
_SIGNED = frozenset({"--sort", "--where"})


class Parser(argparse.ArgumentParser):
    """A parser that takes options by their whole names only.

    An abbreviation of today would be ambiguous, or another option, in a later version.
    """

    def __init__(self, *, examples: Sequence[str] = (), **settings: Any) -> None:
        """Begin with the command lines to show at the end of the help."""
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
        """Report an error in one line, and where the help is."""
        self.refuse(message, f"see `{self.prog} --help`")

    def refuse(self, message: str, hint: str) -> NoReturn:
        """Report an error in one line, with a fix."""
        self.exit(ExitCode.USAGE, f"{self.prog}: {message} ({hint})\n")


def parse(parser: Parser, arguments: Sequence[str]) -> argparse.Namespace:
    """Parse a command line.

    Args:
        parser: The parser of all commands.
        arguments: The arguments after the program's name.

    Raises:
        SystemExit: An error was reported, or the help was requested.
    """
    words = _joined(arguments)
    leaf = _leaf(parser, words)
    options, rest = parser.parse_known_args(words)
    if rest:
        _refuse_unknown(leaf, rest)
    return options


def _joined(words: Iterable[str]) -> list[str]:
    """Join an option to a value with a minus sign: `--sort -farthest`."""
    joined: list[str] = []
    for word in words:
        signed = word.startswith("-") and not word.startswith("--")
        if joined and joined[-1] in _SIGNED and signed:
            joined[-1] = f"{joined[-1]}={word}"
        else:
            joined.append(word)
    return joined


def _leaf(parser: Parser, words: Sequence[str]) -> Parser:
    """Return the parser of the requested command or action; refuse any other."""
    for word in words:
        inner = subcommands(parser)
        if not inner or word.startswith("-"):
            break
        if word not in inner:
            what = "action" if " " in parser.prog else "command"
            hint = _hint(word, inner, f"known: {', '.join(inner)}")
            parser.refuse(f"there is no {what} {word!r}", hint)
        below = inner[word]
        assert isinstance(below, Parser)  # as its parser is
        parser = below
    return parser


def _refuse_unknown(parser: Parser, rest: Sequence[str]) -> NoReturn:
    """Report the arguments that a command does not know."""
    option = next((word for word in rest if word.startswith("-") and word != "-"), None)
    if option is None:
        parser.error(f"{rest[0]!r} is one argument too many")
    name = option.partition("=")[0]
    known = [text for action in parser._actions for text in action.option_strings]
    hint = _hint(name, known, f"see `{parser.prog} --help`")
    parser.refuse(f"there is no option {name!r}", hint)


def _hint(word: str, known: Iterable[str], otherwise: str) -> str:
    """Suggest a similar name, or return another message."""
    from difflib import get_close_matches

    names = list(known)
    begun = [name for name in names if len(word) > 2 and name.startswith(word)]
    close = begun or get_close_matches(word, names, n=1, cutoff=0.7)
    return f"did you mean {close[0]!r}?" if len(close) == 1 else otherwise
