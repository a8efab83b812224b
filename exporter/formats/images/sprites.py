"""Draw small pictures of objects: chests, stairs, keys, monsters.

The words in an object's name choose its picture; an unknown object is a gem in a colour of its own.
`sprites.art` has the drawings, each below its name: letters are colours, points are clear, `'` is
shadow, and `1`, `2` and `3` are the dark, middle and light colour of a gem.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

SIZE = 16

_COLORS = {
    "#": (26, 19, 32, 255),
    "'": (16, 10, 26, 90),
    "a": (92, 52, 28, 255),
    "b": (140, 84, 40, 255),
    "c": (188, 124, 62, 255),
    "y": (240, 200, 84, 255),
    "Y": (255, 240, 170, 255),
    "o": (226, 138, 44, 255),
    "d": (62, 56, 74, 255),
    "g": (104, 98, 116, 255),
    "G": (156, 150, 168, 255),
    "W": (226, 222, 226, 255),
    "r": (168, 48, 52, 255),
    "R": (226, 92, 80, 255),
    "p": (240, 190, 150, 255),
    "n": (58, 104, 58, 255),
    "N": (104, 168, 84, 255),
    "u": (52, 84, 160, 255),
    "U": (96, 148, 220, 255),
}
# The colours of gems, a kind each: dark, middle, light.
KINDS = (
    ((150, 104, 24), (240, 200, 60), (255, 240, 170)),
    ((130, 38, 42), (230, 90, 70), (255, 180, 160)),
    ((30, 98, 140), (90, 200, 240), (210, 246, 255)),
    ((92, 46, 140), (190, 120, 240), (234, 204, 255)),
    ((44, 112, 48), (120, 220, 110), (214, 255, 200)),
    ((150, 74, 20), (250, 150, 60), (255, 216, 170)),
    ((140, 44, 96), (240, 130, 190), (255, 214, 236)),
    ((104, 104, 116), (235, 235, 235), (255, 255, 255)),
)
KIND_COLORS = ("yellow", "red", "blue", "violet", "green", "orange", "pink", "white")

_NAMED = (
    (("stairs_down", "stair_down", "downstairs", "descent", "trapdoor"), "stairs_down"),
    (("stairs_up", "stair_up", "upstairs", "ascent", "ladder"), "stairs_up"),
    (("stairs", "stair", "exit", "hatch"), "stairs_down"),
    (("chest", "treasure", "loot", "crate", "box", "barrel"), "chest"),
    (("key",), "key"),
    (("door", "gate", "portal", "entrance"), "door"),
    (("torch", "lamp", "light", "fire", "candle", "brazier"), "torch"),
    (("skull", "boss", "skeleton", "grave", "bones", "undead"), "skull"),
    (("hero", "player", "spawn", "start", "guard", "villager", "knight", "merchant"), "hero"),
    (("monster", "enemy", "goblin", "slime", "orc", "creature", "spider", "bat", "rat"), "monster"),
    (("coin", "gold", "money"), "coin"),
    (("potion", "flask", "elixir", "health", "mana"), "potion"),
    (("trap", "spike"), "trap"),
    (("statue", "altar", "pillar", "shrine", "column"), "statue"),
)


def sprite(name: str, kind: int, row: int = 0) -> NDArray[np.uint8]:
    """Draw the picture of an object: uint8 [SIZE, SIZE, 4].

    Args:
        name: The object's name; words in it choose the picture.
        kind: The index of the name among the names of the level's objects: the colour of a gem.
        row: The index of the object's kind among the kinds with the name: the colour of a monster.
    """
    word, art = _art_of(name)
    if not word:
        return _drawn(art, kind % len(KINDS))
    return _drawn(art, 0, row % (len(KINDS) + 1) if art == "monster" else 0)


def sprite_word(name: str, kind: int) -> str:
    """Return a word for what an object's picture shows, such as `chest`.

    `name` is the object's; `kind` is the index of the name among those of the level's objects,
    which chooses the colour of a gem.
    """
    return _art_of(name)[0] or f"{KIND_COLORS[kind % len(KINDS)]} gem"


def _art_of(name: str) -> tuple[str, str]:
    """Return what the picture of an object shows, and the picture's key.

    A word in `name` chooses both. Without such a word they are "" and `gem`.
    """
    lowered = name.lower()
    parts = re.split(r"[^a-z]+", lowered)
    for words, art in _NAMED:
        # A short word must stand alone: a battle is no bat.
        if any(word in (parts if len(word) <= 3 else lowered) for word in words):
            return words[0], art
    return "", "gem"


@cache
def _arts() -> dict[str, list[str]]:
    """Return the lines of each drawing in `sprites.art`, by its name."""
    text = Path(__file__).with_suffix(".art").read_text(encoding="utf-8")
    names_and_lines = map(str.split, text.split("\n\n"))
    return {name: lines for name, *lines in names_and_lines}


@cache
def _drawn(art: str, kind: int, row: int = 0) -> NDArray[np.uint8]:
    gem = {letter: (*color, 255) for letter, color in zip("123", KINDS[kind], strict=True)}
    colors = {".": (0, 0, 0, 0), **_COLORS, **gem}
    if row:
        dark, middle, _ = KINDS[row - 1]
        colors |= {"n": (*dark, 255), "N": (*middle, 255)}
    picture = np.array([[colors[letter] for letter in line] for line in _arts()[art]], np.uint8)
    picture.flags.writeable = False
    return picture
