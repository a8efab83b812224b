"""The rows of the studio's panel in a real Chromium: sentences, order, ranges of sliders."""

from __future__ import annotations

from typing import Any

from studio_pages import select, set_value, until

ROOMS = """\
size: [48, 32]
seed: 7
layers:
  ground: {generator: cellular_caves, wall_percent: 40}
  halls: {generator: rooms_and_corridors, role: data}
"""
LEVELS = {"cave": ROOMS}


def test_the_sentence_of_a_parameter_can_be_read_without_a_mouse(page: Any) -> None:
    select(page, "layers.ground")
    row = page.locator("#right .row:has(#parameter-layers-ground-wall_percent)")
    field = page.locator("#parameter-layers-ground-wall_percent")
    sentence = row.locator(".sentence")
    assert sentence.text_content() == row.get_attribute("title")
    assert sentence.get_attribute("id") == field.get_attribute("aria-describedby")
    undescribed = page.evaluate(
        """() => [...document.querySelectorAll('#right .row[data-parameter]')].filter((row) => {
          const field = row.querySelector('.control [id]:not([type=range])');
          if (!field) return false;
          const about = document.getElementById(field.getAttribute('aria-describedby'));
          return !about?.textContent;
        }).map((row) => row.dataset.parameter)"""
    )
    assert undescribed == []
    # A click shows nothing, so that nothing moves below the pointer; the keyboard does.
    field.click()
    assert sentence.is_hidden()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    assert field.evaluate("(one) => one === document.activeElement")
    assert sentence.is_visible()
    set_value(page, "layers.ground.wall_percent", 42)  # the row is drawn again
    assert sentence.is_visible()
    page.keyboard.press("Tab")  # to the button that takes the value out
    assert sentence.is_visible()
    page.keyboard.press("Tab")
    assert sentence.is_hidden()
    page.locator("#picture").click(position={"x": 300, "y": 300})
    until(page, "!document.querySelector('#right .row.explained')")


def test_a_layers_own_parameters_stand_first(page: Any) -> None:
    select(page, "layers.ground")
    names = page.evaluate(
        """() => [...document.querySelectorAll('#right .row[data-parameter]')]
          .map((row) => JSON.parse(row.dataset.parameter))
          .filter((path) => path[1] === 'ground').map((path) => path[2])"""
    )
    assert names[:2] == ["generator", "wall_percent"]
    assert names[names.index("connect") :][:4] == ["connect", "fixed", "only_in", "never_in"]
    assert names.index("never_in") < names.index("role")


def test_a_slider_covers_what_is_usual_and_grows_with_the_value(page: Any) -> None:
    def ends(id: str) -> list[float]:
        slider = page.locator(f"#parameter-layers-{id}-slider")
        return [float(slider.get_attribute(item)) for item in ("min", "max")]

    select(page, "layers.ground")
    assert ends("ground-wall_percent") == [0, 100]
    select(page, "layers.halls")
    assert ends("halls-room_distance") == [0, 20]
    assert ends("halls-max_corridor_length") == [0, 50]
    assert ends("halls-corridor_max_turns") == [2, 20]
    # The range for typing is not narrower.
    page.locator("#fold-layer-halls").click()
    field = page.locator("#parameter-layers-halls-room_distance")
    field.fill("45")
    field.press("Enter")
    until(page, "levelExporter.text().includes('room_distance: 45')")
    until(page, "document.getElementById('parameter-layers-halls-room_distance-slider').max > 45")
    assert ends("halls-room_distance") == [0, 100]
    errors = "levelExporter.problems().filter((one) => one.severity === 'error').length"
    assert page.evaluate(errors) == 0
    slider = page.locator("#parameter-layers-halls-room_distance-slider")
    slider.focus()
    page.keyboard.press("End")
    until(page, "levelExporter.text().includes('room_distance: 100')")
    until(
        page, "document.getElementById('parameter-layers-halls-room_distance-slider').max === '200'"
    )
