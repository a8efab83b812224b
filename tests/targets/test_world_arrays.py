"""Worlds as Zarr and as Cloud Optimized GeoTIFF, read back by the libraries."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exporter.model.errors import ParameterError
from exporter.pipeline.build import build_level
from exporter.reading.reader import parse_level
from exporter.targets import TARGETS
from worlds import TestWorld

WORLD = TestWorld()
LAYERS = ("caves", "relief", "e")


def whole_level_files(folder: Path, name: str) -> Path:
    """Write the level that is made at once; return the folder."""
    target = TARGETS.get("tiled")
    options = target.options(path="out", formats=(name,))
    for file in target.export(WORLD.whole, options, "out").artifacts:
        path = folder / file.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.data)
    return folder


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("zarr")
    pytest.importorskip("rasterio")
    folder = tmp_path_factory.mktemp("world")
    return WORLD.write(folder, "tiled", formats=("zarr", "cog"))


def test_zarr_reads_every_layer_of_a_world_as_the_whole_map(parts: Path) -> None:
    zarr = pytest.importorskip("zarr")
    group = zarr.open_group(parts / "w.world" / "w.zarr", mode="r")
    assert sorted(group.array_keys()) == sorted(LAYERS)
    for name in LAYERS:
        layer = WORLD.whole.layers[name]
        assert group[name].chunks == (64, 64)
        assert group[name].dtype == layer.cells.dtype
        assert np.array_equal(group[name][:], layer.cells)


def test_zarr_tells_what_numbers_mean(parts: Path) -> None:
    zarr = pytest.importorskip("zarr")
    group = zarr.open_group(parts / "w.world" / "w.zarr", mode="r")
    assert group.attrs["seed"] == 7
    relief = group["relief"]
    assert relief.metadata.dimension_names == ("y", "x")
    heights = relief[0, :5] * relief.attrs["scale_factor"] + relief.attrs["add_offset"]
    samples = WORLD.whole.layers["relief"].cells[0, :5].astype(float)
    assert heights == pytest.approx(-40 + samples * 200 / 65535)
    caves = group["caves"].attrs
    assert dict(zip(caves["flag_values"], caves["flag_meanings"].split(), strict=True)) == {
        tile.id: tile.name for tile in WORLD.whole.layers["caves"].tiles
    }
    assert [tile["walkable"] for tile in caves["tiles"]] == [
        tile.walkable for tile in WORLD.whole.layers["caves"].tiles
    ]


def test_a_level_of_its_own_is_a_zarr_group_too(tmp_path: Path) -> None:
    zarr = pytest.importorskip("zarr")
    group = zarr.open_group(whole_level_files(tmp_path, "zarr") / "w.zarr", mode="r")
    for name in LAYERS:
        assert np.array_equal(group[name][:], WORLD.whole.layers[name].cells)


def test_geotiffs_of_the_parts_are_cloud_optimized_and_lie_in_their_places() -> None:
    rasterio = pytest.importorskip("rasterio")
    part = TestWorld((320, 310), 256).part(1, 0)
    target = TARGETS.get("tiled")
    made = target.export_part(part, target.options(path="out", formats=("cog",)), "out")
    file = next(one for one in made.artifacts if one.name == "w.world/w.1_0.relief.tif")
    with rasterio.MemoryFile(file.data) as memory, memory.open() as raster:
        assert raster.tags(ns="IMAGE_STRUCTURE")["LAYOUT"] == "COG"
        assert tuple(raster.bounds) == (256, 310 - 256, 320, 310)
        assert np.array_equal(raster.read(1), part.layers["relief"].cells)
        assert (raster.offsets[0], raster.units[0]) == (-40, "metres")
        assert raster.scales[0] == pytest.approx(200 / 65535)


def test_large_parts_have_pictures_at_lower_resolutions() -> None:
    rasterio = pytest.importorskip("rasterio")
    part = TestWorld((600, 600), 512).part(0, 0)
    target = TARGETS.get("tiled")
    made = target.export_part(part, target.options(path="out", formats=("cog",)), "out")
    file = next(one for one in made.artifacts if one.name.endswith("caves.tif"))
    with rasterio.MemoryFile(file.data) as memory, memory.open() as raster:
        assert raster.overviews(1) == [2]
        small = raster.read(1, out_shape=(256, 256))
    assert set(np.unique(small)) <= {tile.id for tile in part.layers["caves"].tiles}


def test_one_file_joins_the_geotiffs_of_a_world(parts: Path) -> None:
    rasterio = pytest.importorskip("rasterio")
    for name in LAYERS:
        layer = WORLD.whole.layers[name]
        with rasterio.open(parts / f"w.{name}.vrt") as raster:
            assert np.array_equal(raster.read(1), layer.cells)
            assert tuple(raster.bounds) == (0, 0, 150, 100)
            assert raster.dtypes == (layer.cells.dtype.name,)
            if layer.heights is not None:
                assert raster.offsets[0] == layer.heights.minimum
    with rasterio.open(parts / "w.caves.vrt") as raster:
        wall = next(tile for tile in WORLD.whole.layers["caves"].tiles if tile.name == "wall")
        assert raster.colormap(1)[wall.id] == (0, 0, 0, 255)


def test_heights_of_a_size_of_their_own_span_the_level(tmp_path: Path) -> None:
    rasterio = pytest.importorskip("rasterio")
    text = b"size: [64, 32]\nlayers: {relief: {generator: heightmap, size: [33, 17]}}\n"
    level = build_level(parse_level(text, "hill.level.yaml"))
    target = TARGETS.get("tiled")
    made = target.export(level, target.options(path="out", formats=("cog",)), "out")
    file = next(one for one in made.artifacts if one.name == "hill.relief.tif")
    with rasterio.MemoryFile(file.data) as memory, memory.open() as raster:
        # The middles of the first and last samples lie on the edges.
        assert tuple(raster.bounds) == (-1, -1, 65, 33)


def test_the_same_world_gives_the_same_bytes(parts: Path) -> None:
    for name, file in TestWorld().files("tiled", formats=("zarr", "cog")).items():
        assert (parts / name).read_bytes() == file.data, name


@pytest.mark.parametrize(("name", "package"), [("zarr", "zarr"), ("cog", "rasterio.io")])
def test_a_missing_library_is_an_error_that_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, name: str, package: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    target = TARGETS.get("tiled")
    options: Any = target.options(path="out", formats=(name,))
    with pytest.raises(ParameterError, match=r"pip install 'level-exporter\[worlds\]'") as caught:
        target.export(WORLD.whole, options, "out")
    assert caught.value.path == ("formats",)


def test_chunks_are_described_by_the_codecs_that_made_them(parts: Path) -> None:
    folder = parts / "w.world" / "w.zarr"
    told = {name: json.loads((folder / name / "zarr.json").read_bytes()) for name in LAYERS}
    assert [one["name"] for one in told["caves"]["codecs"]] == ["bytes", "gzip"]
    assert [one["name"] for one in told["relief"]["codecs"]] == ["bytes"]
    assert (folder / "relief" / "c" / "1" / "2").stat().st_size == 64 * 64 * 2
