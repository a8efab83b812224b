"""The gallery and its pages: every preset is there, and every picture they show exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PIL import Image

from cases import each_case
from exporter.tilesets.styles import STYLES
from scripts import load_script

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "exporter" / "docs"
PRESETS = sorted((ROOT / "templates" / "levels").glob("*.level.yaml"))
MOST_BYTES = 3_000_000
gallery = load_script("golden/update_gallery.py")


@each_case("preset", PRESETS)
def test_every_preset_is_on_the_page_with_its_own_words(preset: Path) -> None:
    page = (DOCS / "reference" / "gallery.md").read_text(encoding="utf-8")
    assert gallery.entry(preset, preset.name.removesuffix(".level.yaml")) in page


@each_case("style", STYLES.built_in())
def test_every_style_is_on_the_page(style: str) -> None:
    page = (DOCS / "reference" / "gallery.md").read_text(encoding="utf-8")
    assert gallery.style_entry(style) in page


@each_case(
    "page", ["reference/gallery.md", "how-to/godot.md", "how-to/steps.md", "how-to/tiled.md"]
)
def test_every_picture_of_a_page_exists(page: str) -> None:
    path = DOCS / page
    displayed = re.findall(r"!\[[^]]*\]\(([^)]+)\)", path.read_text(encoding="utf-8"))
    assert displayed
    for name in displayed:
        with Image.open(path.parent / name) as picture:
            assert min(picture.size) > 100


def test_all_pictures_together_stay_small() -> None:
    pictures = [path for path in (DOCS / "images").rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in pictures) < MOST_BYTES


@pytest.mark.parametrize("name", ["cellular-caves-classic", "rooms"])
def test_a_picture_shows_what_the_exporter_draws_today(name: str, tmp_path: Path) -> None:
    recorded = DOCS / "images" / "gallery" / f"{name}.png"
    copy = tmp_path / "picture.png"
    copy.write_bytes(recorded.read_bytes())
    spec = ROOT / "templates" / "levels" / f"{name}.level.yaml"
    assert not gallery.draw(spec, copy, "--scale", str(gallery.scale_of(spec)))


def test_the_picture_of_steps_is_what_the_exporter_draws_today(tmp_path: Path) -> None:
    copy = tmp_path / "steps.png"
    copy.write_bytes((DOCS / "images" / "steps.png").read_bytes())
    assert not gallery.draw_steps(copy)
