"""Convert names of objects in a map to names that levels allow.

Letters lose their accents, runs of other characters become `_`, and everything before the first
letter or digit is removed. If two texts would get one name, the later one gets a number.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from itertools import chain

from exporter.handmade.maps import HandArea, HandMap, HandObject
from exporter.model.errors import ParameterError
from exporter.model.parameters import NAME_PATTERN
from exporter.model.suggestions import unknown_name
from exporter.model.texts import flow_text, unused_name

# The property with the map's name of a renamed object.
ORIGINAL = "original_name"
# Characters of a name, with room for a number behind it.
_LENGTH = 56
# The name for a text without a usable letter or digit.
_NAMELESS = "object"
# Letters that are no other letter with an accent.
_LETTERS = str.maketrans(
    {"ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L"}
)
# So many changed names are shown in a warning.
_DISPLAYED = 8


def called(item: HandObject | HandArea) -> str:
    """Return the class of `item`, or its name if it has no class."""
    return item.kind or item.name


def legal_name(text: str) -> str:
    """Return `text` converted to a name that levels allow.

    Several texts may get the same name.
    """
    plain = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    letters = "".join(item for item in plain if not unicodedata.combining(item))
    return re.sub("[^A-Za-z0-9-]+", "_", letters).lstrip("_-")[:_LENGTH].rstrip("_") or _NAMELESS


def with_legal_names(drawn: HandMap, names: Mapping[str, str]) -> tuple[HandMap, dict[str, str]]:
    """Return a map whose objects and areas have names that levels allow.

    Args:
        drawn: The map as it was drawn.
        names: The parameter `names` of the spec: the level's names, by the map's names.

    Returns:
        The map, and the new names of renamed objects, by their names in the map.

    Raises:
        ParameterError: No object of the map has a name in `names`; the error has its path.
    """
    there = dict.fromkeys(name for item in drawn.objects if (name := called(item)))
    known = set(there).union(*((area.kind, area.name) for area in drawn.areas))
    for name in names:
        if name not in known:
            message = unknown_name("object or area", name, sorted(known - {""}))
            raise ParameterError(message, ("names", name))
    used = {name for name in chain(there, names.values()) if re.fullmatch(NAME_PATTERN, name)}
    next_numbers: dict[str, int] = {}
    changed = {
        name: unused_name(legal_name(name), used, next_numbers)
        for name in there
        if name not in names and not re.fullmatch(NAME_PATTERN, name)
    }
    if not names and not changed:
        return drawn, {}
    new_names = {**changed, **names}
    return (
        replace(
            drawn,
            objects=tuple(_rename(item, new_names, changed) for item in drawn.objects),
            areas=tuple(
                replace(
                    area, kind=names.get(area.kind, area.kind), name=names.get(area.name, area.name)
                )
                for area in drawn.areas
            ),
        ),
        changed,
    )


def _rename(item: HandObject, names: Mapping[str, str], changed: Mapping[str, str]) -> HandObject:
    """Return `item` with the name that `names` has for its old one.

    If the old name is in `changed`, it stays as a property.
    """
    name = called(item)
    if name not in names:
        return item
    if name in changed:
        item = replace(item, properties={ORIGINAL: name, **item.properties})
    return replace(item, kind=names[name]) if item.kind else replace(item, name=names[name])


def changed_names(changed: Mapping[str, str]) -> str:
    """Return a message about objects whose names were replaced.

    `changed` has the new names by the old ones.
    """
    displayed = dict(list(changed.items())[:_DISPLAYED])
    written = ", ".join(f"{flow_text(old)}: {flow_text(new)}" for old, new in displayed.items())
    more = f" and {len(changed) - _DISPLAYED} more" if len(changed) > _DISPLAYED else ""
    what = "a name that objects can have" if len(changed) == 1 else "names that objects can have"
    listed = ", ".join(repr(name) for name in displayed) + more
    return (
        f"{listed} became {what} (to choose others write `names: {{{written}}}`; the property "
        f"`{ORIGINAL}` keeps what the map says)"
    )
