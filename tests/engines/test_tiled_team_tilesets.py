"""A tileset that a team made in Tiled, used by exported maps that Tiled draws."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from engine_harness import Tiled
from engine_harness.levels import layer_of, same_picture, write_artifacts
from exporter.formats.tiled.team_tileset import TiledTilesetError, read_tiled_tileset
from exporter.grids.neighbourhoods import BLOB_MASKS, classes
from exporter.model.errors import LevelError, ParameterError
from exporter.model.level import BLACK, CLEAR, Level, Tile
from exporter.model.tileset import TilesetOptions, TilesetSource
from exporter.targets import TARGETS, Exported, SharedWork
from exporter.targets._tiled_tilesets import TiledTerrain, TiledTileset
from team_tilesets import GameOf

SIDE, COLUMNS, ROWS, MARGIN, SPACING = 24, 10, 8, 2, 1
TILES = (
    Tile(0, "floor", True, False, CLEAR),
    Tile(1, "wall", False, True, BLACK),
    Tile(2, "door", True, True, "#885500"),
)
FIRST_WALL = 20


def picture() -> bytes:
    height = 2 * MARGIN + ROWS * (SIDE + SPACING) - SPACING
    width = 2 * MARGIN + COLUMNS * (SIDE + SPACING) - SPACING
    pixels = np.random.default_rng(1).integers(0, 250, (height, width, 3), np.uint8)
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "png")
    return out.getvalue()


def tsx() -> bytes:
    """A tileset as Tiled writes it, with a complete terrain."""
    size = Image.open(io.BytesIO(picture())).size
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<tileset version="1.10" tiledversion="1.10.2" name="dungeon" tilewidth="{SIDE}" '
        f'tileheight="{SIDE}" spacing="{SPACING}" margin="{MARGIN}" tilecount="{COLUMNS * ROWS}" '
        f'columns="{COLUMNS}">',
        f' <image source="dungeon.png" width="{size[0]}" height="{size[1]}"/>',
        ' <tile id="3" type="Floor" probability="3"/>',
        ' <tile id="4" class="floor"/>',
        ' <tile id="7"><properties><property name="name" value="door"/></properties></tile>',
        " <wangsets>",
        '  <wangset name="Walls" type="mixed" tile="-1">',
        '   <wangcolor name="Wall" color="#ff0000" tile="-1" probability="1"/>',
    ]
    for number, mask in enumerate(BLOB_MASKS):
        ids = ",".join(str(mask >> bit & 1) for bit in range(8))
        if mask:
            lines.append(f'   <wangtile tileid="{FIRST_WALL + number}" wangid="{ids}"/>')
    return "\n".join([*lines, "  </wangset>", " </wangsets>", "</tileset>"]).encode()


def tsj() -> bytes:
    """The same tileset in Tiled's other language."""
    wang = [
        {"tileid": FIRST_WALL + number, "wangid": [mask >> bit & 1 for bit in range(8)]}
        for number, mask in enumerate(BLOB_MASKS)
        if mask
    ]
    size = Image.open(io.BytesIO(picture())).size
    return json.dumps(
        {
            "type": "tileset",
            "name": "dungeon",
            "tilewidth": SIDE,
            "tileheight": SIDE,
            "margin": MARGIN,
            "spacing": SPACING,
            "columns": COLUMNS,
            "tilecount": COLUMNS * ROWS,
            "image": "dungeon.png",
            "imagewidth": size[0],
            "imageheight": size[1],
            "tiles": [
                {"id": 3, "type": "Floor", "probability": 3},
                {"id": 4, "class": "floor"},
                {"id": 7, "properties": [{"name": "name", "type": "string", "value": "door"}]},
            ],
            "wangsets": [
                {
                    "name": "Walls",
                    "type": "mixed",
                    "tile": -1,
                    "colors": [{"name": "Wall", "color": "#ff0000", "tile": -1, "probability": 1}],
                    "wangtiles": wang,
                }
            ],
        }
    ).encode()


FILES = {"art/dungeon.tsx": tsx(), "art/dungeon.tsj": tsj()}


def cells() -> np.ndarray:
    result = (np.random.default_rng(2).random((20, 30)) < 0.5).astype(np.uint8)
    result[5, ::6] = 2
    return result


def level(own: Any = ...) -> Level:
    result = Level("crypt", 30, 20, layers={"ground": layer_of("ground", cells(), TILES)})
    if own is ...:
        return result
    return replace(result, tileset=TilesetSource(TilesetOptions(targets={"tiled": own})))


def export(result: Level, tileset: TiledTileset | None, **options: Any) -> Exported:
    target = TARGETS.get("tiled")
    chosen = target.options(path="out/maps", tileset=tileset, blob=False, **options)
    return target.export(result, chosen, "out/maps", SharedWork().within(GameOf(FILES)))


def document(exported: Exported) -> dict[str, Any]:
    text = next(file.data for file in exported.artifacts if file.name == "crypt.tmj")
    result: dict[str, Any] = json.loads(text)
    return result


def numbers(exported: Exported, layer: int = 0) -> np.ndarray:
    listed = document(exported)["layers"][layer]["data"]
    return np.array(listed, np.int64).reshape(20, 30) - 1


@pytest.mark.parametrize("file", FILES)
def test_tiles_are_detected_by_name_and_walls_by_their_neighbours(file: str) -> None:
    exported = export(level(), TiledTileset(file=file))
    result, ids = numbers(exported), cells()
    assert set(np.unique(result[ids == 0])) == {3, 4}
    assert set(np.unique(result[ids == 2])) == {7}
    expected = FIRST_WALL + classes(ids == 1, "blob").astype(int)
    fitting = (ids == 1) & (expected > FIRST_WALL)
    fitting[[0, -1]] = fitting[:, [0, -1]] = False
    np.testing.assert_array_equal(result[fitting], expected[fitting])
    assert (result[ids == 1] > FIRST_WALL).all()
    # The set of Tiled has no tile without any wall.
    alone = int(np.count_nonzero((ids == 1) & (expected == FIRST_WALL)))
    (notice,) = exported.warnings
    assert not isinstance(notice, str)
    assert notice.message.startswith(f"{alone} cells have") or alone < 5
    assert notice.path == ("tileset", "tiles", "wall")


def test_the_map_names_the_file_and_has_the_size_of_its_tiles() -> None:
    exported = export(level(), TiledTileset(file="art/dungeon.tsx"))
    result = document(exported)
    assert result["tilesets"] == [{"firstgid": 1, "source": "../../art/dungeon.tsx"}]
    assert (result["tilewidth"], result["tileheight"]) == (SIDE, SIDE)
    assert not [file.name for file in exported.artifacts if "tileset" in file.name]


def test_layers_of_data_have_the_tileset_of_the_exporter() -> None:
    result = level()
    data = replace(result.layers["ground"], name="data", role="data")
    result = replace(result, layers={**result.layers, "data": data})
    exported = export(result, TiledTileset(file="art/dungeon.tsx"))
    first = COLUMNS * ROWS + 1
    assert document(exported)["tilesets"][1] == {
        "firstgid": first,
        "source": "crypt.tileset.tsj",
    }
    assert (numbers(exported, 1) >= COLUMNS * ROWS).all()
    plain = export(replace(result, layers={"data": data}), None)
    np.testing.assert_array_equal(numbers(exported, 1), numbers(plain) + first - 1)


@pytest.mark.parametrize("language", ["json", "xml"])
def test_tiled_draws_the_tiles_of_the_team(tiled: Tiled, tmp_path: Path, language: str) -> None:
    tileset = TiledTileset(
        file="art/dungeon.tsx",
        tiles={"wall": 12, "floor": (3, 4), "door": TiledTerrain(terrain="Wall")},
    )
    exported = export(level(), tileset, languages=(language,))
    write_artifacts(exported.artifacts, tmp_path / "out" / "maps")
    (tmp_path / "art").mkdir()
    (tmp_path / "art" / "dungeon.tsx").write_bytes(tsx())
    (tmp_path / "art" / "dungeon.png").write_bytes(picture())
    suffix = {"json": "tmj", "xml": "tmx"}[language]
    drawn = tiled.rasterize(tmp_path / "out" / "maps" / f"crypt.{suffix}")
    result = numbers(export(level(), tileset))
    sheet = np.asarray(Image.open(io.BytesIO(picture())).convert("RGBA"))
    own = np.zeros((20 * SIDE, 30 * SIDE, 4), np.uint8)
    for (y, x), number in np.ndenumerate(result):
        top, left = (MARGIN + position * (SIDE + SPACING) for position in divmod(number, COLUMNS))
        tile = sheet[top : top + SIDE, left : left + SIDE]
        own[y * SIDE : (y + 1) * SIDE, x * SIDE : (x + 1) * SIDE] = tile
    same_picture(drawn, own)


@pytest.mark.parametrize(
    ("tileset", "path", "reported"),
    [
        ({}, (), "'file' is missing"),
        ({"file": "art/other.tsx"}, ("file",), "cannot be read"),
        ({"file": "art/dungeon.tsx", "tiles": {"wall": 80}}, ("tiles", "wall"), "0 to 79"),
        (
            {"file": "art/dungeon.tsx", "tiles": {"wall": (1, 99)}},
            ("tiles", "wall", 1),
            "no tile 99",
        ),
        (
            {"file": "art/dungeon.tsx", "tiles": {"wall": TiledTerrain(terrain="Wal")}},
            ("tiles", "wall", "terrain"),
            "did you mean 'Wall'",
        ),
        (
            {
                "file": "art/dungeon.tsx",
                "tiles": {"wall": TiledTerrain(terrain="Wall", terrain_set="x")},
            },
            ("tiles", "wall", "terrain"),
            "has no such terrain",
        ),
    ],
)
def test_what_is_not_there_is_reported_where_it_is_named(
    tileset: dict[str, Any], path: tuple[str | int, ...], reported: str
) -> None:
    with pytest.raises(ParameterError, match=reported) as result:
        export(level(), TiledTileset(**tileset))
    assert result.value.path == ("tileset", *path)
    with pytest.raises(LevelError, match=reported) as result:
        export(level(TiledTileset(**tileset)), None)
    assert result.value.path == ("tileset", "targets", "tiled", *path)


def test_unplaced_tiles_are_reported() -> None:
    lava = Tile(3, "lava", False, False, CLEAR)
    built = Level("crypt", 30, 20, layers={"ground": layer_of("ground", cells(), (*TILES, lava))})
    with pytest.raises(ParameterError, match=r"tile 'lava' has no match.*write `tiles: ") as result:
        export(built, TiledTileset(file="art/dungeon.tsx"))
    assert "which has Wall, Floor, floor, door" in result.value.message


def test_a_tileset_of_the_team_is_neither_embedded_nor_in_a_map_of_lua() -> None:
    wrong: tuple[dict[str, Any], ...] = ({"tilesets": "embedded"}, {"languages": ("json", "lua")})
    for options in wrong:
        with pytest.raises(ParameterError, match="cannot be embedded") as result:
            export(level(), TiledTileset(file="art/dungeon.tsx"), **options)
        assert result.value.path == (*options,)


@pytest.mark.parametrize(
    ("file", "content", "reported"),
    [
        ("a.tsx", b"", "neither XML nor JSON"),
        ("a.tsx", b"<map/>", "not a Tiled tileset"),
        ("a.tsx", b'<!DOCTYPE a [<!ENTITY b "c">]><tileset/>', "document type"),
        ("a.tsx", b"<a>" * 100, "too deep"),
        ("a.tsx", tsx().replace(b'tileheight="24"', b'tileheight="12"'), "24 x 12"),
        ("a.tsx", tsx().replace(b'tilewidth="24"', b'tilewidth="x"'), "broken"),
        (
            "a.tsx",
            tsx().replace(b" <image", b' <grid orientation="isometric"/><image'),
            "isometric",
        ),
        ("a.tsx", tsx().replace(b'type="mixed"', b'type="odd"'), "unknown type 'odd'"),
        ("a.tsx", tsx().replace(b'wangid="0,', b'wangid="7,'), "Tiled before 1.5"),
        ("a.tsx", tsx().replace(b'wangid="0,', b'wangid="0x1",a="'), "broken"),
        ("a.tsx", re.sub(rb'wangid="[^"]*', b'wangid="0x1', tsx()), "open it in Tiled 1.10"),
        ("a.tsj", b'{"tilewidth": 8, "tileheight": 8, "tiles": {"0": {}}}', "Tiled before 1.5"),
        ("a.tsx", b" " * (8 << 20) + b"<tileset/>", "bytes"),
        ("a.tsj", b"[" * 100_000, "neither XML nor JSON"),
        ("a.tsj", b"{}", "not a Tiled tileset"),
        ("a.tsj", b'{"tilewidth": 8, "tileheight": 8, "tiles": 5}', "broken"),
        ("a.tsj", b'{"tilewidth": 1e999, "tileheight": 8}', "broken"),
    ],
)
def test_what_is_no_tileset_is_reported(file: str, content: bytes, reported: str) -> None:
    with pytest.raises(TiledTilesetError, match=reported):
        read_tiled_tileset(content, file)


def test_a_collection_of_pictures_has_gaps() -> None:
    content = (
        b'<tileset tilewidth="8" tileheight="8" tilecount="2" columns="0">'
        b'<tile id="2"><image source="a.png"/></tile><tile id="5"><image source="b.png"/></tile>'
        b"</tileset>"
    )
    tileset = read_tiled_tileset(content, "a.tsx")
    assert [number for number in range(9) if tileset.has(number)] == [2, 5]
    assert tileset.count == 6
