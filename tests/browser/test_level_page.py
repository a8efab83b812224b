"""The HTML page of one level, opened as a file in a real Chromium that has no network."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exporter.build.build import Build
from exporter.studio.object_legend import legend_of
from level_pages import check_sight, opened_file, write_page
from studio_pages import HALL, until

HOSTILE = "</script><script>document.title='broken'</script><img src=x onerror=alert(1)>"


@pytest.mark.parametrize("rule", ["symmetric", "raycast"])
def test_cells_and_sight_are_those_of_the_level_on_a_whole_map(
    browser: Any, tmp_path: Path, rule: str
) -> None:
    path, level = write_page(tmp_path, HALL.replace("symmetric", rule))
    with opened_file(browser, path) as page:
        assert page.evaluate("levelExporter.level()") == {
            "name": "hall",
            "width": 40,
            "height": 30,
            "layers": ["base"],
        }
        cells = page.evaluate(
            """() => Array.from({length: 30}, (_, y) =>
                Array.from({length: 40}, (_, x) => levelExporter.cell("base", x, y)))"""
        )
        check_sight(page, level)
    assert np.array_equal(cells, level.layers["base"].cells)


def test_a_person_points_pins_walks_and_asks_for_the_keys(browser: Any, tmp_path: Path) -> None:
    path, level = write_page(tmp_path, HALL)
    start = next(item for item in level.objects if item.name == "stairs_up")
    with opened_file(browser, path) as page:
        page.evaluate("([x, y]) => levelExporter.view(x - 5, y - 5, 32)", [start.x, start.y])
        box = page.locator("#picture").bounding_box()
        page.mouse.move(box["x"] + 5.5 * 32, box["y"] + 5.5 * 32)
        until(page, "document.getElementById('cell').textContent.includes('stairs_up')")
        facts = page.inner_text("#cell")
        assert f"{start.x}, {start.y}" in facts
        assert "0 steps from the start" in facts
        assert level.visibility is not None
        assert f"sees {level.visibility.visible_from(start.x, start.y).sum()} cells" in facts
        page.mouse.down()
        page.mouse.up()
        until(page, "document.getElementById('cell').textContent.includes('they see each other')")
        light = page.evaluate("document.getElementById('picture').toDataURL()")
        page.keyboard.press("g")
        until(page, "levelExporter.walking()")
        # The next frame draws it.
        until(page, "light => document.getElementById('picture').toDataURL() !== light", arg=light)
        steps = {
            "ArrowRight": (1, 0),
            "ArrowLeft": (-1, 0),
            "ArrowDown": (0, 1),
            "ArrowUp": (0, -1),
        }
        walkable = level.walkable()
        key, (dx, dy) = next(
            item for item in steps.items() if walkable[start.y + item[1][1], start.x + item[1][0]]
        )
        page.keyboard.press(key)
        until(
            page,
            "text => document.getElementById('cell').textContent.startsWith(text)",
            arg=f"{start.x + dx}, {start.y + dy}",
        )
        page.keyboard.press("f")
        until(page, "document.getElementById('state').textContent === 'Fog: strict'")
        page.keyboard.press("Escape")
        until(page, "!levelExporter.walking()")
        page.keyboard.press("?")
        keys = page.inner_text("#help")
    assert "fit the level" in keys
    assert "Ctrl+S" not in keys
    assert "another seed" not in keys


def test_layers_are_hidden_and_objects_are_counted(browser: Any, tmp_path: Path) -> None:
    path, _ = write_page(tmp_path, HALL)
    with opened_file(browser, path) as page:
        assert "chest" in page.inner_text("#left")
        before = page.evaluate("document.getElementById('picture').toDataURL()")
        page.get_by_label("Show base").uncheck()
        until(page, "old => document.getElementById('picture').toDataURL() !== old", arg=before)


def test_the_overlay_is_displayed_and_reported(browser: Any, tmp_path: Path) -> None:
    path, level = write_page(tmp_path, HALL, "--overlay", "reach:stairs_up")
    start = next(item for item in level.objects if item.name == "stairs_up")
    with opened_file(browser, path) as page:
        assert page.evaluate("levelExporter.overlay()") == {
            "name": "reach:stairs_up",
            "problem": None,
        }
        assert page.evaluate("([x, y]) => levelExporter.overlayAt(x, y)", [start.x, start.y])
        assert page.inner_text("#left .legend") != ""
        page.locator("#overlay").select_option("")
        assert page.evaluate("levelExporter.overlay().name") == ""
        page.locator("#overlay").select_option("reach:stairs_up")
        assert page.evaluate("levelExporter.overlay().name") == "reach:stairs_up"


def test_hostile_names_are_text(
    browser: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = Build.level

    def renamed(build: Build) -> Any:
        level, *more = built(build)
        objects = tuple(replace(item, name=HOSTILE) for item in level.objects)
        return replace(level, name=HOSTILE, objects=objects), *more

    def renamed_legend(build: Build) -> list[dict[str, Any]]:
        return [{**item, "name": HOSTILE} for item in legend_of(build)]

    with monkeypatch.context() as patched:
        patched.setattr(Build, "level", renamed)
        patched.setattr("exporter.studio.level_html.legend_of", renamed_legend)
        path, _ = write_page(tmp_path, HALL)
    with opened_file(browser, path) as page:
        assert page.title() == HOSTILE
        assert page.inner_text("h1") == HOSTILE
        assert HOSTILE in page.inner_text("#left")
        assert page.locator("img").count() == 0


def test_scripts_that_somebody_adds_do_not_run(browser: Any, tmp_path: Path) -> None:
    path, _ = write_page(tmp_path, HALL)
    added = "<script>window.added = 1</script><img src=x onerror='window.added = 1'>"
    path.write_text(path.read_text(encoding="utf-8").replace("</main>", f"</main>{added}"))
    context = browser.new_context(offline=True)
    try:
        page = context.new_page()
        page.goto(path.as_uri())
        until(page, "'levelExporter' in window")
        assert page.evaluate("window.added") is None
    finally:
        context.close()


def test_a_browser_that_keeps_nothing_for_files_shows_the_level(
    browser: Any, tmp_path: Path
) -> None:
    path, _ = write_page(tmp_path, HALL)
    context = browser.new_context(offline=True)
    faults: list[str] = []
    try:
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.add_init_script(
            "Object.defineProperty(window, 'localStorage', "
            "{get() { throw new DOMException('denied', 'SecurityError'); }});"
        )
        page.goto(path.as_uri())
        until(page, "'levelExporter' in window")
        page.locator("#left summary").first.click()
        until(page, "!document.querySelector('#left details').open")
    finally:
        context.close()
    assert faults == []


def test_a_damaged_file_is_reported(browser: Any, tmp_path: Path) -> None:
    path, _ = write_page(tmp_path, HALL)
    text = path.read_text(encoding="utf-8")
    at = text.index('id="level">') + 200
    path.write_text(text[:at] + "AAAA" + text[at + 4 :], encoding="utf-8")
    context = browser.new_context(offline=True)
    try:
        page = context.new_page()
        page.goto(path.as_uri())
        until(page, "!document.getElementById('problems').hidden")
        assert "This file is damaged" in page.inner_text("#problems")
    finally:
        context.close()
