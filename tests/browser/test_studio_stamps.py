"""Stamps and prefabs on the studio's map, in a real Chromium: by mouse and by the keyboard."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import exporter
from studio_pages import opened, set_value, text_of, until
from studio_tabs import LEVEL, Studio

ZOOM = 16
SPEC = """\
size: [32, 24]
seed: 7
layers:
  ground: {generator: blank, tile: floor}
  vaults:
    generator: prefabs
    of: ground
    prefabs:
      - name: hook
        art: |2
            ###+
            #~
"""


def point(page: Any, x: int, y: int) -> None:
    """Move the mouse to the middle of a cell."""
    ratio = page.evaluate("window.devicePixelRatio")
    box = page.locator("#picture").bounding_box()
    page.mouse.move(box["x"] + ZOOM * (x + 0.5) / ratio, box["y"] + ZOOM * (y + 5.5) / ratio)


def shape(folder: Path, text: str) -> set[tuple[int, int]]:
    """Return the cells of a spec's uppermost layer that its ground does not have."""
    (folder / "a.level.yaml").write_text(text)
    layers = exporter.build_level(exporter.load_level(folder / "a.level.yaml")).layers
    top = list(layers.values())[-1]
    names = np.array([tile.name for tile in top.tiles])[top.cells]
    base = list(layers.values())[-2]
    below = np.array([tile.name for tile in base.tiles])[base.cells]
    rows, columns = np.nonzero(names != below)
    return set(zip(columns.tolist(), rows.tolist(), strict=True))


def test_a_prefab_is_placed_turned_taken_up_and_removed(
    browser: Any, studio: Studio, project: Path, tmp_path: Path
) -> None:
    (project / LEVEL).write_text(SPEC)
    with opened(browser, studio) as page:
        page.evaluate(f"levelExporter.view(0, -5, {ZOOM})")
        page.keyboard.press("k")
        page.locator("[data-piece=hook]").click()
        page.locator("#draw-layer").select_option("vaults")
        point(page, 10, 10)
        page.keyboard.press("r")
        page.mouse.down()
        page.mouse.up()
        until(page, "levelExporter.level().layers.includes('hook')")
        text = text_of(page)
        placed = {(10, 8), (9, 8), (10, 9), (9, 9), (10, 10), (10, 11)}
        assert shape(tmp_path, text) == placed
        until(page, "document.querySelectorAll('[data-piece]').length === 1")
        # Another one of the same piece is a further place of its stamp, by the keyboard.
        point(page, 20, 5)
        page.keyboard.press("r")
        page.keyboard.press("Enter")
        until(page, "levelExporter.text().includes('180')")
        # A press on the first takes it up; F exchanges left and right as it is seen.
        point(page, 10, 10)
        page.mouse.down()
        point(page, 13, 12)
        page.keyboard.press("f")
        page.mouse.up()
        until(page, "levelExporter.text().includes('flip')")
        moved = text_of(page)
        # A place that is not written to its end lies nowhere, and stays as it is.
        set_value(page, "layers.hook.at", [[13], 5, {"turn": 90}])
        half = text_of(page)
        point(page, 10, 10)
        page.mouse.down()
        page.mouse.up()
        assert text_of(page) == half
        page.keyboard.press("Control+z")
        until(page, "text => levelExporter.text() === text", moved)
        point(page, 20, 5)
        page.mouse.down(button="right")
        page.mouse.up(button="right")
        until(page, "!levelExporter.text().includes('180')")
        assert shape(tmp_path, text_of(page)) == {
            (12, 10),
            (13, 10),
            (12, 11),
            (13, 11),
            (12, 12),
            (12, 13),
        }
        page.keyboard.press("Control+z")
        until(page, "text => levelExporter.text() === text", moved)
        page.keyboard.press("Control+z")
        page.keyboard.press("Control+z")
        until(page, "text => levelExporter.text() === text", text)
        page.keyboard.press("Control+z")
        until(page, "text => levelExporter.text() === text", SPEC)
