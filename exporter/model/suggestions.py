"""Suggest known names in place of an unknown name or key.

A known name is suggested for a misspelling, a part of it, or a synonym (`also` of a generator or of
a parameter's `About`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches

# So many are suggested at once.
_MOST = 3


def suggestions(
    name: str, known: Sequence[str], words: Mapping[str, Sequence[str]] | None = None
) -> list[str]:
    """Return up to three `known` names that resemble `name`, the best first.

    `words` has the synonyms of known names; a name whose synonym resembles `name` counts, too.
    """
    plain = {_plain(item): item for item in known}
    expected = _plain(name)
    if expected in plain:  # written with hyphens, blanks or capitals
        return [plain[expected]]
    meant = [item for item in known if expected in map(_plain, (words or {}).get(item, ()))]
    if meant:
        return meant[:_MOST]
    parts = set(expected.split("_"))
    longer = [plain[item] for item in plain if parts.issubset(item.split("_"))]
    if 0 < len(longer) <= _MOST:  # `room_max` for `max_room_size`
        return longer
    close = get_close_matches(expected, plain, n=1, cutoff=0.6)
    if close:
        return [plain[close[0]]]
    called = {_plain(word): item for item in known for word in (words or {}).get(item, ())}
    close = get_close_matches(expected, called, n=1, cutoff=0.8)
    return [called[close[0]]] if close else []


def did_you_mean(names: Sequence[str]) -> str:
    """Format `names` as a question: `did you mean 'a' or 'b'?`."""
    quoted = [repr(name) for name in names]
    listed = quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"
    return f"did you mean {listed}?"


def unknown_name(
    what: str, name: str, known: Sequence[str], words: Mapping[str, Sequence[str]] | None = None
) -> str:
    """Return the message that `name` is unknown, with similar or all names.

    `known` are the allowed names and `words` their synonyms; `what` is the noun for such a name, as
    in `generator`.
    """
    if not known:
        return f"unknown {what} {name!r} (no {what} is defined)"
    meant = suggestions(name, known, words)
    hint = did_you_mean(meant) if meant else f"known: {', '.join(known)}"
    return f"unknown {what} {name!r} ({hint})"


def _plain(name: str) -> str:
    return name.casefold().replace("-", "_").replace(" ", "_")
