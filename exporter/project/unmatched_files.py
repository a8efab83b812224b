"""Warn about files that look like level specs but match no glob."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from exporter.model.errors import Problem
from exporter.project.project import FILE_NAME, display_path
from exporter.reading.names import EDITS_SUFFIX, is_edits_file

# Only the beginning of other YAML files is read.
_LOOKED_AT_BYTES = 1 << 16
_LAYERS = re.compile(rb"^layers[ \t]*:", re.MULTILINE)


def warn_of_unmatched_files(
    root: Path, patterns: tuple[str, ...], others: Sequence[str]
) -> list[Problem]:
    """Return a warning for each file that looks like a spec but is not read.

    `patterns` are the globs of level specs; `others` are the paths to examine, which
    `exporter.project.spec_files.look_for_specs` found.
    """
    globs = ", ".join(patterns)
    problems = []
    for path in others:
        position = root / path.rstrip("/")
        if is_edits_file(path):
            name = path.rpartition("/")[2]
            spec = f"{name[: -len(EDITS_SUFFIX)]}.level.yaml"
            message = f"these hand edits are of no level: there is no {spec} (rename one of them)"
        elif path.endswith("/"):
            message = (
                "this folder cannot be read, so level specs in it are not exported "
                "(allow reading it)"
            )
        elif f"{path}/" in others:
            continue
        elif os.path.isdir(position):  # False too if that may not be asked
            message = f"this is a folder, though {globs} matches it (a level spec is a file)"
        elif ".level." in path.lower() or _has_layers(position):
            message = f"this is not exported: `levels: {globs}` does not match{_way_out(path)}"
        else:
            continue
        problems.append(Problem(message, display_path(position), severity="warning"))
    return problems


def no_specs(root: Path, patterns: tuple[str, ...]) -> Problem:
    """Return the error that the globs `patterns` match no level spec."""
    globs = ", ".join(patterns)
    message = f"no level spec matches `levels: {globs}` (a spec is called NAME.level.yaml)"
    return Problem(message, display_path(root / FILE_NAME))


def _has_layers(path: Path) -> bool:
    """Return whether YAML file `path` has the top-level key `layers`."""
    try:
        with open(path, "rb") as file:
            return _LAYERS.search(file.read(_LOOKED_AT_BYTES)) is not None
    except OSError:
        return False


def _way_out(path: str) -> str:
    name = path.rpartition("/")[2]
    stem = re.sub(r"(?i)(\.level)?(\.ya?ml|\.json|\.level)?$", "", name)
    expected = f"{stem}.level.yaml"
    return f" (rename it to {expected}?)" if stem and expected != name else ""
