"""The drawn tileset: stable numbers, pictures by neighbours and by place, in every style."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import each_case
from exporter.grids.neighbourhoods import BLOB_MASKS, EDGE_MASKS, classes, neighbour_masks
from exporter.model.errors import ParameterError, RegistryError
from exporter.model.level import BLACK, CLEAR, Layer, Level, Tile
from exporter.model.tileset import TilesetOptions, TilesetSource
from exporter.tilesets import Tileset, level_tileset
from exporter.tilesets.drawn import COLUMNS
from exporter.tilesets.materials import material_of
from exporter.tilesets.styles import DEFAULT, STYLES, Style
from exporter.tilesets.surroundings import grounds_around
from exporter.tilesets.tile_choice import PictureChoice, cell_hash

FLOOR = Tile(0, "floor", True, False, CLEAR)
WALL = Tile(1, "wall", False, True, BLACK)
WATER = Tile(2, "water", False, False, "#3366cc")
DOOR = Tile(3, "door", True, True, CLEAR)
CELLS = np.array([[0, 1, 1, 0], [1, 1, 0, 0], [0, 0, 0, 1]], np.uint8)


def layer(name: str, *tiles: Tile, cells: np.ndarray = CELLS, role: str = "play") -> Layer:
    return Layer(name, "tiles", cells, "test", tiles=tiles, role=role)  # type: ignore[arg-type]


def level(*layers: Layer, **options: object) -> Level:
    height, width = layers[0].cells.shape
    source = TilesetSource(TilesetOptions(**options)) if options else None  # type: ignore[arg-type]
    return Level(
        "crypt", width, height, layers={item.name: item for item in layers}, tileset=source
    )


def numbers(*tiles: Tile, cells: np.ndarray) -> tuple[Tileset, np.ndarray]:
    """Return the tileset of a map, and its numbers."""
    result = level(layer("ground", *tiles, cells=cells))
    tileset = level_tileset(result)
    return tileset, tileset.numbers(result.layers["ground"])


def cells_of(*rows: str) -> np.ndarray:
    """Read a map: . floor, # wall, ~ water, + door."""
    return np.array([[".#~+".index(letter) for letter in row] for row in rows], np.uint8)


def noise(height: int, width: int, seed: int, kinds: int = 4) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, kinds, (height, width)).astype(np.uint8)


def test_the_first_row_of_a_sheet_has_every_tile_by_its_id() -> None:
    tileset = level_tileset(level(layer("ground", FLOOR, WALL, WATER)))
    assert [tileset.tiles[number] for number in range(3)] == [FLOOR, WALL, WATER]
    assert tileset.columns == COLUMNS
    table = tileset.picks["ground"].table
    assert table[:4].tolist() == [0, 1, 2, -1]


def test_every_cell_shows_a_picture_of_its_tile() -> None:
    cells = noise(30, 40, 1)
    tileset, displayed = numbers(FLOOR, WALL, WATER, DOOR, cells=cells)
    meant = np.vectorize(lambda number: tileset.tiles[number].id)(displayed)
    assert np.array_equal(meant, cells)
    assert set(np.unique(displayed).tolist()) <= set(tileset.tiles)


def test_numbers_and_pictures_stay_when_a_legend_or_a_level_grows() -> None:
    ground, other = layer("ground", FLOOR, WALL), layer("other", WATER, cells=CELLS + 1)
    small = level_tileset(level(ground, other))
    grown = level_tileset(level(layer("ground", FLOOR, WALL, WATER), other, layer("new", WALL)))
    assert small.tiles.items() <= grown.tiles.items()
    for number in small.tiles:
        assert np.array_equal(small.picture(number), grown.picture(number))


def test_layers_with_the_same_legend_share_their_tiles() -> None:
    item = level_tileset(level(layer("ground", FLOOR, WALL)))
    two = level_tileset(level(layer("ground", FLOOR, WALL), layer("cellar", FLOOR, WALL)))
    assert np.array_equal(item.pixels, two.pixels)


def test_ids_with_gaps_and_ids_beyond_the_sheet_are_displayed() -> None:
    far = replace(WALL, id=60000)
    tileset, displayed = numbers(FLOOR, far, cells=np.array([[0, 60000, 7]], np.uint16))
    first, second, missing = displayed[0].tolist()
    assert (tileset.tiles[first], tileset.tiles[second], missing) == (FLOOR, far, -1)
    assert tileset.count < 400


def test_tiles_called_nothing_leave_their_cells_empty() -> None:
    _, displayed = numbers(Tile(0, "nothing", True, False, CLEAR), WALL, cells=CELLS)
    assert np.array_equal(displayed >= 0, CELLS == 1)


def test_values_of_data_layers_get_a_muted_picture_each() -> None:
    heat = [Tile(number, f"exposed_{number}", True, False, CLEAR) for number in range(2)]
    result = level(layer("heat", *heat, role="data"))
    tileset = level_tileset(result)
    assert sorted(tileset.tiles) == [0, 1]
    assert np.array_equal(tileset.numbers(result.layers["heat"]), CELLS)
    assert len(level_tileset(level(layer("heat", *heat))).tiles) > 2


def test_a_map_for_data_shares_the_pictures_of_the_map_that_is_played_on() -> None:
    base, ground = layer("base", FLOOR, WALL, role="data"), layer("ground", FLOOR, WALL)
    assert level_tileset(level(base, ground)).tiles == level_tileset(level(ground)).tiles


def test_a_sheet_does_not_grow_without_end() -> None:
    walls = [Tile(number, f"wall {number}", False, True, BLACK) for number in range(600)]
    tileset, displayed = numbers(*walls, cells=np.arange(600, dtype=np.uint16)[None])
    assert tileset.pixels.shape[0] <= 16384 // 2
    assert [tileset.tiles[number].id for number in displayed[0].tolist()] == list(range(600))


NAMES = "wall floor deep_water lava tree door_locked stairs_down stairs_up pit grass sand bridge"
NAMES += (
    " rock ice corridor cave dirt swamp snow device plank_floor table river mountain lake beach"
)


@each_case("name", NAMES.split())
@each_case("color", [CLEAR, BLACK, "#8a4020", "#8a402080"])
def test_every_tile_is_drawn_with_texture(name: str, color: str) -> None:
    tileset, displayed = numbers(
        FLOOR, Tile(3, name, name != "table", False, color), cells=np.full((1, 1), 3, np.uint8)
    )
    picture = tileset.picture(int(displayed[0, 0]))
    assert picture.shape == (16, 16, 4)
    assert len(np.unique(picture[..., :3].reshape(-1, 3), axis=0)) > 1
    assert set(picture[..., 3].flat) == {128 if color.endswith("80") else 255}


def test_a_river_of_one_cell_is_mostly_water_and_a_mountain_is_bright_inside() -> None:
    blue, grey = "#2040ff", "#808080"
    cells = np.zeros((5, 5), np.uint8)
    cells[2] = 3
    cells[:2] = 0
    river = Tile(3, "river", False, False, blue)
    tileset, displayed = numbers(FLOOR, river, cells=cells)
    picture = tileset.picture(int(displayed[2, 2])).astype(int)
    assert (picture[..., 2] > picture[..., 0] + 60).mean() > 0.7
    mountain, rock = Tile(1, "mountain", False, True, grey), Tile(1, "rock", False, True, grey)
    means = []
    for tile in (mountain, rock):
        tileset, displayed = numbers(FLOOR, tile, cells=np.ones((5, 5), np.uint8))
        means.append(tileset.picture(int(displayed[2, 2]))[..., :3].mean())
    assert means[0] > 2 * means[1]


@pytest.mark.parametrize("name", ["shadow_1", "sunlight_4"])
def test_shades_are_one_translucent_colour_everywhere(name: str) -> None:
    tile = Tile(3, name, True, False, "#0c103060")
    tileset, displayed = numbers(tile, cells=np.full((4, 4), 3, np.uint8))
    pixels = {
        tuple(pixel)
        for number in np.unique(displayed).tolist()
        for pixel in tileset.picture(number).reshape(-1, 4).tolist()
    }
    assert pixels == {(12, 16, 48, 0x60)}


def test_what_blocks_looks_unlike_what_does_not() -> None:
    tiles = [Tile(number, "thing", *flags, CLEAR) for number, flags in enumerate(
        ((True, False), (False, True), (False, False))
    )]  # fmt: skip
    tileset = level_tileset(level(layer("ground", *tiles)))
    looks = [tileset.picture(number).tobytes() for number in range(3)]
    assert len(set(looks)) == 3


def test_unknown_tiles_of_different_names_have_different_colours() -> None:
    looks = set()
    for name in ("altar", "rug", "banner", "fungus"):
        tileset = level_tileset(level(layer("ground", Tile(0, name, True, False, CLEAR))))
        looks.add(tuple(tileset.picture(0)[..., :3].mean(axis=(0, 1)).round().tolist()))
    assert len(looks) >= 3


@each_case(
    ("name", "family"),
    [
        ("cave_wall", "wall"),
        ("deep_water", "deep"),
        ("shallow water", "water"),
        ("Oak Door", "door"),
        ("device", "low"),
        ("ice", "ground"),
        ("fire", "lava"),
        ("ambush", "low"),
        ("mushroom", "low"),
        ("Rooms_2", "ground"),
        ("hedge", "tree"),
    ],
)
def test_a_tiles_name_says_what_it_is(name: str, family: str) -> None:
    assert material_of(Tile(0, name, False, False, CLEAR)).family == family


def test_walls_show_their_front_where_one_can_stand_before_it() -> None:
    cells = cells_of("....", ".##.", ".##.", "....")
    tileset, displayed = numbers(FLOOR, WALL, cells=cells)
    upper, lower = (tileset.picture(int(displayed[row, 1])) for row in (1, 2))
    # The front's foot is dark, its upper part is the cap of the wall.
    assert lower[15, :, :3].mean() < lower[7, :, :3].mean()
    assert upper.tobytes() != lower.tobytes()


def test_the_ground_lies_in_shadow_below_and_right_of_walls_alone() -> None:
    cells = cells_of(".......", "..###..", "..###..", ".......", ".......")
    tileset, displayed = numbers(FLOOR, WALL, cells=cells)
    plain = {tileset.picture(number).tobytes() for number in _plain_floors(tileset)}

    def is_plain(y: int, x: int) -> bool:
        return tileset.picture(int(displayed[y, x])).tobytes() in plain

    for y, x in ((0, 3), (2, 1), (4, 3), (3, 6), (4, 1)):
        assert is_plain(y, x), (y, x)
    for y, x in ((3, 2), (3, 3), (3, 4), (1, 5), (2, 5), (3, 5)):
        assert not is_plain(y, x), (y, x)
        dark = tileset.picture(int(displayed[y, x]))[0, 0, :3].mean()
        assert dark < tileset.picture(int(displayed[0, 0]))[0, 0, :3].mean()


def _plain_floors(tileset: Tileset) -> set[int]:
    """Return the numbers of floors without a shadow."""
    (choice,) = [item for item in tileset.picks["ground"].choices if item.id == 0]
    return set(choice.classes[-1])


def test_variants_are_mixed_by_position_and_stay_when_a_map_grows() -> None:
    small = numbers(FLOOR, cells=np.zeros((40, 40), np.uint8))[1]
    large = numbers(FLOOR, cells=np.zeros((50, 60), np.uint8))[1]
    assert np.array_equal(small, large[:40, :40])
    counts = sorted(np.unique(small, return_counts=True)[1].tolist(), reverse=True)
    # One is the rule and some are rare, as their weights want it.
    assert len(counts) == 8
    assert counts[0] > 400
    assert counts[-1] < 120


def test_a_door_is_drawn_by_the_walls_it_lies_in() -> None:
    cells = cells_of("..#..", "##+##", "..#..", "..+..", "..#..")
    cells[0, 2] = cells[2, 2] = 0
    tileset, displayed = numbers(FLOOR, WALL, WATER, DOOR, cells=cells)
    across = displayed[1, 2]
    cells[3, 2 - 1], cells[2, 2], cells[4, 2] = 0, 1, 1
    _, displayed = numbers(FLOOR, WALL, WATER, DOOR, cells=cells)
    down = displayed[3, 2]
    assert across != down
    assert tileset.tiles[int(across)] == tileset.tiles[int(down)] == DOOR


def test_water_has_a_shore_of_the_ground_around_it_and_is_deep_far_from_it() -> None:
    cells = np.full((9, 9), 2, np.uint8)
    cells[0] = cells[:, 0] = 0
    tileset, displayed = numbers(FLOOR, WALL, WATER, cells=cells)
    shore, near, deep = (tileset.picture(int(displayed[position, 4])) for position in (1, 2, 5))
    floors = {tuple(color) for color in tileset.picture(0)[..., :3].reshape(-1, 3).tolist()}
    assert tuple(shore[0, 4, :3].tolist()) in floors
    assert deep[..., :3].sum() < near[..., :3].sum() < shore[..., :3].sum()


def test_a_wall_over_other_layers_is_clear_where_nothing_of_it_lies() -> None:
    rock = Tile(1, "rock", False, True, CLEAR)
    empty = Tile(0, "empty", True, False, CLEAR)
    tileset, displayed = numbers(
        empty, rock, cells=np.array([[0, 0, 0], [0, 1, 0], [0, 0, 0]], np.uint8)
    )
    picture = tileset.picture(int(displayed[1, 1]))
    assert picture[0, 0, 3] == 0
    assert picture[8, 8, 3] == 255


@each_case("name", ["wall", "rock", "mountain", "tree", "table", "water", "river", "lava", "pit"])
def test_tiles_by_neighbours_are_terrains_of_47_different_pictures(name: str) -> None:
    tile = Tile(1, name, False, name in ("wall", "rock", "tree"), BLACK)
    tileset = level_tileset(level(layer("ground", FLOOR, tile)))
    (terrain,) = tileset.terrains
    assert (terrain.name, terrain.autotile, len(terrain.numbers)) == (name, "blob", 47)
    assert len({tileset.picture(number).tobytes() for number in terrain.numbers}) == 47
    masks = terrain.masks()
    assert tuple(masks[number] for number in terrain.numbers) == BLOB_MASKS
    for number, which in terrain.variants:
        assert masks[number] == BLOB_MASKS[which]
        assert tileset.tiles[number] == tile
        assert (
            tileset.picture(number).tobytes() != tileset.picture(terrain.numbers[which]).tobytes()
        )


@each_case(("kind", "masks"), [("blob", BLOB_MASKS), ("edges", EDGE_MASKS)])
@each_case("name", ["floor", "wall"])
def test_any_tile_is_drawn_by_its_neighbours_where_the_level_asks(
    kind: str, masks: tuple[int, ...], name: str
) -> None:
    result = level(layer("ground", FLOOR, WALL), autotile={name: kind})
    tileset = level_tileset(result)
    (terrain,) = [item for item in tileset.terrains if item.name == name]
    assert (terrain.autotile, len(terrain.numbers)) == (kind, len(masks))
    tile = FLOOR if name == "floor" else WALL
    assert all(tileset.tiles[number] == tile for number in terrain.masks())
    here = tile.id == CELLS
    expected = np.array(masks)[classes(here, kind)][here]  # type: ignore[arg-type]
    displayed = tileset.numbers(result.layers["ground"])[here]
    assert [terrain.masks()[number] for number in displayed.tolist()] == expected.tolist()


def test_names_under_autotile_must_be_tiles() -> None:
    result = level(layer("ground", FLOOR, WALL), autotile={"wal": "blob"})
    with pytest.raises(ParameterError, match="did you mean 'wall'") as refused:
        level_tileset(result)
    assert refused.value.path == ("tileset", "autotile", "wal")


@settings(deadline=None, max_examples=40)
@given(
    st.integers(1, 9),
    st.integers(1, 9),
    st.integers(0, 2**32 - 1),
    st.sampled_from(["blob", "edges", None]),
    st.booleans(),
    st.one_of(st.none(), st.frozensets(st.integers(0, 3))),
)
def test_a_choice_is_what_its_words_say(
    height: int, width: int, seed: int, kind: str | None, inner: bool, joins: frozenset[int] | None
) -> None:
    cells = noise(height, width, seed)
    count = {"blob": 47, "edges": 16, None: 1}[kind]
    random = np.random.default_rng(seed)
    sizes = random.integers(1, 4, count)
    numbers = tuple(
        tuple(range(10 * which + 100, 10 * which + 100 + int(size)))
        for which, size in enumerate(sizes)
    )
    choice = PictureChoice(1, numbers, kind, joins, inner)  # type: ignore[arg-type]
    result = np.full((height, width), -7, np.int32)
    choice.pick(cells, result)

    joined = np.isin(cells, list(joins)) if joins is not None else cells == 1
    if inner:
        around = neighbour_masks(joined)
        joined = around == 255
    hashes = cell_hash(height, width)
    for y in range(height):
        for x in range(width):
            if cells[y, x] != 1 or (inner and not joined[y, x]):
                assert result[y, x] == -7
                continue
            which = int(classes(joined, kind)[y, x]) if kind else 0  # type: ignore[arg-type]
            assert result[y, x] == numbers[which][int(hashes[y, x]) % len(numbers[which])]


@each_case("name", STYLES.built_in())
def test_a_style_draws_the_same_tiles_in_other_colours(name: str) -> None:
    plain = level_tileset(level(layer("ground", FLOOR, WALL)))
    styled = level_tileset(level(layer("ground", FLOOR, WALL), style=name))
    assert styled.tiles == plain.tiles
    assert np.array_equal(styled.pixels, plain.pixels) == (name == DEFAULT)
    assert STYLES.get(name).summary.endswith(".")


def test_a_legends_colour_is_stronger_than_the_style() -> None:
    red = replace(FLOOR, color="#c02020")
    for name in ("stone", "ice"):
        tileset = level_tileset(level(layer("ground", red), style=name))
        mean = tileset.picture(0)[..., :3].mean(axis=(0, 1))
        assert mean[0] > 2 * mean[1]


def test_an_unknown_style_is_refused() -> None:
    with pytest.raises(RegistryError, match="did you mean 'stone'"):
        level_tileset(level(layer("ground", FLOOR), style="stne"))


@pytest.mark.parametrize("wrong", [{"floor": "grey"}, {"relief": ("#000000",)}, {"accents": ()}])
def test_a_style_of_what_is_no_colour_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"#rrggbb|colours of relief"):
        Style(**wrong)  # type: ignore[arg-type]


def test_cells_without_a_tile_cast_no_shadow() -> None:
    empty = Tile(4, "empty", True, False, CLEAR)
    cells = np.array([[4, 4, 4], [4, 0, 4], [4, 4, 4]], np.uint8)
    tileset, displayed = numbers(FLOOR, WALL, empty, cells=cells)
    assert int(displayed[1, 1]) in _plain_floors(tileset)


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 8), st.integers(1, 8), st.integers(0, 2**32 - 1))
def test_the_ground_around_a_tile_is_the_one_it_touches_most(
    height: int, width: int, seed: int
) -> None:
    grass = Tile(3, "grass", True, False, CLEAR)
    cells = noise(height, width, seed)
    around = grounds_around([layer("ground", FLOOR, WALL, WATER, grass, cells=cells)])
    assert set(around) == {1, 2}
    for tile in (1, 2):
        touched = {0: 0, 3: 0}
        for y in range(height):
            for x in range(width):
                for other_y, other_x in ((y, x + 1), (y + 1, x), (y, x - 1), (y - 1, x)):
                    if cells[y, x] == tile and 0 <= other_y < height and 0 <= other_x < width:
                        other = int(cells[other_y, other_x])
                        touched[other] = touched.get(other, 0) + 1
        counts = (
            touched if touched[0] or touched[3] else {k: int((cells == k).sum()) for k in (0, 3)}
        )
        assert around[tile] == (3 if counts[3] > counts[0] else 0)


def test_without_any_ground_nothing_lies_around() -> None:
    assert grounds_around([layer("walls", WALL, WATER)]) == {}
