"""Extract the suggested fix from an error message of the exporter.

Messages are sentences for people, with the fix in brackets at the end. Agents need a text to paste:
it is cut out of the brackets, or made from the nearest value in the message, but only if the spec
accepts it as it is. Any other hint stays in the message.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from decimal import Decimal

from exporter.model.lazy_dataclass import dataclass

Path = Sequence[str | int]


@dataclass(frozen=True, slots=True)
class Fix:
    """The fix that an error message suggests: a text, and where it goes.

    Attributes:
        problem: The message, without the suggestion if `text` has all of it.
        text: The text to paste over the faulty value or key; empty if there is no fix.
        at: The path of the section that gets `text` as a new entry `KEY: VALUE`; None if `text`
            replaces the faulty value.
    """

    problem: str
    text: str = ""
    at: Path | None = None


# A text in backticks, and where it goes. Only another suggestion may follow.
_QUOTED = re.compile(
    r"^(?:write|add|as in|expected .* as in) `(?P<text>[^`]+)`"
    r"(?P<place> in the mission| at the left margin)?(?=$|;|,? or\b)"
)
_PLACES: dict[str | None, Path] = {" in the mission": ("mission",), " at the left margin": ()}
# Words in capitals represent names that only the agent knows.
_PLACEHOLDER = re.compile(r"\b[A-Z]{2,}\b")
_ENTRY = re.compile(r"^(?P<key>\w+): ")
# Forms of suggestions, each with the text to paste.
_ADVICE = (
    re.compile(r"^(?:write )?(?P<text>\S+) for \S+\s?%$"),
    re.compile(r"^(?:write )?(?P<text>'[^']+') in quotes\b"),
    re.compile(r"^(?:write )?(?P<text>\[[^\]]*\]|true|false|-?\d+(?:\.\d+)?)$"),
    re.compile(r"^(?:expected .* )?as in (?P<text>\[.*\])$"),
)
_MEANT = re.compile(r"did you mean '(?P<text>[^']+)'")
_LEAST = {"steps": "min_distance", "step": "min_distance", "rooms": "min_rooms",
          "room": "min_rooms", "doors": "min_doors", "door": "min_doors"}  # fmt: skip
# Demands that no level meets: the values of the nearest level are limits that one meets. Only
# comparisons of one name with one number get a fix.
_FAILING = re.compile(r" (?:fails|holds) \(")
_COMPARISON = re.compile(
    r"(?<![\w.*/+-])(?<![*/+-] )(?P<measure>[A-Za-z_][\w.]*)(?P<sign> ?[<>]=? ?)(?P<limit>-?[\d.]+)"
    r" fails \((?P=measure) is (?P<value>-?[\d.]+)\)"
)
_NEAREST: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], Path], str]], ...] = (
    (
        re.compile(
            r"\b(at least|at most)\b.* \(the nearest (?:enters|has) (?P<value>\d[\d.]*)(?! )"
        ),
        lambda match, _: f"{{{_key(match)}: {_limit(match['value'], _key(match))}}}",
    ),
    (
        re.compile(
            r"(?P<value>-?\d[\d.]*)(?: dead ends| choke cells| steps away[^(]*)? \(required: "
        ),
        lambda match, path: _limit(match["value"], str(path[-1]) if path else ""),
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


def find_fix(message: str, path: Path = (), faulty: str = "") -> Fix:
    """Return the fix that an error message suggests, and the message's rest.

    Args:
        message: The error message.
        path: The keys that lead to the faulty value in the spec.
        faulty: The faulty value or key as written; empty if unknown.
    """
    if _FAILING.search(message):
        return Fix(message, _met_by_nearest(message, faulty))
    for pattern, text_of in _NEAREST:
        match = pattern.search(message)
        if match is not None and (text := text_of(match, list(path))):
            return _place_fix(message, text, path)
    problem, advice = _split(message)
    if (match := _MEANT.search(advice)) is not None:
        return Fix(problem, _replace_name(problem, faulty, match["text"]))
    if (match := _QUOTED.search(advice)) is not None:
        text, place = match["text"], _PLACES.get(match["place"])
        if place is not None:
            return Fix(problem, text, place)
        is_missing = problem.startswith(f"'{text.partition(':')[0]}' is missing")
        # A text that YAML cannot read has no path.
        if _PLACEHOLDER.search(text) or not (path or is_missing):
            return Fix(message)
        if text.replace(" ", "") == faulty.replace(" ", ""):
            return Fix(problem, text)
        return _place_fix(problem, text, path)
    for pattern in _ADVICE:
        if (match := pattern.search(advice)) is not None:
            return Fix(problem, match["text"])
    return Fix(message)


def quoted_name(message: str) -> str:
    """Return the name that a message calls unknown; "" for other messages."""
    match = re.match(r"unknown [\w ]+ '([^']+)'", message)
    return "" if match is None else match[1]


def nearest_seed(message: str) -> int | None:
    """Return the seed of the nearest level that `message` names, or None.

    `message` is that of a search without result.
    """
    match = re.search(r"\(the nearest has the seed (-?\d+)", message)
    return None if match is None else int(match[1])


def _place_fix(problem: str, text: str, path: Path) -> Fix:
    """Return a fix with `text`, which replaces the value or is a new entry.

    If `text` is an entry `KEY: VALUE`, the fix gets the path of the section that lacks it.
    """
    entry = _ENTRY.match(text)
    if entry is None:
        return Fix(problem, text)
    is_section = isinstance(path[-1], int) if path else True
    if problem.startswith(f"'{entry['key']}' is missing"):
        is_section = not path or path[-1] != entry["key"]
    return Fix(problem, text, path if is_section else path[:-1])


def _met_by_nearest(message: str, condition: str) -> str:
    """Return `condition`, relaxed so that the nearest level meets it.

    The nearest level's values are in `message`. Return "" if that is impossible.
    """
    matches = list(_COMPARISON.finditer(message))
    if len(matches) != len(_FAILING.findall(message)):
        return ""
    for match in matches:
        measure, sign = match["measure"], match["sign"]
        limit = _limit(match["value"], sign.strip()[0])
        # Not as a part of longer names and numbers.
        failing = rf"(?<![\w.]){re.escape(measure + sign + match['limit'])}(?![\w.])"
        if not limit or not re.search(failing, condition):
            return ""
        condition = re.sub(failing, f"{measure} {sign.strip()[0]}= {limit}", condition)
    return condition


def _replace_name(problem: str, faulty: str, meant: str) -> str:
    """Replace the name that `problem` calls unknown in `faulty` by `meant`.

    If there is no such name in `faulty`, return `meant` alone.
    """
    name = quoted_name(problem)
    # The name may be in quotes, with signs that no expression has.
    if not name or name not in faulty:
        return meant
    return re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", lambda _: meant, faulty)


def _key(match: re.Match[str]) -> str:
    return match[1].replace(" ", "_")


def _limit(value: str, kind: str) -> str:
    """Return a limit that `value` meets, although it was rounded for display.

    `kind` is the key or sign of the limit, such as `at_least` or `<`. Return "" for other kinds.
    """
    number = Decimal(value)
    exponent = number.as_tuple().exponent
    assert isinstance(exponent, int)
    if kind == "equals":
        return value if exponent >= 0 else ""
    is_least = kind in ("at_least", ">") or kind.startswith("min_")
    if not is_least and kind not in ("at_most", "<") and not kind.startswith("max_"):
        return ""
    step = Decimal(1).scaleb(exponent) if exponent < 0 else 0
    return str(number - step if is_least else number + step)


def _split(message: str) -> tuple[str, str]:
    """Split `message` into its text and the text of the brackets at its end."""
    if not message.endswith(")"):
        return message, ""
    depth = 0
    for position in range(len(message) - 1, 0, -1):
        depth += {")": 1, "(": -1}.get(message[position], 0)
        if depth == 0:
            before = message[:position].rstrip()
            return (before, message[position + 1 : -1]) if before else (message, "")
    return message, ""
