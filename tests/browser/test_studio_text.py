"""The text beside the picture, written with a real keyboard in a real Chromium."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from studio_pages import set_value, until
from studio_tabs import CAVE

EDITOR = "document.querySelector('.text-editor').shadowRoot"
# What the editor shows, with line feeds.
EDITOR_TEXT = (
    f"[...{EDITOR}.querySelectorAll('.cm-line')].map((one) => one.textContent).join('\\n')"
)


def open_text(page: Any) -> None:
    page.locator("#picture").focus()
    page.keyboard.press("y")
    page.wait_for_selector(".text-editor .cm-content:focus")


def go_to_end_of(page: Any, line: int) -> None:
    page.keyboard.press("Control+Home")
    for _ in range(line - 1):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("End")


def wait_for_text(page: Any, text: str) -> None:
    until(page, "(text) => levelExporter.text() === text", text)
    until(page, f"(text) => {EDITOR_TEXT} === text", text)


def test_the_editor_is_loaded_when_it_is_opened(page: Any) -> None:
    loaded = "performance.getEntriesByName(`${location.origin}/codemirror.js`).length > 0"
    assert page.evaluate(loaded) is False
    open_text(page)
    assert page.evaluate(loaded) is True
    assert page.evaluate(EDITOR_TEXT) == CAVE
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.id") == "picture"
    page.keyboard.press("y")
    assert page.locator("#text").is_hidden()


def test_text_and_controls_are_one_history(page: Any) -> None:
    open_text(page)
    go_to_end_of(page, 1)
    page.keyboard.type(" of all")
    typed = CAVE.replace("first cave", "first cave of all")
    wait_for_text(page, typed)
    set_value(page, "layers.ground.wall_percent", 44)
    wait_for_text(page, typed.replace("wall_percent: 40", "wall_percent: 44"))
    page.keyboard.press("Control+z")
    wait_for_text(page, typed)
    page.keyboard.press("Control+z")
    wait_for_text(page, CAVE)
    page.keyboard.press("Control+Shift+z")
    wait_for_text(page, typed)
    # Keys around an undo that is on its way.
    page.keyboard.type("!")
    page.keyboard.press("Control+z")
    page.keyboard.type("?")
    wait_for_text(page, typed.replace("of all", "of all?"))
    assert page.evaluate("levelExporter.setText('size: [9, 9]\\nlayers: {}\\n')") is None
    wait_for_text(page, "size: [9, 9]\nlayers: {}\n")


def test_saving_includes_the_last_key(page: Any, project: Path) -> None:
    open_text(page)
    go_to_end_of(page, 1)
    page.keyboard.type(", quickly typed and saved at once")
    page.keyboard.press("Control+s")
    expected = CAVE.replace("first cave", "first cave, quickly typed and saved at once")
    until(page, "document.getElementById('state').textContent === 'Saved.'")
    assert (project / "levels" / "cave.level.yaml").read_text() == expected


def test_a_save_is_reported_until_the_next_change(page: Any) -> None:
    """Also if the level is still being built when it is saved."""
    set_value(page, "size", [400, 400])
    page.locator("#picture").focus()
    page.evaluate("() => { window.built = levelExporter.set('seed', 8); }")
    page.keyboard.press("Control+s")
    page.evaluate("built")
    page.wait_for_timeout(100)
    assert page.locator("#state").inner_text() == "Saved."
    set_value(page, "seed", 9)
    until(page, "document.getElementById('state').textContent === ''")


def test_broken_text_is_marked_below_the_last_good_picture(page: Any) -> None:
    open_text(page)
    go_to_end_of(page, 3)
    page.keyboard.press("Home")
    page.keyboard.type("[")
    until(page, f"{EDITOR}.querySelector('.cm-lintRange-error')")
    assert page.locator("#stale").is_visible()
    assert page.evaluate("document.getElementById('right').inert")
    assert page.evaluate("levelExporter.level().layers.length") == 1
    page.keyboard.press("Backspace")
    wait_for_text(page, CAVE)
    until(page, f"!{EDITOR}.querySelector('.cm-lintRange-error')")
    until(page, "document.getElementById('stale').hidden")


def test_keys_and_values_are_suggested_from_the_schema(page: Any) -> None:
    open_text(page)
    go_to_end_of(page, 5)
    page.keyboard.press("ArrowLeft")
    page.keyboard.type(", upd")
    page.wait_for_selector(".text-editor .cm-tooltip-autocomplete")
    # Until the list has been open for 75 ms, CodeMirror takes Enter as text.
    page.wait_for_timeout(100)
    page.keyboard.press("Enter")
    page.keyboard.press("Control+Space")
    page.locator(".text-editor .cm-tooltip-autocomplete li", has_text="in_place").click()
    wait_for_text(page, CAVE.replace("40}", "40, update: in_place}"))
    page.locator(".text-editor .cm-line span", has_text="wall_percent").first.hover()
    about = page.locator(".text-editor .cm-tooltip-hover")
    assert "Chance that a cell is wall at first" in about.inner_text()
    assert "0 to 100, default 40" in about.inner_text()


def test_lines_of_what_is_selected_are_shown(page: Any) -> None:
    page.evaluate("levelExporter.select('layers.ground')")
    open_text(page)
    marked = f"[...{EDITOR}.querySelectorAll('.shown')].map((one) => one.textContent)"
    assert page.evaluate(marked) == ["  ground: {generator: cellular_caves, wall_percent: 40}"]
    go_to_end_of(page, 1)
    page.keyboard.press("Enter")
    page.keyboard.type("#")
    assert page.evaluate(marked) == ["  ground: {generator: cellular_caves, wall_percent: 40}"]
    page.evaluate("levelExporter.showLines('objects.0')")
    assert page.evaluate(marked) == ["  - {name: start}"]
    until(page, "levelExporter.text().includes('#\\nsize')")
