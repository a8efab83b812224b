"""Unity's rewriting of `.meta` files is no edit; a user's change is one.

Unity adds keys. It is not available here, so its editor's known rewriting is done by text.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from edited_outputs import SETTINGS, ThreeEngines
from exporter.formats.engine_files import EngineFiles

META = "u/a.ground.png.meta"
SHEET = "u/a.tileset.png.meta"


def as_unity_rewrites_it(text: str) -> str:
    """Return a texture's settings as a newer editor writes them: more keys, newer versions."""
    assert "  serializedVersion: 12\n" in text
    lines = text.replace("  serializedVersion: 12\n", "  serializedVersion: 13\n")
    lines = lines.replace(
        "  isReadable: ",
        "  bumpmap:\n    convertToNormalMap: 0\n    flipGreenChannel: 0\n  isReadable: ",
    )
    lines = lines.replace("  grayScaleToAlpha: 0\n", "  vTOnly: 0\n  grayScaleToAlpha: 0\n")
    lines = lines.replace("  textureShape: 1\n", "  textureShape: 1\n  swizzle: 50462976\n")
    head, result, rest = lines.partition("  platformSettings:\n")
    assert result
    first, mark, after = rest.partition("  spriteSheet:\n")
    if not mark:
        first, mark, after = rest.partition("  userData:")
    more = first.replace("buildTarget: DefaultTexturePlatform", "buildTarget: Standalone")
    return head + result + first + more + mark + after


def rewrite(game: ThreeEngines, *paths: str) -> dict[str, str]:
    """Let Unity rewrite sidecars; return their texts."""
    texts = {}
    for path in paths:
        texts[path] = as_unity_rewrites_it((game.root / path).read_text())
        (game.root / path).write_text(texts[path])
    return texts


def test_what_unity_adds_is_no_edit(three: ThreeEngines) -> None:
    texts = rewrite(three, META, SHEET)
    assert {item.status for item in three.export().values()} == {"unchanged"}
    three.write("a", seed=2)
    assert three.export()["a"].preserved == ()
    assert {path: (three.root / path).read_text() for path in texts} == texts
    three.spec("a").unlink()
    three.export()
    assert three.reported_retained() == set()
    assert not (three.root / META).exists()


def test_another_size_of_blocks_is_set_in_what_unity_rewrote(three: ThreeEngines) -> None:
    texts = rewrite(three, META)
    three.settings(SETTINGS.replace("path: u", "path: u, block_size: 8"))
    result = three.export()["a"]
    assert META in result.written
    assert result.preserved == ()
    expected = texts[META].replace("spritePixelsToUnits: 5", "spritePixelsToUnits: 8")
    assert expected != texts[META]
    assert (three.root / META).read_text() == expected
    assert three.export()["a"].status == "unchanged"


def test_another_size_of_blocks_is_set_with_the_line_endings_there_are(
    three: ThreeEngines,
) -> None:
    path = three.root / META
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    three.settings(SETTINGS.replace("path: u", "path: u, block_size: 8"))
    three.export()
    data = path.read_bytes()
    assert b"spritePixelsToUnits: 8\r\n" in data
    assert data.count(b"\n") == data.count(b"\r\n")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("filterMode: 0", "filterMode: 1"),
        ("spriteMode: 1", "spriteMode: 2"),
        ("spritePixelsToUnits: 5", "spritePixelsToUnits: 100"),
        ("maxTextureSize: 16384", "maxTextureSize: 2048"),
        ("userData: ", "userData: of the game"),
        ("guid: ", "guid: 0"),
    ],
)
def test_a_value_of_ours_that_is_changed_is_preserved_and_reported(
    three: ThreeEngines, old: str, new: str
) -> None:
    rewrite(three, META)
    path = three.root / META
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    edited = path.read_bytes()
    three.settings(SETTINGS.replace("path: u", "path: u, block_size: 8"))
    assert three.export()["a"].preserved == (META,)
    assert path.read_bytes() == edited
    three.spec("a").unlink()
    three.export()
    assert three.reported_retained() == {META}
    assert path.read_bytes() == edited


def test_sliced_sprites_are_an_edit(three: ThreeEngines) -> None:
    path = three.root / SHEET
    text = path.read_text()
    assert "    sprites: []\n" in text
    sliced = "    sprites:\n    - serializedVersion: 2\n      name: wall\n      alignment: 0\n"
    path.write_text(text.replace("    sprites: []\n", sliced))
    edited = path.read_bytes()
    assert three.export()["a"].preserved == (SHEET,)
    three.write("a", seed=2)
    assert three.export()["a"].preserved == (SHEET,)
    assert path.read_bytes() == edited


def test_the_settings_of_a_blob_may_be_completed(three: ThreeEngines) -> None:
    path = three.root / "u/a.lvb.meta"
    text = path.read_text() + "ScriptedImporter:\n  userData: \n  script: {fileID: 11500000}\n"
    path.write_text(text)
    three.write("a", seed=2)
    assert three.export()["a"].preserved == ()
    assert path.read_text() == text


# --- the rules themselves -----------------------------------------------------------------------


@pytest.mark.parametrize("folder", ["g", "u"])
def test_our_part_of_what_we_write_is_all_of_it(three: ThreeEngines, folder: str) -> None:
    rules = EngineFiles()
    seen = 0
    for path, data in three.files().items():
        if path.startswith(f"{folder}/") and path.endswith((".import", ".meta")):
            assert rules.own_part(path, data) == data
            assert rules.merged(path, data, data) == data
            seen += 1
    assert seen >= 4


@pytest.mark.parametrize("path", ["a.import", "a.meta", "a.tscn"])
@pytest.mark.parametrize(
    "data", [b"", b"\n", b"\xff\xfe", b"[remap]\n", b"guid\n", b"[params\nx", b": :\n- - -\n"]
)
def test_what_is_no_sidecar_has_no_part_of_ours(path: str, data: bytes) -> None:
    assert EngineFiles().own_part(path, data) is None


def test_other_identities_are_of_the_same_form_and_always_the_same() -> None:
    rules = EngineFiles()
    for identity in ("uid://bsk6qv6u1tf7x", "ce44aabf70ffa96c32870861d7670150"):
        other = rules.other_identity(identity)
        assert other != identity
        assert other == rules.other_identity(identity)
        assert other.startswith("uid://") == identity.startswith("uid://")
    assert len(rules.other_identity("ce44aabf70ffa96c32870861d7670150")) == 32


def test_each_kind_of_file_tells_its_identity(three: ThreeEngines) -> None:
    rules = EngineFiles()
    result = {
        Path(path).suffix: rules.identity(path, data)
        for path, data in three.files().items()
        if path.split("/")[1].startswith("a.")
    }
    assert all(result[suffix] for suffix in (".tscn", ".tres", ".import", ".meta"))
    assert not any(result[suffix] for suffix in (".png", ".lvb", ".tmj", ".tsj"))
