"""Drawing in the studio's page, in a real Chromium: by mouse, by finger and by the keyboard."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import exporter
from exporter.reading.edits import parse_edits
from studio_pages import opened, select, until
from studio_tabs import CAVE, Studio

LEVEL = "levels/cave.level.yaml"
EDITS = "levels/cave.edits.yaml"
ZOOM = 16
VIEW = f"levelExporter.view(0, -5, {ZOOM})"


@pytest.fixture
def page(page: Any) -> Any:
    page.evaluate(VIEW)
    return page


def pixel(page: Any, x: int, y: int) -> tuple[float, float]:
    """The middle of a cell, in the window."""
    ratio = page.evaluate("window.devicePixelRatio")
    box = page.locator("#picture").bounding_box()
    return box["x"] + ZOOM * (x + 0.5) / ratio, box["y"] + ZOOM * (y + 5.5) / ratio


def cell(page: Any, x: int, y: int) -> int:
    return int(page.evaluate("([x, y]) => levelExporter.cell('ground', x, y)", [x, y]))


def stroke(page: Any, cells: list[tuple[int, int]], button: str = "left") -> None:
    page.mouse.move(*pixel(page, *cells[0]))
    page.mouse.down(button=button)
    for item in cells[1:]:
        page.mouse.move(*pixel(page, *item))
    page.mouse.up(button=button)


def choose_tile(page: Any, name: str) -> None:
    page.locator(f"#draw-tile [data-tile={name}]").click()


def drawn(page: Any) -> int:
    return int(page.evaluate("levelExporter.edits()"))


def wait_for_edits(page: Any, count: int) -> None:
    until(page, "count => levelExporter.edits() === count", count)


def floor_of(project: Path) -> Any:
    return exporter.build_level(exporter.load_level(project / LEVEL)).layers["ground"].cells == 0


def row_of_floor(project: Path, length: int) -> tuple[int, int]:
    """The beginning of a row of floor."""
    floor = floor_of(project)
    for y in range(4, 20):
        for x in range(2, 30 - length):
            if floor[y, x : x + length].all():
                return x, y
    raise AssertionError("there is none")


def save(page: Any) -> None:
    page.keyboard.press("Control+s")
    until(page, "document.getElementById('save').disabled")


def test_a_line_is_drawn_by_dragging_and_saved_as_hand_edits(page: Any, project: Path) -> None:
    x, y = row_of_floor(project, 7)
    page.locator("#tool-draw").click()
    choose_tile(page, "wall")
    stroke(page, [(x, y), (x + 6, y)])
    # Known at once; the picture of the server comes later.
    assert [cell(page, x + step, y) for step in range(7)] == [1] * 7
    wait_for_edits(page, 7)
    assert [cell(page, x + step, y) for step in range(7)] == [1] * 7
    save(page)
    edits = parse_edits((project / EDITS).read_bytes(), EDITS).layers["ground"]
    assert [edit.at for edit in edits] == [(x + step, y) for step in range(7)]
    assert (project / LEVEL).read_text() == CAVE


def test_one_stroke_is_one_step_and_the_right_button_erases(page: Any, project: Path) -> None:
    x, y = row_of_floor(project, 7)
    page.locator("#tool-draw").click()
    choose_tile(page, "wall")
    stroke(page, [(x, y), (x + 2, y), (x + 6, y)])
    wait_for_edits(page, 7)
    stroke(page, [(x + 1, y), (x + 3, y)], "right")
    wait_for_edits(page, 4)
    page.keyboard.press("Control+z")
    wait_for_edits(page, 7)
    page.keyboard.press("Control+z")
    wait_for_edits(page, 0)
    page.keyboard.press("Control+Shift+z")
    wait_for_edits(page, 7)


def test_sight_follows_what_is_drawn_before_the_server_answers(page: Any, project: Path) -> None:
    x, y = row_of_floor(project, 7)
    assert page.evaluate("([x, y]) => levelExporter.visibleFrom(x, y)[y * 32 + x + 4]", [x, y]) == 1
    page.locator("#tool-draw").click()
    choose_tile(page, "wall")
    page.context.set_offline(True)
    stroke(page, [(x + 2, y)])
    assert page.evaluate("([x, y]) => levelExporter.visibleFrom(x, y)[y * 32 + x + 4]", [x, y]) == 0
    page.context.set_offline(False)


def test_sight_in_the_page_is_that_of_the_saved_level(page: Any, project: Path) -> None:
    x, y = row_of_floor(project, 7)
    page.locator("#tool-draw").click()
    choose_tile(page, "wall")
    stroke(page, [(x + 2, y), (x + 2, y + 3)])
    until(page, "levelExporter.edits() > 0")
    before = page.evaluate("([x, y]) => Array.from(levelExporter.visibleFrom(x, y))", [x, y])
    save(page)
    level = exporter.build_level(exporter.load_level(project / LEVEL))
    assert level.visibility is not None
    expected = level.visibility.visible_from(x, y).astype(int).ravel().tolist()
    assert before == expected


def test_objects_are_dragged_added_and_removed(page: Any, project: Path) -> None:
    level = exporter.build_level(exporter.load_level(project / LEVEL))
    start = level.objects[0]
    x, y = row_of_floor(project, 7)
    page.locator("#tool-objects").click()
    page.mouse.move(*pixel(page, start.x, start.y))
    page.mouse.down()
    page.mouse.move(*pixel(page, x, y), steps=4)
    until(page, "([x, y]) => levelExporter.objects()[0].x === x", [x, y])
    page.mouse.up()
    wait_for_edits(page, 1)
    page.locator("#add-object-by-hand").select_option("start")
    stroke(page, [(x + 3, y)])
    wait_for_edits(page, 2)
    until(page, "levelExporter.objects().length === 2")
    stroke(page, [(x + 3, y)], "right")
    until(page, "levelExporter.objects().length === 1")
    save(page)
    line = f"  - {{name: start, ordinal: 1, was: [{start.x}, {start.y}], now: [{x}, {y}]}}"
    assert (project / EDITS).read_text().splitlines()[2:] == [line]


def test_the_keyboard_draws_erases_and_carries_objects(page: Any, project: Path) -> None:
    level = exporter.build_level(exporter.load_level(project / LEVEL))
    start = level.objects[0]
    page.locator("#picture").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    until(page, "([x, y]) => levelExporter.cell('ground', x, y) === 1", [start.x, start.y])
    # The start has no room in a wall: it is elsewhere until the wall is removed again.
    wait_for_edits(page, 1)
    page.keyboard.press("Delete")
    wait_for_edits(page, 0)
    page.keyboard.press("4")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    wait_for_edits(page, 1)
    assert page.evaluate("levelExporter.objects()[0].x") == start.x + 1


def test_a_finger_draws_and_two_fingers_zoom(browser: Any, studio: Studio, project: Path) -> None:
    x, y = row_of_floor(project, 5)
    viewport = {"width": 360, "height": 640}
    with opened(browser, studio, viewport=viewport, has_touch=True, is_mobile=True) as page:
        page.evaluate(VIEW)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        page.locator("#tool-draw").tap()
        choose_tile(page, "wall")
        page.evaluate(VIEW)
        touch = page.context.new_cdp_session(page)

        def send(kind: str, *cells: tuple[int, int], touch: Any = touch, page: Any = page) -> None:
            points = [dict(zip("xy", pixel(page, *item), strict=True)) for item in cells]
            for number, point in enumerate(points):
                point["id"] = number
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        send("touchStart", (x, y))
        send("touchMove", (x + 4, y))
        send("touchEnd")
        wait_for_edits(page, 5)
        send("touchStart", (x, y + 2))
        send("touchStart", (x, y + 2), (x + 3, y + 2))
        send("touchMove", (x, y + 2), (x + 6, y + 2))
        send("touchEnd")
        assert drawn(page) == 5


def test_waiting_a_turn_moves_nothing(page: Any, project: Path) -> None:
    page.locator("#picture").focus()
    page.keyboard.press("g")
    before = page.inner_text("#cell b")
    for key in ("s", "Numpad5"):
        page.keyboard.press(key)
        assert page.inner_text("#cell b") == before
    assert page.evaluate("levelExporter.walking()")
    assert (project / LEVEL).read_text() == CAVE


def test_a_wall_drawn_while_walking_is_not_walked_through(page: Any, project: Path) -> None:
    x, y = row_of_floor(project, 5)
    page.mouse.move(*pixel(page, x, y))
    page.keyboard.press("g")
    page.evaluate(VIEW)
    page.keyboard.press("2")
    choose_tile(page, "wall")
    stroke(page, [(x + 1, y)])
    page.locator("#picture").focus()
    page.keyboard.press("d")
    assert page.inner_text("#cell b") == f"{x}, {y}"


def test_a_drawing_becomes_a_layer(page: Any, project: Path) -> None:
    x, y = row_of_floor(project, 5)
    page.locator("#tool-draw").click()
    choose_tile(page, "wall")
    # A press beside the gallery of generators closes it, and draws nothing.
    page.locator("#new-layer").click()
    page.evaluate(f"levelExporter.view(0, {y - 45}, {ZOOM})")
    page.mouse.click(*pixel(page, x, 40))
    assert not page.is_visible("#layer-gallery")
    assert cell(page, x, y) == 0
    page.evaluate(VIEW)
    stroke(page, [(x, y), (x + 4, y)])
    page.locator("#stamp").click()
    until(page, "levelExporter.level().layers.length === 2")
    wait_for_edits(page, 0)
    save(page)
    assert not (project / EDITS).exists()
    level = exporter.build_level(exporter.load_level(project / LEVEL))
    assert np.all(level.layers["ground_drawn"].cells[y, x : x + 5] == 1)
    assert not level.walkable()[y, x : x + 5].any()


def test_layers_and_objects_are_added_moved_renamed_and_removed(page: Any) -> None:
    page.locator("#new-layer").click()
    page.locator("#new-layer-name").fill("edge")
    page.locator("#layer-search").fill("outline")
    page.locator("#layer-search").press("Enter")
    until(page, "levelExporter.level().layers.includes('edge')")
    assert page.evaluate("levelExporter.selection()") == "layers.edge"
    select(page, "layers.ground")
    page.locator("#layer-name-ground").fill("rock")
    page.locator("#layer-name-ground").press("Enter")
    until(page, "levelExporter.text().includes('of: rock')")
    assert page.evaluate("levelExporter.selection()") == "layers.rock"
    select(page, "layers.edge")
    page.get_by_label("Earlier layer edge").click()
    until(page, "levelExporter.text().indexOf('edge:') < levelExporter.text().indexOf('rock:')")
    # A layer reads only those before it, and the page says so until the order is right again.
    page.wait_for_selector("#problems", state="visible")
    page.get_by_label("Later layer edge").click()
    page.wait_for_selector("#problems", state="hidden")
    page.locator("#new-object").click()
    page.locator("#new-object-name").fill("chest")
    page.locator("#add-object").click()
    until(page, "levelExporter.objects().some(one => one.name === 'chest')")
    until(page, "levelExporter.selection() === 'objects.1'")
    page.get_by_label("Remove object chest").click()
    until(page, "levelExporter.selection() === 'level'")
    select(page, "layers.edge")
    page.get_by_label("Remove layer edge").click()
    until(page, "levelExporter.level().layers.join() === 'rock'")
    until(page, "!levelExporter.objects().some(one => one.name === 'chest')")


def changed(page: Any) -> list[list[int]]:
    """The cells that differ from the first call on, row by row."""
    return page.evaluate(
        """() => {
          const level = levelExporter.level();
          const cells = Array.from({length: level.width * level.height}, (_, at) =>
            levelExporter.cell("ground", at % level.width, Math.floor(at / level.width)));
          window.firstCells ??= cells;
          return cells.flatMap((one, at) => one === window.firstCells[at] ? [] : [
            [at % level.width, Math.floor(at / level.width)]]);
        }"""
    )


def test_each_tool_draws_its_cells_as_one_step(page: Any, project: Path) -> None:
    x, y = row_of_floor(project, 7)
    cells = exporter.build_level(exporter.load_level(project / LEVEL)).layers["ground"].cells
    wall = next(
        (column, row)
        for row in range(y, 23)
        for column in range(3, 29)
        if (cells[row - 1 : row + 2, column - 1 : column + 2] == 1).all()
    )
    page.keyboard.press("e")
    changed(page)
    page.keyboard.press(".")
    page.keyboard.press(".")
    stroke(page, [wall])  # a square of three cells
    wait_for_edits(page, 9)
    assert len(changed(page)) == 9
    page.keyboard.press("Control+z")
    wait_for_edits(page, 0)
    page.keyboard.press(",")
    page.keyboard.press(",")
    page.keyboard.press("l")
    choose_tile(page, "wall")
    stroke(page, [(x, y), (x + 2, y - 3), (x + 6, y)])  # only the ends count
    wait_for_edits(page, 7)
    assert changed(page) == [[x + step, y] for step in range(7)]
    page.keyboard.press("i")
    stroke(page, [(x, y)])
    assert page.locator("#draw-tile [aria-pressed=true]").get_attribute("data-tile") == "wall"
    page.keyboard.press("f")
    stroke(page, [(x, y)], "right")  # the wall that the line joined, too
    until(page, "levelExporter.edits() !== 7")
    assert cell(page, x, y) == 0
    page.keyboard.press("Control+z")
    wait_for_edits(page, 7)
    page.keyboard.press("m")
    stroke(page, [(x, y), (x + 1, y)])
    page.keyboard.down("Control")
    stroke(page, [(x, y), (x, y + 1)])
    page.keyboard.up("Control")
    until(page, "([x, y]) => levelExporter.cell('ground', x, y) === 1", [x + 1, y + 1])
    assert cell(page, x, y) == 1
    page.keyboard.press("Escape")
    page.keyboard.press("Control+z")
    wait_for_edits(page, 7)
    page.keyboard.press("Control+z")
    wait_for_edits(page, 0)


def test_the_keyboard_draws_a_rectangle_in_a_mirror(page: Any) -> None:
    page.mouse.move(*pixel(page, 4, 4))
    page.keyboard.press("r")
    choose_tile(page, "wall")
    page.locator("#draw-filled").click()
    page.locator("#picture").focus()
    page.keyboard.press("h")
    changed(page)
    page.mouse.move(*pixel(page, 4, 4))
    page.keyboard.press("Enter")
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    until(page, "levelExporter.edits() > 0")
    edge = {(x, y) for x in (4, 5, 6) for y in (4, 5, 6)} - {(5, 5)}
    whole = edge | {(31 - x, y) for x, y in edge}
    assert all(cell(page, x, y) == 1 for x, y in whole)
    assert {(x, y) for x, y in changed(page)} <= whole


def test_space_the_middle_button_and_two_fingers_pan(page: Any) -> None:
    page.keyboard.press("b")
    before = page.evaluate("levelExporter.seen()")
    page.keyboard.down("Space")
    stroke(page, [(5, 5), (7, 5)])
    page.keyboard.up("Space")
    stroke(page, [(7, 5), (7, 6)], "middle")
    after = page.evaluate("levelExporter.seen()")
    assert (before["x"] - after["x"], before["y"] - after["y"]) == (2, 1)
    page.mouse.wheel(-16, -16)  # begins as two fingers do
    again = page.evaluate("levelExporter.seen()")
    assert (after["x"] - again["x"], after["y"] - again["y"]) == (1, 1)
    assert again["pixels"] == before["pixels"]
    assert drawn(page) == 0


def test_nothing_darkens_until_sight_is_asked_for(page: Any, project: Path) -> None:
    x, y = row_of_floor(project, 7)
    page.mouse.move(*pixel(page, x, y))

    def shades() -> bool:
        screenshot_bytes = page.locator("#picture").screenshot()
        page.mouse.move(5, 5)
        plain = page.locator("#picture").screenshot()
        page.mouse.move(*pixel(page, x, y))
        return bool(
            np.asarray(image(screenshot_bytes)).sum() < 0.9 * np.asarray(image(plain)).sum()
        )

    assert not shades()
    page.keyboard.down("s")
    assert shades()
    page.keyboard.up("s")
    assert not shades()
    page.locator("#tool-sight").click()
    page.mouse.move(*pixel(page, x, y))
    assert shades()


def image(content: bytes) -> Any:
    return Image.open(io.BytesIO(content)).convert("L")


def test_a_script_paints(page: Any) -> None:
    paint = "([x, tile]) => levelExporter.paint('ground', [[x, 5], [6, 5]], tile)"
    assert page.evaluate(paint, [5, "wall"]) is None
    assert [cell(page, x, 5) for x in (5, 6)] == [1, 1]
    assert "no tile lava" in page.evaluate(paint, [5, "lava"])
    assert "outside" in page.evaluate(paint, [500, "wall"])
    assert page.evaluate(paint, [5, None]) is None
    assert drawn(page) == 0


def test_an_object_that_a_stroke_moved_is_kept_where_it_was(page: Any, project: Path) -> None:
    start = exporter.build_level(exporter.load_level(project / LEVEL)).objects[0]
    page.keyboard.press("b")
    choose_tile(page, "wall")
    stroke(page, [(start.x, start.y)])
    page.get_by_role("button", name="Keep where it was").click()
    until(page, "([x, y]) => levelExporter.objects()[0].x === x", [start.x, start.y])
    page.wait_for_selector("#moved", state="hidden")
    page.keyboard.press("Control+z")
    until(page, "([x, y]) => levelExporter.objects()[0].x !== x", [start.x, start.y])


def test_a_conflict_is_settled_by_buttons(page: Any, project: Path) -> None:
    x, y = row_of_floor(project, 3)
    for button, remaining in (("Keep mine", 1), ("Drop", 0)):
        page.evaluate(f"levelExporter.paint('ground', [[{x}, {y}]], 'wall')")
        save(page)
        edits = (project / EDITS).read_text()
        (project / EDITS).write_text(edits.replace("was: floor", "was: lava"))
        page.wait_for_selector("#edit-conflicts", state="visible")
        assert not page.locator("#problems").inner_text().count("exporter edits")
        page.locator("#edit-conflicts").get_by_role("button", name=button).click()
        page.wait_for_selector("#edit-conflicts", state="hidden")
        wait_for_edits(page, remaining)
