"""Where code of other distributions went wrong: the file and the line, for messages."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from types import CodeType
from typing import Any

_OURSELVES = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


def raised_in(error: BaseException, module: str) -> str:
    """Return where an error was raised, as ` in pillars.py, line 20`; empty if nobody knows.

    It is the last line of the distribution's own code: what it called with wrong values, such as
    numpy, is not where the mistake is.

    Args:
        error: The error, which was caught.
        module: The dotted name of a module of the distribution.
    """
    import traceback

    if isinstance(error, SyntaxError) and error.lineno is not None:
        return ""  # its text says it
    places = []
    package = module.partition(".")[0]
    for frame, line in traceback.walk_tb(error.__traceback__):
        file = frame.f_code.co_filename
        if not _is_of_nobody(file):
            name = str(frame.f_globals.get("__name__", ""))
            places.append((name.partition(".")[0] == package, file, line))
    own = [place for place in places if place[0]] or places
    return _words(*own[-1][1:]) if own else ""


def returned_in(function: Callable[..., Any]) -> str:
    """Return where a function returns, as ` in pillars.py, line 20`; empty if nobody knows.

    Where it returns in several places, it is the line in which it begins.
    """
    code = getattr(inspect.unwrap(function), "__code__", None)
    if not isinstance(code, CodeType):
        return ""
    returns = _return_lines(code)
    return _words(code.co_filename, returns.pop() if len(returns) == 1 else code.co_firstlineno)


def _return_lines(code: CodeType) -> set[int]:
    import dis

    return {
        one.positions.lineno
        for one in dis.get_instructions(code)
        if one.opname.startswith("RETURN_")
        and one.opname != "RETURN_GENERATOR"
        and one.positions is not None
        and one.positions.lineno is not None
    }


def _is_of_nobody(file: str) -> bool:
    """Whether a file is ours, or belongs to Python's machinery of imports."""
    path = os.path.abspath(file)
    return file.startswith("<") or path.startswith(_OURSELVES) or _is_of_imports(path)


def _is_of_imports(path: str) -> bool:
    import importlib

    return path.startswith(os.path.dirname(os.path.abspath(importlib.__file__)) + os.sep)


def _words(file: str, line: int) -> str:
    return f" in {os.path.basename(file)}, line {line}"
