"""Former names and values of parameters: declared beside `About`, where the parameter is.

    max_room_size: Annotated[
        tuple[int, int],
        About("Largest room, inclusive.", "cells"),
        Formerly("room_max", exclusive_above="min_room_size", default=(15, 15)),
    ] = (14, 14)

A spec with a former name is an error that names the present one, and `exporter migrate` rewrites
it. Nothing else reads these declarations: a former name is never accepted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Formerly:
    """What a parameter was called before.

    A former name may be the present name of another parameter (`layer` became `of`, and `of`
    became `tile`): then it is taken for the former one only where that other parameter is given
    by its own former name.

    Attributes:
        name: The former name.
        exclusive_above: For a maximum that was exclusive: the present name of its minimum. The
            maximum is rewritten as one less, except where it equals the minimum. A list is
            compared item by item.
        default: For such a maximum: its former default. Where a spec gives only the minimum,
            and the present default would mean something else, the maximum is added.
    """

    name: str
    exclusive_above: str = ""
    default: Any = None


@dataclass(frozen=True, slots=True)
class FormerValue:
    """A value that a parameter no longer takes.

    Attributes:
        value: The former value, a plain scalar.
        now: What has the same meaning, a plain scalar.
        reason: Why it is not taken any more, in a few words.
    """

    value: Any
    now: Any
    reason: str


def inclusive_maximum(former: Any, minimum: Any) -> Any:
    """Return a former exclusive maximum as an inclusive one: less one, but not below the minimum.

    Args:
        former: A whole number, or a list of them.
        minimum: The same, of the limit on the other side.

    Returns:
        The inclusive maximum. What is no whole number is returned as it is, as are limits that
        contradict each other.
    """
    if isinstance(former, list | tuple) and isinstance(minimum, list | tuple):
        pairs = zip(former, minimum, strict=False)
        changed = [inclusive_maximum(high, low) for high, low in pairs]
        return changed + list(former[len(changed) :])
    whole = all(isinstance(one, int) and not isinstance(one, bool) for one in (former, minimum))
    return former - 1 if whole and former > minimum else former
