"""Problems are shown at their parameters, in a real Chromium."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from studio_pages import select, set_value, until
from studio_tabs import CAVE

LEVEL = "levels/cave.level.yaml"


def owner_of(id: str) -> str:
    """Return the path of the thing that has a parameter."""
    head, *rest = id.split("-")
    return f"{head}.{rest[0]}" if head in ("layers", "objects", "tables") else "level"


def row_of(page: Any, id: str) -> Any:
    return page.locator(f"#right .row:has([id='parameter-{id}'])")


def test_a_wrong_number_is_reported_at_its_row_until_it_is_right(page: Any) -> None:
    select(page, "layers.ground")
    field = page.locator("#parameter-layers-ground-wall_percent")
    field.fill("400")
    field.press("Enter")
    why = row_of(page, "layers-ground-wall_percent").locator("> .why")
    why.wait_for(state="visible")
    # It is below the control, in the words of the problems above the picture.
    assert why.bounding_box()["y"] > field.bounding_box()["y"]
    assert page.evaluate("levelExporter.problems()[0].message") == why.inner_text()
    assert why.inner_text() in page.inner_text("#problems pre")
    assert field.get_attribute("aria-invalid") == "true"
    assert why.get_attribute("id") in (field.get_attribute("aria-describedby") or "").split()
    assert page.locator("#right .row.wrong").count() == 1
    field.fill("45")
    field.press("Enter")
    until(page, "!document.querySelector('#right .row.wrong')")
    assert why.count() == 0
    assert field.get_attribute("aria-invalid") is None


# The control, and a text of the spec with which it is wrong.
WRONG = [
    ("layers-ground-wall_percent", CAVE.replace("40}", "400}")),  # a number
    ("size", CAVE.replace("[32, 24]", "[32, 99999]")),  # a pair
    ("layers-ground-update", CAVE.replace("40}", "40, update: never}")),  # a choice
    ("visibility-see_walls", CAVE.replace("radius: 6", "radius: 6, see_walls: 3")),  # a switch
    ("layers-ground-only_in", CAVE.replace("40}", "40, only_in: nowhere}")),  # a text
    ("require", CAVE + "require: [music]\n"),  # lines of YAML
    (
        "tables-loot-columns-name",
        CAVE + "tables: {loot: {columns: {name: word}}}\n",
    ),  # inside of them
    ("objects-0-count", CAVE.replace("name: start", "name: start, count: 0")),
    ("level", CAVE + "level: 'a b'\n"),
    ("rng", CAVE + "rng: dice\n"),
    ("seed", CAVE.replace("seed: 7", "seed: 1.5")),
    ("layers-ground-connect", CAVE.replace("40}", "40, connect: yes}")),  # a misleading scalar
    ("layers-ground-generator", CAVE.replace("cellular_caves", "cellular_cave")),
]


def test_each_kind_of_control_tells_what_is_wrong(page: Any, project: Path) -> None:
    for id, text in WRONG:
        (project / LEVEL).write_text(text)
        until(page, "text => levelExporter.text() === text", text)
        select(page, owner_of(id))
        row = row_of(page, id)
        row.locator("> .why").wait_for(state="visible")
        reported = page.evaluate("levelExporter.problems().map((one) => one.message)")
        assert row.locator("> .why").inner_text() in reported, id
        field = page.locator(f"[id='parameter-{id}']")
        assert field.get_attribute("aria-invalid") == "true"
        assert f"problem-parameter-{id}" in field.get_attribute("aria-describedby")
        until(page, "document.querySelectorAll('#right .row.wrong').length === 1")
    (project / LEVEL).write_text(CAVE)
    until(page, "!document.querySelector('#right .row.wrong')")


def test_a_change_that_is_refused_is_reported_at_its_row(page: Any) -> None:
    page.locator("#fold-level").click()
    field = page.locator("#parameter-level")
    field.evaluate("(one) => { one.value = 'a\\u0001'; one.dispatchEvent(new Event('change')); }")
    why = row_of(page, "level").locator("> .why")
    why.wait_for(state="visible")
    assert "U+0001" in why.inner_text()
    set_value(page, "seed", 8)
    until(page, "!document.querySelector('#right .row.wrong')")


def test_the_level_lists_problems_and_selects_what_they_are_about(page: Any) -> None:
    set_value(page, "layers.ground.wall_percent", 400)
    fault = page.locator(".fault.bad")
    fault.wait_for()
    assert "ground" in fault.inner_text()
    assert "400" in fault.inner_text()
    fault.click()
    assert page.evaluate("levelExporter.selection()") == "layers.ground"
    row_of(page, "layers-ground-wall_percent").locator("> .why").wait_for()


def test_the_last_good_picture_is_marked_as_such(page: Any) -> None:
    note = page.locator("#stale")
    assert note.is_hidden()
    set_value(page, "layers.ground.wall_percent", 400)
    note.wait_for(state="visible")
    assert note.inner_text() == "Last good picture"
    filter_of = "getComputedStyle(document.getElementById('picture')).filter"
    until(page, f"{filter_of}.includes('saturate')")
    page.emulate_media(reduced_motion="reduce")
    transition = "getComputedStyle(document.getElementById('picture')).transitionDuration"
    assert page.evaluate(transition) in ("", "0s")
    set_value(page, "layers.ground.wall_percent", 41)
    until(page, f"{filter_of} === 'none'")
    assert note.is_hidden()
