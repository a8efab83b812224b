"""The level in three dimensions, in a real Chromium: turned, zoomed, walked in, closed."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from daemon_harness import wait_until
from studio_pages import HALL, until

LEVELS = {"hall": HALL}
WIDE = "size: [2048, 513]\nlayers: {ground: {generator: blank}}\n"


def shot(page: Any) -> np.ndarray:
    """The pixels of the canvas, in the middle of which no notes lie."""
    picture = page.locator("#model-picture").screenshot()
    return np.asarray(Image.open(io.BytesIO(picture)).convert("RGB")).astype(int)[60:-60, 60:-60]


def changed(before: np.ndarray, after: np.ndarray) -> float:
    """The share of pixels that differ."""
    return float((np.abs(before - after).max(axis=2) > 8).mean())


def test_the_level_is_turned_zoomed_and_walked_in(page: Any, project: Path) -> None:
    page.locator("#picture").focus()
    page.keyboard.press("u")
    page.locator(".model[aria-busy=false]").wait_for()
    first = shot(page)
    assert len(np.unique(first.reshape(-1, 3), axis=0)) > 100
    assert changed(first, shot(page)) == 0
    box = page.locator("#model-picture").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 80, y, steps=3)
    page.mouse.up()
    turned = shot(page)
    assert changed(first, turned) > 0.1
    page.mouse.wheel(0, -400)
    nearer = shot(page)
    assert changed(turned, nearer) > 0.1
    page.keyboard.press("ArrowUp")
    assert changed(nearer, shot(page)) > 0.1
    # The picture goes to the hero, and follows the draft.
    page.keyboard.press("g")
    wait_until(lambda: changed(nearer, shot(page)) > 0.3)
    page.keyboard.press("g")
    before = shot(page)
    page.evaluate("levelExporter.set('seed', 12)")
    wait_until(lambda: changed(before, shot(page)) > 0.1)
    # A level that is too large for a model does not show that of the level before.
    (project / "levels" / "wide.level.yaml").write_text(WIDE)
    page.locator("#levels option").nth(1).wait_for(state="attached")
    page.select_option("#levels", label="wide")
    until(page, "levelExporter.level()?.name === 'wide'")
    assert page.locator(".model").is_hidden()
    page.locator("#picture").focus()
    page.keyboard.press("u")
    page.get_by_text("1,050,624 cells are too many").wait_for()
    page.locator(".model[aria-busy=false]").wait_for()
    nothing = shot(page)
    assert changed(nothing, np.broadcast_to(nothing[0, 0], nothing.shape)) < 0.1  # the note alone
    page.keyboard.press("Escape")
    assert page.locator(".model").is_hidden()
    assert page.evaluate("document.activeElement.id") == "picture"
