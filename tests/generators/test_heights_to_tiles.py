"""Bands, slopes and shaded relief against slow references in exact fractions."""

from __future__ import annotations

import json
import math
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cases import each_case
from exporter.build.build import build_level
from exporter.generators import GENERATORS, Generated, Request, bands, shade, slope
from exporter.generators._heights import Heights, heights_of
from exporter.grids.resampling import resampled
from exporter.model.level import HeightRange, Layer
from exporter.reading.reader import parse_level
from exporter.streams import open_stream
from spec_problems import problems_in

Samples = NDArray[np.int32]


def heights_layer(
    name: str, samples: Any, *, aligned: bool = True, heights: HeightRange | None = None
) -> Layer:
    cells = np.array(samples, np.uint16)
    heights = heights or HeightRange(0.0, 65535.0, "metres")
    return Layer(name, "heights", cells, "heightmap", heights=heights, grid_aligned=aligned)


def request(*layers: Layer, size: tuple[int, int], aligned: bool = True) -> Request:
    return Request(
        "made",
        *size,
        open_stream("portable", 1, "made"),
        layers={layer.name: layer for layer in layers},
        grid_aligned=aligned,
    )


def generated(name: str, requested: Request, **parameters: Any) -> Generated:
    entry = GENERATORS.get(name)
    return entry.generate(entry.parameters(**parameters), requested)


def noise(width: int, height: int, seed: int = 1, top: int = 65535) -> NDArray[np.uint16]:
    return np.random.default_rng(seed).integers(0, top + 1, (height, width)).astype(np.uint16)


# Where samples lie


def places(count: int, middles: bool) -> list[Fraction]:
    """Return where samples of a side lie, as shares of it."""
    if middles:
        return [Fraction(2 * number + 1, 2 * count) for number in range(count)]
    if count == 1:
        return [Fraction(1, 2)]
    return [Fraction(number, count - 1) for number in range(count)]


def blended(values: list[Fraction], at: list[Fraction], position: Fraction) -> Fraction:
    if position <= at[0]:
        return values[0]
    for number in range(1, len(at)):
        if position <= at[number]:
            way = (position - at[number - 1]) / (at[number] - at[number - 1])
            return values[number - 1] * (1 - way) + values[number] * way
    return values[-1]


def slowly_resampled(
    samples: Samples, width: int, height: int, from_middles: bool, to_middles: bool
) -> list[list[int]]:
    rows = [[Fraction(int(item)) for item in row] for row in samples]
    across, down = places(len(rows[0]), from_middles), places(len(rows), from_middles)
    result = []
    for y in places(height, to_middles):
        columns = [blended(list(column), down, y) for column in zip(*rows, strict=True)]
        line = [blended(columns, across, x) for x in places(width, to_middles)]
        result.append([math.floor(item + Fraction(1, 2)) for item in line])
    return result


@each_case("from_middles", [True, False])
@each_case("to_middles", [True, False])
@each_case(
    ("old", "new"),
    [((9, 7), (4, 3)), ((5, 5), (8, 11)), ((1, 4), (3, 3)), ((6, 1), (1, 1)), ((17, 9), (16, 8))],
)
def test_samples_of_another_size_are_blended_exactly(
    old: tuple[int, int], new: tuple[int, int], from_middles: bool, to_middles: bool
) -> None:
    samples = noise(*old).astype(np.int32)
    result = resampled(samples, *new, from_middles, to_middles)
    assert result.dtype == np.int32
    assert result.tolist() == slowly_resampled(samples, *new, from_middles, to_middles)


def test_samples_on_the_corners_of_cells_give_each_cell_the_mean_of_its_corners() -> None:
    corners = heights_layer("r", [[0, 10, 20], [0, 10, 20], [40, 50, 61]], aligned=False)
    result = heights_of(request(corners, size=(2, 2)), "r", ("of",), tiles=True)
    assert result.samples.tolist() == [[5, 15], [25, 35]]  # 35.25


def test_a_layer_of_the_same_size_is_accepted_as_it_is() -> None:
    samples = noise(6, 4)
    for aligned in (True, False):
        layer = heights_layer("r", samples, aligned=aligned)
        assert np.array_equal(heights_of(request(layer, size=(6, 4)), "r", ()).samples, samples)


def test_heights_of_a_size_of_their_own_lie_on_the_edges_and_tiles_in_cells() -> None:
    ramp = heights_layer("r", [[0, 100]], aligned=False)
    requested = request(ramp, size=(3, 1), aligned=False)
    assert heights_of(requested, "r", ()).samples.tolist() == [[0, 50, 100]]
    assert heights_of(requested, "r", (), tiles=True).samples.tolist() == [[17, 50, 83]]


# Heights as samples


def test_below_is_exact_and_the_end_itself_is_not_below() -> None:
    random.seed(5)
    for _ in range(300):
        low = random.choice([0.0, -40.0, random.uniform(-1000, 1000)])
        high = low + random.choice([1.0, 200.0, random.uniform(0.001, 2000)])
        heights = Heights("r", np.zeros((1, 1), np.int32), HeightRange(low, high))
        number = random.randrange(65536)
        span = Fraction(high) - Fraction(low)
        exact = Fraction(low) + span * number / 65535
        for expected in (float(exact), low, high, random.uniform(low - 1, high + 1)):
            count = heights.samples_below(expected)
            below = (
                Fraction(low) + span * item / 65535 < Fraction(expected) for item in (count - 1,)
            )
            assert all(below)
            assert not Fraction(low) + span * count / 65535 < Fraction(expected)


def test_a_sample_of_exactly_the_height_belongs_to_the_next_step() -> None:
    layer = heights_layer("r", [[9, 10, 11]])
    steps = (bands.Step(below=10.0, tile="water"), bands.Step(tile="grass"))
    result = generated("bands", request(layer, size=(3, 1)), of="r", steps=steps)
    assert [result.tiles[item].name for item in result.cells[0]] == ["water", "grass", "grass"]


def test_a_difference_of_heights_is_at_least_so_many_samples() -> None:
    heights = Heights("r", np.zeros((1, 1), np.int32), HeightRange(0.0, 131070.0))
    assert [heights.steps_of(item) for item in (0.0, 1.0, 2.0, 2.5)] == [0, 1, 1, 2]


# Bands


def slow_tile(height: Fraction, other: Fraction, steps: list[dict[str, Any]]) -> str:
    for step in steps:
        if "below" not in step or height < Fraction(step["below"]):
            return step["tile"] if "tile" in step else slow_tile(other, other, step["steps"])
    raise AssertionError("no step")


@each_case("seed", range(5))
def test_every_cell_has_the_tile_of_its_heights(seed: int) -> None:
    steps = [
        {"below": 0.2, "tile": "water"},
        {"below": 0.5, "steps": [{"below": -3.5, "tile": "sand"}, {"tile": "grass"}]},
        {"below": 0.9, "tile": "grass"},
        {"steps": [{"below": 0, "tile": "rock"}, {"below": 4.25, "tile": "snow"}, {"tile": "ice"}]},
    ]
    text = {
        "size": [20, 14],
        "seed": seed,
        "layers": {
            "relief": {"generator": "heightmap", "feature_size": 8},
            "wet": {"generator": "heightmap", "size": [7, 9], "minimum": -9, "maximum": 9},
            "map": {"generator": "bands", "of": "relief", "by": "wet", "steps": steps},
        },
    }
    level = build_level(parse_level(json.dumps(text).encode(), "x.level.yaml"))
    relief, wet, layer = (level.layers[name] for name in ("relief", "wet", "map"))
    second = slowly_resampled(wet.cells.astype(np.int32), 20, 14, False, True)
    for y in range(14):
        for x in range(20):
            height = Fraction(int(relief.cells[y, x]), 65535)
            other = Fraction(second[y][x] * 18, 65535) - 9
            tile = layer.tiles[int(layer.cells[y, x])]
            assert tile.name == slow_tile(height, other, steps)
    assert layer.role == "play"
    assert layer.walkable is not None
    assert np.array_equal(layer.walkable, layer.lookup([tile.walkable for tile in layer.tiles]))


def test_tiles_are_numbered_as_they_are_written_and_those_of_one_name_are_one() -> None:
    steps = (
        bands.Step(below=1.0, tile="sand"),
        bands.Step(below=2.0, tile=bands.TileOptions(name="reed", walkable=False, color="#112233")),
        bands.Step(tile="sand"),
    )
    result = generated(
        "bands", request(heights_layer("r", [[0, 1, 2]]), size=(3, 1)), of="r", steps=steps
    )
    assert result.cells.tolist() == [[0, 1, 0]]
    assert [(tile.name, tile.walkable, tile.color) for tile in result.tiles] == [
        ("sand", True, "#d8c586ff"),
        ("reed", False, "#112233"),
    ]


HEAD = """\
size: [8, 6]
layers:
  relief: {generator: heightmap, minimum: -10, maximum: 100}
  wet: {generator: heightmap}
  caves: {generator: cellular_caves}
  map:
    generator: bands
"""


@each_case(
    ("rest", "reported"),
    [
        ("of: relief\n    steps: []", "9:12: length 0 is out of range (allowed: 1 to 64)"),
        ("of: relief\n    steps:\n      - {below: 5, tile: sand}",
         ("10:17: heights of 5 and more have no tile (add a last step without `below`, as "
"in `{tile: grass}`)")),
        ("of: relief\n    steps:\n      - {below: 5, tile: sand}\n      - {tile: grass}\n"
         "      - {below: 9, tile: rock}",
         ("11:9: this step takes all remaining heights, so later steps are never used "
"(give it `below`, or move it to the end)")),
        ("of: relief\n    steps:\n      - {below: 5, tile: sand}\n"
         "      - {below: 5, tile: mud}\n      - {tile: rock}",
         "11:17: 5 is not above 5 of the step before it (sort the steps from low to high)"),
        ("of: relief\n    steps:\n      - {below: 900000.25, tile: sand}\n"
         "      - {below: 900000.125, tile: mud}\n      - {tile: rock}",
         "11:17: 900000.125 is not above 900000.25 of the step before it (sort the steps from "
         "low to high)"),
        ("of: relief\n    steps:\n      - {below: .nan, tile: sand}\n      - {tile: rock}",
         "10:17: expected a number from -1000000 to 1000000, not the text '.nan'"),
        ("of: relief\n    steps:\n      - {below: 5}\n      - {tile: rock}",
         "10:9: this step has no `tile` (write one, or `steps`)"),
        ("of: relief\n    steps:\n      - {below: 5, tile: sant}\n      - {tile: rock}",
         "10:26: the text 'sant' is not allowed here (allowed: floor, wall, door,"),
        ("of: relief\n    steps:\n      - {below: -10, tile: sand}\n      - {tile: rock}",
         "10:17: no height is below -10 (the heights of 'relief' are -10 to 100 metres)"),
        ("of: relief\n    steps:\n      - {below: 101, tile: sand}\n      - {tile: rock}",
         "10:17: all heights are below 101, so later steps are never used (the heights of "
         "'relief' are -10 to 100 metres)"),
        ("of: relief\n    steps:\n      - {below: 5, tile: sand}\n"
         "      - {below: 5.0001, tile: mud}\n      - {tile: rock}",
         "11:17: after the step before it no height is left below 5.0001 (the heights of "
         "'relief' are -10 to 100 metres)"),
        ("of: relief\n    by: wet\n    steps: [{tile: rock}]",
         "9:9: no step uses the second layer (give one `steps`, or remove `by`)"),
        ("of: relief\n    steps:\n      - steps: [{below: 0.5, tile: rock}, {tile: mud}]",
         "10:16: `by` names no second layer for these steps (write `by: LAYER` beside `of`)"),
        ("of: relief\n    by: wet\n    steps:\n      - {tile: mud, steps: [{tile: rock}]}",
         "11:16: `steps` replace the tile of a step (remove one of them)"),
        ("of: relief\n    by: wet\n    steps:\n"
         "      - steps: [{below: 0.5, tile: rock}, {below: 0.2, tile: mud}, {tile: ice}]",
         "11:51: 0.2 is not above 0.5 of the step before it (sort the steps from low to high)"),
        ("of: relief\n    by: wet\n    steps:\n      - steps: [{below: 0.5, tile: rock}, {}]",
         "11:43: this step has no `tile` (write one)"),
        ("of: relief\n    by: wet\n    steps:\n"
         "      - steps: [{below: 1.5, tile: rock}, {tile: ice}]",
         "11:25: all heights are below 1.5, so later steps are never used (the heights of "
         "'wet' are 0 to 1 metres)"),
        ("of: relief\n    steps:\n      - {below: 5, tile: {name: sand, walkable: false}}\n"
         "      - {tile: sand}",
         "11:16: the tile 'sand' differs from an earlier one of that name (use another name, or "
         "write the same)"),
        ("of: caves\n    steps: [{tile: rock}]",
         "8:9: the layer 'caves' holds tiles, not heights (allowed: relief, wet)"),
        ("of: nowhere\n    steps: [{tile: rock}]", "8:9: unknown layer 'nowhere'"),
    ],
)  # fmt: skip
def test_steps_that_say_nothing_are_refused_at_their_position(rest: str, reported: str) -> None:
    spec = f"{HEAD}    {rest}\n".encode()
    (problem,) = problems_in(lambda: build_level(parse_level(spec, "x.level.yaml")))
    assert problem.startswith(reported)


def test_joining_regions_of_tiles_makes_the_land_one() -> None:
    text = (
        "size: [40, 30]\nseed: 3\nlayers:\n  r: {generator: heightmap, feature_size: 10}\n"
        "  m:\n    generator: bands\n    of: r\n    connect: guaranteed\n"
        "    steps: [{below: 0.5, tile: water}, {tile: grass}]\n"
    )
    layer = build_level(parse_level(text.encode(), "x.level.yaml")).layers["m"]
    assert layer.certificate is not None
    assert layer.certificate.regions_before > 1
    assert layer.certificate.connected


# Slopes


@each_case("size", [(1, 1), (1, 5), (6, 1), (9, 7)])
def test_a_slope_is_the_largest_difference_to_the_four_cells_beside(size: tuple[int, int]) -> None:
    samples = noise(*size).astype(np.int32)
    result = slope.steepness(samples)
    rows, columns = samples.shape
    for y in range(rows):
        for x in range(columns):
            beside = [
                abs(int(samples[y, x]) - int(samples[b, a]))
                for a, b in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
                if 0 <= a < columns and 0 <= b < rows
            ]
            assert result[y, x] == max(beside, default=0)


def test_a_slope_is_a_layer_of_heights_per_cell_and_makes_cliffs() -> None:
    text = (
        "size: [4, 1]\nlayers:\n  r: {generator: heightmap, size: [2, 1], minimum: -10, "
        "maximum: 90, octaves: 1}\n  s: {generator: slope, of: r}\n"
        "  m: {generator: bands, of: s, steps: [{below: 20, tile: empty}, {tile: cliff}]}\n"
    )
    level = build_level(parse_level(text.encode(), "x.level.yaml"))
    result = level.layers["s"]
    assert (result.kind, result.role) == ("heights", "data")
    assert result.heights == HeightRange(0.0, 100.0, "metres per cell")
    # From 0 to 65535 over four cells, whose middles are a quarter apart.
    assert sorted(level.layers["r"].cells.tolist()[0]) == [0, 65535]
    assert result.cells.tolist() == [[16384, 16384, 16384, 16384]]
    assert [tile.name for tile in level.layers["m"].tiles] == ["empty", "cliff"]
    assert level.layers["m"].cells.tolist() == [[1, 1, 1, 1]]


# Shaded relief


def slow_brightness(samples: Samples, light_from: str, height: int, y: int, x: int) -> int:
    rows, columns = samples.shape

    def rise(item: tuple[int, int], other: tuple[int, int]) -> Fraction:
        apart = max(other[0] - item[0] + other[1] - item[1], 1)
        difference = int(samples[other]) - int(samples[item])
        exact = Fraction(difference * height, 65535 * apart)
        return max(min(Fraction(math.floor(exact * 64 + Fraction(1, 2)), 64), 64), -64)

    east = rise((y, max(x - 1, 0)), (y, min(x + 1, columns - 1)))
    south = rise((max(y - 1, 0), x), (min(y + 1, rows - 1), x))
    light = (*shade.TOWARDS[light_from], 17)
    normal = (-east, -south, 1)
    product = sum((a * b for a, b in zip(light, normal, strict=True)), Fraction(0))
    if product <= 0:
        return 0
    square = sum(Fraction(a) ** 2 for a in light) * sum(Fraction(b) ** 2 for b in normal)
    expected = 255 * 255 * product**2 / square
    return math.isqrt(math.floor(expected))


@each_case("light_from", list(shade.TOWARDS))
@each_case("height", [1, 30, 1024])
def test_brightness_is_that_of_lambert_to_the_last_bit(light_from: Any, height: int) -> None:
    for size in ((7, 5), (1, 3), (1, 1)):
        samples = noise(*size, seed=height).astype(np.int32)
        result = shade.brightness(samples, light_from, height)
        slow = [
            [slow_brightness(samples, light_from, height, y, x) for x in range(size[0])]
            for y in range(size[1])
        ]
        assert result.tolist() == slow


def test_slopes_towards_the_lamp_are_bright_and_the_others_dark() -> None:
    ramp = np.tile(np.arange(0, 65536, 8191, dtype=np.int32), (5, 1))  # rises to the east
    west, east = (int(shade.brightness(ramp, item, 16)[2, 4]) for item in ("west", "east"))
    assert west > 200 > 100 > east


@pytest.mark.parametrize("levels", [1, 4, 8])
def test_shades_are_the_stronger_the_further_from_flat_ground(levels: int) -> None:
    shades = shade.shades_of(np.arange(256), levels)
    flat = 180
    assert shades[flat] == 0
    assert shades[0] == levels
    assert shades[255] == 2 * levels
    assert all(np.diff(shades[: flat + 1]) <= 0)
    assert all(np.diff(np.where(shades > levels, shades - levels, 0)[flat:]) >= 0)
    for lit in range(256):
        away = Fraction(flat - lit, flat) if lit <= flat else Fraction(lit - flat, 75)
        number = math.floor(away * levels + Fraction(1, 2))
        assert shades[lit] == (number if lit <= flat or number == 0 else levels + number)
    tiles = shade.legend(levels)
    assert [tile.id for tile in tiles] == list(range(2 * levels + 1))
    assert tiles[0].empty
    assert tiles[levels].color == "#0c103096"
    assert tiles[-1].color == "#fff2c86e"


def test_shades_are_pictures_and_brightness_is_data() -> None:
    text = (
        "size: [6, 6]\nlayers:\n  r: {generator: heightmap, minimum: -5, maximum: 5}\n"
        "  a: {generator: shade, of: r}\n  b: {generator: shade, of: r, levels: 0}\n"
        "  flat: {generator: shade, of: r, sea_level: 5}\n"
        "  low: {generator: shade, of: r, sea_level: -9}\n"
    )
    level = build_level(parse_level(text.encode(), "x.level.yaml"))
    assert [level.layers[name].role for name in "rab"] == ["data", "picture", "data"]
    assert level.layers["b"].heights == HeightRange(0.0, 1.0, "brightness")
    assert not (level.layers["b"].cells % 257).any()
    assert not level.layers["flat"].cells.any()
    assert np.array_equal(level.layers["low"].cells, level.layers["a"].cells)
