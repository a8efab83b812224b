"""Every metric against its definition, computed once more with plain loops."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from itertools import product
from typing import Any

import numpy as np
import pytest

from cases import each_case
from exporter import build_level, compute_visibility, measure, read_blob, write_blob
from exporter.build.room_connections import with_connections
from exporter.measures import metrics
from exporter.model.errors import NotMeasurableError, ParameterError
from exporter.model.level import CLEAR, Connection, Layer, Level, PlacedObject, Room, Tile
from exporter.reading.reader import parse_level
from slow_metrics import PLAIN, WITH_ARGUMENTS, Slow

GENERATORS = [
    "{generator: cellular_caves, wall_percent: 46}",
    "{generator: rooms_and_corridors, min_room_size: [3, 3], max_room_size: [6, 5]}",
    "{generator: maze}",
    "{generator: drunkard}",
    "{generator: bsp_rooms}",
    "{generator: island_maze}",
]
OBJECTS = "objects: [{name: stairs_up}, {name: exit, count: 2}, {name: big-chest, count: 3}]"
RULES = ["symmetric", "shadowcast", "raycast"]
TILES = (
    Tile(0, "floor", True, False, CLEAR),
    Tile(1, "wall", False, True, CLEAR),
    Tile(2, "water", False, False, CLEAR),
    Tile(3, "bush", True, True, CLEAR),
)


def generated(generator: str, seed: int, rule: str, radius: int = 4) -> Level:
    text = (
        f"size: [21, 13]\nseed: {seed}\nlayers: {{ground: {generator}}}\n{OBJECTS}\n"
        f"visibility: {{algorithm: {rule}, radius: {radius}}}\n"
    )
    return build_level(parse_level(text.encode(), "crypt.level.yaml"))


def random_level(seed: int, floor: float = 0.6) -> Level:
    """A level of random cells, with every kind of tile and objects anywhere on its floor."""
    random = np.random.default_rng(seed)
    width, height = int(random.integers(1, 14)), int(random.integers(1, 11))
    shares = [floor, 1 - floor, 0, 0] if floor in (0, 1) else [floor - 0.1, 0.85 - floor, 0.15, 0.1]
    cells = random.choice(np.arange(4, dtype=np.uint8), (height, width), p=shares)
    walkable = (cells == 0) | (cells == 3)
    layer = Layer("ground", "tiles", cells, "test", tiles=TILES, walkable=walkable)
    y, x = np.nonzero(walkable)
    names = ["goal", "start", "exit", "chest", "chest", "start"]
    objects = []
    if x.size:
        for number, name in enumerate(names, start=1):
            at = int(random.integers(x.size))
            objects.append(PlacedObject(number, name, int(x[at]), int(y[at])))
    rule = RULES[seed % 3]
    sight = compute_visibility(layer.opaque, radius=1 + seed % 5, algorithm=rule)
    return Level(
        "random", width, height, layers={"ground": layer}, visibility=sight,
        visibility_layer="ground", objects=tuple(objects),
    )  # fmt: skip


def random_rooms(seed: int) -> Level:
    """A level of rooms in rows, with random gaps and doors between them and objects anywhere."""
    random = np.random.default_rng(seed)
    cells = np.ones((13, 19), np.uint8)
    rooms = [Room(f"room_{i}", x, y, 3, 2, (x + 1, y)) for i, (y, x) in enumerate(ROOM_PLACES)]
    for room in rooms:
        cells[room.y : room.y + 2, room.x : room.x + 3] = 0
    for y, x in GAPS:
        cells[y, x] = random.choice([0, 1, 4])
    tiles = (*TILES, Tile(4, "door", True, True, CLEAR))
    walkable = (cells == 0) | (cells == 4)
    layer = with_connections(
        Layer("ground", "tiles", cells, "test", tiles=tiles, walkable=walkable, rooms=tuple(rooms))
    )
    y, x = np.nonzero(walkable)
    objects = []
    for number, name in enumerate(["exit", "start", "exit", "chest", "start", "exit"], start=1):
        at = int(random.integers(x.size))
        objects.append(PlacedObject(number, name, int(x[at]), int(y[at])))
    sight = compute_visibility(layer.opaque, radius=3, algorithm="symmetric")
    return Level(
        "rooms", 19, 13, layers={"ground": layer}, visibility=sight, visibility_layer="ground",
        objects=tuple(objects),
    )  # fmt: skip


ROOM_PLACES = list(product((1, 4, 7, 10), (1, 5, 9, 13)))
GAPS = [(y, x) for y, x in product((1, 4, 7, 10), (4, 8, 12))]
GAPS += [(y, x) for y, x in product((3, 6, 9), (2, 6, 10, 14))]

CASES: dict[str, Callable[[], Level]] = {
    f"{text[12:22]}-{seed}": partial(generated, text, seed, RULES[(seed + len(text)) % 3])
    for text, seed in product(GENERATORS, (1, 2))
}
BUILT = [*CASES]
ROOMS = [f"rooms-{seed}" for seed in range(16)]
CASES |= {f"rooms-{seed}": partial(random_rooms, seed) for seed in range(16)}
CASES |= {f"random-{seed}": partial(random_level, seed) for seed in range(24)}
CASES |= {
    f"all-{share}-{seed}": partial(random_level, seed, share)
    for seed, share in product(range(30, 33), (0, 1))
}


@cache
def level_of(case: str) -> Level:
    return CASES[case]()


def agree(result: float | None, expected: float | None, within: float = 1e-12) -> bool:
    """Compare; sums over cells may be taken in another order."""
    if result is None or expected is None:
        return result is expected
    return abs(result - expected) <= within * max(1.0, abs(expected))


def plain_or_none(level: Level, name: str) -> float | None:
    try:
        return measure(level, [name])[name]
    except NotMeasurableError:
        return None


def test_every_metric_has_a_definition_in_loops() -> None:
    for name, metric in metrics().items():
        assert (name in PLAIN) == metric.plain
        assert (name in WITH_ARGUMENTS) == bool(metric.arguments)


@each_case("case", CASES)
def test_metrics_are_what_they_are_said_to_be(case: str) -> None:
    level = level_of(case)
    slow = Slow(level)
    for name, reference in PLAIN.items():
        expected, result = reference(slow), plain_or_none(level, name)
        assert agree(result, expected, 5.1e-7 if name == "tile_entropy" else 1e-12), name
        if isinstance(expected, int):
            assert type(result) is int
        most = metrics()[name].most
        assert result is None or (result >= 0 and (most is None or result <= most))


@each_case("case", CASES)
def test_metrics_with_arguments_are_what_they_are_said_to_be(case: str) -> None:
    level = level_of(case)
    slow = Slow(level)
    names = list(dict.fromkeys(item.name for item in level.objects))
    for steps in (0, 1, 5, 30):
        name = f"reachable.{steps}"
        expected = WITH_ARGUMENTS["reachable"](slow, steps)
        assert agree(measure(level, [name])[name], expected)
    for name in [*names, "nothing"]:
        counted = measure(level, [f"objects.'{name}'"])
        assert list(counted.values()) == [WITH_ARGUMENTS["objects"](slow, name)]
    for first, second in product(names, names):
        for kind in (
            "distance", "critical_path", "critical_path_doors", "critical_path_share", "detours",
        ):  # fmt: skip
            if first == second and kind not in ("distance", "critical_path_doors"):
                continue
            expected = WITH_ARGUMENTS[kind](slow, first, second)
            try:
                (result,) = measure(level, [f"{kind}.'{first}'.'{second}'"]).values()
            except NotMeasurableError:
                result = None
            assert agree(result, expected), (kind, first, second)


def test_random_rooms_have_doors_loops_and_rooms_apart() -> None:
    """Else the cases above would compare nothing with nothing."""
    levels = [random_rooms(seed) for seed in range(16)]
    result = [measure(level) for level in levels]
    for name in ("room_loops", "dead_end_rooms", "critical_path_doors"):
        assert len({item.get(name) for item in result}) > 2, name
    assert any("critical_path_doors" not in item for item in result)


def test_the_rooms_of_several_layers_are_one_graph() -> None:
    level = random_rooms(4)
    ground = level.layers["ground"]
    rooms = (Room("cellar", 0, 0, 1, 1, (0, 0)), Room("attic", 2, 0, 1, 1, (2, 0)))
    stairs = (Connection((0, 1), 1, 0), Connection((1, 0), 1, 0, "door"))
    upper = replace(
        ground, name="upper", cells=np.zeros_like(ground.cells),
        walkable=np.ones(ground.cells.shape, bool), rooms=rooms, connections=stairs,
    )  # fmt: skip
    both = replace(level, layers={"upper": upper, "ground": ground})
    slow = Slow(both)
    item, two = measure(level), measure(both)
    assert two["rooms"] == item["rooms"] + 2
    assert two["dead_end_rooms"] == item["dead_end_rooms"] + 2
    assert two["room_loops"] == item["room_loops"]
    for name in ("room_degree", "room_loops", "dead_end_rooms", "critical_path_doors"):
        assert agree(two.get(name), PLAIN[name](slow)), name


@each_case(
    ("name", "message"),
    [
        ("critical_path_doors", "the first object 'start' is not in a room"),
        ("critical_path_doors.exit.start", "no object 'start' is in a room"),
        ("critical_path_doors.exit.chest", "no path leads through rooms from 'exit' to 'chest'"),
        ("critical_path_doors.exit.exit", "the level has only one object 'exit'"),
        ("critical_path_doors.exit.key", "the level has no object 'key'"),
    ],
)
def test_doors_that_cannot_be_counted_say_why(name: str, message: str) -> None:
    walkable = np.ones((1, 5), bool)
    rooms = (Room("one", 0, 0, 1, 1, (0, 0)), Room("two", 4, 0, 1, 1, (4, 0)))
    layer = Layer("ground", "tiles", np.zeros((1, 5), np.uint8), "test", tiles=TILES[:1],
                  walkable=walkable, rooms=rooms)  # fmt: skip
    objects = (
        PlacedObject(1, "start", 2, 0),
        PlacedObject(2, "exit", 0, 0),
        PlacedObject(3, "chest", 4, 0),
    )  # fmt: skip
    level = Level("two", 5, 1, layers={"ground": layer}, objects=objects)
    with pytest.raises(NotMeasurableError) as raised:
        measure(level, [name])
    assert raised.value.message == f"{name}: {message}"


def test_rooms_are_required_of_a_layer_as_of_the_level() -> None:
    layer = random_rooms(2).layers["ground"]
    assert measure(layer)["room_degree"] == measure(random_rooms(2))["room_degree"]
    cave = random_level(1).layers["ground"]
    for name in ("room_degree", "room_loops", "dead_end_rooms"):
        with pytest.raises(NotMeasurableError, match=f"{name}: no layer was built of rooms"):
            measure(cave, [name])


@each_case("case", [*BUILT, *ROOMS])
def test_a_level_from_a_blob_has_the_same_metrics(case: str) -> None:
    level = level_of(case)
    assert measure(read_blob(write_blob(level))) == measure(level)


def test_a_layer_is_measured_as_a_level_of_it_alone() -> None:
    for seed in range(6):
        level = random_level(seed)
        of_layer = measure(level.layers["ground"])
        of_level = measure(level)
        needless = [name for name, metric in metrics().items() if not metric.needs]
        assert of_layer == {name: of_level[name] for name in needless if name in of_level}
        assert {"floor", "loops", "openness", "tile_entropy"} <= of_layer.keys()


def test_several_play_layers_are_one_floor() -> None:
    ground = random_level(3).layers["ground"]
    level = random_level(3)
    over = np.where(np.random.default_rng(1).random(ground.cells.shape) < 0.3, 1, 0)
    tiles = (Tile(0, "empty", False, False, CLEAR), Tile(1, "crate", False, False, CLEAR))
    crates = Layer("crates", "tiles", over.astype(np.uint8), "test", tiles=tiles)
    picture = replace(crates, name="picture", role="picture")
    both = replace(level, layers={"ground": ground, "crates": crates, "picture": picture})
    slow = Slow(both)
    assert len(slow.floor) < len(Slow(level).floor)
    for name in ("floor", "regions", "farthest", "loops", "chokes", "exposure_mean", "cover"):
        assert agree(measure(both, [name])[name], PLAIN[name](slow)), name


def test_all_that_applies_is_measured_without_names() -> None:
    level = generated(GENERATORS[1], 1, "symmetric")
    everything = measure(level)
    applying = {name for name in PLAIN if not name.startswith("mission")}
    assert {name for name in everything if not name.startswith("objects")} == applying
    assert everything["objects.stairs_up"] == 1
    assert everything["objects.exit"] == 2
    assert everything["objects.'big-chest'"] == 3
    for name, value in everything.items():
        assert measure(level, [name]) == {name: value}
    blind = measure(replace(level, visibility=None, objects=()))
    lacking = {"ambush", "cover", "longest_sight", "critical_path", "critical_path_share"}
    lacking |= {
        "critical_path_doors",
        "detours",
        "exposure_max",
        "exposure_mean",
        "exposure_spread",
    }
    assert applying - lacking == blind.keys()


@each_case(
    ("name", "message"),
    [
        (
            "exposure_mean",
            "exposure_mean: the level has no `visibility:` (write `visibility: {radius: 8}` at the "
            "left margin)",
        ),
        (
            "rooms",
            "rooms: no layer was built of rooms (use rooms_and_corridors, bsp_rooms or prefabs)",
        ),
        ("distance.a.b", "distance.a.b: the level has no object 'a'"),
        ("distance.key.b", "distance.key.b: the level has no object 'b'"),
        ("distance.key.key", "distance.key.key: the level has only one object 'key'"),
        ("distance.key.door", "distance.key.door: no path leads from 'key' to 'door'"),
        (
            "critical_path",
            "critical_path: the level has no object whose name matches a start (start, "
            "entrance, entry, spawn, player_start, player, stairs_up)",
        ),
    ],
)
def test_what_does_not_apply_says_why(name: str, message: str) -> None:
    cells = np.array([[0, 1, 0]], np.uint8)
    layer = Layer("ground", "tiles", cells, "test", tiles=TILES, walkable=cells == 0)
    objects = (PlacedObject(1, "key", 0, 0), PlacedObject(2, "door", 2, 0))
    level = Level("two", 3, 1, layers={"ground": layer}, objects=objects)
    with pytest.raises(NotMeasurableError) as raised:
        measure(level, [name])
    assert raised.value.message == message


def test_a_level_or_layer_without_walkable_cells_says_so() -> None:
    heights = Layer("relief", "heights", np.zeros((3, 4), np.uint16), "test")
    with pytest.raises(NotMeasurableError, match=r"the layer has no walkable cells to measure"):
        measure(heights, ["floor"])
    with pytest.raises(NotMeasurableError, match="no `play` layer of tiles"):
        measure(heights, ["tile_entropy"])
    with pytest.raises(NotMeasurableError, match="cannot be computed for a single layer"):
        measure(heights, ["blob_bytes"])
    level = Level("bare", 4, 3, layers={"relief": heights})
    with pytest.raises(NotMeasurableError, match="no `play` layer, so it has no walkable cells"):
        measure(level, ["floor"])
    assert measure(level).keys() == {"blob_bytes"}


def test_a_level_that_no_blob_can_hold_has_no_size() -> None:
    level = Level("odd", 1, 1, properties={"moon": float("nan")})
    with pytest.raises(NotMeasurableError, match="no blob can hold the level"):
        measure(level, ["blob_bytes"])


@each_case(
    ("text", "message"),
    [
        ("farthes", "unknown metric 'farthes' (did you mean 'farthest'?)"),
        ("cycles", "unknown metric 'cycles' (did you mean 'loops'?)"),
        ("floor.x", "'floor.x' is not the name of a metric (write `floor`)"),
        ("floor.", "'floor.' is not the name of a metric (write `floor`)"),
        ("objects",
         ("'objects' is not the name of a metric (write `objects.NAME`; put quotes around "
"a name that is not a plain word: 'big-chest')")),
        ("objects.a-b",
         ("'objects.a-b' is not the name of a metric (write `objects.NAME`; put quotes "
"around a name that is not a plain word: 'big-chest')")),
        ("critical_path.a",
         ("'critical_path.a' is not the name of a metric (write `critical_path` or "
"`critical_path.A.B`; put quotes around a name that is not a plain word: "
"'big-chest')")),
        ("reachable.far", "'reachable.far': 'far' is not a whole number (write `reachable.N`)"),
        ("objects.'a b'",
         "\"objects.'a b'\": 'a b' is not the name of objects (write `objects.NAME`; put quotes "
         "around a name that is not a plain word: 'big-chest')"),
    ],
)  # fmt: skip
def test_a_name_that_is_wrong_says_what_is_right(text: str, message: str) -> None:
    with pytest.raises(ParameterError) as raised:
        measure(Level("bare", 1, 1), [text])
    assert raised.value.message == message


@each_case("text", ["", ".", "objects.'", "objects.''", "objects..a", "floor\n", "é"])
def test_odd_texts_name_no_metric(text: str) -> None:
    with pytest.raises(ParameterError):
        measure(Level("bare", 1, 1), [text])


def test_results_spell_a_name_in_one_way() -> None:
    level = Level("bare", 1, 1)
    assert measure(level, ["objects.'chest'", "objects.chest"]) == {"objects.chest": 0}
    assert measure(level, ["objects.'2nd'"]) == {"objects.'2nd'": 0}
    assert measure(level, []) == {}


def test_only_what_is_named_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    from exporter.measures import measured

    level = random_level(5)

    def never(*arguments: Any) -> Any:
        raise AssertionError("nobody asked for this")

    monkeypatch.setattr(measured, "certify", never)
    monkeypatch.setattr(measured, "distance_from", never)
    monkeypatch.setattr(measured, "room_map", never)
    bare = replace(level, visibility=None)
    assert set(measure(bare, ["floor", "openness", "objects.chest"])) == {
        "floor", "openness", "objects.chest",
    }  # fmt: skip
    with pytest.raises(AssertionError, match="nobody asked"):
        measure(bare, ["farthest"])


def test_several_metrics_share_what_they_need(monkeypatch: pytest.MonkeyPatch) -> None:
    from exporter.measures import measured

    calls: list[str] = []
    certify = measured.certify

    def counted(*arguments: Any) -> Any:
        calls.append("certify")
        return certify(*arguments)

    monkeypatch.setattr(measured, "certify", counted)
    measure(random_level(5), ["farthest", "regions", "dead_ends", "chokes", "reachable.5"])
    assert calls == ["certify"]
    calls.clear()
    # The certificate of a layer with the same cells is that of the level.
    measure(generated(GENERATORS[0], 1, "symmetric"), ["farthest", "regions"])
    assert calls == []


def test_a_lone_text_is_no_list_of_metrics() -> None:
    with pytest.raises(ParameterError, match=r"write \['floor'\]"):
        measure(Level("empty", 8, 8), "floor")
