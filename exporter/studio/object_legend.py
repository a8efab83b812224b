"""List a level's objects with colours, placed numbers and requirements.

A name's colour follows from its position in the spec (`exporter.formats.images.sprites`), so it is
the same for every seed, even if other objects are not placed. The page also gives each position a
shape, for colour-blind people.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from exporter.formats.images.sprites import KINDS
from exporter.reading.value_text import TextStyle, one_line

if TYPE_CHECKING:
    from exporter.build.build import Build
    from exporter.model.level import PlacedObject
    from exporter.reading.level_spec import LevelSpec

# Keys of an entry of `objects:` that are no requirement on the cells of its objects.
_NO_DEMANDS = frozenset({"name", "count", "properties"})


def object_order(spec: LevelSpec, objects: Iterable[PlacedObject]) -> tuple[str, ...]:
    """Return the names of a level's objects in the order of their colours.

    Names of `spec` come first, even without placed objects. Names that only other `objects` of the
    level have follow; these may differ for another seed.
    """
    # Groups that come after all others have the last ids.
    listed = [item.name for item in sorted(spec.objects, key=lambda item: item.after_others)]
    return tuple(dict.fromkeys([*listed, *(item.name for item in objects)]))


def object_color(position: int) -> tuple[int, int, int]:
    """Return the colour of the name at the index `position` of `object_order`."""
    return KINDS[position % len(KINDS)][1]


def legend_of(build: Build, before: Iterable[str] = ()) -> list[dict[str, Any]]:
    """Return the legend of a level's objects as JSON data: `LegendEntryData`.

    Names in `before` get the first colours, so that they look as in another level shown beside.
    """
    order = dict.fromkeys([*before, *build_order(build)])
    standing = Counter(item.name for item in build.groups.all)
    counts = build.object_counts()
    groups = _groups(build)
    result = []
    for position, name in enumerate(order):
        red, green, blue = object_color(position)
        count = counts.get(name)
        result.append(
            {
                "name": name,
                "color": f"#{red:02x}{green:02x}{blue:02x}",
                "placed": standing[name],
                # Objects without a request were drawn or added by hand.
                "asked": count.requested if count is not None else 0,
                "groups": groups.get(name, []),
            }
        )
    return result


def build_order(build: Build) -> tuple[str, ...]:
    """Return a built level's object names in the order of their colours."""
    return object_order(build.spec, build.groups.all)


def _groups(build: Build) -> dict[str, list[dict[str, Any]]]:
    """Return the legend data of the entries of `objects:`, by object name."""
    placed = Counter(item.entry for item in build.groups.all)
    result: dict[str, list[dict[str, Any]]] = {}
    for index, item in enumerate(build.spec.objects):
        spawned = build.groups.spawned.get(index)
        requested = item.count if item.percent is None else placed[index]
        written = build.spec.document.get(("objects", index))
        result.setdefault(item.name, []).append(
            {
                "placed": placed[index],
                "asked": requested if spawned is None else spawned.requested,
                "demands": [
                    {"name": key, "text": one_line(value, TextStyle())}
                    for key, value in (written if isinstance(written, dict) else {}).items()
                    if key not in _NO_DEMANDS
                ],
            }
        )
    return result
