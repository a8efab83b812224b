"""Split the text of malformed YAML into lines, without a parser.

A parser notices a mistake only where no valid text can follow, such as at the end of the file for a
bracket that is never closed. Here the text is scanned once more for quotes and brackets, to find
where the mistake began.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from exporter.model.lazy_dataclass import dataclass

_ESCAPED = frozenset('0abt\tnvfre "/\\N_LPxuU\n\r')
# No document is nested deeper; a stranger's line may be all dashes.
_MOST_DASHES = 32
_CLOSERS = {"[": "]", "{": "}"}
_KEY = re.compile(r"(?:[^\s#\[\]{},:'\"-]|-(?=\S))[^\s:,\[\]{}#]*\s*:(?:\s|$)")
_BLANKS = re.compile(r"[ \t]*")
_COLOR = re.compile(r"#[0-9a-fA-F]{3,8}\b")
_DIGITS = {"x": 2, "u": 4, "U": 8}
_BLOCK = re.compile(r"(?:^|[:-]\s+|^\s*)[|>][-+0-9]*\s*(?:#.*)?$")


@dataclass(frozen=True, slots=True)
class Slip:
    """A mistake in a text: its message, position (from 0) and length."""

    line: int
    column: int
    message: str
    length: int = 1


@dataclass(frozen=True, slots=True)
class Line:
    """A line that starts an entry instead of continuing an earlier one.

    Attributes:
        number: The number of the line, from 0.
        indent: The number of spaces before the text.
        text: The text of the line without indentation and comment.
    """

    number: int
    indent: int
    text: str


@dataclass(slots=True)
class _Open:
    """A quote or bracket that is not closed yet."""

    character: str
    line: int
    column: int
    indent: int


class LineScanner:
    """The lines, quotes and brackets of a text, found by one scan.

    Attributes:
        lines: The lines that start an entry, in order.
        slip: The first quote or bracket that is never closed; None if all are.
    """

    def __init__(self, text: str) -> None:
        self.lines: list[Line] = []
        self.slip: Slip | None = None
        self._brackets: list[_Open] = []
        self._quote: _Open | None = None
        # A colour without quotes: a comment to YAML, as are the brackets behind it.
        self._color: Slip | None = None
        self._block = -1  # the indentation above a text in block style, or -1
        for number, line in enumerate(text.split("\n")):
            self._line(number, line.rstrip("\r"))
            if self.slip is not None:
                return
        self._end()

    @property
    def ends_in_brackets(self) -> bool:
        """Whether a bracket is still open at the end of the text."""
        return bool(self._brackets)

    def _line(self, number: int, line: str) -> None:
        stripped = line.lstrip(" ")
        indent = len(line) - len(stripped)
        if self._block >= 0:
            if not stripped.strip() or indent > self._block:
                return
            self._block = -1
        waiting = self._quote or (self._brackets[0] if self._brackets else None)
        if waiting is not None:
            if indent <= waiting.indent and _KEY.match(stripped):
                # A new entry begins: all that was opened before must have ended.
                self._unclosed(self._quote or self._brackets[-1])
                return
        elif not stripped.strip() or stripped.startswith("#"):
            return
        first = waiting is None
        end = self._scan(number, line, indent)
        text = line[indent:end].rstrip()
        if first and text and self.slip is None:
            self.lines.append(Line(number, indent, text))
        if self._quote is None and not self._brackets and _BLOCK.search(line[:end]):
            self._block = indent

    def _scan(self, number: int, line: str, indent: int) -> int:
        """Scan `line`; return the column where its comment starts, or its length."""
        position = 0
        begins = True  # whether a value may begin here
        while position < len(line) and self.slip is None:
            character = line[position]
            if self._quote is not None:
                position = self._in_quote(number, line, position)
                begins = False
                continue
            if character in " \t":
                position += 1
                continue
            if character == "#" and (position == 0 or line[position - 1] in " \t"):
                color = _COLOR.match(line, position)
                if color is not None and self._brackets:
                    message = f"a # begins a comment (write '{color[0]}' in quotes for a colour)"
                    self._color = Slip(number, position, message, len(color[0]))
                return position
            if character in "'\"" and begins:
                self._quote = _Open(character, number, position, indent)
            elif character in "[{" and (begins or self._brackets):
                self._brackets.append(_Open(character, number, position, indent))
                begins = True
                position += 1
                continue
            elif character in "]}" and self._brackets:
                self._close(number, position, character)
            after = line[position + 1 : position + 2]
            begins = (character == "," and bool(self._brackets)) or (
                character in ":-?" and after in ("", " ", "\t") and (character == ":" or begins)
            )
            position += 1
        return len(line)

    def _in_quote(self, number: int, line: str, column: int) -> int:
        """Read a character or escape inside a quoted text.

        Return the next column to read.
        """
        assert self._quote is not None
        character = line[column]
        if character == "\\" and self._quote.character == '"':
            self._escape(number, line, column)
            return column + 2
        if character != self._quote.character:
            return column + 1
        if character == "'" and line[column + 1 : column + 2] == "'":
            return column + 2
        opened, self._quote = self._quote, None
        behind = _BLANKS.match(line, column + 1).end()  # type: ignore[union-attr]
        comment = line[behind : behind + 1] == "#" and behind > column + 1
        if behind < len(line) and line[behind] not in ",]}:" and not comment:
            self._after_quote(opened, number, behind, len(line.rstrip()) - behind)
        return column + 1

    def _escape(self, number: int, line: str, column: int) -> None:
        """Check the escape at the backslash in `column`; record any mistake."""
        letter = line[column + 1 : column + 2]
        count = _DIGITS.get(letter)
        if letter and letter not in _ESCAPED:
            self.slip = Slip(
                number,
                column,
                f"\\{letter} means nothing in double quotes (write \\\\ for a backslash, or use "
                "single quotes)",
                2,
            )
        elif count is not None:
            digits = line[column + 2 : column + 2 + count]
            if not re.fullmatch(rf"[0-9a-fA-F]{{{count}}}", digits):
                message = f"\\{letter} needs {count} hexadecimal digits"
                self.slip = Slip(number, column, message, 2 + len(digits))
            elif 0xD800 <= int(digits, 16) < 0xE000 or int(digits, 16) > 0x10FFFF:
                message = f"\\{letter}{digits} is no character (write the character itself)"
                self.slip = Slip(number, column, message, 2 + count)

    def _after_quote(self, opened: _Open, number: int, column: int, length: int) -> None:
        if opened.line != number:
            self._unclosed(opened)
            return
        # An apostrophe ends a text in single quotes.
        fix = "remove it, or move it inside the quotes"
        if opened.character == "'":
            fix = "remove it, or put double quotes around a text with an apostrophe"
        message = f"there is more text after the closing quote ({fix})"
        self.slip = Slip(number, column, message, length)

    def _close(self, number: int, column: int, character: str) -> None:
        opened = self._brackets.pop()
        expected = _CLOSERS[opened.character]
        if character != expected:
            where = "" if opened.line == number else f" in line {number + 1}"
            self.slip = Slip(
                opened.line,
                opened.column,
                f"this {opened.character} is closed by {character}{where} (write {expected} there)",
            )

    def _end(self) -> None:
        opened = self._quote or (self._brackets[-1] if self._brackets else None)
        if opened is not None:
            self._unclosed(opened)

    def _unclosed(self, opened: _Open) -> None:
        if opened.character in "[{" and self._color is not None:
            self.slip = self._color
            return
        closer = _CLOSERS.get(opened.character, opened.character)
        what = "quote" if opened.character in "'\"" else "bracket"
        self.slip = Slip(
            opened.line, opened.column, f"this {what} is never closed ({closer} is missing)"
        )


def is_entry(text: str) -> bool:
    """Return whether `text`, a line without indentation, starts with a key."""
    if text[:1] in ("'", '"'):
        end = text.find(text[0], 1)
        return end > 0 and text[end + 1 :].lstrip()[:1] == ":"
    return _KEY.match(text) is not None or (": " in text) or text.endswith(":")


def without_dashes(line: Line) -> Iterator[Line]:
    """Yield `line`, then what follows each of its leading dashes, as a line."""
    yield line
    for _ in range(_MOST_DASHES):
        if not line.text.startswith("- ") or not line.text[2:].strip():
            return
        rest = line.text[1:].lstrip()
        line = Line(line.number, line.indent + len(line.text) - len(rest), rest)
        yield line
