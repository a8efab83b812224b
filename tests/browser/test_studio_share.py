"""Sharing from the studio in a real Chromium: the level's picture, copied and saved."""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

import exporter
from exporter.formats.preview import preview_pixels
from studio_pages import opened, until
from studio_tabs import Studio

LEVEL = "levels/cave.level.yaml"
PAGE_OPTIONS = {"permissions": ["clipboard-read", "clipboard-write"]}


def pixels(png: bytes) -> Any:
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"), int)


def saved(page: Any) -> tuple[str, Any]:
    with page.expect_download() as download:
        page.click("#save-picture")
    return download.value.suggested_filename, pixels(Path(download.value.path()).read_bytes())


def expected(project: Path, scale: int = 16) -> Any:
    level = exporter.build_level(exporter.load_level(project / LEVEL))
    return preview_pixels(level, scale=scale)[0].astype(int)


def assert_as_previewed(result: Any, project: Path) -> None:
    """Equal in every pixel; browsers may round translucent pixels of objects by one otherwise."""
    level = exporter.build_level(exporter.load_level(project / LEVEL))
    difference = np.abs(result - expected(project))
    for item in level.objects:
        cell = difference[item.y * 16 : (item.y + 1) * 16, item.x * 16 : (item.x + 1) * 16]
        assert cell.max() <= 1
        cell[:] = 0
    assert difference.max() == 0


def test_the_saved_picture_is_that_of_preview(page: Any, project: Path) -> None:
    # Whatever part is shown, and whatever lies under the pointer.
    page.evaluate("levelExporter.view(7, 5, 33)")
    page.hover("#picture")
    page.click("#open-share")
    assert page.input_value("#share-side") == "16"
    name, result = saved(page)
    assert name == "cave.png"
    assert_as_previewed(result, project)


def test_the_copied_picture_is_that_of_preview(page: Any, project: Path) -> None:
    page.keyboard.press("p")
    page.keyboard.press("Enter")
    until(page, "document.querySelector('#share .told').textContent === 'Copied.'")
    result = page.evaluate(
        """async () => {
            const [item] = await navigator.clipboard.read();
            const bytes = new Uint8Array(await (await item.getType("image/png")).arrayBuffer());
            return btoa(Array.from(bytes, (one) => String.fromCharCode(one)).join(""));
        }"""
    )
    assert_as_previewed(pixels(base64.b64decode(result)), project)
    page.keyboard.press("Escape")
    assert not page.is_visible("#share")
    assert page.evaluate("document.activeElement.id") == "open-share"


def test_a_picture_of_several_pieces_has_no_seams(page: Any, project: Path) -> None:
    page.click("#open-share")
    page.select_option("#share-side", "64")
    whole = saved(page)[1]
    assert whole.shape == (24 * 64, 32 * 64, 3)
    (project / LEVEL).write_text("size: [150, 140]\nlayers: {a: {generator: maze}}\n")
    until(page, "levelExporter.level().width === 150")
    page.select_option("#share-side", "16")
    assert_as_previewed(saved(page)[1], project)


def test_eyes_and_overlays_are_in_the_picture(page: Any, project: Path) -> None:
    plain = expected(project)
    page.get_by_label("Show ground", exact=True).uncheck()
    page.get_by_label("Show start", exact=True).uncheck()
    page.click("#open-share")
    assert (saved(page)[1] == np.array([24, 22, 30])).all()
    page.get_by_label("Show ground", exact=True).check()
    page.select_option("#overlay", "regions")
    until(page, "levelExporter.overlay().name === 'regions'")
    level = exporter.build_level(exporter.load_level(project / LEVEL))
    floor = level.walkable().repeat(16, axis=0).repeat(16, axis=1)
    changed = (saved(page)[1] != plain).any(axis=2)
    assert changed[floor].mean() > 0.9
    assert not changed[~floor].any()


def test_the_limit_of_a_picture_is_reported(page: Any, project: Path) -> None:
    (project / LEVEL).write_text("size: [1000, 2]\nlayers: {a: {generator: blank}}\n")
    until(page, "levelExporter.level().width === 1000")
    page.click("#open-share")
    assert "At most 8 pixels a cell" in page.inner_text("#share .told")
    assert page.locator("#share-side option").all_inner_texts() == ["1", "2", "4", "8"]
    assert saved(page)[1].shape == (16, 8000, 3)


def test_without_a_clipboard_the_page_says_what_to_do(page: Any) -> None:
    page.evaluate("() => Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.click("#open-share")
    page.click("#copy-picture")
    until(page, "document.querySelector('#share .told').textContent.includes('save the picture')")


def test_the_panel_fits_a_narrow_window(browser: Any, studio: Studio) -> None:
    with opened(browser, studio, viewport={"width": 360, "height": 740}) as page:
        page.click("#open-share")
        box = page.locator("#share").bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        bar = page.locator("#toggle-right").bounding_box()
        assert bar["x"] + bar["width"] <= 360
