"""Selecting things in the studio and changing them in the right panel, in a real Chromium."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from studio_pages import select, set_value, text_of, until

EDITS = "levels/cave.edits.yaml"
SPEC = """\
size: [40, 30]
seed: 3
layers:
  base: {generator: rooms_and_corridors}
  edge: {generator: outline, of: base, role: none}
objects:
  - {name: stairs_up}
  - {name: guard, count: 2, far_from: stairs_up}
  - {name: chest, count: 3, spacing: 4}
tables:
  loot: {columns: {name: text, weight: integer}, rows: [[axe, 2], [rope, 5]]}
visibility: {radius: 7}
"""
LEVELS = {"cave": SPEC}
ZOOM = 16


def selection(page: Any) -> str:
    return str(page.evaluate("levelExporter.selection()"))


def click_cell(page: Any, x: int, y: int) -> None:
    page.mouse.click(*pixel(page, x, y))


def pixel(page: Any, x: int, y: int) -> tuple[float, float]:
    """Return the middle of a cell, of which the tools cover none."""
    page.evaluate(f"levelExporter.view(-1, -6, {ZOOM})")
    box = page.locator("#picture").bounding_box()
    return box["x"] + (x + 1.5) * ZOOM, box["y"] + (y + 6.5) * ZOOM


def objects_of(page: Any, name: str) -> list[tuple[int, int]]:
    objects = page.evaluate("levelExporter.objects()")
    return [(item["x"], item["y"]) for item in objects if item["name"] == name]


def title_of(page: Any) -> str:
    title = page.locator("#inspector .subject :is(h2, input)")
    return str(title.evaluate("one => one.value ?? one.textContent"))


def test_each_kind_of_thing_is_selected_by_its_path(page: Any) -> None:
    paths = {
        "layers.base": "base",
        "objects.2": "chest",
        "rooms.base.1": "room_2",
        "tables.loot": "loot",
        "level": "cave",
    }
    for path, title in paths.items():
        select(page, path)
        assert (selection(page), title_of(page)) == (path, title)
        # Nothing else is in the panel, and it is one screen high.
        assert page.evaluate("document.getElementById('right').scrollHeight") <= 760, path
    with pytest.raises(Exception, match=r"there is nothing to select at layers\.nowhere"):
        select(page, "layers.nowhere")


def test_lists_are_walked_by_arrows_and_escape_selects_the_level(page: Any) -> None:
    page.locator("[data-path='layers.edge']").click()
    assert selection(page) == "layers.edge"
    page.locator("[data-path='layers.edge']").focus()
    page.keyboard.press("ArrowDown")
    assert selection(page) == "layers.base"
    page.keyboard.press("ArrowDown")
    assert selection(page) == "objects.0"
    focus = "document.activeElement.dataset.path"
    assert page.evaluate(focus) == "objects.0"
    page.keyboard.press("Escape")
    assert selection(page) == "level"


def test_a_click_on_the_map_selects_an_object_a_room_a_layer_or_an_edit(page: Any) -> None:
    x, y = objects_of(page, "chest")[1]
    click_cell(page, x, y)
    assert selection(page) == "objects.2"
    assert page.inner_text(".one strong") == "chest 2"
    # Again: what lies below it.
    click_cell(page, x, y)
    assert selection(page).startswith("rooms.base.")
    page.keyboard.press("Escape")
    click_cell(page, 0, 0)
    assert selection(page) == "layers.base"
    page.keyboard.press("2")
    page.locator("#draw-tile [data-tile=floor]").click()
    click_cell(page, 0, 20)
    until(page, "document.querySelector('[data-path=\"edits.base.0,20\"]') !== null")
    page.keyboard.press("1")
    click_cell(page, 0, 20)
    assert selection(page) == "edits.base.0,20"
    assert "rock" in page.inner_text("#inspector .facts")
    page.get_by_role("button", name="As generated").click()
    until(page, "levelExporter.edits() === 0")
    until(page, "levelExporter.selection() === 'layers.base'")


def test_an_object_is_dragged_copied_and_pinned(page: Any, project: Path) -> None:
    first, second, _ = objects_of(page, "chest")
    click_cell(page, *first)
    x, y = pixel(page, *first)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + ZOOM, y, steps=4)
    page.mouse.up()
    moved = [first[0] + 1, first[1]]
    until(page, "([x, y]) => levelExporter.objects().some((o) => o.x === x && o.y === y)", moved)
    assert page.inner_text(".one strong") == "chest 1"
    page.keyboard.press("Control+d")
    until(page, "levelExporter.objects().filter((o) => o.name === 'chest').length === 4")
    until(page, "document.querySelector('.one strong').textContent === 'chest (added)'")
    page.get_by_role("button", name="chest 2", exact=True).click()
    page.locator("#pin-object").click()
    until(page, "document.querySelector('.one').textContent.includes('pinned')")
    set_value(page, "seed", 4)
    # It stays, and the page has nothing to warn of.
    assert second in objects_of(page, "chest")
    warned = [item["message"] for item in page.evaluate("levelExporter.problems()")]
    assert not any("chest 2" in item or "ordinal: 2" in item for item in warned)
    page.keyboard.press("Control+s")
    until(page, "document.getElementById('save').disabled")
    edits = yaml.safe_load((project / EDITS).read_text())["objects"]
    assert {"name": "chest", "ordinal": 2, "was": [*second], "now": [*second]} in edits


def test_properties_have_an_editor_for_their_type(page: Any) -> None:
    select(page, "objects.2")
    kinds = ("number", "text", "switch", "color", "list", "object", "vector")
    for kind in kinds:
        page.locator("#new-property").fill(f"a_{kind}")
        page.locator("#new-property-type").select_option(kind)
        page.locator("#add-property").click()
        page.locator(f"#property-a_{kind}").wait_for()
    for kind, typed in {"number": "60", "text": "old"}.items():
        page.locator(f"#property-a_{kind}").fill(typed)
        page.locator(f"#property-a_{kind}").press("Enter")
    page.locator("#property-a_color").fill("#336699")
    page.locator("#property-a_list").click()
    until(page, "document.activeElement.id === 'property-a_list-0'")
    page.keyboard.type("deep")
    page.keyboard.press("Enter")
    page.locator("#property-a_list").click()
    page.get_by_label("Type of a_list 2").select_option("object")
    page.locator("select#property-a_list-1").select_option("guard")
    page.locator("#property-a_switch").uncheck()
    page.locator("#property-a_object").select_option("guard")
    page.get_by_label("a_vector: x").fill("2.5")
    page.get_by_label("a_vector: x").press("Enter")
    until(page, "levelExporter.text().includes('2.5')")
    assert yaml.safe_load(text_of(page))["objects"][2]["properties"] == {
        "a_number": 60,
        "a_text": "old",
        "a_switch": False,
        "a_color": {"color": "#336699"},
        "a_list": ["deep", {"object": "guard"}],
        "a_object": {"object": "guard"},
        "a_vector": {"vector": [2.5, 0]},
    }
    errors = "levelExporter.problems().filter((one) => one.severity === 'error').length"
    assert page.evaluate(errors) == 0
    # Another type keeps what it can of the value.
    page.get_by_label("Type of a_color").select_option("text")
    until(page, "document.getElementById('property-a_color').value === '#336699'")


def test_names_are_suggested_by_the_type_of_a_parameter(page: Any) -> None:
    def offered(path: str, id: str) -> list[str]:
        select(page, path)
        page.evaluate("document.querySelectorAll('#right details').forEach(one => one.open = true)")
        options = f"#parameter-{id} option, [id='parameter-{id}-known'] option"
        page.locator(f"#parameter-{id}").focus()
        objects = page.locator(options).evaluate_all("all => all.map(one => one.value)")
        return [item for item in objects if item]

    assert offered("layers.edge", "layers-edge-of") == ["base"]
    assert offered("objects.2", "objects-2-layer") == ["edge", "base"]
    assert offered("objects.2", "objects-2-near") == ["stairs_up", "guard"]
    assert set(offered("objects.2", "objects-2-on_tile")) == {"floor", "rock"}
    set_value(page, "pack", {"count": 5})
    assert "farthest" in offered("level", "pack-spread")


def test_a_slider_step_redraws_nothing_and_moves_no_focus(page: Any) -> None:
    select(page, "layers.base")
    slider = page.locator("#inspector input[type=range]").first
    slider.focus()
    page.evaluate(
        """() => {
          window.made = 0;
          new MutationObserver((all) => {
            for (const one of all) {
              const added = [...one.addedNodes];
              window.made += added.filter((it) => it.nodeType === 1 && it.closest(".row")).length;
            }
          }).observe(document.getElementById("right"), { childList: true, subtree: true });
        }"""
    )
    before = text_of(page)
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    until(page, "text => levelExporter.text() !== text", before)
    assert slider.evaluate("one => one === document.activeElement")
    assert page.evaluate("made") == 0


def test_rows_of_a_table_are_changed_added_and_removed(page: Any) -> None:
    select(page, "tables.loot")
    page.get_by_label("weight, row 2").fill("7")
    page.get_by_label("weight, row 2").press("Enter")
    until(page, "levelExporter.text().includes('[rope, 7]')")
    page.locator("#add-row").click()
    page.get_by_label("name, row 3").fill("lamp")
    page.get_by_label("name, row 3").press("Enter")
    until(page, "levelExporter.text().includes('lamp')")
    page.get_by_label("Remove row 1").click()
    until(page, "!levelExporter.text().includes('axe')")
    assert yaml.safe_load(text_of(page))["tables"]["loot"]["rows"] == [["rope", 7], ["lamp", 0]]
