"""The steps of a layer in a real Chromium: scrubbed, played, marked, and followed."""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

import exporter
from exporter.build.traces import Steps
from studio_pages import opened, set_value, settle, until
from studio_tabs import Studio

LEVEL = "levels/hall.level.yaml"
HALL = """\
size: [40, 30]
seed: 3
layers:
  hills: {generator: heightmap, thermal_rounds: 4}
  plain: {generator: blank, role: none}
  maze: {generator: maze, role: none}
  cuts: {generator: bsp_rooms, role: none}
  caves: {generator: visited_caves, role: none}
  base: {generator: rooms_and_corridors}
objects:
  - {name: stairs_up}
visibility: {radius: 7}
"""
LEVELS = {"hall": HALL}


def steps(page: Any) -> dict[str, Any]:
    result: dict[str, Any] = page.evaluate("levelExporter.steps()")
    return result


def choose(page: Any, layer: str = "") -> None:
    if not steps(page)["open"]:
        page.keyboard.press("t")
    until(page, "levelExporter.steps().count > 0")
    if layer and layer != steps(page)["layer"]:
        page.select_option("#steps-layer", layer)
        until(page, "name => levelExporter.steps().layer === name", layer)


def traced(project: Path, layer: str) -> Steps:
    return exporter.trace_layer(exporter.load_level(project / LEVEL), layer)


def cells(page: Any) -> list[int]:
    result: list[int] = page.evaluate("levelExporter.stepCells()")
    return result


def scrubbed(page: Any, places: list[int]) -> list[Any]:
    """Go through steps, and return the label, the cells and the changes of each."""
    result: list[Any] = page.evaluate(
        """places => places.map((at) => {
            levelExporter.goToStep(at);
            const cells = levelExporter.stepCells();
            return [levelExporter.steps().label, cells, levelExporter.stepChanges()];
        })""",
        places,
    )
    return result


def shows_level(page: Any, layer: str) -> bool:
    """Return whether the cells of the step are those of the level."""
    return bool(
        page.evaluate(
            """layer => {
                const { width, height } = levelExporter.level();
                const cells = levelExporter.stepCells();
                return cells.length === width * height && cells.every((cell, at) =>
                    cell === levelExporter.cell(layer, at % width, Math.floor(at / width)));
            }""",
            layer,
        )
    )


def shot(page: Any) -> np.ndarray:
    """The canvas of the level without the marks above it, 16 pixels a cell."""
    page.evaluate("levelExporter.view(0, 0, 16)")
    data = page.evaluate("document.getElementById('picture').toDataURL('image/png').split(',')[1]")
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB"))[:480, :640]


def test_scrubbing_is_exact_and_ends_with_the_level(page: Any, project: Path) -> None:
    for layer in ("base", "hills", "maze", "cuts", "caves", "plain"):
        expected = traced(project, layer)
        choose(page, layer)
        count = len(expected.frames)
        assert steps(page)["count"] == count
        places = [*range(count), *reversed(range(count)), count - 1, 0, count // 2]
        if count >= 40:
            places = [0, *places[1::7], count - 1, 3, count - 1]
        for at, (label, displayed, changes) in zip(places, scrubbed(page, places), strict=True):
            assert label == expected.frames[at].label
            assert displayed == expected.frames[at].cells.ravel().tolist()
            before = expected.frames[max(at - 1, 0)].cells
            assert changes == np.flatnonzero(before != expected.frames[at].cells).tolist()
        page.evaluate("levelExporter.goToStep(Infinity)")
        assert shows_level(page, layer)
        assert page.inner_text("#steps .label") == expected.frames[-1].label
        notes = page.inner_text("#steps .notes")
        assert ("made in one step" in notes) == (layer == "plain")
        assert ("not every step is shown" in notes) == expected.thinned


def test_the_picture_has_the_step_and_at_last_the_level(page: Any, project: Path) -> None:
    expected = traced(project, "base")
    level = shot(page)
    choose(page, "base")
    page.evaluate("levelExporter.goToStep(2)")
    until(page, "document.querySelector('#steps .count').textContent.startsWith('3 ')")
    settle(page)
    displayed = shot(page)
    colors = {tile.id: tile.color for tile in expected.tiles}
    for y in range(26):
        for x in range(40):
            color = colors[int(expected.frames[2].cells[y, x])]
            rgb = [int(color[at : at + 2], 16) for at in (1, 3, 5)]
            if len(color) == 7:
                assert displayed[y * 16 + 8, x * 16 + 8].tolist() == rgb, (x, y)
    page.evaluate("levelExporter.goToStep(Infinity)")
    settle(page)
    # The bar takes some of the picture's height.
    assert np.array_equal(shot(page)[:416], level[:416])
    page.evaluate("levelExporter.goToStep(1)")
    page.keyboard.press("Escape")
    until(page, "!levelExporter.steps().open")
    settle(page)
    assert np.array_equal(shot(page), level)
    assert page.evaluate("document.activeElement.id") == "picture"


def test_keys_go_through_the_steps_and_play_stops_at_the_end(page: Any, project: Path) -> None:
    count = len(traced(project, "base").frames)
    choose(page, "base")
    assert not steps(page)["playing"]
    page.focus("#steps-at")
    for key, at in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("Home", 0)):
        page.keyboard.press(key)
        assert steps(page)["at"] == at
    page.keyboard.press("End")
    assert steps(page)["at"] == count - 1
    page.select_option("#steps-speed", "50")
    page.focus("#steps-at")
    # From the end it plays from the beginning.
    page.keyboard.press("Space")
    assert steps(page)["playing"]
    until(
        page, "at => levelExporter.steps().at === at && !levelExporter.steps().playing", count - 1
    )
    assert page.inner_text("#steps-play") == "Play"
    page.select_option("#steps-speed", "1")
    page.focus("#steps-at")
    page.keyboard.press("Home")
    page.keyboard.press("Space")
    page.keyboard.press("Space")
    assert not steps(page)["playing"]
    page.keyboard.press("t")
    assert not steps(page)["open"]


def test_a_new_draft_is_traced_anew_and_keeps_the_position(page: Any) -> None:
    choose(page, "maze")
    page.evaluate("levelExporter.goToStep(5)")
    label, before = steps(page)["label"], cells(page)
    set_value(page, "seed", 11)
    until(page, "levelExporter.steps().revision === 2")
    assert (steps(page)["at"], steps(page)["label"]) == (5, label)
    assert cells(page) != before
    page.evaluate("levelExporter.goToStep(Infinity)")
    set_value(page, "seed", 12)
    until(page, "levelExporter.steps().revision === 3")
    assert shows_level(page, "maze")
    assert steps(page)["at"] == steps(page)["count"] - 1
    # Closed, nothing is traced any more.
    page.keyboard.press("Escape")
    set_value(page, "seed", 13)
    assert steps(page)["count"] == 0


def test_a_level_that_cannot_be_built_says_so_and_recovers(page: Any) -> None:
    set_value(page, "layers.base.generator", "bsp")
    page.keyboard.press("t")
    until(page, "levelExporter.steps().problem !== null")
    assert "the level cannot be built" in page.inner_text("#steps .label.bad")
    set_value(page, "layers.base.generator", "bsp_rooms")
    until(page, "levelExporter.steps().count > 0")
    assert steps(page)["problem"] is None


def test_calm_people_get_calm_steps_and_small_screens_all_of_the_bar(
    browser: Any, studio: Studio
) -> None:
    options = {"viewport": {"width": 360, "height": 740}, "reduced_motion": "reduce"}
    with opened(browser, studio, **options) as page:
        page.click("#tool-steps")
        until(page, "levelExporter.steps().count > 0")
        assert page.input_value("#steps-speed") == "2"
        assert not steps(page)["playing"]
        for item in page.query_selector_all("#steps button, #steps select, #steps input"):
            box = item.bounding_box()
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= 360
            assert box["y"] + box["height"] <= 740
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_512_by_512_cells_are_scrubbed_exactly(page: Any, project: Path, studio: Studio) -> None:
    set_value(page, "size", [512, 512])
    choose(page, "maze")
    assert steps(page)["thinned"]
    assert steps(page)["count"] <= 128
    for at in ("Infinity", "0", "Infinity"):
        page.evaluate(f"levelExporter.goToStep({at})")
    assert shows_level(page, "maze")
