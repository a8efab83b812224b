"""The style of drawn tiles: a mistake has its line and the allowed values."""

from __future__ import annotations

from pathlib import Path

import pytest

import exporter
from cases import each_case
from exporter.model.errors import SpecError
from exporter.tilesets.styles import STYLES

SPEC = "size: [9, 9]\nlayers: {ground: {generator: maze}}\ntileset:\n  style: NAME\n"


def spec(folder: Path, text: str) -> Path:
    path = folder / "a.level.yaml"
    path.write_text(text, encoding="utf-8")
    return path


@each_case("name", STYLES.built_in())
def test_every_style_can_be_requested(tmp_path: Path, name: str) -> None:
    read = exporter.load_level(spec(tmp_path, SPEC.replace("NAME", name)))
    assert read.tileset is not None
    assert read.tileset.style == name


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("desrt", "unknown style 'desrt' (did you mean 'desert'?)"),
        ("neon", "unknown style 'neon' (known: cavern, desert, forest, ice, parchment, stone)"),
    ],
)
def test_an_unknown_style_is_reported_at_its_line(tmp_path: Path, name: str, words: str) -> None:
    with pytest.raises(SpecError) as refused:
        exporter.load_level(spec(tmp_path, SPEC.replace("NAME", name)))
    assert (refused.value.line, refused.value.column) == (4, 10)
    assert words in str(refused.value)


def test_a_style_is_not_for_an_image(tmp_path: Path) -> None:
    text = SPEC.replace("NAME", "ice") + "  image: tiles.png\n"
    with pytest.raises(SpecError, match="`style` has no effect with `image`") as refused:
        exporter.load_level(spec(tmp_path, text))
    assert refused.value.line == 4
