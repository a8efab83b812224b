"""Missions in the studio, in a real Chromium: locks, dragged keys, suggestions."""

from __future__ import annotations

from typing import Any

import numpy as np

import exporter
from daemon_harness import wait_until
from exporter.measures.mission import cells_behind
from exporter.reading.reader import parse_level
from studio_pages import opened, until
from studio_tabs import Studio

SPEC = """\
size: [40, 26]
seed: 3
layers:
  ground: {generator: bsp_rooms}
mission:
  start: entrance
  goal: throne
  locks:
    - {name: red}
    - {name: small, kind: small_key, count: 2}
  steps: {start..red: {at_least: 1}}
  behind: {red: {at_least: 0.1}}
"""
LEVELS = {"vault": SPEC}
ZOOM = 14
KEY = "levelExporter.objects().find((one) => one.name === 'red_key')"


def drag(page: Any, start: tuple[int, int], end: tuple[int, int], drop: bool = True) -> None:
    box = page.locator("#picture").bounding_box()
    for at, action in ((start, page.mouse.down), (end, None)):
        page.mouse.move(box["x"] + ZOOM * (at[0] + 0.5), box["y"] + ZOOM * (at[1] + 8.5))
        if action:
            action()
    if drop:
        page.mouse.up()


def test_a_key_is_not_dropped_where_the_goal_could_be_lost(browser: Any, studio: Studio) -> None:
    level = exporter.build_level(parse_level(SPEC.encode(), "vault.level.yaml"))
    key = next((item.x, item.y) for item in level.objects if item.name == "red_key")
    free = level.walkable()
    for item in level.objects:
        free[item.y, item.x] = False
    behind = cells_behind(level)["red"]
    y, x = np.argwhere(behind & free)[-1].tolist()
    beside = next(
        (key[0] + right, key[1])
        for right in (1, -1, 2, -2)
        if free[key[1], key[0] + right] and not behind[key[1], key[0] + right]
    )
    with opened(browser, studio) as page:
        page.evaluate(f"levelExporter.view(0, -8, {ZOOM})")
        drag(page, key, (x, y), drop=False)
        page.wait_for_selector("#proof.bad")
        assert "red, small stay closed" in page.inner_text("#proof li:last-child")
        page.mouse.up()
        page.wait_for_selector("#proof-close")
        assert page.evaluate(f"[{KEY}.x, {KEY}.y]") == list(key)
        assert page.evaluate("levelExporter.edits()") == 0
        page.keyboard.press("Escape")
        drag(page, key, beside)
        until(page, "levelExporter.edits() === 1")
        assert page.evaluate(f"[{KEY}.x, {KEY}.y]") == list(beside)
        assert page.locator("#proof").is_hidden()
        # A lock says what it opens.
        page.locator("[data-path='level']").click()
        page.locator("#inspector [data-path='locks.red']").click()
        assert page.evaluate("levelExporter.selection()") == "locks.red"
        assert f"{int(behind.sum())} cells" in page.inner_text("#inspector .facts")
        assert page.locator("#inspector .entry", has_text="red_key").count() == 1
        # The text offers locks and walks between them where they are named.
        page.keyboard.press("y")
        for up, offered in ((1, "small"), (2, "red..goal")):
            page.locator(".text-editor .cm-content").focus()
            page.keyboard.press("Control+End")
            for _ in range(up):
                page.keyboard.press("ArrowUp")
            page.keyboard.press("End")
            page.keyboard.press("ArrowLeft")
            page.keyboard.type(", ")
            shown = page.locator(".text-editor .cm-tooltip-autocomplete li", has_text=offered)
            # While the server answers what was typed, the list may close again.
            wait_until(lambda one=shown: page.keyboard.press("Control+Space") or one.count())
            page.keyboard.press("Escape")
