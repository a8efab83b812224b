"""Outputs for each role of a layer: every combination of roles, in every target."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product
from typing import Any, get_args

import numpy as np

from cases import each_case
from exporter.blob import read_blob, write_blob
from exporter.model.level import BLACK, CLEAR, HeightRange, Layer, Level, Tile
from exporter.model.level_values import LayerRole
from exporter.targets import TARGETS, Exported
from exporter.visibility import compute_visibility

ROLES: tuple[LayerRole, ...] = get_args(LayerRole)
TARGET_NAMES = ("godot", "unity", "tiled", "ldtk")
CELLS = (np.arange(12 * 7) % 3 == 0).astype(np.uint8).reshape(7, 12)
FLOOR = Tile(0, "floor", True, False, CLEAR)


def sample(ground: LayerRole, upper: LayerRole, relief: LayerRole) -> Level:
    samples = np.arange(33 * 33, dtype=np.uint16).reshape(33, 33)
    legends = [(FLOOR, Tile(1, name, False, True, BLACK)) for name in ("wall", "cliff")]
    layers = {
        "ground": Layer("ground", "tiles", CELLS, "x", tiles=legends[0], role=ground),
        "upper": Layer("upper", "tiles", 1 - CELLS, "x", tiles=legends[1], role=upper),
        "relief": Layer("relief", "heights", samples, "x", heights=HeightRange(), role=relief),
    }
    sight = compute_visibility(CELLS == 1, 3)
    return Level("crypt", 12, 7, layers=layers, visibility=sight, visibility_layer="ground")


def export(name: str, level: Level, **options: Any) -> Exported:
    target = TARGETS.get(name)
    return target.export(level, target.options(**{"path": "out", **options}), "out")


def layers_of(exported: Exported, kind: str) -> set[str | None]:
    return {file.layer for file in exported.artifacts if file.kind == kind}


@each_case("roles", [*product(ROLES, ROLES, ("data", "none"))])
@each_case("name", TARGET_NAMES)
def test_every_role_is_in_its_outputs_and_none_is_in_no_output(
    name: str, roles: tuple[LayerRole, LayerRole, LayerRole]
) -> None:
    level = sample(*roles)
    by_layer = dict(zip(level.layers, roles, strict=True))
    exported = export(name, level, formats=["text", "csv"])
    remaining = {layer for layer, role in by_layer.items() if role != "none"}
    seen = {layer for layer, role in by_layer.items() if role in ("play", "picture")}
    tiles = remaining - {"relief"}
    pictures = seen - {"relief"} if name == "ldtk" else tiles
    assert layers_of(exported, "bitmap") == pictures
    assert layers_of(exported, "heightmap") == remaining & {"relief"}
    files = {file.name: file for file in exported.artifacts}
    for suffix in ("txt", "cells.csv"):
        written = {name.split(".")[1] for name in files if name.endswith(suffix)}
        assert written == tiles
    hidden = {layer for layer, role in by_layer.items() if role == "none"}
    for layer in hidden:
        assert not any(layer in file.name.split("/")[-1].split(".") for file in files.values())
    blob = read_blob(files["crypt.lvb"].data)
    assert {item: blob.layers[item].role for item in blob.layers} == {
        layer: role for layer, role in by_layer.items() if role != "none"
    }
    # Sight stays, whatever becomes of the layer that blocks it.
    assert blob.visibility is not None
    assert np.array_equal(blob.visibility.opaque, CELLS == 1)
    assert blob.visibility_layer == ("ground" if "ground" in remaining else None)


@each_case("name", TARGET_NAMES)
def test_a_layer_of_the_role_none_changes_no_output(name: str) -> None:
    level = sample("play", "none", "none")
    without = replace(level, layers={"ground": level.layers["ground"]})
    assert export(name, level) == export(name, without)


def test_the_preview_of_an_export_shows_what_is_seen() -> None:
    def preview(level: Level) -> bytes:
        exported = export("tiled", level, formats=["preview"])
        return next(file.data for file in exported.artifacts if file.kind == "preview")

    displayed = preview(sample("play", "picture", "data"))
    assert preview(sample("play", "play", "data")) == displayed
    ground = preview(sample("play", "data", "data"))
    assert ground != displayed
    assert preview(sample("play", "none", "data")) == ground
    # Without any visible layer it is the relief, and without heights the remaining layers.
    relief = preview(sample("data", "data", "data"))
    assert relief not in (displayed, ground)
    assert preview(sample("data", "none", "none")) == ground


def test_a_tile_has_its_number_whether_its_layer_is_seen_or_not() -> None:
    def numbers(level: Level) -> dict[str, list[int]]:
        files = {file.name: file.data for file in export("unity", level).artifacts}
        layers = json.loads(files["crypt.tileset.json"])["layers"]
        return {layer["name"]: layer["numbers"] for layer in layers}

    seen = numbers(sample("play", "play", "data"))["ground"]
    for role in ("picture", "data", "none"):
        assert numbers(sample("play", role, "data"))["ground"] == seen


def test_ldtk_names_the_pictures_that_are_written() -> None:
    exported = export("ldtk", sample("play", "data", "data"))
    files = {file.name: file.data for file in exported.artifacts}
    assert json.loads(files["crypt/data.json"])["layers"] == ["ground.png"]
    assert {"crypt/ground.png", "crypt/ground.csv", "crypt/upper.csv"} <= files.keys()
    assert "crypt/upper.png" not in files


def test_a_blob_in_python_has_all_that_it_is_given() -> None:
    level = sample("play", "none", "none")
    back = read_blob(write_blob(level))
    assert {name: layer.role for name, layer in back.layers.items()} == {
        "ground": "play",
        "upper": "none",
        "relief": "none",
    }


def test_a_level_without_such_layers_is_exported_as_it_is() -> None:
    level = sample("play", "picture", "data")
    assert level.exported() is level
    hidden = sample("none", "play", "data")
    assert list(hidden.exported().layers) == ["upper", "relief"]
    assert hidden.exported().visibility_layer is None
    assert list(hidden.layers) == ["ground", "upper", "relief"]
