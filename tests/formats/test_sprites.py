"""Objects in the preview: the sprite for each name, and whole pictures."""

from __future__ import annotations

import numpy as np

from cases import each_case
from exporter.formats.images import sprites
from exporter.formats.images.sprites import KINDS, SIZE, sprite

WORDS = [words[0] for words, _ in sprites._NAMED]


@each_case("name", [*WORDS, "relic"])
def test_every_picture_is_whole_and_has_a_clear_surrounding(name: str) -> None:
    picture = sprite(name, 0)
    assert picture.shape == (SIZE, SIZE, 4)
    assert (picture[0, 0, 3], picture[0, -1, 3]) == (0, 0)
    assert (picture[..., 3] == 255).sum() > 30


def test_every_named_thing_looks_different() -> None:
    arts = {art for _, art in sprites._NAMED}
    assert len({sprite(name, 0).tobytes() for name in WORDS}) == len(arts)


@each_case(
    ("name", "like"),
    [
        ("Treasure_Chest", "chest"),
        ("stairs_down_2", "stairs_down"),
        ("exit", "stairs_down"),
        ("bat", "monster"),
        ("spawn point", "hero"),
    ],
)
def test_words_in_a_name_choose_the_picture(name: str, like: str) -> None:
    assert np.array_equal(sprite(name, 3), sprite(like, 0))


def test_short_words_must_stand_alone() -> None:
    assert not np.array_equal(sprite("battle_axe", 0), sprite("bat", 0))


def test_unknown_things_have_a_colour_a_kind() -> None:
    looks = {sprite("relic", kind).tobytes() for kind in range(len(KINDS))}
    assert len(looks) == len(KINDS)
    assert np.array_equal(sprite("relic", 0), sprite("other", len(KINDS)))
