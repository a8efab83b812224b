"""What was probably meant by a name or key that does not exist.

A thing is found by its own name, spelled almost right or in part, and by the words people use for
it, which stand beside its declaration (`also` of a generator or of a parameter's `About`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches

# So many are suggested at once.
_MOST = 3


def suggestions(
    name: str, known: Sequence[str], words: Mapping[str, Sequence[str]] | None = None
) -> list[str]:
    """Return the known names that were probably meant, the best first; at most three.

    Args:
        name: What was written.
        known: The names there are.
        words: By known name, what people also call it.
    """
    plain = {_plain(one): one for one in known}
    wanted = _plain(name)
    if wanted in plain:  # written with hyphens, blanks or capitals
        return [plain[wanted]]
    meant = [one for one in known if wanted in map(_plain, (words or {}).get(one, ()))]
    if meant:
        return meant[:_MOST]
    parts = set(wanted.split("_"))
    longer = [plain[one] for one in plain if parts.issubset(one.split("_"))]
    if 0 < len(longer) <= _MOST:  # `room_max` for `max_room_size`
        return longer
    close = get_close_matches(wanted, plain, n=1, cutoff=0.6)
    if close:
        return [plain[close[0]]]
    called = {_plain(word): one for one in known for word in (words or {}).get(one, ())}
    close = get_close_matches(wanted, called, n=1, cutoff=0.8)
    return [called[close[0]]] if close else []


def did_you_mean(names: Sequence[str]) -> str:
    """Word the question: `did you mean 'a' or 'b'?`."""
    quoted = [repr(name) for name in names]
    listed = quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"
    return f"did you mean {listed}?"


def unknown_name(
    what: str, name: str, known: Sequence[str], words: Mapping[str, Sequence[str]] | None = None
) -> str:
    """Word an unknown name: what was probably meant, or all that is known."""
    if not known:
        return f"unknown {what} {name!r} (there is none)"
    meant = suggestions(name, known, words)
    hint = did_you_mean(meant) if meant else f"known: {', '.join(known)}"
    return f"unknown {what} {name!r} ({hint})"


def _plain(name: str) -> str:
    return name.casefold().replace("-", "_").replace(" ", "_")
