"""How two texts of a spec differ, line by line."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import Literal, TypedDict

# Lines around each difference that are shown, too.
_CONTEXT = 2
MAXIMUM_LINES = 400


class DifferingLine(TypedDict):
    """A line that both texts have, or only mine or theirs."""

    side: Literal["both", "mine", "theirs"]
    text: str


def differing_lines(mine: bytes, theirs: bytes) -> list[DifferingLine]:
    """Return the lines in which two texts differ, with a few around them.

    Args:
        mine: The draft.
        theirs: The file.
    """
    ours = mine.decode("utf-8-sig", "replace").splitlines()
    other = theirs.decode("utf-8-sig", "replace").splitlines()
    found: list[DifferingLine] = []
    matcher = SequenceMatcher(None, other, ours, autojunk=len(ours) > 2000)
    for group in matcher.get_grouped_opcodes(_CONTEXT):
        for kind, a, b, c, d in group:
            if kind == "equal":
                found += [{"side": "both", "text": line} for line in other[a:b]]
            else:
                found += [{"side": "theirs", "text": line} for line in other[a:b]]
                found += [{"side": "mine", "text": line} for line in ours[c:d]]
    return found[:MAXIMUM_LINES]
