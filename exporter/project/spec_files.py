"""Find the level specs of a project: the files that its globs match."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from fnmatch import translate
from pathlib import Path

from exporter.model.lazy_dataclass import dataclass
from exporter.model.texts import NOT_TEXT
from exporter.reading.names import edits_file, is_edits_file

# Folders that hold engine caches or other people's packages, never level specs.
_LIKE_SPECS = (".yaml", ".yml", ".level", ".level.json")
SKIPPED_FOLDERS = frozenset({"__pycache__", "node_modules", "Library", "Temp"})


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of a search for level specs: sorted relative paths with `/`.

    Attributes:
        specs: The files that match a glob.
        others: What may be a mistake: YAML files that match no glob, folders that match one, hand
            edits without a spec, and unreadable folders (with a `/` at the end).
        edits: The edits files of the specs.
        misnamed: Files that match a glob, but whose path is not UTF-8, in a form for messages.
    """

    specs: list[str]
    others: list[str]
    edits: frozenset[str] = frozenset()
    misnamed: tuple[str, ...] = ()


# Such a file cannot be named in any text: no index, no status, no engine.
MISNAMED = "the name of this file, or of a folder it is in, is not UTF-8 text (rename it)"


def find_specs(root: Path, patterns: tuple[str, ...]) -> list[str]:
    """Return the files below `root` that match one of the globs `patterns`.

    The paths are sorted, and relative with `/`.
    """
    return look_for_specs(root, patterns).specs


def look_for_specs(root: Path, patterns: tuple[str, ...]) -> SearchResult:
    """Find files below `root` that match the globs `patterns`, or nearly do.

    Files that nearly match are for warnings. Hidden folders and engine caches are skipped; a linked
    folder is searched once.
    """
    matchers = [_matcher(pattern) for pattern in patterns]
    starts = {fixed_part(pattern) for pattern in patterns}
    specs: set[str] = set()
    others: set[str] = set()
    edits: set[str] = set()
    misnamed: set[str] = set()
    for start in starts:
        unreadable: list[str] = []
        for path, is_file in _entries(root, start, unreadable):
            matched = any(matcher.fullmatch(path) for matcher in matchers)
            if NOT_TEXT.search(path):
                if matched and is_file and not is_edits_file(path):
                    misnamed.add(os.fsencode(path).decode("utf-8", "backslashreplace"))
            elif is_file and is_edits_file(path):
                edits.add(path)
            elif matched and is_file:
                specs.add(path)
            elif matched or (is_file and path.lower().endswith(_LIKE_SPECS)):
                others.add(path)
        for folder in unreadable:
            if not NOT_TEXT.search(folder) and _has_matches_in(patterns, start, folder):
                others.add(f"{folder}/")
    if edits:
        expected = {edits_file(spec) for spec in specs}
        others |= edits - expected
        edits &= expected
    return SearchResult(
        sorted(specs), sorted(others - specs), frozenset(edits), tuple(sorted(misnamed))
    )


def is_discoverable(path: str, patterns: tuple[str, ...]) -> bool:
    """Return whether a search with the globs `patterns` would find `path`."""
    parts = path.split("/")
    if any(part.startswith(".") for part in parts) or not SKIPPED_FOLDERS.isdisjoint(parts[:-1]):
        return False
    return matches(patterns, path)


def matches(patterns: tuple[str, ...], path: str) -> bool:
    """Return whether one of the globs `patterns` matches a relative `path`."""
    return any(_matcher(pattern).fullmatch(path) for pattern in patterns)


def fixed_part(pattern: str) -> str:
    """Return the folders of the glob `pattern` before its first wildcard.

    For example, `maps/caves` for `maps/caves/*/*.yaml`; "" without any.
    """
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


def _has_matches_in(patterns: tuple[str, ...], start: str, folder: str) -> bool:
    """Return whether a glob can match files in the subfolders of `folder`.

    Only those of the globs `patterns` count that start with the folders `start`, without a
    wildcard.
    """
    return any(
        "**" in pattern or pattern.count("/") > folder.count("/")
        for pattern in patterns
        if fixed_part(pattern) == start
    )


def _entries(root: Path, start: str, unreadable: list[str]) -> Iterator[tuple[str, bool]]:
    """Yield the files and folders below `start`, and whether each is a file.

    `start` is a folder relative to `root`. Folders that cannot be read are added to `unreadable`.
    """
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
        except OSError as error:
            if isinstance(error, PermissionError):
                unreadable.append(folder)
            continue
        for entry in entries:
            path = f"{folder}/{entry.name}" if folder else entry.name
            try:
                if entry.is_dir():
                    if not entry.name.startswith(".") and entry.name not in SKIPPED_FOLDERS:
                        pending.append(path)
                        yield path, False
                elif entry.is_file() and not entry.name.startswith("."):
                    yield path, True
            except OSError:
                continue
