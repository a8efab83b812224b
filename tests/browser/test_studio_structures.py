"""Lists, mappings and tables in the studio's panel, edited with mouse and keyboard."""

from __future__ import annotations

from typing import Any

from studio_pages import select, text_of, until

BANDS = """\
size: [24, 16]
seed: 3
layers:
  heights: {generator: heightmap, role: data}
  ground:
    generator: bands
    of: heights
    steps:
      - {below: 0.3, tile: water} # the sea
      - {tile: grass}
objects:
  - {name: start}
tables:
  loot:
    columns: {name: text, weight: integer}
    rows:
      - [rope, 4] # light
      - [axe, 9]
"""
LEVELS = {"cave": BANDS}


def press(page: Any, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def wait_for_lines(page: Any, *lines: str) -> None:
    text = "\n".join(lines)
    until(page, "text => levelExporter.text().includes(text)", text)


def focused(page: Any) -> str:
    return str(page.evaluate("document.activeElement.id || document.activeElement.ariaLabel"))


def test_a_list_of_mappings_has_rows_with_typed_controls(page: Any) -> None:
    select(page, "layers.ground")
    press(page, "Add to steps")
    sea, grass = "      - {below: 0.3, tile: water} # the sea", "      - {tile: grass}"
    wait_for_lines(page, sea, grass, grass)
    until(page, "document.activeElement.id === 'parameter-layers-ground-steps-2-below'")
    press(page, "Move steps 3 up")
    field = page.locator("#parameter-layers-ground-steps-1-below")
    field.fill("0.6")
    field.press("Enter")
    page.get_by_label("Form of steps 2 tile", exact=True).select_option(label="tile options")
    wait_for_lines(page, "      - {tile: {name: name}, below: 0.6}")
    name = page.locator("#parameter-layers-ground-steps-1-tile-name")
    name.fill("moor")
    name.press("Enter")
    until(page, "levelExporter.text().includes('moor')")
    color = page.locator("#parameter-layers-ground-steps-1-tile-color")
    color.fill("#335522")
    color.press("Enter")
    wait_for_lines(page, '{tile: {name: moor, color: "#335522"}, below: 0.6}')
    press(page, "Move steps 1 down")
    until(page, "levelExporter.problems().length === 1")
    # The problem is at the innermost row.
    until(page, "document.querySelector('.row.wrong #parameter-layers-ground-steps-1-below')")
    assert page.locator(".row.wrong").count() == 1
    assert focused(page) == "Move steps 2 down"
    press(page, "Remove steps 1")
    wait_for_lines(page, "    steps:\n" + sea, grass + "\nobjects:")
    assert "moor" not in text_of(page)


def test_limits_are_added_and_taken_out_with_their_mapping(page: Any) -> None:
    page.locator("#fold-level").click()
    press(page, "Add require")
    page.locator("#fold-parameter-require").click()
    press(page, "Add require openness")
    field = page.locator("#parameter-require-openness-at_least")
    until(page, "document.activeElement.id === 'parameter-require-openness-at_least'")
    field.fill("0.01")
    field.press("Enter")
    wait_for_lines(page, "openness: {at_least: 0.01}")
    page.get_by_label("New key of require", exact=True).fill("objects.start")
    page.keyboard.press("Enter")
    wait_for_lines(page, "objects.start: {}")
    press(page, "Remove require objects.start")
    page.locator(".row:has(> .control > #parameter-require-openness-at_least) > .reset").click()
    until(page, "text => levelExporter.text() === text", BANDS)


def test_a_table_keeps_its_rows_right_while_columns_and_order_change(page: Any) -> None:
    select(page, "tables.loot")
    page.get_by_label("New key of columns", exact=True).fill("rare")
    page.keyboard.press("Enter")
    until(page, "document.activeElement.id === 'parameter-tables-loot-columns-rare'")
    page.keyboard.press("b")  # boolean
    wait_for_lines(page, "rare: boolean}")
    press(page, "name")
    wait_for_lines(page, '      - [axe, 9, ""]', '      - [rope, 4, ""] # light')
    press(page, "Move row 2 up")
    press(page, "Remove columns rare")
    until(page, "text => levelExporter.text() === text", BANDS)


def test_a_column_of_a_table_with_many_rows_changes_in_one_step(page: Any) -> None:
    rows = "".join(f"      - [thing {number}, {number}]\n" for number in range(300))
    text = BANDS.partition("      - [rope")[0] + rows
    page.evaluate("text => levelExporter.setText(text)", text)
    select(page, "tables.loot")
    press(page, "Remove columns weight")
    wait_for_lines(page, "    rows:", "      - [thing 0]", "      - [thing 1]")
    page.click("#undo")
    until(page, "text => levelExporter.text() === text", text)


def test_a_large_integer_is_kept_while_columns_change(page: Any) -> None:
    text = BANDS.replace("4] # light", "9007199254740993] # light")
    page.evaluate("text => levelExporter.setText(text)", text)
    select(page, "tables.loot")
    page.get_by_label("New key of columns", exact=True).fill("rare")
    page.keyboard.press("Enter")
    wait_for_lines(page, '- [rope, 9007199254740993, ""] # light')
    press(page, "Remove columns rare")
    until(page, "text => levelExporter.text() === text", text)
