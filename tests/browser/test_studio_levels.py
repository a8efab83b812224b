"""Going from level to level in the page, in real Chromium."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from studio_pages import set_value, text_of, until
from studio_tabs import CAVE

LEVEL, OTHER = "levels/cave.level.yaml", "levels/other.level.yaml"
LEVELS = {"cave": CAVE, "other": CAVE.replace("seed: 7", "seed: 70")}


def go_to(page: Any, name: str) -> None:
    """Choose a level in the head of the page, whatever mark its name has."""
    page.select_option("#levels", page.get_attribute(f"#levels option[title='{name}']", "value"))


def test_a_draft_waits_while_another_level_is_open_and_after_a_reload(page: Any) -> None:
    set_value(page, "seed", 8)
    go_to(page, OTHER)
    until(page, "levelExporter.text()?.includes('seed: 70')")
    assert "cave (not saved)" in page.locator("#levels option").all_inner_texts()
    page.reload()
    page.evaluate("levelExporter.ready")
    assert "seed: 70" in text_of(page)
    go_to(page, LEVEL)
    until(page, "levelExporter.text()?.includes('seed: 8 ')")
    assert page.is_enabled("#save")
    page.click("#undo")
    until(page, "levelExporter.text()?.includes('seed: 7 ')")


def test_a_text_that_cannot_be_read_shows_nothing_of_the_level_before(
    page: Any, project: Path
) -> None:
    (project / OTHER).write_text("size: [\n")
    go_to(page, OTHER)
    until(page, "levelExporter.problems().length > 0")
    assert page.evaluate("levelExporter.level()") is None
    assert page.locator("#right .row").count() == 0
    assert page.locator("#left .layer").count() == 0
    assert "No picture until the text is right" in page.inner_text("#state")
    (project / OTHER).write_text(CAVE)
    until(page, "levelExporter.level() !== null")
    assert page.locator("#right .row").count() > 0


def test_a_draft_state_file_is_removed_is_written_again_or_forgotten(
    page: Any, project: Path
) -> None:
    set_value(page, "seed", 8)
    (project / LEVEL).unlink()
    page.click("#save")
    page.get_by_text("Write the file again").click()
    until(page, "document.getElementById('save').disabled")
    assert (project / LEVEL).read_text() == CAVE.replace("seed: 7", "seed: 8")
    set_value(page, "seed", 9)
    (project / LEVEL).unlink()
    page.click("#save")
    page.get_by_text("Forget my draft").click()
    until(page, "levelExporter.text()?.includes('seed: 70')")
    assert not (project / LEVEL).exists()


def test_after_a_choice_the_keys_are_those_of_the_picture(page: Any) -> None:
    focused = "document.activeElement.id"
    page.focus("#levels")
    go_to(page, OTHER)
    until(page, "levelExporter.text()?.includes('seed: 70')")
    assert page.evaluate(focused) == "picture"
    # Who goes through the levels by the arrows stays among them.
    page.focus("#levels")
    page.keyboard.press("ArrowUp")
    until(page, "levelExporter.text()?.includes('seed: 7 ')")
    assert page.evaluate(focused) == "levels"


def test_saving_without_a_change_says_so(page: Any) -> None:
    page.keyboard.press("Control+s")
    page.get_by_text("Nothing has changed since the last save.").wait_for()
    set_value(page, "seed", 8)
    page.keyboard.press("Control+s")
    page.get_by_text("Saved.", exact=True).wait_for()
