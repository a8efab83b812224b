"""The start page, the galleries and the controls of the view, in real Chromium."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from PIL import Image

from studio_pages import settle, until
from studio_tabs import CAVE, Studio

LEVELS = {"cave": CAVE, "faulty": "size: ["}
PICTURED = "img.card-picture"


def sketch() -> dict[str, Any]:
    """A picture with a lake in a meadow, four pixels for a cell of 40 x 30."""
    picture = Image.new("RGB", (400, 300), (96, 160, 72))
    picture.paste((40, 100, 190), (100, 100, 300, 200))
    content = io.BytesIO()
    picture.save(content, "PNG")
    return {"name": "My lake.png", "mimeType": "image/png", "buffer": content.getvalue()}


def test_a_level_is_chosen_or_begun_by_its_picture(page: Any, studio: Studio) -> None:
    page.evaluate("sessionStorage.clear()")  # a tab that has seen nothing yet
    page.goto("about:blank")
    page.goto(studio.url)
    page.evaluate("levelExporter.ready")
    assert page.evaluate("levelExporter.level()") is None
    card = page.locator(".start-levels .card")
    card.filter(has_text="cave").locator(PICTURED).wait_for()
    assert "just now" in card.first.inner_text()
    card.filter(has_text="faulty").locator(".fault-text").filter(has_text="never closed").wait_for()
    card.filter(has_text="cave").click()
    until(page, "levelExporter.level()?.name === 'cave'")
    assert not page.is_visible("#start")
    page.click("#open-start")
    page.keyboard.press("Escape")
    assert not page.is_visible("#start")
    page.click("#new-level")
    headings = page.locator("#start section:last-child h3").all_inner_texts()
    assert [one.strip() for one in headings] == ["Caves", "Rooms", "Islands", "Labyrinths"]
    page.fill("#start-search", "labyrinth-f")
    page.locator("#start section:last-child .card").locator(PICTURED).wait_for()
    page.fill("#new-level-name", "cave")
    page.click(".card[data-name='labyrinth-fine']")
    page.locator("#start .why").filter(has_text="already").wait_for()
    page.fill("#new-level-name", "")
    page.click(".card[data-name='labyrinth-fine']")
    until(page, "levelExporter.level()?.name === 'labyrinth-fine'")


def test_a_picture_becomes_a_level(page: Any, project: Path) -> None:
    page.click("#new-level")
    page.set_input_files("#picture-file", sketch())
    until(page, "levelExporter.level()?.name === 'My-lake'")
    text = (project / "levels" / "My-lake.level.yaml").read_text()
    assert "size: [96, 72]" in text
    assert page.evaluate("levelExporter.cell('ground', 48, 36)") == 1
    assert "water" in text
    assert "grass" in text


def test_the_view_is_zoomed_gridded_mapped_and_has_a_theme(page: Any) -> None:
    assert page.is_hidden(".minimap")
    page.evaluate("levelExporter.view(0, 0, 64)")
    page.locator(".minimap").wait_for()
    assert page.inner_text("#zoom") == "400 %"
    box = page.locator(".minimap").bounding_box()
    page.mouse.click(box["x"] + box["width"] - 3, box["y"] + box["height"] - 3)
    settle(page)
    seen = page.evaluate("levelExporter.seen()")
    assert (round(seen["x"]), round(seen["y"])) == (32, 24)
    for switch in ("#minimap-switch", "#grid"):
        page.click(switch)
        settle(page)
        assert page.get_attribute(switch, "aria-pressed") == "false"
    assert page.is_hidden(".minimap")
    page.click("#zoom")
    settle(page)
    assert page.evaluate("levelExporter.seen().pixels") < 64
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.click("#theme")
    dark = page.evaluate(ground)
    assert dark != light
    page.reload()
    page.evaluate("levelExporter.ready")
    assert page.evaluate(ground) == dark
    page.click("#open-help")
    assert page.is_visible("#help")
