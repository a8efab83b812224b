"""The switch that saves by itself, in real Chromium."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from daemon_harness import wait_until
from studio_pages import set_value
from studio_tabs import CAVE

LEVEL = "levels/cave.level.yaml"


def switch(page: Any) -> None:
    page.click("#autosave")


def test_nothing_is_saved_until_it_is_switched_on(page: Any, project: Path) -> None:
    set_value(page, "seed", 8)
    page.wait_for_timeout(900)
    assert (project / LEVEL).read_text() == CAVE
    switch(page)
    wait_until(lambda: "seed: 8 " in (project / LEVEL).read_text())
    set_value(page, "visibility.radius", 5)
    wait_until(lambda: "radius: 5" in (project / LEVEL).read_text())
    assert page.get_attribute("#autosave", "aria-pressed") == "true"
    page.reload()
    page.evaluate("levelExporter.ready")
    assert page.get_attribute("#autosave", "aria-pressed") == "true"


def test_a_draft_with_problems_is_not_saved(page: Any, project: Path) -> None:
    switch(page)
    set_value(page, "layers.ground.wall_percent", 400)
    page.wait_for_timeout(900)
    assert (project / LEVEL).read_text() == CAVE
    set_value(page, "layers.ground.wall_percent", 44)
    wait_until(lambda: "wall_percent: 44" in (project / LEVEL).read_text())


def test_what_somebody_else_saved_is_not_written_over(page: Any, project: Path) -> None:
    set_value(page, "seed", 8)
    theirs = CAVE.replace("seed: 7", "seed: 70")
    (project / LEVEL).write_text(theirs)
    page.wait_for_selector("#conflict:not([hidden])")
    switch(page)
    wait_until(lambda: page.is_visible("#conflict"))
    page.wait_for_timeout(900)
    assert (project / LEVEL).read_text() == theirs
    page.get_by_text("Make my changes on the file's text").click()
    page.click("#save")
    wait_until(lambda: "seed: 8" in (project / LEVEL).read_text())
