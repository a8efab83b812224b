"""Compare and merge the texts of a spec, line by line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher

from exporter.studio.common_events import DifferingLine

# Lines around each difference that are shown, too.
_CONTEXT = 2
MAXIMUM_LINES = 400
# If the differing middles of both texts have more lines together, they are not compared line by
# line: the work grows with their square, and faster with lines that repeat.
_MOST_COMPARED = 1500
# Lines that a text repeats more often are not matched one by one.
_MOST_REPEATED = 10


def differing_lines(mine: bytes, theirs: bytes) -> list[DifferingLine]:
    """Return the lines in which two texts of a spec differ.

    `mine` is the text of the draft, `theirs` that of the file. A few equal lines around each
    difference are included. The work is bounded: texts that are too long or too repetitive are
    shown as one difference.
    """
    ours = mine.decode("utf-8-sig", "replace").splitlines()
    other = theirs.decode("utf-8-sig", "replace").splitlines()
    before, after = _same_ends(ours, other)
    middle = slice(before, len(ours) - after), slice(before, len(other) - after)
    result = _both(ours[max(0, before - _CONTEXT) : before])
    result += _differences(ours[middle[0]], other[middle[1]])
    result += _both(ours[len(ours) - after :][:_CONTEXT])
    return result[:MAXIMUM_LINES] if mine != theirs else []


def _differences(ours: list[str], other: list[str]) -> list[DifferingLine]:
    """Return the lines in which two lists differ, with equal lines around."""
    if len(ours) + len(other) > _MOST_COMPARED:
        return _sides(ours, other)
    # Lines that repeat make the comparison slow: they are no anchors.
    times = Counter(ours)
    matcher = SequenceMatcher(
        lambda line: times[line] > _MOST_REPEATED, other, ours, autojunk=False
    )
    result: list[DifferingLine] = []
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind != "equal":
            result += _sides(ours[c:d], other[a:b])
        elif b - a <= 2 * _CONTEXT:
            result += _both(other[a:b])
        else:
            result += _both(other[a : a + _CONTEXT]) + _both(other[b - _CONTEXT : b])
    return result


def merged_text(base: bytes, mine: bytes, theirs: bytes) -> bytes | None:
    """Return `base` with the changes that `mine` and `theirs` make to it.

    `mine` is the text of the draft, `theirs` that of the file; both were made from `base`. Return
    None if the changes touch the same lines. Texts that are too long to compare are merged only if
    their changes are far apart.
    """
    changes = {*_changed_lines(base, mine), *_changed_lines(base, theirs)}
    lines = base.splitlines(keepends=True)
    result: list[bytes] = []
    position, end = 0, -1
    for first, after, instead in sorted(changes):
        if first <= end:
            return None
        result += [*lines[position:first], *instead]
        position = end = after
    return b"".join((*result, *lines[position:]))


def _changed_lines(base: bytes, other: bytes) -> list[tuple[int, int, tuple[bytes, ...]]]:
    """Return the ranges of lines of `base` that `other` replaces.

    Each range is its first line, the line after its last one, and the new lines.
    """
    old, new = base.splitlines(keepends=True), other.splitlines(keepends=True)
    before, after = _same_ends(old, new)
    old, new = old[before : len(old) - after], new[before : len(new) - after]
    if len(old) + len(new) > _MOST_COMPARED:
        return [(before, before + len(old), tuple(new))]
    times = Counter(new)
    matcher = SequenceMatcher(lambda line: times[line] > _MOST_REPEATED, old, new, autojunk=False)
    return [
        (before + a, before + b, tuple(new[c:d]))
        for kind, a, b, c, d in matcher.get_opcodes()
        if kind != "equal"
    ]


def _same_ends(ours: Sequence[object], other: Sequence[object]) -> tuple[int, int]:
    """Return how many items are equal at the beginning, and at the end."""
    shorter = min(len(ours), len(other))
    before = 0
    while before < shorter and ours[before] == other[before]:
        before += 1
    after = 0
    while after < shorter - before and ours[-1 - after] == other[-1 - after]:
        after += 1
    return before, after


def _both(lines: list[str]) -> list[DifferingLine]:
    return [{"side": "both", "text": line} for line in lines]


def _sides(ours: list[str], other: list[str]) -> list[DifferingLine]:
    """Return two lists of lines as one difference, each cut off if long."""
    half = MAXIMUM_LINES // 2
    result: list[DifferingLine] = [{"side": "theirs", "text": line} for line in other[:half]]
    result += [{"side": "mine", "text": line} for line in ours[:half]]
    return result
