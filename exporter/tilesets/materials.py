"""Guess a tile's material from its name, or else from what it blocks.

A material says to which family a tile belongs (walls join walls and doors, water joins water and
bridges), which colour of the style it has, and how it is drawn.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from exporter.model.colors import rgba
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Tile
from exporter.tilesets import grounds, liquids, raised
from exporter.tilesets.brush import Brush
from exporter.tilesets.palette import Canvas, Rgb, color_of_name, rgb
from exporter.tilesets.styles import Style

Family = Literal[
    "ground", "wall", "tree", "low", "water", "deep", "lava", "pit", "door", "stairs", "bridge"
]
Shape = Callable[[Brush, tuple[int, ...], NDArray[np.int32]], Canvas]


@dataclass(frozen=True)
class Material:
    """How to draw tiles whose names have certain words.

    Attributes:
        family: The family; tiles of some families join each other (`JOINED`).
        color: The name of the colour in a style; if empty, the tile's name chooses an accent
            colour.
        surface: Draws the tile as ground to walk on.
        shape: Draws a tile whose pictures depend on its neighbours; None for other tiles.
        words: The words in a tile's name that select the material.
    """

    family: Family
    color: str
    surface: grounds.Surface = grounds.slabs
    shape: Shape | None = None
    words: tuple[str, ...] = ()


# The families next to which a tile of a family has no edge.
JOINED: dict[Family, frozenset[Family]] = {
    "wall": frozenset({"wall", "door"}),
    "tree": frozenset({"tree"}),
    "low": frozenset({"low"}),
    "water": frozenset({"water", "deep", "bridge"}),
    "deep": frozenset({"deep"}),
    "lava": frozenset({"lava", "bridge"}),
    "pit": frozenset({"pit", "bridge"}),
}
# The families that throw a shadow on the ground.
TALL: frozenset[Family] = frozenset({"wall", "door"})
WET: frozenset[Family] = frozenset({"water", "deep", "lava", "pit"})
# The families whose pictures depend on the frame of their animation.
MOVING: frozenset[Family] = WET - {"pit"}

# The first material with a word that occurs in the tile's name wins.
_NAMED = (
    Material("door", "wood", words=("door", "gate", "portal", "portcullis")),
    Material("stairs", "floor", words=("stair", "step", "ladder", "exit", "entrance")),
    Material("bridge", "wood", words=("bridge", "pier", "dock", "jetty")),
    Material("lava", "lava", shape=liquids.lava, words=("lava", "magma", "fire")),
    Material("lava", "acid", shape=liquids.lava, words=("acid", "poison", "slime", "goo", "ooze")),
    Material("water", "acid", shape=liquids.water, words=("swamp", "marsh", "bog")),
    Material("deep", "deep", shape=liquids.deep_water, words=("deep", "ocean", "sea", "abyssal")),
    Material(
        "water", "water", shape=liquids.river, words=("river", "stream", "brook", "creek", "rapids")
    ),
    Material("water", "water", shape=liquids.water, words=("water", "lake", "shallow")),
    Material("ground", "ice", grounds.ice, words=("ice", "frozen")),
    Material("ground", "snow", grounds.sand, words=("snow",)),
    Material("ground", "sand", grounds.sand, words=("sand", "beach", "desert", "dune")),
    Material(
        "tree",
        "tree",
        shape=raised.tree,
        words=("tree", "forest", "wood_", "woods", "bush", "hedge", "jungle"),
    ),
    Material(
        "ground",
        "grass",
        grounds.grass,
        words=("grass", "land", "meadow", "field", "plain", "garden", "lawn", "moss"),
    ),
    Material("pit", "pit", shape=liquids.pit, words=("pit", "void", "chasm", "abyss", "hole")),
    Material("ground", "wood", grounds.planks, words=("plank", "wood", "deck", "parquet")),
    Material(
        "ground",
        "dirt",
        grounds.sand,
        words=("dirt", "earth", "mud", "soil", "road", "path", "trail"),
    ),
    Material(
        "wall", "rock_face", shape=raised.mountain, words=("mountain", "peak", "summit", "volcano")
    ),
    Material(
        "wall",
        "rock_face",
        shape=raised.rock,
        words=("rock", "cliff", "solid", "boulder", "cave_wall", "stone_wall"),
    ),
    Material("wall", "face", shape=raised.wall, words=("wall", "brick", "building", "house")),
    Material("ground", "corridor", words=("corridor", "hall", "passage", "tunnel")),
    Material("ground", "cave", grounds.cobbles, words=("cave", "ground", "open", "gravel")),
    Material("ground", "floor", words=("floor", "room", "tile", "inside", "paving")),
    Material("ground", "", grounds.even, words=("shadow", "sunlight")),
)
_UNKNOWN_GROUND = Material("ground", "", grounds.slabs)
_UNKNOWN_TALL = Material("wall", "", shape=raised.rock)
_UNKNOWN_LOW = Material("low", "", shape=raised.low)


# Words that must stand alone in a name, like all words of three letters: a device is not made of
# ice, an ambush is not a bush, a mushroom not a room, a steppe not a step.
_ALONE = frozenset({"bush", "fire", "gate", "hall", "room", "step"})


def _mentions(word: str, name: str, parts: list[str]) -> bool:
    """Return whether `word` is in `name`, whose words are `parts`.

    A short or ambiguous word must be a whole word of the name, perhaps in plural.
    """
    if len(word) <= 3 or word in _ALONE:
        return word in parts or f"{word}s" in parts
    return word in name


def material_of(tile: Tile) -> Material:
    """Return the material of `tile`, by its name or else by what it blocks."""
    named = _named_material(tile.name.lower())
    if named is not None:
        return named
    if tile.walkable:
        return _UNKNOWN_GROUND
    return _UNKNOWN_TALL if tile.opaque else _UNKNOWN_LOW


@lru_cache(maxsize=1024)
def _named_material(name: str) -> Material | None:
    """Return the first material with a word that `name` has, or None."""
    parts = re.split(r"[^a-z]+", name)
    for material in _NAMED:
        if any(_mentions(word, name, parts) for word in material.words):
            return material
    return None


def color_of(tile: Tile, style: Style) -> Rgb:
    """Return the colour of `tile`: its own, or else that of its material.

    A tile has none of its own if it is clear or black.
    """
    red, green, blue, alpha = rgba(tile.color)
    if alpha and (red, green, blue) != (0, 0, 0):
        return np.array((red, green, blue), np.int32)
    named = material_of(tile).color
    return rgb(getattr(style, named) if named else color_of_name(tile.name, style.accents))
