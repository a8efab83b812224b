"""Where level specs are: the files of a project that its globs match."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from fnmatch import translate
from pathlib import Path

# Folders that hold engine caches or other people's packages, never level specs.
SKIPPED_FOLDERS = frozenset({"__pycache__", "node_modules", "Library", "Temp"})


def find_specs(root: Path, patterns: tuple[str, ...]) -> list[str]:
    """Return the files below `root` that match any glob, as sorted relative paths with `/`.

    Hidden folders and engine caches are not entered; linked folders are followed once.
    """
    matchers = [_matcher(pattern) for pattern in patterns]
    starts = {fixed_part(pattern) for pattern in patterns}
    found: set[str] = set()
    for start in starts:
        for path in _files(root, start):
            if any(matcher.fullmatch(path) for matcher in matchers):
                found.add(path)
    return sorted(found)


def would_be_found(path: str, patterns: tuple[str, ...]) -> bool:
    """Whether a path relative to the project's folder would be found if a file were there."""
    parts = path.split("/")
    if any(part.startswith(".") for part in parts) or not SKIPPED_FOLDERS.isdisjoint(parts[:-1]):
        return False
    return matches(patterns, path)


def matches(patterns: tuple[str, ...], path: str) -> bool:
    """Whether any glob matches a path that is relative to the project, with `/`."""
    return any(_matcher(pattern).fullmatch(path) for pattern in patterns)


def fixed_part(pattern: str) -> str:
    """Return the leading folders of a glob that have no wildcard."""
    fixed = []
    for part in pattern.split("/")[:-1]:
        if any(character in part for character in "*?["):
            break
        fixed.append(part)
    return "/".join(part for part in fixed if part not in ("", "."))


def _matcher(pattern: str) -> re.Pattern[str]:
    parts = [part for part in pattern.split("/") if part not in ("", ".")]
    expression = ""
    for index, part in enumerate(parts):
        last = index == len(parts) - 1
        if part == "**":
            expression += ".*" if last else "(?:.*/)?"
        else:
            # `translate` lets * cross folders; a glob's single star does not.
            inner = translate(part).replace(".*", "[^/]*").replace("(?s:", "(?:")
            expression += inner.removesuffix(r"\Z").removesuffix(r"\z") + ("" if last else "/")
    return re.compile(expression)


def _files(root: Path, start: str) -> Iterator[str]:
    seen: set[tuple[int, int]] = set()
    pending = [start]
    while pending:
        folder = pending.pop()
        try:
            here = os.stat(root / folder)
            if (here.st_dev, here.st_ino) in seen:
                continue  # a linked folder that leads back
            seen.add((here.st_dev, here.st_ino))
            entries = list(os.scandir(root / folder))
        except OSError:
            continue
        for entry in entries:
            path = f"{folder}/{entry.name}" if folder else entry.name
            try:
                if entry.is_dir():
                    if not entry.name.startswith(".") and entry.name not in SKIPPED_FOLDERS:
                        pending.append(path)
                elif entry.is_file() and not entry.name.startswith("."):
                    yield path
            except OSError:
                continue
