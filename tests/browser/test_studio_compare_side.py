"""Comparing side by side, in a real Chromium: each half is the level alone, seen by one camera."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from studio_comparisons import compare_with_seed, comparison_state, shots
from studio_pages import HALL, opened, set_value, until
from studio_tabs import Studio

LEVELS = {"hall": HALL}


def move_over(page: Any, x: float, y: float, cell: str) -> None:
    """Move the pointer, and wait until the page describes a cell."""
    box = page.locator("#picture").bounding_box()
    page.mouse.move(box["x"] + x, box["y"] + y)
    until(page, "(cell) => document.querySelector('#cell b')?.textContent === cell", cell)


def test_each_half_is_the_level_alone(page: Any) -> None:
    set_value(page, "seed", 4)
    alone_a = shots(page)
    set_value(page, "seed", 3)
    alone_b = shots(page)
    assert (alone_a[1] != alone_b[1]).any(axis=2).sum() > 300
    compare_with_seed(page, 4)
    page.click("#compare-marks")
    page.click("#compare-side")
    assert comparison_state(page)["mode"] == "side"
    assert page.locator("#divider").is_hidden()
    for a, b, shot in zip(alone_a, alone_b, shots(page), strict=True):
        width = shot.shape[1]
        half = width // 2
        assert np.array_equal(shot[:, :half], a[:, :half])
        # Elsewhere on the canvas, edges of objects may be smoothed otherwise.
        assert (shot[:, width - half :] != b[:, :half]).any(axis=2).sum() < 100
    assert page.locator(".half:visible").all_inner_texts() == ["A: seed 4", "B: the draft"]
    # Over either half the pointer is at the same cell.
    width = page.locator("#picture").bounding_box()["width"]
    right = width - width // 2
    move_over(page, 102.0, 245.0, "8, 20")
    move_over(page, right + 200.0, 245.0, "16, 20")
    move_over(page, 102.0, 209.0, "8, 17")
    move_over(page, right + 102.0, 245.0, "8, 20")
    page.click("#compare-swipe")
    for a, b, item in zip(alone_a, alone_b, shots(page), strict=True):
        middle = item.shape[1] // 2
        assert np.array_equal(item[:, : middle - 1], a[:, : middle - 1])
        assert np.array_equal(item[:, middle + 1 :], b[:, middle + 1 :])
    page.click("#compare-side")
    page.keyboard.press("Escape")
    for b, entry in zip(alone_b, shots(page), strict=True):
        assert np.array_equal(entry, b)
    assert page.locator(".half:visible").count() == 0


def test_both_halves_have_the_marks(page: Any) -> None:
    compare_with_seed(page, 4)
    page.click("#compare-side")
    marks = shots(page)[1]
    width = marks.shape[1]
    half = width // 2
    yellow = (marks[..., :3] == (240, 228, 66)).all(axis=2)
    assert yellow[:, :half].any()
    assert np.array_equal(yellow[:, :half], yellow[:, width - half :])


def test_on_a_narrow_screen_a_is_above_b(browser: Any, studio: Studio) -> None:
    options = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
    with opened(browser, studio, **options) as page:
        compare_with_seed(page, 4)
        page.click("#compare-side")
        page.wait_for_selector(".half[data-side=B]:visible")
        upper, lower = (page.locator(f".half[data-side={side}]").bounding_box() for side in "AB")
        right = [item["x"] + item["width"] for item in (upper, lower)]
        assert right[0] == pytest.approx(right[1], abs=1)
        assert lower["y"] > upper["y"] + 80
        # The whole level is in each half, and nothing is wider than the screen.
        line = page.locator(".half-line").bounding_box()
        assert line["width"] == pytest.approx(360, abs=1)
        assert page.evaluate("document.documentElement.scrollWidth") == 360
