"""axe finds nothing against any screen of the studio, in real Chromium."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from studio_comparisons import compare_with_seed
from studio_pages import opened, until
from studio_tabs import CAVE, Studio

axe = pytest.importorskip("axe_playwright_python.base")

LEVELS = {"cave": CAVE}
VIEWPORTS = ({"width": 1280, "height": 800}, {"width": 390, "height": 844})
COLOR_RULES = ["color-contrast", "link-in-text-block"]


def start(page: Any) -> None:
    page.click("#open-start")
    until(page, "document.querySelectorAll('.start img').length > 20")


def gallery(page: Any) -> None:
    # The panel is folded where the window is narrow.
    page.evaluate("document.getElementById('new-layer').click()")
    until(page, "document.querySelectorAll('#layer-gallery img').length > 20")


def pressed(key: str, shown: str) -> Callable[[Any], None]:
    """What presses a key, and waits for what it shows."""

    def press(page: Any) -> None:
        page.locator("#picture").focus()
        page.keyboard.press(key)
        page.locator(shown).first.wait_for()

    return press


def layer(page: Any) -> None:
    page.evaluate("levelExporter.select('layers.' + levelExporter.level().layers[0])")
    page.evaluate("levelExporter.view(0, 0, 64)")
    if page.locator("#right.folded").count():
        page.click("#toggle-right")
    page.locator("#inspector .row").first.wait_for()


def panels(page: Any) -> None:
    if page.locator("#left.folded").count():
        page.click("#toggle-left")
    page.locator("#left .layer").first.wait_for()


def overlay(page: Any) -> None:
    page.evaluate(
        "() => { const all = document.getElementById('overlay'); all.value = 'chokes';"
        " all.dispatchEvent(new Event('change')); }"
    )
    page.locator("#left .legend").first.wait_for(state="attached")


def export(page: Any) -> None:
    page.click("#export")
    page.locator("#export-panel td").first.wait_for()


def compare(page: Any) -> None:
    page.locator("#picture").focus()
    compare_with_seed(page, 77)


# The text stays open in the pages after it.
SCREENS: dict[str, Callable[[Any], None]] = {
    "start": start,
    "gallery": gallery,
    "export": export,
    "seeds": pressed("d", ".seed"),
    "compare": compare,
    "share": pressed("p", "#share"),
    "model": pressed("u", ".model[aria-busy=false]"),
    "steps": pressed("t", "#steps"),
    "keys": pressed("?", "#help dl"),
    "level": panels,
    "layer": layer,
    "overlay": overlay,
    "text": pressed("y", ".cm-line"),
}


def findings(page: Any, **options: Any) -> list[str]:
    """What axe says against a page, each with its element."""
    found = page.evaluate("options => axe.run(options)", {"resultTypes": ["violations"], **options})
    return [
        f"{rule['id']} ({rule['impact']}): {node['html'][:160]} {node['failureSummary'][:400]}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]


def test_axe_finds_nothing_on_any_screen(browser: Any, studio: Studio) -> None:
    result: dict[str, list[str]] = {}
    # Less motion: no colour is on its way to another one.
    options = {"color_scheme": "light", "reduced_motion": "reduce"}
    for viewport in VIEWPORTS:
        with opened(browser, studio, viewport=viewport, **options) as page:
            address = page.url
            for name, show in SCREENS.items():
                page.goto("about:blank")
                page.goto(address)
                page.evaluate("levelExporter.ready")
                page.wait_for_selector("#right .row", state="attached")
                page.evaluate(axe.AXE_SCRIPT)
                show(page)
                screen = f"{name}, {viewport['width']}"
                result[screen] = findings(page)
                page.emulate_media(color_scheme="dark")
                # Whatever else axe looks for is the same in each theme.
                result[f"{screen}, dark"] = findings(page, runOnly=COLOR_RULES)
                page.emulate_media(color_scheme="light")
    assert {screen: found for screen, found in result.items() if found} == {}
