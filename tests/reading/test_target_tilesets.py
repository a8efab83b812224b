"""Tilesets of the team in a level's spec: checked by the class that the target registers."""

from __future__ import annotations

import pytest

from cases import each_case
from exporter.model.errors import SpecError
from exporter.reading.reader import parse_level
from exporter.reading.schema import level_schema
from exporter.targets._godot_tilesets import GodotTile, GodotTileset
from exporter.targets._tiled_tilesets import TiledTerrain, TiledTileset

SPEC = "size: [8, 8]\nlayers: {{ground: {{generator: cellular_caves}}}}\ntileset: {{targets: {}}}\n"


def targets_of(text: str) -> object:
    spec = parse_level(SPEC.format(text).encode(), "a.level.yaml")
    assert spec.tileset is not None
    return spec.tileset.targets


def test_each_engine_has_its_own_keys() -> None:
    text = (
        "{godot: {file: res://a/b.tres, tiles: {wall: [3, 1], floor: [[0, 0], {at: [1, 0]}], "
        "door: {terrain: Door}, water: null}}, tiled: {tiles: {wall: 3, floor: [4, 5], "
        "door: {terrain: Door}}}}"
    )
    assert targets_of(text) == {
        "godot": GodotTileset(
            file="res://a/b.tres",
            tiles={
                "wall": (3, 1),
                "floor": ((0, 0), GodotTile(at=(1, 0))),
                "door": GodotTile(terrain="Door"),
                "water": None,
            },
        ),
        "tiled": TiledTileset(
            tiles={"wall": 3, "floor": (4, 5), "door": TiledTerrain(terrain="Door")}
        ),
    }


def test_null_stands_for_generated_tiles() -> None:
    assert targets_of("{godot: null}") == {"godot": None}


@each_case(
    ("text", "message"),
    [
        ("{godt: {}}", "did you mean 'godot'"),
        ("{ldtk: {}}", "cannot have a tileset of the team's"),
        ("{godot: 3}", "a mapping"),
        ("{godot: {file: /etc/passwd}}", "a TileSet of the game"),
        ("{godot: {file: 'res://../a.tres'}}", "a TileSet of the game"),
        ("{godot: {file: 'user://a.tres'}}", "a TileSet of the game"),
        ("{godot: {file: 'res://a.png'}}", "a TileSet of the game"),
        ("{godot: {file: }}", "nothing is given here"),
        ("{godot: {tiles: {wall: [1, 70000]}}}", "65535"),
        ("{godot: {tiles: {wall: {at: [1, 2], alternativ: 1}}}}", "did you mean 'alternative'"),
        ("{tiled: {file: ../a.tsx}}", "a tileset of Tiled in the project"),
        ("{tiled: {file: a.tmx}}", "a tileset of Tiled in the project"),
        ("{tiled: {tiles: {wall: -1}}}", "allowed: 0 to"),
    ],
)
def test_what_is_wrong_is_reported(text: str, message: str) -> None:
    with pytest.raises(SpecError, match=message) as result:
        targets_of(text)
    assert result.value.line == 3


def test_editors_know_the_keys() -> None:
    own = level_schema()["properties"]["tileset"]["properties"]["targets"]
    assert set(own["properties"]) >= {"godot", "tiled"}
    assert own["additionalProperties"] is False
    assert set(own["properties"]["godot"]["anyOf"][0]["properties"]) == {"file", "tiles"}
