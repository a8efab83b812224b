"""Overlays of the studio in a real Chromium: chosen, drawn, explained, described by cell."""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import exporter
from daemon_harness import wait_until
from exporter.build.build import Build
from exporter.build.observed import compute_overlay
from exporter.measures.maps import FIRST_NUMBER, OverlayMap, colored
from studio_pages import HALL

LEVEL = "levels/hall.level.yaml"
LEVELS = {"hall": HALL}


@pytest.fixture
def page(page: Any) -> Any:
    page.wait_for_selector("#overlay option[value=chokes]", state="attached")
    return page


def choose(page: Any, name: str, argument: str = "") -> None:
    page.select_option("#overlay", name)
    if argument:
        page.select_option("#overlay-argument", argument)
    text = f"{name}:{argument}" if argument else name
    wait_until(lambda: page.evaluate("levelExporter.overlay().name") == text)


def expected(project: Path, name: str) -> OverlayMap:
    build = Build(exporter.load_level(project / LEVEL))
    build.level()
    return compute_overlay(name, build)


def test_each_cell_has_its_colour_and_tells_what_it_is(page: Any, project: Path) -> None:
    for name in ("rooms", "refused:chest", "exposure"):
        result = expected(project, name)
        choose(page, *name.split(":"))
        reported = page.evaluate(
            """() => Array.from({length: 30}, (_, y) =>
                Array.from({length: 40}, (_, x) => levelExporter.overlayAt(x, y)))"""
        )
        words = name.split(":")[0]
        for y in range(30):
            for x in range(40):
                number = result.values[y, x] >= FIRST_NUMBER
                assert reported[y][x] == (f"{words}: " if number else "") + result.describe(x, y)
        # Cells of 16 pixels: the picture with the overlay differs where it has a colour.
        page.evaluate("levelExporter.view(0, 0, 16)")
        over = shot(page)
        page.select_option("#overlay", "")
        wait_until(lambda: page.evaluate("levelExporter.overlay().name") == "")
        page.evaluate("levelExporter.view(0, 0, 16)")
        plain = shot(page)
        colors = colored(result).astype(int)
        for y in range(30):
            for x in range(40):
                # A pixel beside lines, labels and the grid.
                a, b = plain[y * 16 + 3, x * 16 + 13], over[y * 16 + 3, x * 16 + 13]
                mixed = a + (colors[y, x, :3] - a) * 0.69 if colors[y, x, 3] else a
                if name != "rooms":
                    assert np.abs(mixed - b).max() <= 2, (x, y)
        if name == "rooms":
            centres = (slice(3, 480, 16), slice(13, 640, 16))
            off = np.where(
                colors[..., 3:] > 0, 0.31 * plain[centres] + 0.69 * colors[..., :3], plain[centres]
            )
            # Ways and names of rooms cover some of them.
            assert (np.abs(off - over[centres]).max(axis=2) <= 2).mean() > 0.85


def shot(page: Any) -> np.ndarray:
    """The canvas of the level without the marks above it, 640 x 480 pixels."""
    data = page.evaluate(
        """() => document.getElementById("picture").toDataURL("image/png").split(",")[1]"""
    )
    picture = Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB")
    return np.asarray(picture)[:480, :640].astype(int)


def test_the_legend_counts_cells_and_the_cell_line_tells_why(page: Any, project: Path) -> None:
    result = expected(project, "refused:chest")
    page.evaluate("levelExporter.select('objects.1')")
    page.select_option("#overlay", "refused")
    wait_until(lambda: page.evaluate("levelExporter.overlay().name") == "refused:chest")
    wait_until(lambda: page.locator(".legend .kind").count() > 0)
    lines = [
        all_inner_text.split("\n")
        for all_inner_text in page.locator(".legend .kind").all_inner_texts()
    ]
    assert lines == [[item.name, str(item.count)] for item in result.classes if item.count]
    page.evaluate("levelExporter.view(0, 0, 16)")
    y, x = np.argwhere(result.values == 5)[0].tolist()
    box = page.locator("#picture").bounding_box()
    page.mouse.move(box["x"] + x * 16 + 8, box["y"] + y * 16 + 8)
    assert "not clear within 1 (clear_radius)" in page.inner_text("#cell")


def test_an_overlay_follows_the_draft_and_says_what_is_missing(page: Any, project: Path) -> None:
    choose(page, "reach", "chest")
    before = page.locator(".legend").inner_text()
    page.evaluate("levelExporter.set('seed', 11)")
    wait_until(lambda: page.locator(".legend").inner_text() != before)
    page.evaluate("levelExporter.set('visibility', null)")
    page.select_option("#overlay", "cover")
    wait_until(
        lambda: "no `visibility:`" in (page.evaluate("levelExporter.overlay().problem") or "")
    )
    assert "no `visibility:`" in page.inner_text(".about.bad")


def test_the_keyboard_is_enough(page: Any) -> None:
    page.keyboard.press("o")
    assert page.evaluate("document.activeElement.id") == "overlay"
    page.keyboard.press("r")
    wait_until(lambda: page.evaluate("levelExporter.overlay().name") != "")


def pixels_of(page: Any, canvas: str) -> Any:
    page.evaluate("levelExporter.view(0, 0, 12)")
    data = page.evaluate("(id) => document.getElementById(id).toDataURL().split(',')[1]", canvas)
    image = Image.open(io.BytesIO(base64.b64decode(data))).convert("RGBA")
    return np.asarray(image)[:360, :480]


def test_strict_fog_hides_an_overlay_where_nobody_sees(page: Any, project: Path) -> None:
    page.focus("#picture")
    page.mouse.move(2, 2)
    page.keyboard.press("g")
    wait_until(lambda: page.evaluate("levelExporter.walking()"))
    while "strict" not in page.inner_text("#state"):
        page.keyboard.press("f")
    level = exporter.build_level(exporter.load_level(project / LEVEL))
    hero = next(item for item in level.objects if item.name == "stairs_up")
    assert level.visibility is not None
    seen = level.visibility.visible_from(hero.x, hero.y)
    cells = np.kron(seen, np.ones((12, 12), bool)).astype(bool)
    plain = pixels_of(page, "picture")
    choose(page, "rooms")
    covered = pixels_of(page, "picture")
    assert np.array_equal(covered[~cells], plain[~cells])
    assert not np.array_equal(covered[cells], plain[cells])
    # Circles around unseen objects are hidden, too.
    page.select_option("#overlay", "")
    wait_until(lambda: page.evaluate("levelExporter.overlay().name") == "")
    marks = pixels_of(page, "marks")
    near = np.zeros_like(seen, bool)
    for y, x in zip(*np.nonzero(seen), strict=True):
        near[max(y - 3, 0) : y + 4, max(x - 3, 0) : x + 4] = True
    far = ~np.kron(near, np.ones((12, 12), bool)).astype(bool)
    choose(page, "refused", "chest")
    assert np.array_equal(pixels_of(page, "marks")[far], marks[far])
