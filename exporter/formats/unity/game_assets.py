"""Resolve a Unity project's assets: tile assets, and object prefabs.

They are the team's own: the importer of the package looks for them by path. Nothing here reads or
writes them.
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
    """The game's own assets in a level.

    Attributes:
        tiles: Paths of tile assets by tile name; of several, the cell's place chooses one.
        prefabs: Paths of prefabs by object name.
    """

    tiles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    prefabs: Mapping[str, str] = field(default_factory=dict)


def paths_of(given: str | tuple[str, ...] | None) -> tuple[str, ...]:
    """Return the paths that stand for a tile, as they may be written."""
    return (given,) if isinstance(given, str) else tuple(given or ())
