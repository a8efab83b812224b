"""List the game's own assets that a Unity level uses: tiles and prefabs.

A team makes these assets itself. Unity's importer in the package finds them by path; this module
neither reads nor writes them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated

from exporter.model.lazy_dataclass import dataclass
from exporter.model.parameters import Matches

AssetPath = Annotated[
    str,
    Matches(
        r"(?:Assets|Packages)(?:/(?!\.\.?(?:/|$))[^/\\:*?\"<>|\x00-\x1f]+)+",
        "a path below Assets/ or Packages/, without '..'",
    ),
]


@dataclass(frozen=True, slots=True)
class GameAssets:
    """The tile assets and prefabs of the game that a level uses.

    Attributes:
        tiles: Paths of tile assets by tile name; if there are several, the cell's position chooses.
        prefabs: Paths of prefabs by the objects' scene names.
    """

    tiles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    prefabs: Mapping[str, str] = field(default_factory=dict)


def paths_of(given: str | tuple[str, ...] | None) -> tuple[str, ...]:
    """Return the asset paths that a spec gives for a tile, as a tuple.

    `given` is one path or several; the result is empty for None.
    """
    return (given,) if isinstance(given, str) else tuple(given or ())
