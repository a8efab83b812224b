"""Targets: the files of each engine, in order, and the warnings."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PIL import Image
from pydantic import TypeAdapter, ValidationError

from cases import each_case
from exporter.blob import GODOT_SCENE, read_container
from exporter.formats import Artifact
from exporter.formats.godot.import_settings import own_part
from exporter.formats.godot.uid import godot_uid
from exporter.model.errors import ParameterError
from exporter.model.level import (
    BLACK,
    CLEAR,
    Column,
    HeightRange,
    Layer,
    Level,
    PlacedObject,
    Puzzle,
    Table,
    Tile,
)
from exporter.model.tileset import TilesetOptions, TilesetSource
from exporter.targets import TARGETS, Exported, Notice, ldtk

TILES = (Tile(0, "floor", True, False, CLEAR), Tile(1, "wall", False, True, BLACK))
NAMES = ("godot", "unity", "tiled", "ldtk")


def sample(side: int = 33) -> Level:
    cells = (np.arange(12 * 7) % 3 == 0).astype(np.uint8).reshape(7, 12)
    samples = (np.arange(side * 33) % 65536).astype(np.uint16).reshape(33, side)
    layers = {
        "ground": Layer("ground", "tiles", cells, "test", tiles=TILES),
        "upper": Layer("upper", "tiles", 1 - cells, "test", tiles=TILES),
        "detail": Layer("detail", "tiles", cells[:3], "test", tiles=TILES, grid_aligned=False),
        "relief": Layer("relief", "heights", samples, "test", heights=HeightRange(0, 50)),
    }
    return Level("crypt", 12, 7, layers=layers, objects=(PlacedObject(1, "key", 1, 1),))


def export(name: str, level: Level | None = None, **options: Any) -> Exported:
    target = TARGETS.get(name)
    chosen = target.options(**{"path": "out", "blob": False, **options})
    return target.export(level or sample(), chosen, "out")


def names(exported: Exported) -> list[str]:
    return [artifact.name for artifact in exported.artifacts]


def named_artifact(exported: Exported, name: str) -> Artifact:
    (result,) = (artifact for artifact in exported.artifacts if artifact.name == name)
    return result


@each_case("target", NAMES)
def test_every_name_begins_with_the_levels_and_occurs_once(target: str) -> None:
    result = names(export(target))
    assert all(name.startswith(("crypt.", "crypt/")) for name in result)
    assert len({name.lower() for name in result}) == len(result)


@each_case("target", NAMES)
def test_a_sidecar_comes_right_before_its_file_and_only_sidecars_are_written_once(
    target: str,
) -> None:
    artifacts = export(target).artifacts
    for artifact, following in zip(artifacts, (*artifacts[1:], None), strict=True):
        sidecar = artifact.name.endswith((".import", ".meta"))
        assert artifact.once == sidecar == (artifact.kind == "import-settings")
        if sidecar:
            assert following is not None
            assert artifact.name.rpartition(".")[0] == following.name


@pytest.mark.parametrize("target", ["godot", "tiled", "ldtk"])
def test_a_file_comes_after_all_the_files_it_names(target: str) -> None:
    artifacts = export(target, languages=("json", "xml")) if target == "tiled" else export(target)
    seen: set[str] = set()
    everything = {artifact.name for artifact in artifacts.artifacts}
    for artifact in artifacts.artifacts:
        if artifact.name.endswith(
            (".tscn", ".tres", ".tmj", ".tsj", ".tmx", ".tsx", ".ldtk", "data.json")
        ):
            text = artifact.data.decode()
            named = {name for name in everything if f'"{name.removeprefix("crypt/")}"' in text}
            assert named <= seen | {artifact.name}
        seen.add(artifact.name)


def test_unity_knows_every_asset() -> None:
    exported = export("unity")
    assets = {name for name in names(exported) if not name.endswith(".meta")}
    metas = {name.removesuffix(".meta") for name in names(exported) if name.endswith(".meta")}
    assert assets == metas
    guids = [re.search(rb"guid: (\w+)", a.data)[1] for a in exported.artifacts if a.once]
    assert len(set(guids)) == len(guids)


@each_case("target", NAMES)
def test_every_tile_layer_has_a_bitmap_unless_switched_off(target: str) -> None:
    def bitmaps(**options: Any) -> set[str | None]:
        result = export(target, **options).artifacts
        return {artifact.layer for artifact in result if artifact.kind == "bitmap"}

    expected = {"ground", "upper"} | ({"detail"} if target != "ldtk" else set())
    assert bitmaps() == expected
    assert bitmaps(bitmaps=False) == set()


@pytest.mark.parametrize("target", ["godot", "unity", "tiled"])
def test_bitmaps_follow_block_size_and_colours(target: str) -> None:
    exported = export(target, block_size=3, colors={"wall": "#ff0000"})
    with Image.open(io.BytesIO(named_artifact(exported, "crypt.ground.png").data)) as picture:
        assert picture.size == (36, 21)
        assert picture.getpixel((0, 0)) == (255, 0, 0, 255)


@pytest.mark.parametrize("target", ["godot", "unity", "tiled"])
def test_a_block_may_be_wider_than_high(target: str) -> None:
    exported = export(target, block_size=(4, 2), colors={"wall": "#ff0000"})
    square = export(target, block_size=1, colors={"wall": "#ff0000"})
    pictures = []
    for result in (exported, square):
        with Image.open(io.BytesIO(named_artifact(result, "crypt.ground.png").data)) as picture:
            pictures.append(np.asarray(picture))
    assert np.array_equal(pictures[0], pictures[1].repeat(4, axis=1).repeat(2, axis=0))


@pytest.mark.parametrize("text", ["[8, 4]", "3"])
def test_a_block_size_is_read_from_settings(text: str) -> None:
    kind = TypeAdapter(TARGETS.get("tiled").options)
    options = kind.validate_json(f'{{"path": "a", "block_size": {text}}}')
    assert options.block_size == ((8, 4) if text == "[8, 4]" else 3)


def test_unity_gets_the_width_of_a_block_as_pixels_per_unit() -> None:
    exported = export("unity", block_size=(8, 4))
    assert b"spritePixelsToUnits: 8\n" in named_artifact(exported, "crypt.ground.png.meta").data


@each_case(
    ("target", "suffixes"),
    [
        ("godot", {"png", "r16", "exr", "height.json"}),
        ("unity", {"png", "r16", "raw", "height.json"}),
        ("tiled", {"png", "r16", "height.json"}),
        ("ldtk", {"png", "r16", "height.json"}),
    ],
)
def test_heights_come_in_the_engines_formats(target: str, suffixes: set[str]) -> None:
    def suffixes_of(**options: Any) -> set[str]:
        return {
            artifact.name.removeprefix("crypt.relief.")
            for artifact in export(target, **options).artifacts
            if artifact.layer == "relief" and not artifact.once
        }

    assert suffixes_of() == suffixes
    assert suffixes_of(heightmaps=False) == set()
    kinds = {artifact.kind for artifact in export(target).artifacts if artifact.layer == "relief"}
    assert kinds - {"import-settings"} == {"heightmap", "metadata"}


def test_unity_is_reported_when_heights_are_no_terrain() -> None:
    exported = export("unity", sample(side=40))
    (warning,) = exported.warnings
    assert "'relief' has 40 x 33 samples" in warning
    assert "129" in warning
    assert not any(name.endswith(".raw") for name in names(exported))
    meaning = json.loads(named_artifact(exported, "crypt.relief.height.json").data)
    assert (meaning["scale"], meaning["row_order"]) == (65535, "top_to_bottom")
    assert export("unity").warnings == ()


def test_what_is_measured_is_no_terrain_for_unity() -> None:
    level = sample(side=40)
    layers = {name: replace(layer, measures=True) for name, layer in level.layers.items()}
    exported = export("unity", replace(level, layers=layers))
    assert exported.warnings == ()
    assert "crypt.relief.r16" in names(exported)


@each_case("target", TARGETS.built_in())
def test_a_bitmap_that_engines_cannot_hold_is_left_out_with_a_notice(target: str) -> None:
    cells = np.zeros((1, 300), np.uint8)
    level = Level("long", 300, 1, layers={"a": Layer("a", "tiles", cells, "test", tiles=TILES)})
    for block_size in (64, (64, 2)):
        exported = export(target, level, block_size=block_size, formats=("bitmap",))
        assert "long.a.png" not in names(exported)
        (notice,) = exported.warnings
        assert isinstance(notice, Notice)
        assert (
            "19200 pixels long, and engines hold 16384 (write `block_size: 54`)" in notice.message
        )
        assert notice.path == ("block_size",)
    exported = export(target, level, block_size=54, formats=("bitmap",))
    assert "long.a.png" in names(exported)
    assert exported.warnings == ()


def test_unity_is_reported_the_layout_of_the_tileset() -> None:
    document = json.loads(named_artifact(export("unity", extrude=2), "crypt.tileset.json").data)
    assert (document["margin"], document["spacing"], document["extrusion"]) == (2, 4, 2)
    assert [tile["name"] for tile in document["tiles"]][:2] == ["floor", "wall"]
    (layer,) = [item for item in document["layers"] if item["name"] == "ground"]
    assert (layer["ids"], layer["numbers"]) == ([0, 1], [0, 1])
    known = {tile["number"] for tile in document["tiles"]}
    floor, wall = layer["choices"]
    assert (floor["id"], floor["by"], floor["joins"]) == (0, "blob", [0])
    assert (wall["id"], wall["by"], wall["joins"]) == (1, "blob", [1])
    for choice in (floor, wall):
        assert len(choice["counts"]) == 47
        assert sum(choice["counts"]) == len(choice["numbers"])
        assert set(choice["numbers"]) <= known
        assert choice["inner"] is False


@pytest.mark.parametrize("collision", ["merged", "tiles", "none"])
def test_unity_is_reported_which_colliders_to_make(collision: str) -> None:
    def messages_of(**options: Any) -> Any:
        return json.loads(named_artifact(export("unity", **options), "crypt.tileset.json").data)[
            "collision"
        ]

    assert messages_of(collision=collision) == collision
    assert messages_of() == "merged"


def test_unity_makes_tilemaps_of_seen_layers_alone() -> None:
    ground = sample().layers["ground"]
    layers = {
        role: replace(ground, name=role, role=role) for role in ("data", "picture", "play", "none")
    }
    exported = export("unity", Level("roles", ground.width, ground.height, layers=layers))
    document = json.loads(named_artifact(exported, "roles.tileset.json").data)
    assert [layer["name"] for layer in document["layers"]] == ["picture", "play"]


def test_unity_is_reported_of_cells_that_tile_colliders_leave_open() -> None:
    tiles = (*TILES, Tile(2, "empty", False, False, "#00000000"))

    def exported(cells: list[int], **options: Any) -> tuple[str, ...]:
        layer = Layer("a", "tiles", np.array([cells], np.uint8), "test", tiles=tiles)
        level = Level("a", len(cells), 1, layers={"a": layer})
        return export("unity", level, **{"blob": True, **options}).warnings

    floor, wall, empty, unknown = 0, 1, 2, 9
    assert exported([floor, wall], collision="tiles") == ()
    (warning,) = exported([floor, empty, unknown], collision="tiles")
    assert warning.startswith("2 cells are not walkable, but no tile blocks the way")
    assert "collision: merged" in warning
    (warning,) = exported([floor, empty, wall], collision="tiles")
    assert warning.startswith("1 cell is not walkable")
    assert exported([floor, empty]) == exported([floor, empty], collision="none") == ()
    assert exported([floor, empty], collision="tiles", blob=False) == ()


@each_case("target", NAMES)
def test_every_target_gets_tables_and_puzzles(target: str) -> None:
    loot = Table("loot", (Column("name", "text"), Column("value", "integer")), (("gem", 5),))
    lock = Puzzle("vault", "sudoku", {"clues": "1" * 81})
    level = replace(sample(), tables={"loot": loot}, puzzles={"vault": lock})
    exported = export(target, level, tables=("json", "csv", "xml"))
    kinds = {artifact.name: artifact.kind for artifact in exported.artifacts}
    for suffix in ("json", "csv", "xml", "xsd"):
        assert kinds[f"crypt.loot.{suffix}"] == "table"
    assert kinds["crypt.vault.puzzle.json"] == "puzzle"


def test_godot_takes_no_table_for_translations() -> None:
    loot = Table("loot", (Column("name", "text"),), (("gem",),))
    exported = export("godot", replace(sample(), tables={"loot": loot}), tables=("csv",))
    assert b'importer="keep"' in named_artifact(exported, "crypt.loot.csv.import").data


def test_godot_goes_without_a_scene() -> None:
    whole, alone = export("godot", blob=True), export("godot", blob=True, scene=False)
    assert set(names(whole)) - set(names(alone)) == {"crypt.tscn"}
    assert "crypt.tileset.tres" in names(alone)
    assert named_artifact(alone, "crypt.lvb") == named_artifact(whole, "crypt.lvb")


def test_godot_draws_nothing_where_nothing_is_opened() -> None:
    alone = names(export("godot", scene=False, blob=False))
    assert not [name for name in alone if "tileset" in name]


def test_another_tileset_makes_another_blob_in_godot() -> None:
    # So Godot imports it again: the scene has other tiles.
    pictures = np.zeros((16, 128, 4), np.uint8)
    tiled = [
        replace(
            sample(), tileset=TilesetSource(TilesetOptions(image="a.png", tiles=tiles), pictures)
        )
        for tiles in ({"floor": 0, "wall": 1}, {"floor": 0, "wall": 2})
    ]
    whole = [named_artifact(export("godot", level, blob=True), "crypt.lvb").data for level in tiled]
    assert whole[0] != whole[1]
    # The level itself is the same, and so is the blob of engines that draw it by themselves.
    assert (
        len(
            {named_artifact(export("tiled", level, blob=True), "crypt.lvb").data for level in tiled}
        )
        == 1
    )


def test_the_blob_of_godot_is_the_others_with_one_more_chunk() -> None:
    godot, tiled = (
        read_container(named_artifact(export(target, blob=True), "crypt.lvb").data)
        for target in ("godot", "tiled")
    )
    assert [godot.load(index) for index in range(len(tiled))] == [
        tiled.load(index) for index in range(len(tiled))
    ]
    assert [chunk.type for chunk in godot][len(tiled) :] == [GODOT_SCENE]


def test_the_blob_of_godot_has_the_uid_that_references_keep() -> None:
    sidecar = named_artifact(export("godot", blob=True), "crypt.lvb.import")
    assert sidecar.once
    uid = godot_uid("out", "crypt.lvb")
    assert sidecar.data.decode() == f'[remap]\n\nimporter="level_exporter.level"\nuid="{uid}"\n'
    assert own_part(sidecar.data) == sidecar.data


def test_a_large_scene_in_one_piece_is_reported_with_the_option_that_avoids_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A megabyte instead of 64.
    monkeypatch.setattr("exporter.targets.godot._LARGE_SCENE", 1 << 20)
    cells = np.zeros((512, 512), np.uint8)
    large = Level("big", 512, 512, layers={"a": Layer("a", "tiles", cells, "test", tiles=TILES)})
    none: dict[str, Any] = {"bitmaps": False, "collision": "none", "navigation": "none"}
    (warning,) = export("godot", large, chunks="never", **none).warnings
    assert "big.tscn has 4 MB" in warning
    assert "`chunks: auto`" in warning
    assert export("godot", large, **none).warnings == ()


def test_tiled_writes_the_languages_requested_for() -> None:
    assert "crypt.tmx" not in names(export("tiled"))
    result = names(export("tiled", languages=("xml",)))
    assert {"crypt.tmx", "crypt.tileset.tsx"} <= set(result)
    assert "crypt.tmj" not in result


def test_layers_of_another_grid_are_no_tilemap_layers() -> None:
    document = json.loads(named_artifact(export("tiled"), "crypt.tmj").data)
    assert [layer["name"] for layer in document["layers"]] == ["ground", "upper", "objects"]
    assert 'name="detail"' not in named_artifact(export("godot"), "crypt.tscn").data.decode()


@each_case("target", NAMES)
def test_a_level_with_nothing_in_it_can_be_exported(target: str) -> None:
    result = export(target, Level("crypt", 3, 2))
    assert result.warnings == ()
    assert not any("tileset" in name for name in names(result))


@each_case("target", NAMES)
def test_content_does_not_change_identities(target: str) -> None:
    def identities(level: Level) -> dict[str, bytes]:
        return {
            artifact.name: artifact.data
            for artifact in export(target, level).artifacts
            if artifact.once
        }

    level = sample()
    other = replace(level.layers["ground"], cells=1 - level.layers["ground"].cells)
    changed = replace(level, seed=9, layers={**level.layers, "ground": other})
    assert identities(changed) == identities(level)


@pytest.mark.parametrize("target", ["godot", "unity", "ldtk"])
def test_the_same_level_in_another_folder_has_identities_of_its_own(target: str) -> None:
    chosen = TARGETS.get(target)
    options = chosen.options(path="x", blob=False)
    pattern = rb"uid://\w+|guid: \w+|[0-9a-f-]{36}"

    def identities(home: str) -> set[bytes]:
        artifacts = chosen.export(sample(), options, home).artifacts
        return {result for a in artifacts for result in re.findall(pattern, a.data)}

    assert identities("a")
    assert identities("a").isdisjoint(identities("b"))


def test_ldtk_grids_count_from_one_and_its_pictures_are_the_tiles() -> None:
    level = sample()
    exported = export("ldtk")
    rows = named_artifact(exported, "crypt/ground.csv").data.decode().splitlines()
    cells = [[int(cell) for cell in row.rstrip(",").split(",")] for row in rows]
    assert np.array_equal(np.array(cells), level.layers["ground"].cells + 1)
    document = json.loads(named_artifact(exported, "crypt/data.json").data)
    assert (document["width"], document["height"]) == (192, 112)
    assert document["layers"] == ["ground.png", "upper.png"]
    assert document["entities"]["key"][0]["x"] == 16
    with Image.open(io.BytesIO(named_artifact(exported, "crypt/_composite.png").data)) as picture:
        assert picture.size == (192, 112)


def with_roles() -> Level:
    """The sample level with its layer `upper` a picture, and a layer of data."""
    level = sample()
    upper = replace(level.layers["upper"], role="picture")
    steps = replace(level.layers["ground"], name="steps", role="data")
    return replace(level, layers={**level.layers, "upper": upper, "steps": steps})


def test_ldtk_has_grids_of_what_means_something_and_pictures_of_what_is_seen() -> None:
    result = names(export("ldtk", with_roles()))
    assert {name for name in result if name.endswith(".csv")} == {
        "crypt/ground.csv",
        "crypt/steps.csv",
    }
    assert {"crypt/ground.png", "crypt/upper.png"} <= set(result)
    assert "crypt/steps.png" not in result
    document = json.loads(named_artifact(export("ldtk", with_roles()), "crypt/data.json").data)
    assert document["layers"] == ["ground.png", "upper.png"]
    # Layers of data are not in the picture of the whole.
    plain = replace(with_roles(), layers={**sample().layers})
    for level in (with_roles(), plain):
        picture = named_artifact(export("ldtk", level), "crypt/_composite.png").data
        assert picture == named_artifact(export("ldtk"), "crypt/_composite.png").data


@each_case(("height", "drawn"), [(4, True), (5, False)])
def test_ldtk_draws_large_levels_only_where_it_is_requested_to(
    monkeypatch: pytest.MonkeyPatch, height: int, drawn: bool
) -> None:
    assert ldtk._MOST_DRAWN_UNASKED == 256 * 256
    monkeypatch.setattr(ldtk, "_MOST_DRAWN_UNASKED", 16 * 4)
    layer = sample().layers["ground"]
    large = replace(layer, cells=np.zeros((height, 16), np.uint8))
    level = replace(sample(), width=16, height=height, layers={"ground": large}, objects=())
    pictures = {"crypt/ground.png", "crypt/_composite.png"}
    result = set(names(export("ldtk", level)))
    assert (pictures <= result) is drawn
    assert {"crypt.ldtk", "crypt/data.json", "crypt/ground.csv"} <= result
    if not drawn:
        assert pictures <= set(names(export("ldtk", level, forms=("project", "simple"))))


def test_ldtk_draws_nothing_of_a_level_of_data_alone() -> None:
    level = with_roles()
    result = names(export("ldtk", replace(level, layers={"steps": level.layers["steps"]})))
    assert "crypt/steps.csv" in result
    assert "crypt/_composite.png" not in result


def test_a_tileset_inside_the_map_is_no_file() -> None:
    options: dict[str, Any] = {"languages": ("json", "xml"), "tilesets": "embedded"}
    outside = names(export("tiled", languages=("json", "xml")))
    inside = names(export("tiled", **options))
    assert set(outside) - set(inside) == {"crypt.tileset.tsj", "crypt.tileset.tsx"}
    assert "crypt.tileset.png" in inside
    (tileset,) = json.loads(named_artifact(export("tiled", **options), "crypt.tmj").data)[
        "tilesets"
    ]
    assert tileset["image"] == "crypt.tileset.png"


@each_case("tilesets", ["level", "embedded"])
@each_case("collision", ["merged", "tiles", "none"])
def test_tiled_has_the_one_collision_requested_for(collision: str, tilesets: str) -> None:
    result = export("tiled", with_roles(), collision=collision, tilesets=tilesets)
    document = json.loads(named_artifact(result, "crypt.tmj").data)
    if tilesets == "level":
        tileset = json.loads(named_artifact(result, "crypt.tileset.tsj").data)
    else:
        (tileset,) = document["tilesets"]
    shapes = [tile for tile in tileset["tiles"] if "objectgroup" in tile]
    layers = [layer for layer in document["layers"] if layer["name"] == "collision"]
    assert bool(shapes) is (collision == "tiles")
    assert len(layers) == (collision == "merged")


def test_tiled_keeps_the_collision_of_tiles_unless_reported_otherwise() -> None:
    assert export("tiled").artifacts == export("tiled", collision="tiles").artifacts


@pytest.mark.parametrize(("key", "value"), [("collision", "both"), ("tilesets", "project")])
def test_tiled_refuses_what_its_options_do_not_know(key: str, value: str) -> None:
    kind = TypeAdapter(TARGETS.get("tiled").options)
    with pytest.raises(ValidationError, match="Input should be"):
        kind.validate_python({"path": "maps", key: value})


@pytest.mark.parametrize(("target", "name"), [("tiled", "crypt.tmj"), ("ldtk", "crypt/data.json")])
def test_json_holds_no_infinite_numbers(target: str, name: str) -> None:
    def refuse(text: str) -> float:
        raise AssertionError(text)

    level = replace(sample(), properties={"far": float("inf"), "what": float("nan")})
    json.loads(named_artifact(export(target, level), name).data, parse_constant=refuse)


@each_case("target", NAMES)
def test_a_levels_own_tileset_is_used(target: str) -> None:
    pixels = np.zeros((32, 64, 4), np.uint8)
    pixels[..., 3], pixels[:, 32:, 0] = 255, 200
    options = TilesetOptions(image="a.png", tile_size=32)
    level = replace(sample(), tileset=TilesetSource(options, pixels))
    exported = export(target, level)
    name = "crypt/ground.png" if target == "ldtk" else "crypt.tileset.png"
    with Image.open(io.BytesIO(named_artifact(exported, name).data)) as picture:
        red = np.asarray(picture)[..., 0]
    assert (red[0, 0], red[0, 40]) in ((0, 200), (200, 0))
    texts = b"".join(a.data for a in exported.artifacts if b"\0" not in a.data)
    assert b"32" in texts


@each_case("target", NAMES)
@each_case(
    "options",
    [
        {"path": "/abs"},
        {"path": "../"},
        {"path": "a/../b"},
        {"path": "c:/x"},
        {"path": ""},
        {"path": "a\\b"},
        {"path": "a", "block_size": 0},
        {"path": "a", "block_size": "5"},
        {"path": "a", "block_size": [5, 0]},
        {"path": "a", "block_size": [5]},
        {"path": "a", "block_size": [5, 5, 5]},
        {"path": "a", "block_size": [65, 5]},
        {"path": "a", "colors": {"wall": "red"}},
        {"path": "a", "extrude": 9},
        {"path": "a", "bitmap": True},
        {},
    ],
)
def test_options_that_make_no_sense_are_refused(target: str, options: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(TARGETS.get(target).options).validate_json(json.dumps(options))


@each_case("path", ["a", "a/b c", "unity/Assets/Levels", "..a/b..", "."])
def test_folders_inside_the_project_are_accepted(path: str) -> None:
    options = TypeAdapter(TARGETS.get("godot").options).validate_json(json.dumps({"path": path}))
    assert options.path == path


def test_targets_are_listed_without_being_imported_and_say_what_they_are() -> None:
    assert TARGETS.names() == sorted((*NAMES, "defold", "gltf"))
    assert all(target.summary.endswith(".") for target in TARGETS.all().values())


def test_a_level_that_no_blob_can_hold_is_reported_with_the_position_and_a_way_out() -> None:
    level = replace(sample(), properties={"song": "drip\0drop"})
    with pytest.raises(ParameterError, match=r"LEVL\.properties\.song: .* U\+0000 .*blob: false"):
        export("tiled", level, blob=True)
    assert export("tiled", level, blob=False).artifacts
