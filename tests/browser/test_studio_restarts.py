"""A page whose studio ends and is started again, in a real Chromium."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from studio_comparisons import compare_with_seed
from studio_pages import opened, set_value, text_of, until
from studio_tabs import Studio, make_project


def test_the_page_finds_a_studio_that_was_started_again(
    browser: Any, project: Path, serve: Callable[..., Studio]
) -> None:
    first = serve(project)
    page = browser.new_context().new_page()
    try:
        page.goto(first.url)
        page.evaluate("levelExporter.ready")
        page.wait_for_selector("#right .row")
        set_value(page, "seed", 8)
        first.end()
        until(
            page, "document.getElementById('right').inert && document.getElementById('save').inert"
        )
        second = serve(project, port=first.port)
        until(page, "!document.getElementById('right').inert")
        until(page, "levelExporter.text()?.includes('seed: 8 ')")
        assert page.locator("#save").is_enabled()
        set_value(page, "seed", 9)
        assert "seed: 9 " in text_of(page)
        page.locator("#picture").focus()
        page.keyboard.press("Control+s")
        until(page, "document.getElementById('state').textContent === 'Saved.'")
        # The page of the new studio opens without its address, too.
        page.reload()
        page.evaluate("levelExporter.ready")
        assert "seed: 9 " in text_of(page)
        second.end()
        # The studio of another project has another key.
        serve(make_project(project.parent / "other"), port=first.port)
        until(page, "document.getElementById('state').textContent.includes('earlier run')")
    finally:
        page.context.close()


OVERLAY = """Array.from({length: 24}, (_, y) =>
    Array.from({length: 32}, (_, x) => levelExporter.overlayAt(x, y))).join()"""


def test_what_is_shown_beside_the_level_follows_a_studio_that_was_started_again(
    browser: Any, project: Path, serve: Callable[..., Studio]
) -> None:
    first = serve(project)
    with opened(browser, first) as page:
        page.wait_for_selector("#overlay option[value=exposure]", state="attached")
        page.select_option("#overlay", "exposure")
        until(page, "levelExporter.overlay().name === 'exposure'")
        compare_with_seed(page, 4)
        page.locator("#picture").focus()
        page.keyboard.press("t")
        until(page, "levelExporter.steps().count > 0")
        before = page.evaluate("levelExporter.steps().count"), page.evaluate(OVERLAY)
        first.end()
        until(page, "document.getElementById('right').inert")
        serve(project, port=first.port)
        until(page, "!document.getElementById('right').inert")
        set_value(page, "layers.ground.rounds", 1)
        until(page, "before => levelExporter.steps().count < before", before[0])
        until(page, f"before => {OVERLAY} !== before", before[1])
        until(page, "levelExporter.comparison().revision === 2")
