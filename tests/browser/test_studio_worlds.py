"""A world of 65,536 x 65,536 cells in real Chromium: from afar, and near by."""

from __future__ import annotations

from typing import Any

from studio_pages import settle, until

LEVELS = {
    "cave": """\
size: [65536, 65536]
chunk: 512
seed: 7
layers:
  relief: {generator: heightmap, feature_size: 400}
  ground:
    generator: bands
    of: relief
    steps: [{below: 0.4, tile: water}, {tile: grass}]
"""
}


def test_a_world_is_seen_from_afar_and_its_window_follows_the_view(page: Any) -> None:
    world = page.evaluate("levelExporter.level().world")
    assert (world["width"], world["height"]) == (65536, 65536)
    assert page.evaluate("levelExporter.seen().pixels") < 0.02
    until(page, "document.querySelector('.minimap canvas').width > 0")
    page.evaluate("levelExporter.view(5000, 4000, 4)")
    until(page, "levelExporter.level().world.x <= 5000 && levelExporter.level().world.complete")
    before = page.evaluate("levelExporter.seen()")
    box = page.locator("#picture").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    settle(page)
    assert page.inner_text("#cell b") == f"{int(before['x'])}, {int(before['y'])}"
    page.mouse.down()
    page.mouse.move(x - 300, y - 200, steps=3)
    page.mouse.up()
    # The window moves below the view, which stays where it was dragged to.
    until(page, "levelExporter.level().world.x > 4900")
    after = page.evaluate("levelExporter.seen()")
    assert (round(after["x"] - before["x"]), round(after["y"] - before["y"])) == (75, 50)
    # A hero stays at its cell of the world.
    page.locator("#picture").focus()
    page.keyboard.press("g")
    settle(page)
    hero = page.inner_text("#cell b")
    left, top = (int(part) for part in hero.split(", "))
    edge = page.evaluate("levelExporter.level().world.x")
    page.evaluate(f"levelExporter.view({left - 300}, {top - 20}, 2)")
    until(page, f"levelExporter.level().world.x < {edge} && levelExporter.level().world.complete")
    settle(page)
    assert page.inner_text("#cell b") == hero
    page.keyboard.press("g")
    page.keyboard.press("2")
    page.get_by_text("shown in windows").first.wait_for()
    assert page.locator("#tool-draw, #tool-steps").count() == 0
