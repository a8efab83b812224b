"""The ways between rooms of a built level: of the finished cells, and found only on demand."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from exporter.blob import read_blob, write_blob
from exporter.build.build import Build, build_level
from exporter.build.room_connections import RoomConnections, with_connections
from exporter.grids import room_graph
from exporter.grids.room_graph import room_edges
from exporter.model.level import Connection, Layer, Level
from exporter.reading.reader import load_level, parse_level

DUG = "size: [40, 30]\nseed: 5\nlayers:\n  dug: {generator: bsp_rooms, depth: 3%s}\n%s"


def build(more: str = "", options: str = "") -> Level:
    return build_level(parse_level((DUG % (options, more)).encode(), "a.level.yaml"))


def edges_of(layer: Layer) -> tuple[Connection, ...]:
    assert layer.walkable is not None
    return room_edges(layer.walkable, layer.doors, layer.rooms)


def test_every_layer_with_rooms_has_the_ways_of_its_own_cells() -> None:
    more = (
        "  walls: {generator: stamp, of: dug, art: '###', at: [[10, 10]]}\n"
        "  caves: {generator: cellular_caves}\n"
        "  both: {generator: union, layers: [dug, caves]}\n"
        "  half: {generator: mask, of: dug, by: caves}\n"
        "  doors: {generator: doors, of: dug}\n"
    )
    level = build(more)
    result = {name: tuple(layer.connections) for name, layer in level.layers.items()}
    assert result == {name: edges_of(layer) for name, layer in level.layers.items()}
    assert not result.pop("caves")
    assert all(result.values())
    assert result["both"] != result["dug"]
    assert {item.kind for item in result["doors"]} == {"door"}
    assert {item.kind for item in result["dug"]} == {"opening"}


def test_nothing_is_computed_until_somebody_looks_and_then_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls = []

    def counted(*arguments: object) -> tuple[Connection, ...]:
        calls.append(arguments)
        return room_edges(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(room_graph, "room_edges", counted)
    result = Build(parse_level((DUG % ("", "")).encode(), "a.level.yaml"))
    result.prepare()
    result.measured()
    level, _ = result.level()
    assert not calls
    connections = level.layers["dug"].connections
    assert len(connections) == len(list(connections)) > 0
    assert connections[0] == next(iter(connections))
    assert len(calls) == 1


def test_the_ways_are_those_of_the_cells_after_hand_edits(tmp_path: Path) -> None:
    position = tmp_path / "crypt.level.yaml"
    position.write_text(DUG % (", corridor_width: 1", ""))
    before = build_level(load_level(position)).layers["dug"]
    way = before.connections[0]
    (tmp_path / "crypt.edits.yaml").write_text(
        f"layers:\n  dug:\n    - {{at: [{way.x}, {way.y}], was: floor, now: wall}}\n"
    )
    after = build_level(load_level(position)).layers["dug"]
    assert after.cells[way.y, way.x] != before.cells[way.y, way.x]
    assert tuple(after.connections) == edges_of(after)
    assert way not in after.connections


def test_joined_regions_are_ways() -> None:
    apart = build(options=", connect: false").layers["dug"]
    joined = build(options=", connect: guaranteed").layers["dug"]
    assert tuple(apart.connections) == edges_of(apart)
    assert tuple(joined.connections) == edges_of(joined)


def test_a_blob_keeps_the_ways() -> None:
    level = build()
    read = read_blob(write_blob(level))
    assert read.layers["dug"].connections == tuple(level.layers["dug"].connections)
    assert level.layers["dug"].connections == read.layers["dug"].connections


def test_the_ways_of_a_level_are_a_plain_sequence() -> None:
    connections = build().layers["dug"].connections
    same = tuple(connections)
    assert isinstance(connections, RoomConnections)
    assert connections == same
    assert hash(connections) == hash(same)
    assert connections != same[1:]
    assert connections != list(same)
    assert connections[1:3] == same[1:3]
    assert repr(connections) == repr(same)
    assert tuple(pickle.loads(pickle.dumps(connections))) == same


def test_layers_without_rooms_or_floor_have_none() -> None:
    level = build("  caves: {generator: cellular_caves}\n  hills: {generator: heightmap}\n")
    for name in ("caves", "hills"):
        assert with_connections(level.layers[name]) is level.layers[name]
        assert level.layers[name].connections == ()
