"""The controls of the studio in a real Chromium: typed values arrive in the spec."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from studio_pages import select, set_value, text_of, until
from studio_tabs import CAVE

LEVEL = "levels/cave.level.yaml"
DRAWN = """\
size: [32, 24]
seed: seven seas
layers:
  ground: {generator: cellular_caves, wall_percent: 40}
  house:
    generator: stamp
    of: ground
    art: |
      ###
      #.#
    at: [[12, 7]]
objects:
  - {name: start}
"""


def follow(page: Any, project: Path, text: str) -> None:
    """Give the file another text, and wait for the page to follow."""
    (project / LEVEL).write_text(text)
    until(page, "text => levelExporter.text() === text", text)


def test_a_drawing_keeps_its_lines(page: Any, project: Path) -> None:
    follow(page, project, DRAWN)
    select(page, "layers.house")
    field = page.locator("#parameter-layers-house-art")
    assert field.input_value() == "###\n#.#\n"
    field.fill("###\n#.#\n###\n")
    field.blur()
    expected = DRAWN.replace("      #.#\n", "      #.#\n      ###\n")
    until(page, "text => levelExporter.text() === text", expected)


def test_undo_serves_after_each_kind_of_control(page: Any) -> None:
    for kind in ("slider", "number", "switch", "choice"):
        select(page, "level" if kind in ("switch", "choice") else "layers.ground")
        if kind == "slider":
            page.locator("#parameter-layers-ground-wall_percent-slider").focus()
            page.keyboard.press("ArrowRight")
        elif kind == "number":
            page.locator("#parameter-layers-ground-wall_percent").fill("47")
            page.keyboard.press("Enter")
        else:
            page.evaluate(
                "document.querySelectorAll('#right details').forEach((one) => { one.open = true; })"
            )
            selector = "select" if kind == "choice" else "input[type=checkbox]"
            page.locator(f"#right .control {selector}").first.focus()
            page.keyboard.press("ArrowDown" if kind == "choice" else "Space")
        until(page, "text => levelExporter.text() !== text", CAVE)
        page.keyboard.press("Control+z")
        until(page, "text => levelExporter.text() === text", CAVE)


def test_text_that_is_being_typed_keeps_the_browsers_undo(page: Any) -> None:
    select(page, "layers.ground")
    set_value(page, "seed", 8)
    field = page.locator("#parameter-layers-ground-wall_percent")
    field.focus()
    page.keyboard.press("Control+a")
    page.keyboard.type("4")
    page.keyboard.press("Control+z")
    assert field.input_value() == "40"
    assert "seed: 8 " in text_of(page)


def test_a_seed_is_a_number_or_a_text(page: Any, project: Path) -> None:
    follow(page, project, DRAWN)
    field = page.locator("#parameter-seed")
    assert field.input_value() == "seven seas"
    for typed, written in (("11", "11"), ("two winds", "two winds"), ('"12"', '"12"')):
        field.fill(typed)
        field.press("Enter")
        expected = DRAWN.replace("seven seas", written)
        until(page, "text => levelExporter.text() === text", expected)
        assert field.input_value() == typed


def test_the_panel_follows_a_file_while_a_slider_has_the_focus(page: Any, project: Path) -> None:
    select(page, "layers.ground")
    slider = page.locator("#parameter-layers-ground-wall_percent-slider")
    slider.focus()
    follow(page, project, CAVE.replace("40}", "46}"))
    until(page, "document.getElementById('parameter-layers-ground-wall_percent').value === '46'")
    assert page.evaluate("document.activeElement.id") == slider.get_attribute("id")


def test_other_values_follow_while_a_slider_is_in_the_hand(page: Any) -> None:
    select(page, "layers.ground")
    box = page.locator("#parameter-layers-ground-wall_percent-slider").bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.4, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.7, box["y"] + box["height"] / 2, steps=3)
    until(page, "text => levelExporter.text() !== text", CAVE)
    set_value(page, "layers.ground.rounds", 3)
    until(page, "document.querySelector('.row.set #parameter-layers-ground-rounds')?.value === '3'")
    page.mouse.up()


def test_a_slider_stays_in_the_hand_when_something_else_had_the_focus(page: Any) -> None:
    select(page, "layers.ground")
    page.locator("#picture").focus()
    slider = page.locator("#parameter-layers-ground-wall_percent-slider")
    box = slider.bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.4, box["y"] + box["height"] / 2)
    page.mouse.down()
    for share in (0.5, 0.6, 0.7):
        before = text_of(page)
        page.mouse.move(box["x"] + box["width"] * share, box["y"] + box["height"] / 2)
        until(page, "text => levelExporter.text() !== text", before)
    page.mouse.up()
    assert 65 <= int(slider.input_value()) <= 75


def test_the_difference_takes_the_focus_and_escape_closes_it(page: Any, project: Path) -> None:
    set_value(page, "seed", 8)
    (project / LEVEL).write_text(CAVE.replace("radius: 6", "radius: 7"))
    page.wait_for_selector("#conflict", state="visible")
    assert page.evaluate("document.activeElement.closest('#conflict') !== null")
    assert "+ is your draft, - is the file" in page.inner_text("#conflict")
    page.keyboard.press("Escape")
    assert not page.is_visible("#conflict")
    assert "Save (Ctrl+S) shows how" in page.inner_text("#state")
    page.keyboard.press("Control+s")
    page.wait_for_selector("#conflict", state="visible")


def test_the_sheet_of_seeds_opens_with_the_focus_in_its_levels(page: Any) -> None:
    page.locator("#picture").focus()
    page.keyboard.press("d")
    until(page, "document.activeElement.classList.contains('seed')")
    page.keyboard.press("s")
    assert page.locator("#seeds-where").input_value() == ""
    assert page.get_by_text("★ Starred").is_visible()


@pytest.mark.parametrize(
    ("path", "fold", "field"),
    [
        ("objects.0", "#fold-object-0", "objects-0-min_distance"),
        ("layers.ground", "#fold-layer-ground", "layers-ground-role"),
    ],
)
def test_a_row_behind_more_stays_there_while_it_is_unfolded(
    page: Any, path: str, fold: str, field: str
) -> None:
    select(page, path)
    page.locator(fold).click()
    control = page.locator(f"#parameter-{field}")
    if "role" in field:
        headings = page.locator("#inspector h4").all_inner_texts()
        assert headings == ["Connections and given cells", "Size, role and limits", "In Godot"]
        control.select_option("picture")
    else:
        control.fill("4")
        control.press("Enter")
    until(page, f"document.querySelector('details .row.set #parameter-{field}') !== null")
    assert control.is_visible()
    # Folded, set values come first.
    page.locator(fold).click()
    set_value(page, "seed", 9)
    until(page, f"document.querySelector('details #parameter-{field}') === null")
    assert control.is_visible()


def test_another_generator_keeps_what_it_has_too(page: Any, project: Path) -> None:
    select(page, "layers.ground")
    text = CAVE.replace("40}", "40, rounds: 3, role: play}")
    follow(page, project, text)
    page.locator("#parameter-layers-ground-generator").select_option("drunkard")
    expected = text.replace("cellular_caves, wall_percent: 40, rounds: 3,", "drunkard,")
    until(page, "text => levelExporter.text() === text", expected)
    page.keyboard.press("Control+z")
    until(page, "text => levelExporter.text() === text", text)


def test_what_a_spec_has_beside_layers_can_be_written(page: Any) -> None:
    page.locator("#fold-level").click()
    name = page.locator("#parameter-level")
    name.fill("deep")
    name.press("Enter")
    until(page, "levelExporter.text().includes('level: deep')")
    page.locator("#remove-visibility").evaluate("(one) => one.click()")
    until(page, "!levelExporter.text().includes('visibility')")
    page.locator("#add-visibility").click()
    until(page, "levelExporter.text().includes('radius: 8')")


def test_yaml_that_is_wrong_stays_at_its_field(page: Any, project: Path) -> None:
    # A value of no form that the schema has is text.
    text = CAVE + "require: none\n"
    follow(page, project, text)
    field = page.locator("#parameter-require")
    field.fill("{min_floor: [loud")
    field.press("Control+Enter")
    why = page.locator("#refused-parameter-require")
    why.wait_for(state="visible")
    reported = why.inner_text()
    assert "error:" in reported
    select(page, "layers.ground")
    set_value(page, "layers.ground.wall_percent", 41)
    select(page, "level")
    assert field.input_value() == "{min_floor: [loud"
    assert why.inner_text() == reported
    assert field.get_attribute("aria-invalid") is not None
    # Its own value has changed: the text belongs to the old one.
    set_value(page, "require", "all")
    until(page, "document.getElementById('parameter-require').value === 'all'")


def test_a_size_is_two_numbers(page: Any) -> None:
    width, height = page.locator("#parameter-size"), page.locator("#parameter-size-second")
    assert (width.input_value(), height.input_value()) == ("32", "24")
    height.fill("30")
    height.press("Enter")
    until(page, "text => levelExporter.text() === text", CAVE.replace("32, 24", "32, 30"))


def test_sliders_are_wide_and_the_panel_can_be_wider(page: Any) -> None:
    select(page, "layers.ground")
    slider = page.locator("#parameter-layers-ground-wall_percent-slider")
    narrow = slider.bounding_box()["width"]
    right = page.locator("#right")
    before = right.bounding_box()["width"]
    edge = page.locator("#right-edge")
    edge.focus()
    edge.press("ArrowLeft")
    until(page, "wide => document.getElementById('right').offsetWidth > wide", before + 10)
    box = edge.bounding_box()
    page.mouse.move(box["x"] + 3, 400)
    page.mouse.down()
    page.mouse.move(box["x"] - 117, 400, steps=3)
    page.mouse.up()
    until(page, "wide => document.getElementById('right').offsetWidth > wide", before + 100)
    assert slider.bounding_box()["width"] > narrow + 80
    page.reload()
    page.wait_for_selector("#right .row", state="attached")
    assert right.bounding_box()["width"] > before + 100


def test_problems_stay_folded_while_they_are_the_same(page: Any, project: Path) -> None:
    follow(page, project, CAVE.replace("40}", "140}"))
    page.wait_for_selector("#problems pre", state="visible")
    page.locator("#problems summary").click()
    page.wait_for_selector("#problems pre", state="hidden")
    set_value(page, "seed", 9)
    set_value(page, "layers.ground.wall_percent", 40)
    until(page, "document.getElementById('problems').hidden")
    page.keyboard.press("Control+z")
    page.wait_for_selector("#problems summary", state="visible")
    assert not page.is_visible("#problems pre")
    assert "1 problem" in page.inner_text("#problems summary")
    set_value(page, "layers.ground.wall_percent", 141)
    page.wait_for_selector("#problems pre", state="visible")


def test_one_button_is_called_new(page: Any) -> None:
    assert page.get_by_role("button", name="New", exact=True).count() == 1
    page.get_by_role("button", name="Another seed").click()
    until(page, "text => levelExporter.text() !== text", CAVE)


def test_the_picture_has_a_frame_for_the_keyboard_only(page: Any) -> None:
    outline = "getComputedStyle(document.getElementById('picture')).outlineStyle"
    page.locator("#parameter-seed").focus()
    page.keyboard.press("Tab")
    page.locator("#picture").click(position={"x": 300, "y": 300})
    page.evaluate("document.getElementById('picture').focus()")
    page.keyboard.press("2")
    assert page.evaluate(outline) == "none"
    page.keyboard.press("ArrowLeft")
    assert page.evaluate(outline) == "solid"
    width = "getComputedStyle(document.getElementById('picture')).outlineWidth"
    assert page.evaluate(width) == "1px"


def test_keys_choose_a_generator_and_enter_takes_it(page: Any) -> None:
    select(page, "layers.ground")
    choice = page.locator("#parameter-layers-ground-generator")
    before = text_of(page)
    choice.focus()
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    assert choice.input_value() != '"cellular_caves"'
    page.wait_for_timeout(300)
    assert text_of(page) == before
    page.keyboard.press("Escape")
    assert choice.input_value() == '"cellular_caves"'
    page.keyboard.press("ArrowUp")
    chosen = choice.input_value().strip('"')
    assert chosen != "cellular_caves"
    page.keyboard.press("Enter")
    until(page, "(name) => levelExporter.text().includes(`generator: ${name}`)", chosen)
    # Leaving the field takes as well.
    page.keyboard.press("ArrowDown")
    page.locator("#levels, #picture").last.focus()
    until(page, "levelExporter.text().includes('generator: cellular_caves')")


@pytest.mark.parametrize("change", ["a value", "another layer"])
def test_the_panel_stays_where_it_is_scrolled_to(page: Any, project: Path, change: str) -> None:
    select(page, "layers.ground")
    page.evaluate("document.querySelectorAll('#right details').forEach((one) => one.open = true)")
    before = page.evaluate("(document.getElementById('right').scrollTop = 90, 90)")
    assert page.evaluate("document.getElementById('right').scrollTop") == before
    if change == "a value":
        set_value(page, "layers.ground.wall_percent", 44)
    else:
        follow(page, project, CAVE.replace("objects:", "  other: {generator: blank}\nobjects:"))
        page.wait_for_selector("[data-path='layers.other']")
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    after = page.evaluate("document.getElementById('right').scrollTop")
    assert abs(after - before) < 2
