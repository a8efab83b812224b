"""Format a line of a file, cut to a width, with a caret under the fault.

A terminal counts columns, not characters: East Asian letters and emoji take two, combining marks
and joiners none (Unicode Standard Annex 11), and a tab reaches to the next multiple of eight.
"""

from __future__ import annotations

import re
import unicodedata

# Control characters, also for the direction of writing: terminals act upon these, and
# a stranger's file or its name may contain them.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_TAB = 8
# The line number and a bar precede it.
_MARGIN = 8
_ELLIPSIS = "..."
_AS_EMOJI = "\ufe0f"


def for_terminals(text: str) -> str:
    """Replace control characters of `text`, which terminals obey, by U+FFFD."""
    return _CONTROL.sub("\ufffd", text)


def character_width(character: str) -> int:
    """Return how many terminal columns `character` takes: 0, 1 or 2.

    Control characters are shown as U+FFFD, so they take its width.
    """
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def widths(text: str) -> list[int]:
    """Return how many terminal columns each character of `text` takes.

    A narrow character that U+FE0F turns into an emoji takes two columns: one is counted for the
    character, one for U+FE0F.
    """
    result: list[int] = []
    columns = 0
    for character in text:
        if character == "\t":
            width = _TAB - columns % _TAB
        elif character == _AS_EMOJI and result and result[-1] == 1:
            width = 1
        else:
            width = character_width(character)
        result.append(width)
        columns += width
    return result


def display_width(text: str) -> int:
    """Return how many columns `text` takes at the start of a terminal line."""
    return sum(widths(text))


def cut(text: str, width: int) -> str:
    """Shorten `text` to at most `width` terminal columns; dots show the cut."""
    if display_width(text) <= width:
        return text
    return _beginning(text, max(0, width - len(_ELLIPSIS))) + _ELLIPSIS[: max(0, width)]


def excerpt(source: str, column: int, length: int, line: int, width: int) -> str:
    """Format a numbered line of a file, and below it a caret under the fault.

    Args:
        source: The text of the line.
        column: The column of the fault, from 0.
        length: The number of characters to underline.
        line: The number of the line.
        width: The available terminal columns; a longer line is cut around the fault.

    Returns:
        Two lines; "" if there is nothing to show.
    """
    first, last = _window(source, column, max(1, width - _MARGIN))
    displayed = source[first:last]
    if not displayed.strip():
        return ""
    left = _ELLIPSIS if first else ""
    right = _ELLIPSIS if last < len(source) else ""
    before = left + source[first:column]
    # A caret line keeps the tabs of the source, so that it lines up in any terminal.
    spaces = zip(before, widths(before), strict=True)
    lead = "".join("\t" if c == "\t" else " " * width for c, width in spaces)
    underlined = source[column : min(column + length, last)]
    caret = "^" * max(1, display_width(underlined.replace("\t", " ")))
    return f"{line:>5} | {left}{for_terminals(displayed)}{right}\n{' ' * 5} | {lead}{caret}"


def _window(source: str, column: int, width: int) -> tuple[int, int]:
    """Return where the part of `source` to show starts and ends.

    It contains offset `column` and takes at most `width` terminal columns.
    """
    # A stranger's line may be a million characters long: no more is measured than can be shown.
    if len(source) <= 4 * width and display_width(source) <= width:
        return 0, len(source)
    column = min(column, len(source))
    room = max(1, width - 2 * len(_ELLIPSIS))
    first, used = column, 0
    while first > 0 and used + _columns(source[first - 1]) <= room // 2:
        first -= 1
        used += _columns(source[first])
    last = column
    while last < len(source) and used + _columns(source[last]) <= room:
        used += _columns(source[last])
        last += 1
    while first > 0 and used + _columns(source[first - 1]) <= room and last == len(source):
        first -= 1
        used += _columns(source[first])
    return first, last


def _columns(character: str) -> int:
    return _TAB if character == "\t" else character_width(character)


def _beginning(text: str, width: int) -> str:
    used = 0
    for index, character in enumerate(text):
        used += _columns(character)
        if used > width:
            return text[:index]
    return text
