"""The state of the last export in the head of the page, in a real Chromium."""

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
    wait_for_text(page, "The last export is of the saved spec.")
    set_value(page, "seed", 9)
    page.keyboard.press("Control+s")
    wait_for_text(page, "The saved spec is newer than the export.")
    assert page.locator("#exported .word").inner_text().strip() == "export is older"
    export(project)
    wait_for_text(page, "The last export is of the saved spec.")
    path = project / "levels" / "cave.level.yaml"
    path.write_text(CAVE.replace("wall_percent: 40", "wall_percent: <b>"))
    export(project)
    wait_for_text(page, "The last export of this level failed: line 5: ")
    assert page.locator("#exported b").count() == 0
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert page.locator("#exported").is_visible()
