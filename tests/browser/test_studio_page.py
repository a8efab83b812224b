"""The studio's page in a real Chromium: viewing, editing and saving."""

from __future__ import annotations

import base64
import io
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

import exporter
from daemon_harness import wait_until
from exporter.formats.preview import preview_pixels
from level_pages import check_sight
from studio_pages import HALL, opened, select, set_value, text_of, until
from studio_tabs import CAVE, Studio

LEVEL = "levels/cave.level.yaml"


# --- seeing ---------------------------------------------------------------------------------------


def test_the_page_has_every_cell_of_the_level(page: Any, project: Path) -> None:
    level = exporter.build_level(exporter.load_level(project / LEVEL))
    assert page.evaluate("levelExporter.level()") == {
        "name": "cave",
        "width": 32,
        "height": 24,
        "layers": ["ground"],
    }
    cells = page.evaluate(
        """() => Array.from({length: 24}, (_, y) =>
            Array.from({length: 32}, (_, x) => levelExporter.cell("ground", x, y)))"""
    )
    assert np.array_equal(cells, level.layers["ground"].cells)


def test_sight_in_the_page_is_the_table_on_whole_maps(page: Any, project: Path) -> None:
    (project / LEVEL).write_text(HALL)
    until(page, "levelExporter.level().width === 40")
    for rule in ("symmetric", "shadowcast", "raycast"):
        set_value(page, "visibility.algorithm", rule)
        (project / "rule.yaml").write_text(HALL.replace("symmetric", rule))
        check_sight(page, exporter.build_level(exporter.load_level(project / "rule.yaml")))


def test_tiles_are_drawn_as_the_preview_draws_them(page: Any, project: Path) -> None:
    for zoom in (16, 8, 4):
        spec = (project / LEVEL).read_text().replace("objects:\n  - {name: start}\n", "")
        page.evaluate("levelExporter.set('objects', [])")
        page.evaluate("([zoom]) => levelExporter.view(0, 0, zoom)", [zoom])
        (project / "bare.level.yaml").write_text(spec)
        level = exporter.build_level(exporter.load_level(project / "bare.level.yaml"))
        expected = preview_pixels(level, scale=zoom)[0].astype(int)
        address = page.evaluate("document.getElementById('picture').toDataURL('image/png')")
        displayed = np.asarray(
            Image.open(io.BytesIO(base64.b64decode(address.partition(",")[2]))).convert("RGB"), int
        )
        rows, columns = min(24 * zoom, displayed.shape[0]), min(32 * zoom, displayed.shape[1])
        difference = np.abs(displayed[:rows, :columns] - expected[:rows, :columns])
        # The mean of the pixels of a smaller tile is rounded down there, and to the nearest here.
        assert difference.max() <= (0 if zoom == 16 else 4)


# --- tuning ---------------------------------------------------------------------------------------


def test_a_control_changes_the_picture_and_the_text_of_its_value_alone(page: Any) -> None:
    select(page, "layers.ground")
    before = page.evaluate("document.getElementById('picture').toDataURL()")
    field = page.locator("#parameter-layers-ground-wall_percent")
    field.fill("47")
    field.press("Enter")
    until(page, "levelExporter.text().includes('wall_percent: 47')")
    assert text_of(page) == CAVE.replace("40}", "47}")
    until(page, "before => document.getElementById('picture').toDataURL() !== before", arg=before)


def test_undo_redo_and_reset_are_at_hand(page: Any) -> None:
    select(page, "layers.ground")
    set_value(page, "layers.ground.wall_percent", 47)
    page.locator("#undo").click()
    until(page, "text => levelExporter.text() === text", arg=CAVE)
    page.locator("#redo").click()
    until(page, "levelExporter.text().includes('47')")
    page.get_by_label("Reset wall_percent").click()
    until(page, "!levelExporter.text().includes('wall_percent')")


def test_saving_by_the_keyboard_writes_the_file(page: Any, project: Path) -> None:
    set_value(page, "seed", 123)
    assert (project / LEVEL).read_text() == CAVE
    page.keyboard.press("Control+s")
    until(page, "document.getElementById('save').disabled")
    assert (project / LEVEL).read_text() == CAVE.replace("seed: 7 ", "seed: 123 ")


def test_what_is_typed_and_not_accepted_yet_is_saved(page: Any, project: Path) -> None:
    select(page, "layers.ground")
    field = page.locator("#parameter-layers-ground-wall_percent")
    field.fill("45")
    page.keyboard.press("Control+s")
    wait_until(lambda: (project / LEVEL).read_text() == CAVE.replace("40}", "45}"))
    assert page.evaluate("document.activeElement.id") == "parameter-layers-ground-wall_percent"


def test_a_wrong_value_is_reported_as_in_the_terminal_and_the_picture_stays(
    page: Any, project: Path
) -> None:
    before = page.evaluate("document.getElementById('picture').toDataURL()")
    set_value(page, "layers.ground.wall_percent", 400)
    reported = page.inner_text("#problems")
    # Not in the level's own file: the studio would follow it.
    wrong = project / "wrong.level.yaml"
    wrong.write_text(CAVE.replace("40}", "400}"))
    with pytest.raises(exporter.SpecError) as error:
        exporter.load_level(wrong)
    assert error.value.problems[0].message in reported
    assert page.evaluate("document.getElementById('picture').toDataURL()") == before
    set_value(page, "layers.ground.wall_percent", 41)
    assert not page.is_visible("#problems")


def test_edits_change_only_the_bytes_of_their_value(page: Any) -> None:
    draw = random.Random(5)
    expected = {"seed": "7", "wall_percent": "40", "radius": "6"}
    paths = {
        "seed": "seed",
        "wall_percent": "layers.ground.wall_percent",
        "radius": "visibility.radius",
    }
    edits = []
    for _ in range(60):
        name = draw.choice(sorted(paths))
        value = draw.choice([index for index in range(1, 60) if str(index) != expected[name]])
        expected[name] = str(value)
        text = CAVE.replace("seed: 7 ", f"seed: {expected['seed']} ")
        text = text.replace("wall_percent: 40", f"wall_percent: {expected['wall_percent']}")
        text = text.replace("radius: 6", f"radius: {expected['radius']}")
        edits.append([paths[name], value, text])
    # Of each the text is waited for, and the picture of the last.
    wrong = page.evaluate(
        """async edits => {
            let shown;
            for (const [path, value, text] of edits) {
                const before = levelExporter.text();
                let ended = false;
                shown = levelExporter.set(path, value).then((why) => { ended = true; return why; });
                while (!ended && levelExporter.text() === before)
                    await new Promise((done) => setTimeout(done));
                if (levelExporter.text() !== text) return [path, value, levelExporter.text()];
            }
            return (await shown) ?? null;
        }""",
        edits,
    )
    assert wrong is None


def test_the_page_follows_another_editor(page: Any, project: Path) -> None:
    (project / LEVEL).write_text("size: [32, 24\n")
    page.wait_for_selector("#problems pre")
    assert "cave.level.yaml" in page.inner_text("#problems")
    (project / LEVEL).write_text(CAVE.replace("[32, 24]", "[30, 20]"))
    until(page, "levelExporter.level().width === 30")
    page.wait_for_selector("#problems", state="hidden")


def test_a_conflict_shows_the_difference_and_both_ways_out(page: Any, project: Path) -> None:
    set_value(page, "seed", 8)
    (project / LEVEL).write_text(CAVE.replace("radius: 6", "radius: 7"))
    page.wait_for_selector("#conflict", state="visible")
    assert "radius: 7" in "".join(page.locator("#conflict .theirs").all_inner_texts())
    page.get_by_text("Make my changes on the file's text").click()
    until(page, "levelExporter.text().includes('radius: 7')")
    assert "seed: 8 " in text_of(page)


# --- pointing and walking -------------------------------------------------------------------------


def test_the_cell_under_the_pointer_is_reported(page: Any, project: Path) -> None:
    level = exporter.build_level(exporter.load_level(project / LEVEL))
    page.evaluate("levelExporter.view(0, 0, 16)")
    ratio = page.evaluate("window.devicePixelRatio")
    box = page.locator("#picture").bounding_box()
    x, y = 12, 9
    page.mouse.move(box["x"] + (16 * x + 8) / ratio, box["y"] + (16 * y + 8) / ratio)
    until(page, "document.getElementById('cell').textContent.includes('12, 9')")
    reported = page.inner_text("#cell")
    layer = level.layers["ground"]
    name = next(tile.name for tile in layer.tiles if tile.id == layer.cells[y, x])
    assert f"ground: {name}" in reported
    assert level.visibility is not None
    seen = int(level.visibility.visible_from(x, y).sum())
    assert f"sees {seen} {'cell' if seen == 1 else 'cells'}" in reported


def test_a_person_walks_by_keys_where_one_can_walk(page: Any, project: Path) -> None:
    level = exporter.build_level(exporter.load_level(project / LEVEL))
    start = level.objects[0]
    walkable = level.walkable()
    page.locator("#picture").focus()
    page.keyboard.press("g")
    position = [start.x, start.y]
    steps = {"q": (-1, -1), "w": (0, -1), "e": (1, -1), "a": (-1, 0), "d": (1, 0)}
    steps |= {"z": (-1, 1), "x": (0, 1), "c": (1, 1), "ArrowUp": (0, -1), "ArrowLeft": (-1, 0)}
    draw = random.Random(3)
    for _ in range(40):
        key = draw.choice(sorted(steps))
        page.keyboard.press(key)
        x, y = position[0] + steps[key][0], position[1] + steps[key][1]
        if 0 <= x < 32 and 0 <= y < 24 and walkable[y, x]:
            position = [x, y]
    assert page.inner_text("#cell b") == f"{position[0]}, {position[1]}"


def canvas(page: Any, name: str) -> NDArray[np.int_]:
    """Return the pixels of a canvas: [height, width, 4]."""
    address = page.evaluate(f"document.getElementById('{name}').toDataURL('image/png')")
    content = base64.b64decode(address.partition(",")[2])
    return np.asarray(Image.open(io.BytesIO(content)).convert("RGBA"), int)


def test_the_fog_hides_what_the_walker_has_not_seen(page: Any, project: Path) -> None:
    text = (project / LEVEL).read_text()
    text = text.replace("  - {name: start}\n", "  - {name: start}\n  - {name: gem, count: 30}\n")
    page.evaluate("levelExporter.set('objects', [{name: 'start'}, {name: 'gem', count: 30}])")
    (project / "fog.level.yaml").write_text(text)
    level = exporter.build_level(exporter.load_level(project / "fog.level.yaml"))
    assert level.visibility is not None
    start, *gems = level.objects
    seen = level.visibility.visible_from(start.x, start.y)
    assert {bool(seen[item.y, item.x]) for item in gems} == {True, False}
    page.locator("#picture").focus()
    page.keyboard.press("g")
    page.evaluate("levelExporter.view(0, 0, 16)")
    ground, marks = canvas(page, "picture")[..., :3], canvas(page, "marks")
    inside = slice(3, 13)
    for y, x in zip(*np.nonzero(~seen), strict=True):
        rows, columns = slice(16 * y + 3, 16 * y + 13), slice(16 * x + 3, 16 * x + 13)
        if rows.stop < ground.shape[0] and columns.stop < ground.shape[1]:
            assert ground[rows, columns].max() < 16, (x, y)
    for gem in gems:
        cell = marks[16 * gem.y :, 16 * gem.x :][inside, inside, 3]
        assert bool(cell.max() > 200) == bool(seen[gem.y, gem.x]), (gem.x, gem.y)
    page.keyboard.press("f")
    page.keyboard.press("f")  # off
    page.evaluate("levelExporter.view(0, 0, 16)")
    marks = canvas(page, "marks")
    for gem in gems:
        assert marks[16 * gem.y :, 16 * gem.x :][inside, inside, 3].max() > 200


def test_a_parameter_is_found_by_its_name(page: Any) -> None:
    page.locator("#picture").focus()
    page.keyboard.press("/")
    page.keyboard.type("wall_perc")
    matches = page.locator(".found-parameter")
    assert matches.all_inner_texts() == ["ground\nwall percent\n40"]
    assert not page.is_visible("#inspector")
    page.keyboard.press("Enter")
    assert page.evaluate("levelExporter.selection()") == "layers.ground"
    assert page.evaluate("document.activeElement.id") == "parameter-layers-ground-wall_percent"
    page.locator("#find-parameter").fill("xyz")
    assert page.get_by_text("No parameter has this name.").is_visible()
    page.keyboard.press("Escape")
    assert page.is_visible("#inspector")
    page.click("#written-parameters")
    names = [item.split("\n")[1] for item in matches.all_inner_texts()]
    assert {"seed", "size", "radius", "generator", "wall percent", "name"} == {*names}


def test_everything_can_be_reached_by_the_keyboard(page: Any) -> None:
    select(page, "layers.ground")
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        focus = "document.activeElement.id || document.activeElement.dataset.path"
        reached.add(page.evaluate(focus))
    assert {
        "toggle-left",
        "picture",
        "layers.ground",
        "parameter-layers-ground-wall_percent",
    } <= reached
    page.locator("#picture").focus()
    page.keyboard.press("?")
    assert "Ctrl+S" in page.inner_text("#help")
    page.keyboard.press("Escape")
    assert not page.is_visible("#help")


def test_a_narrow_window_keeps_the_level_in_sight(browser: Any, studio: Studio) -> None:
    with opened(browser, studio, viewport={"width": 360, "height": 640}) as page:
        assert page.locator("#picture").bounding_box()["width"] == 360
        assert not page.is_visible("#right")
        page.locator("#toggle-right").click()
        assert page.is_visible("#right")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_phone_is_reported_what_became_of_saving(
    browser: Any, studio: Studio, project: Path
) -> None:
    with opened(browser, studio, viewport={"width": 360, "height": 740}, has_touch=True) as page:
        (project / "levels" / "another.level.yaml").write_text(CAVE)
        page.locator("#levels").wait_for()
        assert page.locator("#levels").bounding_box()["width"] >= 120
        set_value(page, "seed", 8)
        position = project / LEVEL
        position.unlink()
        position.mkdir()
        page.locator("#save").tap()
        until(page, "document.querySelector('#state').classList.contains('bad')")
        box = page.locator("#state").bounding_box()
        assert page.is_visible("#state")
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
        assert page.evaluate(
            "(e => e.scrollWidth <= e.clientWidth)(document.querySelector('#state'))"
        )
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert "seed: 8" in text_of(page)


MARKUP = "<img src=x onerror=window.ran=1>"


def test_names_that_are_markup_are_displayed_as_text(
    browser: Any, studio: Studio, project: Path
) -> None:
    """Of files, levels, layers, objects, generators, parameters, seeds, properties and tables."""
    folder = project / "levels"
    (folder / "names.level.yaml").write_text(
        f'level: "{MARKUP}"\nsize: [32, 24]\nseed: 5\nlayers:\n'
        f'  "{MARKUP}": {{generator: "{MARKUP}", "{MARKUP}": "{MARKUP}"}}\n'
        f'objects:\n  - {{name: "{MARKUP}"}}\n'
    )
    (folder / f"{MARKUP}.level.yaml").write_text(
        f'level: shown\nsize: [32, 24]\nseed: "{MARKUP}"\n'
        "layers:\n  ground: {generator: cellular_caves}\n"
        f'objects:\n  - {{name: chest, properties: {{note: "{MARKUP}"}}}}\n'
        f'tables: {{t: {{columns: {{name: text}}, rows: [["{MARKUP}"]]}}}}\n'
    )
    with opened(browser, studio) as page:
        until(page, "document.querySelectorAll('#levels option').length === 3")
        listed = page.locator("#levels option").all_text_contents()
        assert MARKUP in listed
        page.select_option("#levels", label="names")
        until(page, "document.querySelector('#problems').textContent.includes('<img src=x')")
        page.select_option("#levels", label=MARKUP)
        until(page, "levelExporter.level()?.name === 'shown'")
        until(page, "document.querySelector('#parameter-seed').value.includes('<img src=x')")
        assert page.evaluate("window.ran") is None
        assert page.evaluate("document.querySelectorAll('img').length") == 0


def test_the_token_leaves_the_address_and_a_reload_goes_on(page: Any, studio: Studio) -> None:
    assert studio.token not in page.url
    set_value(page, "seed", 8)
    page.once("dialog", lambda dialog: dialog.accept())
    page.reload()
    page.evaluate("levelExporter.ready")
    assert "seed: 8 " in text_of(page)
