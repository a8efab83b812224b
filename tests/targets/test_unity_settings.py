"""Unity's import settings: there is no Unity here, so what its own YAML reader refuses is looked
for in every file (comments, blank lines, document marks), and guids are checked for uniqueness."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from PIL import Image

from engine_harness.levels import awkward_level, write_artifacts
from exporter.formats.bitmap import cell_colors
from exporter.targets import TARGETS


@pytest.fixture(scope="module")
def assets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unity") / "Assets" / "Levels"
    target = TARGETS.get("unity")
    exported = target.export(awkward_level(), target.options(path="Assets/Levels"), "Levels")
    write_artifacts(exported.artifacts, folder)
    return folder


def settings(file: Path) -> dict[str, Any]:
    document = yaml.safe_load(file.read_text(encoding="utf-8"))
    assert isinstance(document, dict)
    return document


def test_every_asset_has_settings_and_nothing_else_has(assets: Path) -> None:
    files = {path.name for path in assets.iterdir()}
    metas = {name for name in files if name.endswith(".meta")}
    assert {name.removesuffix(".meta") for name in metas} == files - metas
    assert len(metas) > 3


def test_unitys_yaml_reader_accepts_the_text(assets: Path) -> None:
    for meta in assets.glob("*.meta"):
        data = meta.read_bytes()
        assert data.startswith(b"fileFormatVersion: 2\nguid: ")
        assert data.endswith(b"\n")
        assert b"\r" not in data
        for line in data.decode("ascii").splitlines():
            assert line.strip(), f"{meta.name}: a blank line"
            assert "#" not in line
            assert not line.startswith(("---", "%"))


def test_guids_are_proper_and_differ(assets: Path) -> None:
    guids = [settings(meta)["guid"] for meta in assets.glob("*.meta")]
    assert len(set(guids)) == len(guids)
    for guid in guids:
        assert re.fullmatch(r"[0-9a-f]{32}", str(guid))
        assert set(str(guid)) != {"0"}


def test_pictures_stay_sharp_and_whole(assets: Path) -> None:
    for meta in assets.glob("*.png.meta"):
        importer = settings(meta)["TextureImporter"]
        assert importer["mipmaps"]["enableMipMap"] == 0
        assert importer["textureSettings"]["filterMode"] == 0
        assert importer["nPOTScale"] == 0
        with Image.open(meta.with_suffix("")) as picture:
            side = max(picture.size)
        for platform in importer["platformSettings"]:
            assert platform["textureCompression"] == 0
            assert platform["maxTextureSize"] >= side


def test_a_cell_of_a_bitmap_is_one_unit_of_the_world(assets: Path) -> None:
    importer = settings(assets / "crypt.ground.png.meta")["TextureImporter"]
    level = awkward_level()
    with Image.open(assets / "crypt.ground.png") as picture:
        pixels = np.asarray(picture.convert("RGBA"))
    assert importer["spritePixelsToUnits"] == pixels.shape[1] // level.width
    size = pixels.shape[1] // level.width
    expected = cell_colors(level.layers["ground"]).repeat(size, axis=0).repeat(size, axis=1)
    np.testing.assert_array_equal(pixels, expected)


def test_settings_a_user_changed_are_left_alone(assets: Path) -> None:
    meta = assets / "crypt.ground.png.meta"
    changed = meta.read_text(encoding="utf-8").replace("filterMode: 0", "filterMode: 1")
    meta.write_text(changed, encoding="utf-8")
    target = TARGETS.get("unity")
    exported = target.export(awkward_level(), target.options(path="Assets/Levels"), "Levels")
    write_artifacts(exported.artifacts, assets)
    assert meta.read_text(encoding="utf-8") == changed
    sidecars = [artifact for artifact in exported.artifacts if artifact.name.endswith(".meta")]
    assert all(artifact.once for artifact in sidecars)
