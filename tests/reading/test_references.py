"""References between layers and objects: reported with their position before the build."""

from cases import each_case
from exporter.build.build import build_level
from exporter.generators import GENERATORS
from exporter.model.parameters import Refers, references
from exporter.placement.ground import NO_PLAY_LAYER
from exporter.reading.reader import parse_level
from exporter.reading.references import BUILT_LATER, NO_SIGHT_LAYER, SEES_ITSELF
from spec_problems import problems_of

GROUND = "size: [20, 20]\nlayers:\n  ground: {generator: cellular_caves}\n"
SIGHT = "visibility: {layer: ground}\n"


@each_case(
    ("text", "said"),
    [
        (GROUND + "  b: {generator: mask, of: grond, by: ground}\n",
         "4:28: unknown layer 'grond' (did you mean 'ground'?)"),
        (GROUND + "  b: {generator: mask, of: ground, by: c}\n  c: {generator: maze}\n",
         "4:40: the layer 'c' is defined after 'b' (only earlier layers can be used)"),
        (GROUND + "  b: {generator: outline, of: b}\n",
         "4:31: the layer 'b' cannot refer to itself (name another layer)"),
        ("size: [9, 9]\nlayers:\n  b: {generator: outline, of: other}\n",
         "3:31: unknown layer 'other' (no layer is defined)"),
        (GROUND + "  b:\n    generator: union\n    layers:\n      - ground\n      - gronud\n",
         "8:9: unknown layer 'gronud' (did you mean 'ground'?)"),
        (GROUND + "  h: {generator: maze, size: [9, 9]}\n"
         "  b: {generator: subtract, of: ground, minus: [h]}\n",
         "5:48: the layer 'h' has 9 x 9 cells, this one 20 x 20 "
         "(both need the same: change or remove `size`)"),
        (GROUND + "  b: {generator: heightmap, from_layer: grund}\n",
         "4:41: unknown layer 'grund' (did you mean 'ground'?)"),
        (GROUND + "  b: {generator: exposure}\n",
         "4:18: 'exposure' needs the level's `visibility:` block "
         "(add `visibility: {radius: 8}` at the left margin)"),
        (GROUND + "  b: {generator: exposure, size: [5, 5]}\n" + SIGHT,
         "4:34: a layer derived from visibility cannot have a `size` of its own (remove it)"),
        (GROUND
         + "  b: {generator: light, objects: [lamp]}\n"
         + SIGHT
         + "objects: [{name: lmp}]", "4:35: unknown object 'lamp' (did you mean 'lmp'?)"),
        (GROUND + "objects: [{name: stairs}, {name: a, near: stair}]",
         "4:43: unknown object 'stair' (did you mean 'stairs'?)"),
        (GROUND + "objects: [{name: b}, {name: a, far_from: [b, a]}]",
         "4:46: 'a' cannot refer to itself (use `spacing` to keep them apart)"),
        (GROUND + "objects: [{name: a, at: [0, 0]}, {name: b, at: [0, 0]}]",
         "4:48: another object is already at [0, 0]"),
        (GROUND + "  b: {generator: cover}\nvisibility: {layer: b}",
         "5:21: the layer 'b' is derived from visibility and cannot block sight"),
        (GROUND + "  b: {generator: maze, size: [9, 9]}\nvisibility: {layer: b}",
         "5:21: 'b' is not a tile layer of the level's size"),
    ],
)  # fmt: skip
def test_a_reference_that_leads_nowhere_is_reported_at_its_position(text: str, said: str) -> None:
    assert problems_of(text) == [said]


def test_a_layer_with_a_fault_of_its_own_is_not_missed_by_others() -> None:
    text = "size: [9, 9]\nlayers:\n  a: {generator: maze, braid_percent: x}\n"
    assert len(problems_of(text + "  b: {generator: outline, of: a}\n")) == 1


def test_a_map_can_use_a_derived_layer_above_it() -> None:
    text = (
        "size: [30, 20]\nlayers:\n"
        "  seen: {generator: exposure, of: ground, levels: 4}\n"
        "  ground: {generator: cellular_caves}\n"
        "  lane: {generator: outline, of: seen}\n"
        "visibility: {}\n"
    )
    level = build_level(parse_level(text.encode(), "x.level.yaml"))
    assert list(level.layers) == ["seen", "ground", "lane"]
    assert level.visibility_layer == "ground"


def test_a_derived_layer_can_use_maps_that_stand_below_it() -> None:
    text = "size: [9, 9]\nlayers:\n  seen: {generator: exposure, of: m}\n  m: {generator: maze}\n"
    assert list(parse_level((text + "visibility: {}").encode(), "x").layers) == ["seen", "m"]


def test_references_are_detected_wherever_they_stand() -> None:
    kind = GENERATORS.get("subtract").parameters
    result = references(kind(of="a", minus=("b", "c")))  # type: ignore[call-arg]
    rule = Refers("layer", same_size=True, replaced=True)
    assert result == [(rule, "a", ("of",)), (rule, "b", ("minus", 0)), (rule, "c", ("minus", 1))]


@each_case(
    ("layer", "said"),
    [
        (
            "generator: visited_caves, min_corridor_length: 9",
            "min_corridor_length 9 is greater than",
        ),
        (
            "generator: rooms_and_corridors, min_room_size: [16, 3]",
            "width of a room, 16, is greater than",
        ),
        (
            "generator: rooms_and_corridors, min_room_size: [3, 50], max_room_size: [9, 60]",
            "does not fit",
        ),
        ("generator: irregular_rooms, min_radius: 20", "min_radius 20 is greater than"),
        ("generator: bsp_rooms, max_room_size: [2, 20]", "width of a room, 4, is greater than"),
        ("generator: drunkard, border: 10", "a border of 10 leaves no cells"),
        ("generator: maze, size: [4, 9], wall_width: 2", "too few for a maze"),
        ("generator: heightmap, minimum: 5", "maximum 1 is not greater than minimum 5"),
        ("generator: heightmap, terraces: 1", "1 terrace"),
        ("generator: stamp, of: ground", "give either `from_layer`"),
        ("generator: stamp, of: ground, art: 'a'", "which is not in `glyphs`"),
        ("generator: prefabs, prefabs: [{name: a}]", "give either `art`"),
        ("generator: prefabs, prefabs: [{art: '#'}, {art: '?'}]", "which is not in `glyphs`"),
        ("generator: wave_function_collapse", "give exactly one of"),
        ("generator: wave_function_collapse, sample: '. #'", "the sample has spaces"),
        ("generator: wave_function_collapse, sample: '.'", "patterns need at least 3 x 3"),
        ("generator: wave_function_collapse, tiles: [{name: a}, {name: a}]", "two tiles"),
        ("generator: cover, levels: 1", "the value 1 is not allowed"),
    ],
)
def test_parameters_that_do_not_go_together_are_reported_without_building(
    layer: str, said: str
) -> None:
    (message,) = problems_of(GROUND + f"  b: {{{layer}}}\n" + SIGHT)
    assert message.startswith("4:")
    assert said in message


@each_case(
    ("generator", "parameter"),
    [
        ("visited_caves", "min_corridor_length: 9"),
        ("visited_caves", "max_corridor_length: 1"),
        ("rooms_and_corridors", "min_corridor_length: 20"),
        ("rooms_and_corridors", "max_corridor_length: 1"),
        ("irregular_rooms", "min_radius: 20"),
        ("irregular_rooms", "max_radius: 1"),
        ("heightmap", "minimum: 2"),
        ("heightmap", "maximum: -2"),
    ],
)
def test_of_two_conflicting_values_the_written_one_is_blamed(
    generator: str, parameter: str
) -> None:
    layer = f"generator: {generator}"
    (message,) = problems_of(f"size: [30, 30]\nlayers:\n  a:\n    {layer}\n    {parameter}\n")
    assert message.startswith(f"5:{7 + parameter.index(':')}:")


def test_a_long_text_is_displayed_in_part() -> None:
    (message,) = problems_of(GROUND + f"  b: {{generator: outline, of: {'x' * 500}}}\n")
    assert len(message) < 200


def test_a_map_too_small_for_a_generator_is_reported_at_the_size() -> None:
    layer = "  m: {generator: maze}\n"
    assert problems_of(f"size: [2, 2]\nlayers:\n{layer}")[0].startswith(
        "1:7: 2 x 2 cells are too few for a maze"
    )


@each_case(
    ("puzzle", "said"),
    [
        ("grid: '123'", "the sudoku has 3 cells (needed: 81)"),
        ("grid: 5", "there is no `file`"),
        (f"grid: '{'0' * 81}'", "more than one solution"),
        (f"grid: '{'0' * 81}', clues: 30", "'clues' has no effect on a puzzle that is given"),
        ("grid: '1', file: a.txt", "`grid` must be the number"),
    ],
)
def test_a_puzzle_that_cannot_be_is_reported_without_building(puzzle: str, said: str) -> None:
    (message,) = problems_of(GROUND + f"puzzles: {{p: {{kind: sudoku, {puzzle}}}}}\n")
    assert message.startswith("4:")
    assert said in message


@each_case(
    "text",
    [
        'layers: {g: {generator: from_image, image: "a\\x7fb"}}',
        'layers: {g: {generator: heightmap, from_image: "a\\x7fb"}}',
        'layers: {g: {generator: prefabs, prefabs: [{file: "a\\x7fb"}]}}',
        'layers: {g: {generator: wave_function_collapse, sample_image: "a\\x7fb"}}',
        'puzzles: {p: {kind: sudoku, file: "a\\x7fb"}}',
        'tileset: {image: "a\\x7fb"}',
    ],
)
def test_a_file_name_with_control_characters_is_refused_at_its_position(text: str) -> None:
    (message,) = problems_of("size: [9, 9]\n" + text)
    assert message.startswith("2:")
    assert "without control characters" in message


ON = "objects:\n  - {name: a, %s}\n"


@each_case(
    ("text", "said"),
    [
        (GROUND + ON % "layer: relief", ["5:22: unknown layer 'relief' (known: ground)"]),
        (GROUND + "  small: {generator: maze, size: [9, 9]}\n" + ON % "layer: small",
         [
             "6:22: objects cannot be placed on layer 'small': it has no walkable cells of the "
             "level's size"
         ]),
        (GROUND + ON % "on_tile: flor", ["5:24: unknown tile 'flor' (did you mean 'floor'?)"]),
        (GROUND + "  water: {generator: island_maze}\n" + ON % "layer: water, on_tile: wall", []),
        (GROUND + "  edge: {generator: outline, of: ground}\n" + ON % "on_tile: outline", []),
        (GROUND + "  edge: {generator: outline, of: ground}\n" + ON % "on_tile: outlin",
         ["6:24: unknown tile 'outlin' (did you mean 'outline'?)"]),
        (GROUND
         + "  edge: {generator: outline, of: ground, role: picture}\n"
         + ON % "on_tile: outline", ["6:24: unknown tile 'outline' (known: floor, wall)"]),
        ("size: [9, 9]\nlayers:\n  b: {generator: bsp_rooms}\n" + ON % "on_tile: door",
         ["5:24: unknown tile 'door' (did you mean 'floor'?)"]),
        # Objects of drawn rooms and stamps are only known when they are there.
        ("size: [19, 19]\nlayers:\n  b: {generator: bsp_rooms, drawn_rooms: [{art: '.+.'}]}\n"
         + ON % "on_tile: door", []),
        ("size: [9, 9]\nlayers:\n  b: {generator: irregular_rooms, drawn_rooms: [{art: '.+'}]}\n"
         + ON % "on_tile: door, required: false", []),
        (GROUND
         + "  huts: {generator: stamp, of: ground, art: '+'}\n"
         + ON % "on_tile: door, required: false", []),
        (GROUND
         + "  seen: {generator: exposure, levels: 3}\n"
         + "  late: {generator: mask, of: ground, by: seen}\n"
         + "visibility: {layer: ground}\n"
         + ON % "count: 2", [f"8:5: {BUILT_LATER % 'late'}"]),
        (GROUND
         + "  seen: {generator: exposure, levels: 3}\n"
         + "  late: {generator: mask, of: ground, by: seen}\n"
         + "visibility: {radius: 3}\n", [f"6:13: {SEES_ITSELF % 'late'}"]),
        ("size: [9, 9]\nlayers:\n  h: {generator: heightmap}\n" + ON % "count: 2",
         [f"5:5: {NO_PLAY_LAYER}"]),
        ("size: [9, 9]\nlayers:\n  h: {generator: heightmap}\nvisibility: {}\n",
         [f"4:13: {NO_SIGHT_LAYER}"]),
        ("size: [9, 9]\nlayers:\n  h: {generator: heightmap}\n  m: {generator: maze}\n"
         "visibility: {layer: h}\n", ["5:21: 'h' is not a tile layer of the level's size"]),
        ("size: [9, 9]\nlayers:\n  h: {generator: heightmap}\n  m: {generator: maze}\n"
         + ON % "on_tile: wal", ["6:24: unknown tile 'wal' (did you mean 'wall'?)"]),
    ],
)  # fmt: skip
def test_what_objects_and_sight_need_is_reported_without_building(
    text: str, said: list[str]
) -> None:
    if said:
        assert problems_of(text) == said
    else:
        parse_level(text.encode(), "x.level.yaml")


@each_case("name", sorted(GENERATORS.built_in()))
def test_the_tiles_a_generator_declares_are_all_its_layers_have(name: str) -> None:
    entry = GENERATORS.get(name)
    if entry.tiles is None:
        return
    layers = {"size": "[40, 40]", "layers": {"base": "{generator: cellular_caves}"}}
    own = {
        "flow": "of: hills",
        "outline": "of: base",
        "union": "layers: [base]",
        "subtract": "of: base, minus: [base]",
        "goal_flow": "of: base, tile: wall",
        "road": "of: base, between: [end]",
        "room_lattice": "rooms: 12",
    }.get(name, "connect: false")
    text = (
        f"size: {layers['size']}\nlayers:\n  base: {{generator: cellular_caves}}\n"
        f"  hills: {{generator: heightmap}}\n"
        f"  it: {{generator: {name}, {own}}}\n"
        "objects: [{name: end, count: 2, layer: base, region: largest}]\n"
    )
    level = build_level(parse_level(text.encode(), "x.level.yaml"))
    assert level.layers["it"].kind == entry.makes == "tiles"
    assert level.layers["it"].tiles == entry.tiles
