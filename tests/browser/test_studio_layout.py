"""The studio in windows of every width, in a real Chromium: nothing lies over anything else."""

from __future__ import annotations

from typing import Any

from studio_contrast import check_distinct
from studio_pages import opened, settle, until
from studio_tabs import Studio

WIDTHS = (360, 761, 820, 900, 1024, 1280, 1440)
# More chests than find a place: a level to look at, with a warning.
CROWDED = """\
size: [40, 30]
seed: 3
layers:
  rooms: {generator: bsp_rooms}
  caves: {generator: cellular_caves}
  ground: {generator: union, layers: [rooms, caves]}
objects:
  - {name: chest, count: 2000, required: false}
"""
LEVELS = {"crowded": CROWDED}
Box = dict[str, float]


def box_of(page: Any, selector: str) -> Box:
    result: Box = page.locator(selector).bounding_box()
    return result


def apart(item: Box, other: Box) -> bool:
    """Whether two boxes have no pixel in common."""
    return (
        item["x"] + item["width"] <= other["x"] + 0.5
        or other["x"] + other["width"] <= item["x"] + 0.5
        or item["y"] + item["height"] <= other["y"] + 0.5
        or other["y"] + other["height"] <= item["y"] + 0.5
    )


def inside(item: Box, other: Box) -> bool:
    return (
        item["x"] >= other["x"] - 0.5
        and item["y"] >= other["y"] - 0.5
        and item["x"] + item["width"] <= other["x"] + other["width"] + 0.5
        and item["y"] + item["height"] <= other["y"] + other["height"] + 0.5
    )


def level_box(page: Any) -> Box:
    """Where the level is in the window."""
    canvas, seen = box_of(page, "#picture"), page.evaluate("levelExporter.seen()")
    level = page.evaluate("levelExporter.level()")
    return {
        "x": canvas["x"] + canvas["width"] / 2 - seen["x"] * seen["pixels"],
        "y": canvas["y"] + canvas["height"] / 2 - seen["y"] * seen["pixels"],
        "width": level["width"] * seen["pixels"],
        "height": level["height"] * seen["pixels"],
    }


def resized(page: Any, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 740 if width < 500 else 700})
    settle(page)


def test_tools_and_problems_never_overlap(page: Any) -> None:
    page.locator("#picture").focus()
    page.keyboard.press("2")
    page.keyboard.press("t")
    until(page, "levelExporter.steps().count > 1")
    page.locator("#problems summary").wait_for()
    for open_ in (False, True):
        if open_:
            page.locator("#problems summary").click()
        for width in WIDTHS:
            resized(page, width)
            stage, tools, problems, steps = (
                box_of(page, item) for item in ("#stage", "#tools", "#problems", "#steps")
            )
            assert apart(tools, problems), width
            assert apart(problems, steps), width
            assert apart(tools, steps), width
            assert inside(tools, stage), width
            assert inside(problems, stage), width
            assert problems["width"] >= 200, width
            assert stage["width"] >= 360, width
            assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_head_of_the_page_has_room_for_its_words(page: Any) -> None:
    for width in WIDTHS:
        resized(page, width)
        # After a build its time replaces the state; a small page says whether it is exported.
        told = "#state" if page.inner_text("#state") else "#built:visible, #exported:visible"
        words = page.locator(told).first
        header, state = box_of(page, "header"), words.bounding_box()
        assert state["width"] >= 90 or words.evaluate("(one) => one.scrollWidth <= one.clientWidth")
        for button in page.locator("header button:visible").all():
            assert inside(button.bounding_box(), header), (width, button.get_attribute("id"))


def test_the_sheet_of_seeds_is_wide_enough_everywhere(page: Any) -> None:
    page.locator("#picture").focus()
    page.keyboard.press("d")
    page.locator(".seed").first.click()
    for width in WIDTHS:
        resized(page, width)
        sheet, grid, details = (
            box_of(page, item) for item in ("#seeds", ".seed-grid", ".seed-details")
        )
        assert grid["width"] >= 340, width
        assert grid["height"] >= 150, width
        assert details["width"] >= 200, width
        assert apart(grid, details), width
        assert inside(grid, sheet), width
        assert inside(details, sheet), width


def test_marks_below_a_line_of_the_spec_stay_below_it(browser: Any, studio: Studio) -> None:
    with opened(browser, studio, viewport={"width": 360, "height": 740}) as page:
        long = ["caves"] * 12
        page.evaluate("(names) => { levelExporter.set('layers.ground.layerz', names); }", long)
        pre = page.locator("#problems pre").first
        until(page, "document.querySelector('#problems pre')?.textContent.includes('^^^')")
        # One line of the page for each line of the text, but for the sentence above them.
        heights = pre.evaluate(
            "(pre) => [pre.scrollHeight, pre.querySelector('.sentence').offsetHeight]"
        )
        assert pre.evaluate("(pre) => pre.scrollWidth > pre.clientWidth")
        text = pre.text_content()
        lines = text.count("\n")
        line = pre.evaluate("(pre) => parseFloat(getComputedStyle(pre).lineHeight)")
        # A bar to scroll may take the place of a line.
        assert heights[0] - heights[1] < (lines + 1) * line
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


def check_in_sight(page: Any) -> None:
    """Check that the level lies in the stage, and nothing lies over it."""
    settle(page)
    level = level_box(page)
    assert inside(level, box_of(page, "#picture"))
    for other in ("#tools", "#problems", "#steps", "#compare"):
        if page.is_visible(other):
            assert apart(level, box_of(page, other)), other


def test_a_level_is_fitted_beside_what_lies_over_the_picture(page: Any) -> None:
    for width in WIDTHS:
        resized(page, width)
        page.locator("#picture").focus()
        page.keyboard.press("0")
        check_in_sight(page)
        # It is as large as it can be: one side is nearly taken.
        level, canvas = level_box(page), box_of(page, "#picture")
        free = canvas["height"] - 26 - 16 - box_of(page, "#over")["height"] - 6
        whole = max(level["width"] / (canvas["width"] - 16), level["height"] / free)
        assert whole > 0.9, width
    # The facts of a cell stand below it.
    page.mouse.move(level["x"] + 30, level["y"] + 30)
    until(page, "document.querySelector('#cell').textContent !== ''")
    assert apart(level, box_of(page, "#cell"))


def test_warnings_begin_folded_and_an_open_one_leaves_room(page: Any) -> None:
    page.locator("#problems summary").wait_for()
    assert not page.is_visible("#problems pre")
    page.locator("#problems summary").click()
    page.locator("#picture").focus()
    page.keyboard.press("0")
    check_in_sight(page)
    page.locator("#problems summary").click()
    page.wait_for_selector("#problems pre", state="hidden")
    check_in_sight(page)


def test_bars_below_the_picture_leave_all_of_the_level_in_sight(page: Any) -> None:
    page.locator("#picture").focus()
    page.keyboard.press("t")
    until(page, "levelExporter.steps().count > 1")
    settle(page)
    check_in_sight(page)
    page.click("#open-compare")
    settle(page)
    check_in_sight(page)
    page.click("#compare-side")
    settle(page)
    names = [item.bounding_box() for item in page.locator(".half:visible").all()]
    assert len(names) == 2
    for name in names:
        assert apart(name, box_of(page, "#tools"))
        assert apart(name, box_of(page, "#problems"))


def test_a_folded_panel_gives_its_room_to_a_level_that_was_fitted(page: Any) -> None:
    page.locator("#picture").focus()
    page.keyboard.press("0")
    settle(page)
    before = level_box(page)
    page.keyboard.press("[")
    page.keyboard.press("]")
    settle(page)
    after = level_box(page)
    assert after["width"] > before["width"]
    check_in_sight(page)
    page.keyboard.press("[")
    page.keyboard.press("]")
    settle(page)
    assert level_box(page) == before
    # The area that the user looks at keeps its size.
    page.evaluate("levelExporter.view(3, 2, 20)")
    page.keyboard.press("[")
    settle(page)
    assert level_box(page)["width"] == 20 * 40


def test_panels_begin_folded_where_there_is_no_room_and_come_back(page: Any) -> None:
    resized(page, 900)
    assert page.is_visible("#right")
    assert not page.is_visible("#left")
    assert page.get_attribute("#toggle-left", "aria-expanded") == "false"
    picture = box_of(page, "#picture")
    page.click("#toggle-left")
    assert page.is_visible("#left")
    # It lies over the picture, and the level beside it.
    assert box_of(page, "#picture") == picture
    settle(page)
    assert apart(level_box(page), box_of(page, "#left"))
    page.click("#toggle-left")
    resized(page, 360)
    assert not page.is_visible("#right")
    page.click("#toggle-right")
    page.click("#toggle-left")
    assert not page.is_visible("#right")
    page.click("#toggle-left")
    resized(page, 1280)
    assert page.is_visible("#right")


def test_rock_floor_and_page_are_reported_apart(page: Any) -> None:
    check_distinct(page)
