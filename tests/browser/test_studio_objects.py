"""The legend of objects in a real Chromium: marks, counts, demands and the filter."""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

import exporter
from daemon_harness import wait_until
from exporter.formats.images.sprites import KINDS
from studio_pages import set_value, until

NAMES = ("start", "exit", "chest", "rat", "mushroom", "crystal", "key", "lamp", "web", "coin")
SPEC = """\
size: [40, 30]
seed: 6
layers:
  ground: {generator: bsp_rooms}
objects:
  - {name: start}
  - {name: exit, far_from: start}
  - {name: chest, count: 6, spacing: 3, reachable_from: start}
  - {name: rat, count: 30, spacing: 20, required: false}
""" + "".join(f"  - {{name: {name}}}\n" for name in NAMES[4:])
LEVELS = {"cave": SPEC}


def marks_of(page: Any) -> Any:
    page.mouse.move(2, 2)
    page.evaluate("levelExporter.view(0, 0, 6)")
    data = page.evaluate("document.getElementById('marks').toDataURL().split(',')[1]")
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGBA"))


def row(page: Any, name: str) -> Any:
    return page.locator(f"[data-object={name}]")


def test_small_objects_have_a_colour_and_a_shape_for_each_name(page: Any, project: Path) -> None:
    level = exporter.build_level(exporter.load_level(project / "levels" / "cave.level.yaml"))
    marks = marks_of(page)
    shapes: dict[str, bytes] = {}
    for item in level.objects:
        x, y = item.x * 6 + 3, item.y * 6 + 3
        assert tuple(marks[y, x, :3]) == KINDS[NAMES.index(item.name) % len(KINDS)][1], item.name
        # In steps: how edges are smoothed is the browser's matter.
        shapes[item.name] = (marks[y - 4 : y + 5, x - 4 : x + 5, 3] // 64).tobytes()
    assert len({shapes[name] for name in NAMES[:6]}) == 6


def test_the_mark_in_the_panel_is_that_of_the_picture(page: Any) -> None:
    middle = page.evaluate(
        """() => [...document.querySelector("[data-object=exit] .key canvas")
            .getContext("2d").getImageData(8, 8, 1, 1).data]"""
    )
    assert tuple(middle[:3]) == KINDS[1][1]
    # Its picture for large cells is beside it.
    assert row(page, "exit").locator(".key canvas").count() == 2


def test_a_shortfall_is_marked_and_reported(page: Any) -> None:
    assert row(page, "chest").locator(".count").inner_text() == "6 of 6"
    assert row(page, "chest").locator(".short").count() == 0
    short = row(page, "rat").locator(".count.short")
    placed, requested = short.inner_text().split(" of ")
    assert int(placed) < int(requested) == 30
    assert short.get_attribute("title").startswith(f"{30 - int(placed)} find no place")


def test_demands_are_read_on_a_line_that_unfolds_and_stays_so(page: Any) -> None:
    assert row(page, "lamp").locator(".demands").count() == 0
    demands = row(page, "chest").locator(".demands")
    assert demands.locator(".line").inner_text() == "spacing 3, reachable_from start"
    demands.locator("summary").click()
    assert demands.locator("dl").inner_text().split() == ["spacing", "3", "reachable_from", "start"]
    set_value(page, "objects.2.count", 5)
    until(page, "document.querySelector('[data-object=chest] .count').textContent === '5 of 5'")
    assert row(page, "chest").locator("dl").is_visible()


def test_many_names_can_be_filtered(page: Any) -> None:
    field = page.get_by_label("Filter objects by name")
    field.fill("AT")
    displayed = page.locator("[data-object]:visible")
    assert [item.get_attribute("data-object") for item in displayed.all()] == ["rat"]
    field.fill("nothing of the kind")
    assert page.get_by_text("No object has such a name.").is_visible()
    field.fill("")
    assert displayed.count() == len(NAMES)


def test_find_frames_the_objects_and_leaves_the_keyboard_where_it_is(page: Any) -> None:
    find = row(page, "rat").get_by_role("button")
    find.focus()
    before = marks_of(page)
    page.keyboard.press("Enter")
    assert find.get_attribute("aria-pressed") == "true"
    assert find.evaluate("node => node === document.activeElement")
    until(page, "document.querySelectorAll('[data-object] [aria-pressed=true]').length === 1")
    wait_until(lambda: not np.array_equal(before, marks_of(page)))
