"""Rooms in the formats: neighbours, doors, and their fields in the files."""

from __future__ import annotations

import json

import numpy as np

from exporter.formats._rooms import layer_rooms, rooms_json
from exporter.formats.godot.objects import level_metadata
from exporter.formats.godot.values import Vector2i
from exporter.model.level import CLEAR, Connection, Layer, Level, Room, Tile
from exporter.targets import TARGETS

TILES = (
    Tile(0, "floor", True, False, CLEAR),
    Tile(1, "wall", False, True, "#000000ff"),
    Tile(2, "door", True, True, "#8a5a2bff"),
    Tile(3, "trapdoor", True, False, CLEAR),
)
ROWS = ["1111111111", "1002000001", "1001113111", "1111110011"]
ROOMS = (
    Room("west", 1, 1, 2, 2, (1, 1)),
    Room("east", 5, 1, 4, 1, (7, 1)),
    Room("south", 6, 3, 2, 1, (6, 3)),
)
WAYS = (
    Connection((0, 1), 3, 1, "door"),
    Connection((0, 1), 4, 1),
    Connection((1, 2), 6, 2),
    Connection((2, 2), 7, 3),
)


def layer(name: str = "ground", role: str = "play") -> Layer:
    cells = np.array([[int(digit) for digit in row] for row in ROWS], np.uint8)
    return Layer(
        name,
        "tiles",
        cells,
        "test",
        tiles=TILES,
        walkable=cells != 1,
        rooms=ROOMS,
        connections=WAYS,
        role=role,  # type: ignore[arg-type]
    )


def level(*layers: Layer) -> Level:
    return Level("crypt", 10, 4, layers={item.name: item for item in layers})


def test_rooms_have_each_neighbour_once_and_the_doors_at_their_edge() -> None:
    west, east, south = layer_rooms(layer())
    assert (west.room, west.neighbours, west.doors) == (ROOMS[0], (1,), ((3, 1),))
    # The door at the other end of the corridor is the other room's.
    assert (east.neighbours, east.doors) == ((0, 2), ())
    # A trapdoor is no door, and no room is its own neighbour.
    assert (south.neighbours, south.doors) == ((1,), ())


def test_the_json_has_the_keys_of_the_blob() -> None:
    document = json.loads(rooms_json(layer()))
    assert document["rooms"][0] == {
        "name": "west",
        "x": 1,
        "y": 1,
        "width": 2,
        "height": 2,
        "center": [1, 1],
        "neighbours": [1],
        "doors": [[3, 1]],
    }
    assert document["connections"][0] == {"rooms": [0, 1], "x": 3, "y": 1, "kind": "door"}
    assert len(document["connections"]) == len(WAYS)


def test_godot_numbers_the_rooms_of_all_play_layers() -> None:
    reported = level_metadata(level(layer("a"), layer("draft", "data"), layer("b")), {})
    rooms, ways = reported["rooms"], reported["connections"]
    assert [(item["layer"], item["name"]) for item in rooms] == [
        (name, room.name) for name in ("a", "b") for room in ROOMS
    ]
    assert rooms[4]["neighbours"] == (3, 5)
    assert rooms[3]["doors"] == (Vector2i(3, 1),)
    assert ways[4] == {"rooms": (3, 4), "cell": Vector2i(3, 1), "kind": "door"}


def test_a_level_without_rooms_says_nothing_of_them() -> None:
    plain = Layer("ground", "tiles", layer().cells, "test", tiles=TILES, walkable=layer().walkable)
    assert not {"rooms", "connections"} & set(level_metadata(level(plain), {}))


def tiled_layers(*layers: Layer) -> dict[str, dict[str, str]]:
    target = TARGETS.get("tiled")
    result = target.export(level(*layers), target.options(path="t"), "t").artifacts
    (document,) = [json.loads(item.data) for item in result if item.name.endswith(".tmj")]
    return {
        item["name"]: {entry["name"]: entry["value"] for entry in item["properties"]}
        for item in document["layers"]
    }


def test_layers_of_tiled_maps_have_their_rooms_as_a_property() -> None:
    reported = tiled_layers(layer(), layer("draft", "data"))
    assert reported["ground"]["rooms"] == rooms_json(layer())
    assert "rooms" not in reported["draft"]
