"""Sidecars: written once, with the settings that pictures and heights need."""

from __future__ import annotations

import yaml

from cases import each_case
from exporter.formats import Artifact
from exporter.formats.godot.import_settings import image_import, keep_import, picture_import
from exporter.formats.godot.uid import godot_uid
from exporter.formats.unity.meta import Use, file_meta, picture_meta, unity_guid

PICTURE = Artifact("crypt.ground.png", "bitmap", b"png", "ground")


def unity(meta: Artifact) -> dict:
    text = meta.data.decode()
    assert text.endswith("\n")
    # Unity's YAML reader takes no blank lines and no comments.
    assert all(line.strip() and "#" not in line for line in text.splitlines())
    return yaml.safe_load(text)


def test_sidecars_belong_to_their_file_and_are_written_once() -> None:
    sidecars = [picture_import(PICTURE, "levels"), picture_meta(PICTURE, "levels", "sprite", 5)]
    assert [s.name for s in sidecars] == ["crypt.ground.png.import", "crypt.ground.png.meta"]
    assert all(s.once and s.kind == "import-settings" and s.layer == "ground" for s in sidecars)


def test_sidecars_do_not_depend_on_the_content() -> None:
    other = Artifact(PICTURE.name, "bitmap", b"other", "ground")
    assert picture_import(PICTURE, "p") == picture_import(other, "p")
    assert picture_meta(PICTURE, "p", "sheet", 16) == picture_meta(other, "p", "sheet", 16)


def test_godot_keeps_the_colours_of_a_picture() -> None:
    text = picture_import(PICTURE, "levels").data.decode()
    assert text.startswith('[remap]\n\nimporter="texture"\n')
    assert f'uid="{godot_uid("levels", PICTURE.name)}"' in text
    assert "process/fix_alpha_border=false" in text
    assert "mipmaps/generate=false" in text


def test_godot_loads_heights_as_an_image_and_leaves_their_png_alone() -> None:
    assert 'importer="image"' in image_import(PICTURE, "levels").data.decode()
    assert keep_import(PICTURE).data == b'[remap]\n\nimporter="keep"\n'


@each_case("use", ["sprite", "sheet", "data", "heights"])
def test_unity_neither_filters_nor_shrinks_nor_compresses_a_picture(use: Use) -> None:
    meta = unity(picture_meta(PICTURE, "Assets/Levels", use, 5))
    assert meta["guid"] == unity_guid("Assets/Levels", PICTURE.name)
    texture = meta["TextureImporter"]
    assert texture["textureSettings"]["filterMode"] == 0
    assert texture["mipmaps"]["enableMipMap"] == 0
    assert texture["nPOTScale"] == 0
    assert texture["spritePixelsToUnits"] == 5
    (platform,) = texture["platformSettings"]
    assert platform["maxTextureSize"] == texture["maxTextureSize"] == 16384
    assert platform["textureCompression"] == 0


def test_unity_shows_bitmaps_as_sprites_and_reads_heights_as_numbers() -> None:
    sprite = unity(picture_meta(PICTURE, "", "sprite", 5))["TextureImporter"]
    assert (sprite["textureType"], sprite["spriteMode"]) == (8, 1)
    assert sprite["mipmaps"]["sRGBTexture"] == 1
    heights = unity(picture_meta(PICTURE, "", "heights", 1))["TextureImporter"]
    assert (heights["textureType"], heights["isReadable"]) == (0, 1)
    assert heights["mipmaps"]["sRGBTexture"] == 0
    assert heights["platformSettings"][0]["textureFormat"] == 9


@each_case(
    ("name", "importer"),
    [
        ("a.json", "TextScriptImporter"),
        ("a.xml", "TextScriptImporter"),
        ("a.r16", "DefaultImporter"),
        ("a.lvb", None),
    ],
)
def test_unity_gets_the_importer_of_the_suffix(name: str, importer: str | None) -> None:
    meta = unity(file_meta(Artifact(name, "metadata", b""), "Assets"))
    expected = {"fileFormatVersion", "guid"} | ({importer} if importer else set())
    assert set(meta) == expected
    assert meta["guid"] == unity_guid("Assets", name)
