"""Explain malformed YAML: where the mistake began, and a fix.

A YAML parser reports what it expected ("did not find expected node content"), often far from the
mistake. So the reported position is only the start of a search for the mistake.
"""

from __future__ import annotations

import re
from operator import attrgetter

from exporter.model.lazy_dataclass import dataclass
from exporter.model.texts import count
from exporter.reading.yaml_lines import Line, LineScanner, Slip, is_entry, without_dashes

_SPACE_MISSING = re.compile(r"([A-Za-z_][\w-]*):(\S.*)")
_COLON_MISSING = re.compile(r"([A-Za-z_][\w-]*)(?:\s+(.+))?")
_NO_BEGINNING = "@`%"
_SECOND_COLON = "a second colon in one value"
# A value in brackets ends before these; any value ends before a comment.
_END_IN_BRACKETS = re.compile(r",(?=\s|$)|[\]}]|\s#")
_END = re.compile(r"\s#")
_ANYTHING = (
    "this cannot be read as YAML (look at the brackets, quotes, colons and indentation here)"
)


def slip_in(text: str, line: int, column: int) -> Slip:
    """Return the mistake in `text`, which a YAML parser refused.

    The parser stopped at `line` and `column`, both from 0.
    """
    lines = text.split("\n")
    tab = _tab(lines, line, column)
    outline = LineScanner(text)
    result = [slip for slip in (tab, outline.slip, _structure(outline.lines, line)) if slip]
    # Text behind the parser's complaint cannot be its cause.
    causes = [slip for slip in result if (slip.line, slip.column) <= (line, column)]
    if causes:
        return min(causes, key=lambda slip: (slip.line, slip.column))
    source = lines[line].rstrip("\r") if line < len(lines) else ""
    slip = _at(source, line, column, in_brackets=_in_brackets(lines, line, column))
    if slip is not None:
        return slip
    if result:
        return min(result, key=lambda slip: (slip.line, slip.column))
    if not source.strip():  # the end of the file: its last line is the one to check
        last = next((n for n in range(len(lines) - 1, -1, -1) if lines[n].strip()), 0)
        return Slip(last, len(lines[last]) - len(lines[last].lstrip()), _ANYTHING)
    return Slip(line, min(column, max(0, len(source) - 1)), _ANYTHING)


def _tab(lines: list[str], line: int, column: int) -> Slip | None:
    """Return the mistake that a tab indents the line, or None."""
    source = lines[line] if line < len(lines) else ""
    blank = source[: len(source) - len(source.lstrip(" \t"))]
    if "\t" in blank and column <= len(blank):
        return Slip(line, blank.index("\t"), "a tab cannot indent YAML (use spaces)")
    return None


@dataclass(slots=True)
class _Level:
    """A mapping or list that goes on: its indentation, kind and latest line.

    `dashes` is true for a list.
    """

    indent: int
    dashes: bool
    line: Line


def _structure(lines: list[Line], last: int) -> Slip | None:
    """Return the mistake in the first line that does not fit those above.

    Only lines up to the number `last` are looked at. Return None if all fit.
    """
    levels: list[_Level] = []
    previous: Line | None = None
    for whole in lines:
        if whole.number > last:
            return None
        for line in without_dashes(whole):
            slip = (
                _bare_entry(line, previous)
                or _fitting(line, previous, levels)
                or _form(line, previous)
            )
            if slip is not None:
                return slip
            previous = line
    return None


def _bare_entry(line: Line, previous: Line | None) -> Slip | None:
    """Return the mistake that keys follow a word alone on its line, or None.

    For example, `- chest` with `count: 3` on the next line.
    """
    if previous is None or line.number == previous.number or line.indent != previous.indent:
        return None
    bare = _COLON_MISSING.fullmatch(previous.text)
    if bare is None or bare[2] or not is_entry(line.text):
        return None
    word = previous.text
    message = (
        f"{word!r} is alone on its line, though keys follow it (write `name: {word}`, or `{word}:`)"
    )
    return Slip(previous.number, previous.indent, message, len(word))


def _fitting(line: Line, previous: Line | None, levels: list[_Level]) -> Slip | None:
    """Return what is wrong with the indentation of `line`, or None.

    `previous` is the line before. `levels` are the mappings and lists that go on; updated for the
    line.
    """
    dash = _is_dash(line)
    if previous is None:
        levels.append(_Level(line.indent, dash, line))
        return None
    if line.number == previous.number:  # the text behind a dash
        levels.append(_Level(line.indent, dash, line))
        return None
    if line.indent > levels[-1].indent:
        if _opens(previous):
            levels.append(_Level(line.indent, dash, line))
            return None
        if not (is_entry(line.text) or dash):
            return None  # goes on with the text above
        return _too_deep(line, previous, levels)
    closed = levels[-1]
    while levels and levels[-1].indent > line.indent:
        closed = levels.pop()
    if not levels or levels[-1].indent != line.indent:
        return _no_level(line, closed, levels)
    return _other_kind(line, levels, dash, previous)


def _other_kind(line: Line, levels: list[_Level], dash: bool, previous: Line) -> Slip | None:
    level = levels[-1]
    if dash == level.dashes:
        return None
    if dash:
        if _opens(previous) and previous.indent == line.indent:
            levels.append(_Level(line.indent, True, line))  # a list may stand under its key
            return None
        return Slip(
            line.number,
            line.indent,
            "a list entry cannot stand among keys (remove the dash, or indent the entry below "
            "the key it belongs to)",
        )
    if len(levels) > 1 and levels[-2].indent == line.indent:
        levels.pop()  # the list ends, its key's mapping goes on
        return None
    return Slip(
        line.number,
        line.indent,
        "this is among the entries of a list, which begin with a dash "
        f"(write `- {_short(line.text)}`)",
        max(1, len(line.text)),
    )


def _too_deep(line: Line, previous: Line, levels: list[_Level]) -> Slip:
    level = levels[-1]
    key = previous.text.partition(":")[0]
    return Slip(
        line.number,
        line.indent,
        f"this line is indented by {count(line.indent, 'space')}, but {key!r} above has its value "
        f"already (indent it by {level.indent} like line {level.line.number + 1})",
    )


def _no_level(line: Line, closed: _Level, levels: list[_Level]) -> Slip:
    fitting = [closed, *levels[-1:]]
    where = ", or by ".join(
        f"{item.indent} like line {item.line.number + 1}"
        for item in sorted(fitting, key=attrgetter("indent"))
    )
    return Slip(
        line.number,
        line.indent,
        f"this line is indented by {count(line.indent, 'space')}, and no line above is "
        f"(indent it by {where})",
    )


def _form(line: Line, previous: Line | None) -> Slip | None:
    """Return why `line` is not an entry of a mapping or list, or None."""
    text = line.text
    if _is_dash(line):
        return None
    if not is_entry(text):
        return _no_entry(line, previous)
    value = text.partition(":")[2]
    if text[0] in "'\"[{":
        return None
    value = value.strip()
    column = line.indent + text.index(":") + 1
    column += len(text[text.index(":") + 1 :]) - len(text[text.index(":") + 1 :].lstrip())
    if value.startswith("- "):
        message = (
            "a list with dashes cannot begin on the line of its key (begin a new line with the "
            "dash, or write the list in brackets)"
        )
        return Slip(line.number, column, message)
    if value[:1] in _NO_BEGINNING and value:
        return _no_beginning(line.number, column, value)
    if value[:1] not in ("'", '"', "[", "{", "|", ">", "#", "&", "*", "!", "") and ": " in value:
        message = f"{_SECOND_COLON} (if it belongs to the text, write {_quoted(value)})"
        return Slip(line.number, column, message, len(value))
    opener = value[:1]
    if opener in ("[", "{"):
        return _behind_brackets(line, column, value)
    return None


def _no_entry(line: Line, previous: Line | None) -> Slip | None:
    text = line.text
    glued = _SPACE_MISSING.fullmatch(text)
    if glued is not None:
        message = f"a space is missing after the colon (write `{glued[1]}: {_short(glued[2])}`)"
        return Slip(line.number, line.indent + len(glued[1]), message)
    if previous is not None and line.number == previous.number:
        return None  # a plain entry of a list
    bare = _COLON_MISSING.fullmatch(text)
    if bare is not None:
        rest = f" {_short(bare[2])}" if bare[2] else ""
        message = f"a colon is missing after {bare[1]!r} (write `{bare[1]}:{rest}`)"
        return Slip(line.number, line.indent, message, len(bare[1]))
    if text[0] in "]}":
        return Slip(line.number, line.indent, f"this {text[0]} closes nothing (remove it)")
    if text[0] in _NO_BEGINNING:
        return _no_beginning(line.number, line.indent, text)
    return None


def _behind_brackets(line: Line, column: int, value: str) -> Slip | None:
    """Return the mistake that text follows a closing bracket, or None."""
    depth, quote = 0, ""
    for index, character in enumerate(value):
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"" and value[index - 1] in " [{,:":
            quote = character
        elif character in "[{":
            depth += 1
        elif character in "]}":
            depth -= 1
            rest = value[index + 1 :].strip()
            if depth == 0 and rest and not rest.startswith("#"):
                position = column + index + 1 + value[index + 1 :].index(rest[0])
                what = (
                    f"this {rest[0]} closes nothing"
                    if rest[0] in "]}"
                    else ("there is more after the closing bracket")
                )
                return Slip(line.number, position, f"{what} (remove it)", len(rest))
    return None


def _in_brackets(lines: list[str], line: int, column: int) -> bool:
    before = "\n".join([*lines[:line], lines[line][:column] if line < len(lines) else ""])
    return LineScanner(before).ends_in_brackets


def _at(source: str, line: int, column: int, *, in_brackets: bool) -> Slip | None:
    """Return the mistake at the position where a parser stopped, or None.

    `source` is the text of the line, and `column` the position in it, from 0.
    """
    character = source[column : column + 1]
    if not source.strip():
        return None
    if character in _NO_BEGINNING and character:
        return _no_beginning(line, column, _value_at(source, column, in_brackets))
    before = source[:column].rstrip()
    if character == "," or (character in "]}" and before.endswith((",", ":"))):
        if before.endswith(("[", "{", ",", ":")):
            what = f"a value is missing before this {character}"
            comma = "this comma" if character == "," else "the comma before it"
            return Slip(line, column, f"{what} (write one, or remove {comma})")
        return None
    if character in "]}" and character:
        return Slip(line, column, f"this {character} closes nothing (remove it)")
    if character == ":":
        key = re.search(r"[\w-]+$", before)
        word = re.search(r":\s+([^\s,\[\]{}]+)$", before)
        if word is not None:
            value = _value_at(source, word.start(1), in_brackets)
            message = f"{_SECOND_COLON} (if it belongs to the text, write {_quoted(value)})"
            return Slip(line, word.start(1), message, len(value))
        if key is not None:
            message = f"a comma is missing before {key[0]!r} (entries in brackets need one between)"
            return Slip(line, key.start(), message, len(key[0]))
    if character and before.endswith(("]", "}", "'", '"')):
        message = "a comma is missing before this (entries in brackets need one between)"
        return Slip(line, column, message)
    if re.search(r"[|>]\S*$", before) or (character and character in "|>"):
        return Slip(line, column, "the text must begin in the line below | or > (indented)")
    return None


def _value_at(source: str, column: int, in_brackets: bool) -> str:
    """Return the value at `column` of the line `source`, up to its end."""
    end = (_END_IN_BRACKETS if in_brackets else _END).search(source, column)
    return source[column : len(source) if end is None else end.start()].rstrip("\r ,")


def _no_beginning(line: int, column: int, value: str) -> Slip:
    message = f"a value cannot begin with {value[0]} (write {_quoted(value)})"
    return Slip(line, column, message, len(value.rstrip()))


def _opens(line: Line) -> bool:
    """Return whether lines with deeper indentation may follow `line`."""
    return line.text.endswith(":") or line.text == "-" or line.text.startswith("? ")


def _is_dash(line: Line) -> bool:
    return line.text == "-" or line.text.startswith("- ")


def _quoted(value: str) -> str:
    text = value.strip()
    return "'" + _short(text.replace("'", "''")) + "'"


def _short(text: str) -> str:
    return text if len(text) <= 200 else f"{text[:197]}..."
