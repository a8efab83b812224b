"""Colour terminal output.

`--color` decides. By default a terminal is coloured, unless NO_COLOR is set (https://no-color.org)
or TERM is `dumb`; files and pipes are not.
"""

from __future__ import annotations

import os
import re
import sys
from typing import Literal, TextIO

from exporter.model.errors import Problem
from exporter.model.lazy_dataclass import dataclass

When = Literal["auto", "always", "never"]
Style = Literal["error", "warning", "level", "quiet"]

_CODES: dict[Style, str] = {"error": "1;31", "warning": "1;33", "level": "1", "quiet": "2"}
_RESET = "\x1b[0m"
# The line below an excerpt: carets under the fault, after the margin with the bar.
_CARETS = re.compile(r"^( *\|\s*)(\^+)", re.MULTILINE)
# Windows: the mode in which a console understands escape sequences.
_ENABLE_VIRTUAL_TERMINAL_PROCESSING = 4
_STANDARD_OUTPUT, _STANDARD_ERROR = -11, -12


@dataclass(frozen=True, slots=True)
class Styles:
    """Which of the two output streams are coloured.

    Attributes:
        output: Whether standard output is coloured.
        errors: Whether standard error is coloured.
    """

    output: bool = False
    errors: bool = False


PLAIN = Styles()


def choose_styles(when: When) -> Styles:
    """Return which output streams are coloured by the value of `--color`."""
    return Styles(_shows_colors(when, sys.stdout), _shows_colors(when, sys.stderr))


def styled(text: str, style: Style, on: bool) -> str:
    """Return `text` in the colour or weight `style` if `on`, else unchanged."""
    return f"\x1b[{_CODES[style]}m{text}{_RESET}" if on and text else text


def styled_problem(problem: Problem, on: bool) -> str:
    """Return a problem as text, coloured if `on`.

    The text has the position, the message and the source line.
    """
    text = problem.render()
    if not on:
        return text
    severity = problem.severity
    head, result, rest = text.partition(f": {severity}: ")
    if not result:
        return text
    rest = _CARETS.sub(lambda match: match[1] + styled(match[2], severity, on), rest)
    return f"{head}: {styled(severity + ':', severity, on)} {rest}"


def is_terminal(stream: TextIO | None) -> bool:
    """Return whether a stream is a terminal that supports colours."""
    if stream is None or os.environ.get("TERM") == "dumb":
        return False
    try:
        return stream.isatty() and (os.name != "nt" or _enable_sequences(stream))
    except (OSError, ValueError):
        return False  # it is closed


def _shows_colors(when: When, stream: TextIO | None) -> bool:
    if when == "auto":
        return not os.environ.get("NO_COLOR") and is_terminal(stream)
    if when == "always" and os.name == "nt" and stream is not None:
        is_terminal(stream)  # a console needs it; a pipe does not
    return when == "always"


def _enable_sequences(stream: TextIO) -> bool:
    """Enable escape sequences on a Windows console; return whether it works."""
    if sys.platform != "win32":
        return True
    import ctypes

    kernel = ctypes.windll.kernel32
    handle = kernel.GetStdHandle(_STANDARD_ERROR if stream is sys.stderr else _STANDARD_OUTPUT)
    mode = ctypes.c_ulong()
    if not kernel.GetConsoleMode(handle, ctypes.byref(mode)):
        return False
    return bool(kernel.SetConsoleMode(handle, mode.value | _ENABLE_VIRTUAL_TERMINAL_PROCESSING))
