"""Format values as YAML or JSON in the style of their neighbours."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from exporter.model.lazy_dataclass import dataclass
from exporter.model.texts import MISREAD
from exporter.reading.yaml_scalars import plain_scalar

# Longest line that is chosen where a mapping may be on one line or on several.
MAXIMUM_LINE = 92
# Text that no reader of YAML takes for anything else, within brackets too.
_PLAIN = re.compile(r"[^\W\d][\w ./+*()<>=%@!?&|~^$;'\"-]*|[./][\w./-]*")
# Text that only begins like a number: `20 kB`, `3rd`.
_COUNTED = re.compile(r"[0-9]+ ?[g-wyzG-SU-WYg-nq-s][\w ]*")
_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class TextStyle:
    """How a YAML or JSON text is written: quotes, indentation and separators.

    Attributes:
        json: Whether the text is JSON.
        quote: The quotes of texts that need quotes: `'` or `"`.
        key_quote: The quotes of keys; may be empty.
        step: The indentation of a mapping's entries, in spaces.
        hyphen_step: The indentation of a list's hyphens below their key, in spaces.
        line_end: The line ending.
        colon: The text between a key and its value.
        comma: The text between two entries on a line.
    """

    json: bool = False
    quote: str = '"'
    key_quote: str = ""
    step: int = 2
    hyphen_step: int = 2
    line_end: str = "\n"
    colon: str = ": "
    comma: str = ", "


def scalar_text(value: Any, style: TextStyle, quote: str = "") -> str:
    """Format `value`: a text, number, boolean or None.

    If `quote` is given, a text gets these quotes even if it needs none.
    """
    if isinstance(value, float):
        return _number_text(value)
    if not isinstance(value, str):
        return json.dumps(value)
    if style.json:
        return _double_quoted(value)
    if not quote and is_plain(value):
        return value
    if (quote or style.quote) == "'" and value.isprintable():
        return "'" + value.replace("'", "''") + "'"
    return _double_quoted(value)


def is_plain(text: str) -> bool:
    """Return whether `text` needs no quotes: YAML readers take it for a text."""
    if not (_PLAIN.fullmatch(text) or _COUNTED.fullmatch(text)):
        return False
    lower = text.lower()
    return (
        plain_scalar(text) == (text, "")
        and lower not in MISREAD
        and text.strip() == text
        and text.isprintable()
    )


def key_text(key: str, style: TextStyle) -> str:
    """Format `key` as a key, in quotes if the style or the key needs them."""
    if style.json:
        return _double_quoted(key)
    plain = is_plain(key) or key in ("x", "y", "n")
    return key if plain and not style.key_quote else scalar_text(key, style, style.key_quote or '"')


def one_line(value: Any, style: TextStyle) -> str:
    """Format `value` on one line, with lists and mappings in brackets."""
    if isinstance(value, list):
        return f"[{style.comma.join(one_line(item, style) for item in value)}]"
    if isinstance(value, dict):
        entries = (entry_line(key, item, style) for key, item in value.items())
        return f"{{{style.comma.join(entries)}}}"
    return scalar_text(value, style)


def entry_line(key: str, value: Any, style: TextStyle) -> str:
    """Format `key` and its `value` on one line."""
    return f"{key_text(key, style)}{style.colon}{one_line(value, style)}"


@dataclass(frozen=True, slots=True)
class Spread:
    """How a list or mapping in brackets is spread over lines.

    Attributes:
        indent: The indentation of the line on which it starts.
        step: The indentation of the content, in spaces.
        lists: Whether lists of plain values are spread, too.
    """

    indent: str
    step: int
    lists: bool


def spread_text(value: Any, spread: Spread, style: TextStyle) -> str:
    """Format `value` in brackets over several lines in the way of `spread`.

    The first line is not indented.
    """
    plain_list = isinstance(value, list) and is_flat(value) and not spread.lists
    if not isinstance(value, list | dict) or not value or plain_list:
        return one_line(value, style)
    inner = replace(spread, indent=spread.indent + " " * spread.step)
    if isinstance(value, dict):
        opening, closing = "{}"
        entries = [
            f"{key_text(key, style)}{style.colon}{spread_text(item, inner, style)}"
            for key, item in value.items()
        ]
    else:
        opening, closing = "[]"
        entries = [spread_text(item, inner, style) for item in value]
    start = style.line_end + inner.indent
    return f"{opening}{start}{f',{start}'.join(entries)}{style.line_end}{spread.indent}{closing}"


def is_flat(value: Any) -> bool:
    """Return whether `value` has no mappings inside and no lists of lists."""
    inside = value.values() if isinstance(value, dict) else value
    return all(
        not (isinstance(item, dict) and item)
        and (not isinstance(item, list) or not any(isinstance(x, list | dict) for x in item))
        for item in inside
    )


def fits_one_line(value: Any, column: int, style: TextStyle) -> bool:
    """Return whether `value` fits on one line that starts at `column`."""
    if not isinstance(value, list | dict) or not value:
        return True
    return is_flat(value) and column + len(one_line(value, style)) <= MAXIMUM_LINE


def block_text(value: Any, column: int, style: TextStyle) -> str:
    """Format a nonempty list or mapping with one entry on each line.

    The lines start at `column`; the first one is not indented.
    """
    return f"{style.line_end}{' ' * column}".join(_block_entries(value, column, style))


def _block_entries(value: Any, column: int, style: TextStyle) -> Iterator[str]:
    if isinstance(value, list):
        for entry in value:
            yield item_text(entry, column, style)
        return
    for key, item in value.items():
        yield keyed_text(key, item, column, style)


def keyed_text(key: str, value: Any, column: int, style: TextStyle, *, block: bool = False) -> str:
    """Format `key` and `value` as an entry of a block-style mapping.

    The entry starts at `column`. With `block` a list or mapping always has one entry per line.
    """
    word = key_text(key, style)
    lines = isinstance(value, list | dict) and value
    if not lines or (not block and fits_one_line(value, column + len(word) + 2, style)):
        return f"{word}{style.colon}{one_line(value, style)}"
    inner = column + (style.hyphen_step if isinstance(value, list) else style.step)
    return f"{word}:{style.line_end}{' ' * inner}{block_text(value, inner, style)}"


def item_text(value: Any, column: int, style: TextStyle, *, block: bool = False) -> str:
    """Format `value` as an entry of a block-style list.

    The entry starts at `column`. With `block` a list or mapping always has one entry per line.
    """
    lines = isinstance(value, list | dict) and value
    if not lines or (not block and fits_one_line(value, column + 2, style)):
        return f"- {one_line(value, style)}"
    return f"- {block_text(value, column + 2, style)}"


def _number_text(value: float) -> str:
    """Format `value` so that every YAML reader takes it for a number."""
    text = json.dumps(value)
    mantissa, exponent, power = text.partition("e")
    # Without a point it is text to YAML 1.1.
    return f"{mantissa}.0e{power}" if exponent and "." not in mantissa else text


def _double_quoted(text: str) -> str:
    return _ESCAPED.sub(
        lambda result: f"\\u{ord(result[0]):04x}", json.dumps(text, ensure_ascii=False)
    )
