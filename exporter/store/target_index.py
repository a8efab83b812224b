"""Read and write a target folder's index of files and hashes.

It is committed with the outputs: it shows a clone without a state folder which files may be
replaced. A line is the SHA-256 and the path, as `sha256sum` writes them, and the lines are sorted
as a whole: those of one level lie far apart, so that changes of two branches seldom touch
neighbouring lines. Malformed lines are skipped when it is read: after a merge with conflicts the
lines of both sides count, until the next export rewrites the index.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

INDEX = ".level-exporter-index"
MAXIMUM_BYTES = 64 << 20
_DIGEST = re.compile(r"[0-9a-f]{64}")
_LINE = re.compile(r"([0-9a-f]{64})  (\S.*)")
_PARTS_THAT_LEAD_OUT = frozenset(("", ".", ".."))
# What separates on Windows, what ends or hides text in a terminal, and what cannot be encoded.
_NEVER_IN_PATHS = re.compile(
    "[\\\\:\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


def read_index(data: bytes) -> dict[str, frozenset[str]]:
    """Return the contents that each path was listed with.

    Paths are relative to the index's folder. Lines that lead out of it are skipped.
    """
    result: dict[str, set[str]] = {}
    for line in data.decode("utf-8", "replace").split("\n"):
        match = _LINE.fullmatch(line.removesuffix("\r"))
        if match is not None and is_inside(match[2]):
            result.setdefault(match[2], set()).add(match[1])
    return {path: frozenset(digests) for path, digests in result.items()}


def index_text(lines: Mapping[str, Iterable[str]]) -> bytes:
    """Return the index that lists each path with its contents."""
    rows = [f"{digest}  {path}\n" for path, digests in lines.items() for digest in digests]
    return "".join(sorted(rows)).encode()


def index_row(path: str, digest: str) -> bytes:
    """Return the line of one path; lines are in the order of their bytes."""
    return f"{digest}  {path}\n".encode()


def is_inside(path: str) -> bool:
    """Return whether a relative path stays inside its folder."""
    if _NEVER_IN_PATHS.search(path):
        return False
    return not _PARTS_THAT_LEAD_OUT.intersection(path.split("/"))


def is_digest(text: object) -> bool:
    """Whether this is a SHA-256 as the index writes it."""
    return isinstance(text, str) and _DIGEST.fullmatch(text) is not None
