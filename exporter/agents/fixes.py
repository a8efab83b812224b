"""Extract the suggested fix from an error message of the exporter.

Messages are sentences for people, with the way out in brackets at the end. An agent pastes: so the
text is cut out of the sentence, or made of the nearest value that the sentence reports.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from decimal import Decimal

from exporter.model.lazy_dataclass import dataclass

Path = Sequence[str | int]


@dataclass(frozen=True, slots=True)
class Fix:
    """A suggested fix: the text to write, and where it goes.

    Attributes:
        problem: The message without its way out, if that is shown apart.
        text: The text to paste, or what to do; empty without either.
        at: The section for a `KEY: VALUE` that does not belong beside the faulty value; "" is the
            left margin, None beside it.
        pasted: Whether the text can be pasted.
    """

    problem: str
    text: str = ""
    at: str | None = None
    pasted: bool = False


_QUOTED = re.compile(
    r"^(?:write|add|as in|expected .* as in) `(?P<text>[^`]+)`"
    r"(?P<place> in the mission| at the left margin)?"
)
# What the way out looks like, and the text in it.
_ADVICE = (
    re.compile(r"did you mean '(?P<text>[^']+)'"),
    re.compile(r"^(?:write )?(?P<text>\S+) for \S+\s?%$"),
    re.compile(r"^(?:write )?(?P<text>'[^']+') in quotes\b"),
    re.compile(r"^write (?P<text>[^`].*)$", re.DOTALL),
    re.compile(r"^(?P<text>\[[^\]]*\]|true|false|-?\d+(?:\.\d+)?)$"),
    re.compile(r"^expected .* as in (?P<text>\[[^\]]*\])$"),
)
_PLACES = {" in the mission": "mission", " at the left margin": ""}
_LEAST = {"steps": "min_distance", "step": "min_distance", "rooms": "min_rooms",
          "room": "min_rooms", "doors": "min_doors", "door": "min_doors"}  # fmt: skip
# Demands that no level meets: what the nearest has is a limit that one meets.
_NEAREST: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], Path], str]], ...] = (
    (
        re.compile(r"\b(at least|at most)\b.* \(the nearest (?:enters|has) (?P<value>[\d.]+)"),
        lambda match, _: f"{{{_key(match)}: {_limit(match['value'], _key(match))}}}",
    ),
    (
        re.compile(r" is (?P<value>-?[\d.]+) \(required: "),
        lambda match, path: _limit(match["value"], str(path[-1]) if path else ""),
    ),
    (
        re.compile(r" (?P<measure>\S+) (?P<sign>[<>])=? \S+ fails \(\S+ is (?P<value>-?[\d.]+)\)"),
        lambda match, _: (
            f"{match['measure']} {match['sign']}= {_limit(match['value'], match['sign'])}"
        ),
    ),
    (
        re.compile(
            r"^[^:]+: only \d+ of \d+ could be placed: "
            r".*\(the farthest (?:\d+ are at least|(?:of .* )?is) "
            r"(?P<value>\d+) (?P<unit>\w+) away"
        ),
        lambda match, _: f"{_LEAST[match['unit']]}: {match['value']}",
    ),
    (
        re.compile(r"^[^:]+: only (?P<value>[1-9]\d*) of \d+ could be placed: "),
        lambda match, _: f"count: {match['value']}",
    ),
    (
        re.compile(r"^expected limits as in `[^`:]+: (?P<value>[^`]+)`"),
        lambda match, _: match["value"],
    ),
)


def find_fix(message: str, path: Path = ()) -> Fix:
    """Return the fix that an error message suggests, if there is one.

    Args:
        message: The message.
        path: The path of the faulty value in the spec.
    """
    for pattern, text_of in _NEAREST:
        match = pattern.search(message)
        if match is not None and (text := text_of(match, list(path))):
            return Fix(message, text, pasted=True)
    problem, advice = _split(message)
    if (match := _QUOTED.search(advice)) is not None:
        return Fix(problem, match["text"], _PLACES.get(match["place"] or "none"), pasted=True)
    for pattern in _ADVICE:
        if (match := pattern.search(advice)) is not None:
            return Fix(problem, match["text"], pasted=True)
    return Fix(problem, advice)


def _key(match: re.Match[str]) -> str:
    return match[1].replace(" ", "_")


def _limit(value: str, kind: str) -> str:
    """Return the limit that a reported value keeps, which is rounded."""
    direction = {"at_least": -1, ">": -1, "at_most": 1, "<": 1}.get(kind)
    if direction is None:
        return ""
    number = Decimal(value)
    exponent = number.as_tuple().exponent
    assert isinstance(exponent, int)
    return str(number + direction * Decimal(1).scaleb(exponent) if exponent < 0 else number)


def _split(message: str) -> tuple[str, str]:
    """Return a message without its last brackets, and their content."""
    if not message.endswith(")"):
        return message, ""
    depth = 0
    for position in range(len(message) - 1, 0, -1):
        depth += {")": 1, "(": -1}.get(message[position], 0)
        if depth == 0:
            before = message[:position].rstrip()
            return (before, message[position + 1 : -1]) if before else (message, "")
    return message, ""
