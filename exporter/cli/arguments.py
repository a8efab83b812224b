"""Arguments that several commands have, and how they are checked."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any

from exporter.model.errors import SpecError

# What every command adds itself to.
Commands = Any


class UsageError(Exception):
    """A command was called wrongly: reported in one line, with exit code 2."""


def add_project(parser: argparse.ArgumentParser) -> None:
    """Let a command take the project it works on."""
    parser.add_argument(
        "project",
        nargs="?",
        type=Path,
        metavar="PROJECT",
        help="folder with exporter.yaml (default: this folder or its nearest parent with one)",
    )


def add_max_seconds(parser: argparse.ArgumentParser) -> None:
    """Let a command take how long building a level may take."""
    from exporter.export.settings import DEFAULT_MAX_SECONDS

    parser.add_argument(
        "--max-seconds",
        type=positive,
        default=DEFAULT_MAX_SECONDS,
        metavar="SECONDS",
        help=f"refuse or end levels that take longer (default: {DEFAULT_MAX_SECONDS})",
    )


def positive(text: str) -> int:
    """Read a whole number of 1 or more."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def seed(text: str) -> int | str:
    """Read a seed as a spec has it: a whole number where it looks like one, else text."""
    return int(text) if re.fullmatch(r"-?(?:0|[1-9][0-9]{0,18})", text) else text


def point(text: str) -> tuple[int, int]:
    """Read a cell, `X,Y`."""
    return _pair(text, ",", "X,Y")


def extent(text: str) -> tuple[int, int]:
    """Read a size, `WxH`."""
    width, height = _pair(text.lower(), "x", "WxH")
    if width < 1 or height < 1:
        raise argparse.ArgumentTypeError("a view must be at least 1x1")
    return width, height


def project_root(given: Path | None) -> Path:
    """Return the folder of the project that was given, or of the nearest one upwards.

    Raises:
        UsageError: There is none.
    """
    from exporter.project.project import FILE_NAME, find_project

    if given is None:
        try:
            return find_project(Path())
        except SpecError as error:
            raise UsageError(error.problems[0].message) from None
    if given.name == FILE_NAME and given.is_file():
        given = given.parent
    if not given.is_dir():
        raise UsageError(f"there is no folder {str(given)!r}")
    if not (given / FILE_NAME).is_file():
        raise UsageError(f"{given} has no {FILE_NAME} (make one with `exporter init {given}`)")
    return given.resolve()


def _pair(text: str, separator: str, form: str) -> tuple[int, int]:
    first, found, second = text.partition(separator)
    try:
        if not found:
            raise ValueError
        return int(first), int(second)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form {form}") from None
