"""Corner sets and transitions against a reference that follows the definition."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image

import exporter
from cases import each_case
from exporter.build.build import build_level
from exporter.formats.ldtk.simple_export import layer_picture
from exporter.grids.neighbourhoods import (
    BLOB_MASKS,
    CORNER_MASKS,
    EDGE_MASKS,
    corner_masks,
    reduced,
)
from exporter.model.errors import ParameterError, SpecError
from exporter.model.level import BLACK, CLEAR, Layer, Level, Tile
from exporter.model.tileset import TilesetOptions, TilesetSource
from exporter.reading.reader import load_level
from exporter.tilesets import level_tileset
from exporter.tilesets.drawings import PictureGrid, without_hidden
from exporter.tilesets.source import open_tileset
from exporter.tilesets.tileset import Tileset

SIZE, COLUMNS, ROWS = 5, 16, 20
NAMES = ("water", "sand", "grass", "rock", "floor")
LEGEND = tuple(
    Tile(id_, name, name != "rock", name == "rock", "#406080")
    for id_, name in zip((0, 1, 3, 4, 7), NAMES, strict=True)
)
WATER, SAND, GRASS, ROCK, FLOOR = LEGEND
LENGTHS = {"edges": 16, "blob": 47, "corners": 16, "": 1}


def sheet(seed: int = 1) -> NDArray[np.uint8]:
    """Pictures of noise, a third of which have no clear pixel."""
    random = np.random.default_rng(seed)
    pixels = random.integers(0, 256, (ROWS, SIZE, COLUMNS, SIZE, 4), np.uint8)
    pixels[..., 3] = np.where(random.random(pixels.shape[:-1]) < 0.5, 255, 0)
    solid = random.random((ROWS, COLUMNS)) < 1 / 3
    pixels[..., 3][solid[:, None, :, None] & np.ones((1, SIZE, 1, SIZE), bool)] = 255
    return pixels.reshape(ROWS * SIZE, COLUMNS * SIZE, 4)


def layer(cells: NDArray[np.integer], role: str = "play", name: str = "ground") -> Layer:
    ids = np.array([tile.id for tile in LEGEND], np.uint8)[cells]
    return Layer(name, "tiles", ids, "test", tiles=LEGEND, role=role)  # type: ignore[arg-type]


def level(*layers: Layer, tileset: TilesetSource) -> Level:
    height, width = layers[0].cells.shape
    named = {item.name: item for item in layers}
    return Level("crypt", width, height, layers=named, tileset=tileset)


def source(options: TilesetOptions) -> TilesetSource:
    return TilesetSource(options, sheet())


def tileset_of(cells: NDArray[np.integer], options: TilesetOptions) -> tuple[Tileset, Layer]:
    result = layer(cells)
    return level_tileset(level(result, tileset=source(options))), result


class Reference:
    """Draws a layer cell by cell, as the documentation says it."""

    def __init__(self, cells: NDArray[np.integer], options: TilesetOptions) -> None:
        self.cells = cells
        self.options = options
        self.height, self.width = cells.shape
        self.names = [[NAMES[cell] for cell in row] for row in cells.tolist()]
        self.sheet = sheet()
        self.canvas = np.zeros((self.height * SIZE, self.width * SIZE, 4), np.uint8)

    def chain(self, name: str) -> Sequence[str]:
        """The tile and the tiles on it."""
        for names in self.options.transitions:
            if name in names:
                return names[names.index(name) :]
        return [name]

    def below(self, name: str) -> str | None:
        for names in self.options.transitions:
            if name in names[1:]:
                return names[names.index(name) - 1]
        return None

    def numbers(self, name: str) -> list[int]:
        given = self.options.tiles[name]
        numbers = [given] if isinstance(given, int) else list(given or ())
        kind = self.options.autotile.get(name, "")
        if len(numbers) == 1:
            numbers = list(range(numbers[0], numbers[0] + LENGTHS[kind]))
        return [-1] * (kind == "corners" and len(numbers) == 15) + numbers

    def paint(self, number: int, left: int, top: int) -> None:
        row, column = divmod(number, COLUMNS)
        picture = self.sheet[row * SIZE : (row + 1) * SIZE, column * SIZE : (column + 1) * SIZE]
        for y in range(SIZE):
            for x in range(SIZE):
                inside = 0 <= top + y < len(self.canvas) and 0 <= left + x < self.canvas.shape[1]
                if inside and picture[y, x, 3]:
                    self.canvas[top + y, left + x] = picture[y, x]

    def cell_picture(self, name: str, x: int, y: int) -> int:
        kind = self.options.autotile.get(name)
        if kind is None:
            return self.numbers(name)[0]
        mask = 0
        steps = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
        for bit, (right, down) in enumerate(steps):
            column, row = x + right, y + down
            outside = not (0 <= column < self.width and 0 <= row < self.height)
            if outside or self.names[row][column] in self.chain(name):
                mask |= 1 << bit
        if kind == "edges":
            return self.numbers(name)[EDGE_MASKS.index(mask & 0b1010101)]
        return self.numbers(name)[BLOB_MASKS.index(reduced(mask))]

    def draw_cells(self, name: str, displayed_in: Sequence[str]) -> None:
        for y in range(self.height):
            for x in range(self.width):
                if self.names[y][x] in displayed_in:
                    self.paint(self.cell_picture(name, x, y), x * SIZE, y * SIZE)

    def draw_corners(self, name: str) -> None:
        for y in range(self.height + 1):
            for x in range(self.width + 1):
                around = [
                    self.names[min(max(row, 0), self.height - 1)][
                        min(max(column, 0), self.width - 1)
                    ]
                    for column, row in ((x - 1, y - 1), (x, y - 1), (x, y), (x - 1, y))
                ]
                mask = sum((item in self.chain(name)) << bit for bit, item in enumerate(around))
                below = self.below(name)
                if mask == 0 and below is not None and set(around) != {below}:
                    continue
                number = self.numbers(name)[mask]
                if number >= 0:
                    self.paint(number, x * SIZE - SIZE // 2, y * SIZE - SIZE // 2)

    def picture(self) -> NDArray[np.uint8]:
        listed = {name for names in self.options.transitions for name in names}
        single = [[name] for name in NAMES if name not in listed]
        chains = [*self.options.transitions, *single]
        kinds = self.options.autotile
        lower, upper = [], []
        for chain in chains:
            corners = [kinds.get(name) == "corners" for name in chain]
            first = corners.index(True) if any(corners) else len(chain)
            lower += [(name, chain[position + 1 :]) for position, name in enumerate(chain[:first])]
            upper += [(name, self.chain(name)) for name in chain[first:]]
        for name, displayed_in in lower:
            self.draw_cells(name, displayed_in)
        for name, _ in lower:
            self.draw_cells(name, [name])
        for name, displayed_in in upper:
            if kinds.get(name) == "corners":
                self.draw_corners(name)
            else:
                self.draw_cells(name, displayed_in)
        return self.canvas


@st.composite
def mappings(draw: st.DrawFn) -> TilesetOptions:
    """Any tiles with any sets, in any transitions."""
    order = draw(st.permutations(NAMES))
    cut = draw(st.integers(0, 5))
    chains = [part for part in (tuple(order[:cut]), tuple(order[cut:])) if len(part) > 1]
    transitions = tuple(draw(st.lists(st.sampled_from(chains), unique=True)) if chains else ())
    kinds = ("edges", "blob", "corners")
    autotile = {}
    for name in NAMES:
        must = any(name in chain[1:] for chain in transitions)
        kind = draw(st.sampled_from(kinds if must else ("", *kinds)))
        if kind:
            autotile[name] = kind
    tiles: dict[str, int | tuple[int, ...]] = {}
    for position, name in enumerate(NAMES):
        first = position * 50
        tiles[name] = first
        if autotile.get(name) == "corners" and draw(st.booleans()):
            tiles[name] = tuple(range(first, first + 15))
    return TilesetOptions(
        image="a.png", tile_size=SIZE, tiles=tiles, autotile=autotile, transitions=transitions
    )


@settings(deadline=None, max_examples=60)
@given(mappings(), st.integers(1, 6), st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_a_layer_looks_as_the_definition_says(
    options: TilesetOptions, height: int, width: int, seed: int
) -> None:
    cells = np.random.default_rng(seed).integers(0, len(NAMES), (height, width))
    tileset, result = tileset_of(cells, options)
    drawn = layer_picture(tileset, result)
    drawn[drawn[..., 3] == 0] = 0
    assert np.array_equal(drawn, Reference(cells, options).picture())
    # Cells keep their tiles, whatever is drawn over them.
    numbers = tileset.numbers(result)
    for position, cell in np.ndenumerate(cells):
        assert tileset.tiles[int(numbers[position])] == LEGEND[cell]


def test_corner_masks_count_the_four_cells_around_a_point() -> None:
    joined = np.array([[True, False], [False, False]])
    # Beyond the edge the nearest cell counts.
    assert corner_masks(joined).tolist() == [[15, 9, 0], [3, 1, 0], [0, 0, 0]]
    assert CORNER_MASKS[1:9] == (128, 2, 130, 8, 136, 10, 138, 32)


def test_the_cells_of_a_corner_set_are_clear_and_keep_their_meaning() -> None:
    cells = np.array([[0, 1], [1, 3]])
    options = TilesetOptions(
        image="a.png",
        tile_size=SIZE,
        tiles=dict(zip(NAMES, (0, 16, 32, 48, 64), strict=True)),
        autotile={"sand": "corners", "rock": "corners"},
    )
    tileset, result = tileset_of(cells, options)
    assert tileset.rows == ROWS + 1
    assert np.array_equal(tileset.pixels[: ROWS * SIZE], sheet())
    first = ROWS * COLUMNS
    assert tileset.numbers(result).tolist() == [[0, first], [first, first + 1]]
    assert tileset.numbers_of(result) >= {first, first + 1}
    assert not tileset.picture(first)[..., 3].any()
    assert tileset.tiles[first] == SAND
    assert tileset.tiles[first + 1] == ROCK
    # The pictures between the cells say nothing of them.
    assert tileset.shaped_numbers() == {0, 32, 64, first, first + 1}
    assert tileset.whole_numbers(result).tolist() == [[0, 31], [31, 63]]
    assert [drawing.tile for drawing in tileset.drawings(result)] == ["", "sand", "rock"]
    assert [tileset.offset(drawing) for drawing in tileset.drawings(result)] == [0, -2, -2]


def test_clear_pictures_fit_below_an_image_with_margin_and_spacing() -> None:
    pixels = np.full((2 * 3 + 2 * 7 - 2, 2 * 3 + 9 * 7 - 2, 4), 255, np.uint8)
    tiles = {"water": 0, "sand": tuple(range(15)), **dict.fromkeys(NAMES[2:], 0)}
    options = TilesetOptions(
        image="a.png", tile_size=5, margin=3, spacing=2, tiles=tiles, autotile={"sand": "corners"}
    )
    legend = tuple(Tile(tile.id, tile.name, True, False, CLEAR) for tile in LEGEND)
    result = Layer("ground", "tiles", np.ones((2, 2), np.uint8), "test", tiles=legend)
    tileset = level_tileset(level(result, tileset=TilesetSource(options, pixels)))
    assert (tileset.columns, tileset.rows) == (9, 3)
    assert tileset.pixels.shape == (pixels.shape[0] + 7, pixels.shape[1], 4)
    assert all(tileset.picture(number).all() for number in range(18))
    assert not any(tileset.picture(number).any() for number in range(18, 27))


def test_data_shows_corner_sets_in_its_cells() -> None:
    options = TilesetOptions(
        image="a.png",
        tile_size=SIZE,
        tiles={"water": 0, "sand": 16, "grass": 40, "rock": 2, "floor": 3},
        autotile={"sand": "corners", "grass": "blob"},
        transitions=(("water", "sand", "grass"),),
    )
    data = layer(np.array([[0, 1, 2]]), "data")
    tileset = level_tileset(level(data, tileset=source(options)))
    assert tileset.numbers(data).tolist() == [[0, 31, 86]]
    assert len(tileset.drawings(data)) == 1
    assert tileset.rows == ROWS


def test_pictures_that_others_hide_are_left_out() -> None:
    field = np.full((3, 3), 1, np.int32)
    corners = np.full((4, 4), 2, np.int32)
    corners[0, 0] = 3
    drawings = [
        PictureGrid("water", np.zeros((3, 3), np.int32)),
        PictureGrid("sand", np.full((4, 4), 2, np.int32), True),
        PictureGrid("", field),
        PictureGrid("grass", corners, True),
    ]
    solid = np.array([False, True, True, False])
    water, sand, cells, grass = without_hidden(drawings, solid)
    assert (water.numbers == -1).all()
    # At the corners beside the map, half of the picture lies outside of all cells; there the
    # corners of the tile above hide it, but for one.
    assert sand.numbers.max(initial=-1, where=np.arange(16).reshape(4, 4) > 0) == -1
    assert sand.numbers[0, 0] == 2
    assert np.array_equal(cells.numbers, field)
    assert np.array_equal(grass.numbers, corners)


def test_a_layer_without_the_tiles_of_a_transition_has_no_more_grids() -> None:
    options = TilesetOptions(
        image="a.png",
        tile_size=SIZE,
        tiles=dict(zip(NAMES, (0, 1, 50, 2, 3), strict=True)),
        autotile={"grass": "blob"},
        transitions=(("water", "grass"),),
    )
    legend = (GRASS, FLOOR)
    other = Layer("other", "tiles", np.full((2, 2), 3, np.uint8), "test", tiles=legend)
    tileset = level_tileset(level(layer(np.zeros((2, 2), int)), other, tileset=source(options)))
    assert [drawing.tile for drawing in tileset.drawings(other)] == [""]


def test_terrains_of_corner_sets_have_corners() -> None:
    cells = np.array([[0, 1]])
    tiles = {"water": 0, "sand": tuple(range(16, 31)), "grass": 2, "rock": 3, "floor": 4}
    options = TilesetOptions(
        image="a.png", tile_size=SIZE, tiles=tiles, autotile={"sand": "corners"}
    )
    (terrain,) = tileset_of(cells, options)[0].terrains
    assert terrain.masks() == dict(zip(range(16, 31), CORNER_MASKS[1:], strict=True))


@each_case(
    ("options", "path", "message"),
    [
        ({"transitions": (("water", "sond"),)}, ("transitions", 0, 1), "did you mean 'sand'"),
        ({"transitions": (("water", "sand"),)}, ("transitions", 0, 1), "`sand: blob`"),
        ({
             "transitions": (("water", "sand"), ("sand", "grass")),
             "autotile": {"sand": "blob", "grass": "blob"},
         }, ("transitions", 1, 0), "'sand' is in `transitions` twice"),
        ({"tiles": {"water": tuple(range(14))}, "autotile": {"water": "corners"}},
         ("tiles", "water"), "corners tiles need 15 or 16 pictures, and 14 are given"),
    ],
)  # fmt: skip
def test_transitions_that_do_not_fit_are_refused(options: dict, path: tuple, message: str) -> None:
    every = {"tiles": dict.fromkeys(NAMES, 0)} if "tiles" not in options else {}
    chosen = TilesetOptions(image="a.png", tile_size=SIZE, **every, **options)
    with pytest.raises(ParameterError, match=message) as refused:
        tileset_of(np.zeros((2, 2), int), chosen)
    assert refused.value.path == ("tileset", *path)


@pytest.mark.parametrize(
    ("options", "path"),
    [
        ({"autotile": {"wall": "corners"}}, ("tileset", "autotile", "wall")),
        ({"transitions": (("floor", "wall"),)}, ("tileset", "transitions")),
    ],
)
def test_what_needs_an_image_says_so(options: dict, path: tuple) -> None:
    with pytest.raises(ParameterError, match=r"needs? an image") as refused:
        open_tileset(TilesetOptions(**options), lambda file: b"")
    assert refused.value.path == path


def test_a_wrong_name_in_a_transition_is_reported_at_its_position(tmp_path: Path) -> None:
    out = io.BytesIO()
    Image.fromarray(np.zeros((16, 16 * 50, 3), np.uint8)).save(out, "png")
    (tmp_path / "a.png").write_bytes(out.getvalue())
    text = (
        "size: [9, 9]\nlayers: {ground: {generator: maze}}\n"
        "tileset:\n  image: a.png\n  tiles: {floor: 0, wall: 1}\n"
        "  autotile: {wall: corners}\n  transitions:\n    - [floor, walls]\n"
    )
    (tmp_path / "x.level.yaml").write_text(text)
    spec = load_level(tmp_path / "x.level.yaml")
    with pytest.raises(SpecError) as refused:
        build_level(spec)
    (problem,) = refused.value.problems
    assert (problem.line, problem.column) == (8, 15)
    assert "did you mean 'wall'" in problem.message


def test_a_legend_of_black_and_clear_colours_is_a_terrain_too() -> None:
    legend = (Tile(0, "floor", True, False, CLEAR), Tile(1, "wall", False, True, BLACK))
    result = Layer("ground", "tiles", np.eye(3, dtype=np.uint8), "test", tiles=legend)
    options = TilesetOptions(
        image="a.png", tile_size=SIZE, tiles={"floor": 0, "wall": 16}, autotile={"wall": "corners"}
    )
    tileset = level_tileset(level(result, tileset=source(options)))
    cells, walls = tileset.drawings(result)
    assert walls.tile == "wall"
    assert walls.numbers.shape == (4, 4)
    assert cells.numbers.shape == (3, 3)


def test_the_page_lists_the_usual_sheet_of_four_by_four_in_our_order() -> None:
    page = (Path(exporter.__file__).parent / "docs" / "how-to" / "tiles.md").read_text(
        encoding="utf-8"
    )
    (listed,) = re.findall(r"grass: \[([\d, ]+)\]\}", page)
    numbers = [int(number) for number in listed.split(",")]
    art = re.findall(r"^  # ((?:[.#]{2} ?){4})$", page, re.M)
    assert (len(numbers), len(art)) == (16, 8)
    for mask, number in enumerate(numbers):
        row, column = divmod(number, 4)
        upper, lower = (art[2 * row + line].split()[column] for line in (0, 1))
        north_west, north_east, south_east, south_west = upper[0], upper[1], lower[1], lower[0]
        corners = (north_west, north_east, south_east, south_west)
        assert [letter == "#" for letter in corners] == [bool(mask >> bit & 1) for bit in range(4)]
