"""Exports from the page, and the state of the last one in its head, in a real Chromium."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from exporter.cli.main import main
from studio_pages import set_value, until
from studio_tabs import CAVE


def export(project: Path) -> None:
    main(["export", str(project), "-q"])


def wait_for_text(page: Any, text: str) -> None:
    until(page, "(text) => document.getElementById('exported').textContent.includes(text)", text)


def test_the_head_follows_the_export(page: Any, project: Path) -> None:
    wait_for_text(page, "This level has not been exported yet.")
    assert page.locator("#exported").get_attribute("role") == "status"
    export(project)
    wait_for_text(page, "The last export is of this level.")
    set_value(page, "seed", 9)
    page.keyboard.press("Control+s")
    wait_for_text(page, "The level is newer than its export.")
    assert page.locator("#exported .word").inner_text().strip() == "1 change not exported"
    export(project)
    wait_for_text(page, "The last export is of this level.")
    assert page.locator("#exported .word").inner_text().strip() == "exported just now"
    path = project / "levels" / "cave.level.yaml"
    path.write_text(CAVE.replace("wall_percent: 40", "wall_percent: <b>"))
    export(project)
    wait_for_text(page, "The last export of this level failed: line 5: ")
    assert page.locator("#exported b").count() == 0
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert page.locator("#exported").is_visible()


def test_ctrl_e_saves_and_exports(page: Any, project: Path) -> None:
    wait_for_text(page, "This level has not been exported yet.")
    set_value(page, "seed", 9)
    page.locator("#picture").focus()
    page.keyboard.press("Control+e")
    wait_for_text(page, "The last export is of this level.")
    assert (project / "tiled" / "cave.tmj").exists()
    assert "seed: 9" in (project / "levels" / "cave.level.yaml").read_text()
    page.get_by_role("button", name="Export").click()
    panel = page.locator("#export-panel")
    until(
        page, "document.querySelector('#export-panel [role=status]').textContent.includes('up to')"
    )
    assert "tiled" in panel.locator("summary").inner_text()
    assert "cave.tmj" in panel.inner_text()
    page.keyboard.press("Escape")
    assert panel.is_hidden()
    set_value(page, "seed", 10)
    set_value(page, "seed", 11)
    wait_for_text(page, "2 changes not exported")
    report = page.evaluate("levelExporter.export()")
    assert (report["status"], report["spec"]) == ("built", "levels/cave.level.yaml")


def test_a_failed_export_shows_its_problems(page: Any, project: Path) -> None:
    page.locator("#export-on-save").evaluate("(one) => one.click()")
    assert (
        page.evaluate("levelExporter.setText('size: [9, 9]\\nlayers: {a: {generator: no}}')")
        is None
    )
    page.keyboard.press("Control+s")
    until(page, "document.querySelector('#export-panel pre')")
    assert "unknown generator" in page.locator("#export-panel pre").first.inner_text()
    wait_for_text(page, "export failed")
