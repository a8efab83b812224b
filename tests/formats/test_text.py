"""Levels drawn with letters: signs of tiles, letters of objects, the legend below."""

from __future__ import annotations

import numpy as np
import pytest

from exporter.formats.text import preview_text, tile_signs, write
from exporter.model.level import BLACK, CLEAR, Layer, Level, PlacedObject, Tile
from exporter.targets.tiled import Tiled
from exporter.visibility import compute_visibility

LAVA = Tile(0, "lava", True, False, CLEAR)
FLOOR = Tile(1, "floor", True, False, CLEAR)
WALL = Tile(2, "wall", False, True, BLACK)
WATER = Tile(3, "water", False, False, CLEAR)
CURTAIN = Tile(4, "curtain", True, True, CLEAR)
ROCK = Tile(5, "rock", False, True, BLACK)
TILES = (LAVA, FLOOR, WALL, WATER, CURTAIN, ROCK)
ROWS = ["222222", "211342", "250192", "222222"]


def a_level(objects: tuple[PlacedObject, ...] = (), sight: bool = False) -> Level:
    cells = np.array([[int(digit) for digit in row] for row in ROWS], np.uint8)
    layer = Layer("ground", "tiles", cells, "test", tiles=TILES)
    relief = Layer("relief", "heights", np.zeros((4, 6), np.uint16), "test")
    return Level(
        "probe",
        6,
        4,
        layers={"ground": layer, "relief": relief},
        visibility=compute_visibility(layer.opaque, 1) if sight else None,
        objects=objects,
    )


def drawn(level: Level, **options: object) -> list[str]:
    return preview_text(level, level.layers["ground"], **options).splitlines()  # type: ignore[arg-type]


def test_every_tile_has_a_sign_of_its_own_and_the_legend_names_it() -> None:
    assert drawn(a_level()) == [
        "######",
        "#..~+#",
        "#:,. #",
        "######",
        "",
        ", lava  . floor  # wall  ~ water  + curtain  : rock",
    ]


def test_the_format_has_one_sign_for_each_kind_of_tile() -> None:
    level = a_level()
    text = write(level, level.layers["ground"], Tiled(path="a"))
    assert text == b"######\n#..~+#\n##.. #\n######\n"


def test_floor_and_wall_keep_their_signs_wherever_they_stand_in_the_legend() -> None:
    signs = tile_signs(TILES)
    assert (signs[FLOOR.id], signs[WALL.id], signs[WATER.id]) == (".", "#", "~")
    assert len(set(signs.values())) == len(TILES)
    # Without a tile of that name the first of its kind has the sign.
    assert tile_signs([LAVA, ROCK]) == {0: ".", 5: "#"}


def test_more_tiles_than_signs_share_the_last() -> None:
    many = [Tile(number, f"tile{number}", True, False, CLEAR) for number in range(60)]
    signs = tile_signs(many)
    assert list(signs.values()).count("?") > 0
    reported = [sign for sign in signs.values() if sign != "?"]
    assert len(set(reported)) == len(reported) > 30
    assert not any(sign.isalpha() or sign in "@ " for sign in reported)


def test_objects_are_letters_with_their_number() -> None:
    objects = (
        PlacedObject(1, "key", 1, 1),
        PlacedObject(2, "chest", 2, 1),
        PlacedObject(3, "chest", 3, 2),
        PlacedObject(4, "ghost", 1, 1),
    )
    lines = drawn(a_level(objects))
    # The key was placed first, so it hides the ghost.
    assert lines[1:3] == ["#AB~+#", "#:,B #"]
    assert lines[-1] == "A key  B chest (2)  C ghost"


def test_a_view_shows_and_explains_only_what_is_inside() -> None:
    objects = (PlacedObject(1, "key", 1, 1), PlacedObject(2, "chest", 3, 2))
    assert drawn(a_level(objects), view=(2, 1, 2, 2)) == [
        ".~",
        ",B",
        "",
        ", lava  . floor  ~ water",
        "B chest",
    ]


def test_what_the_viewer_does_not_see_is_blank() -> None:
    objects = (PlacedObject(1, "key", 1, 1), PlacedObject(2, "chest", 4, 2))
    lines = drawn(a_level(objects, sight=True), at=(1, 1))
    assert lines[1].startswith("#@.")
    assert lines[1][3:] == "   "
    assert "B" not in "".join(lines[:4])
    assert lines[-1] == "@ the viewer at 1,1; cells it does not see are blank"


def test_a_long_legend_is_wrapped() -> None:
    tiles = tuple(Tile(number, f"a_long_name_{number}", True, False, CLEAR) for number in range(9))
    layer = Layer("ground", "tiles", np.arange(9, dtype=np.uint8)[None], "test", tiles=tiles)
    lines = preview_text(Level("long", 9, 1, layers={"ground": layer}), layer).splitlines()
    assert len(lines) == 5
    assert max(map(len, lines)) <= 78


def test_what_cannot_be_drawn_is_refused() -> None:
    level = a_level()
    with pytest.raises(ValueError, match="not a tile layer"):
        preview_text(level, level.layers["relief"])
    with pytest.raises(ValueError, match="no visibility"):
        drawn(level, at=(1, 1))
    with pytest.raises(ValueError, match="is outside"):
        drawn(a_level(sight=True), at=(6, 1))
    with pytest.raises(ValueError, match="view"):
        drawn(level, view=(3, 0, 4, 1))
