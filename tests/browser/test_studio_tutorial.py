"""The tutorial's pages of the studio work as they are written, with mouse and keyboard."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from studio_pages import text_of, until

DOCS = Path(__file__).parents[2] / "exporter" / "docs" / "tutorial"
CHOOSE, PAINT = (
    (DOCS / f"{name}.md").read_text(encoding="utf-8")
    for name in ("choose-among-a-hundred", "paint-and-keep")
)
_GARDEN = re.search(
    r"first_cavern.level.yaml.*?```yaml\n(.*?)tileset:",
    (DOCS / "your-own-tiles-and-things.md").read_text(encoding="utf-8"),
    re.S,
)
assert _GARDEN is not None
LEVELS = {"first_cavern": _GARDEN[1]}


class Reader:
    """Does what a page of the tutorial says, and nothing that it does not say."""

    def __init__(self, page: Any, text: str) -> None:
        self.page = page
        self.text = " ".join(text.split())

    def press(self, name: str) -> None:
        """Press a button that the text names."""
        assert f"*{name}*" in self.text
        self.page.get_by_role("button", name=name).first.click()

    def read(self, words: str) -> str:
        """Return words that the text has."""
        assert f"`{words}`" in self.text
        return words


def test_the_best_of_a_hundred_is_chosen(page: Any, project: Path) -> None:
    reader = Reader(page, CHOOSE)
    before = page.evaluate("levelExporter.text()")
    reader.press("Seeds")
    page.get_by_text(reader.read("100 levels")).wait_for()
    page.get_by_label("Sort by").select_option(reader.read("farthest"))
    first = page.locator(".seed").first
    first.click()
    figures = page.locator(".seed-details .figures")
    figures.get_by_text("farthest").wait_for()
    page.get_by_label("Filter").fill(reader.read("dead_ends <= 40"))
    page.get_by_label("Filter").press("Enter")
    page.get_by_text(re.compile("100 levels, [0-9]+ match")).wait_for()
    page.locator("#seeds").get_by_label("Show").select_option(reader.read("matching"))
    page.locator(".seed").first.click()
    reader.press("Use")
    until(page, "before => levelExporter.text() !== before", before)
    reader.press("Undo")
    until(page, "before => levelExporter.text() === before", before)
    page.click("#redo")
    reader.press("Save")
    spec = project / "levels" / "first_cavern.level.yaml"
    until(page, "document.getElementById('save').disabled")
    lines = zip(before.split("\n"), spec.read_text(encoding="utf-8").split("\n"), strict=True)
    assert [old.partition(" ")[0] for old, new in lines if old != new] == ["seed:"]


def test_a_painted_clearing_stays(page: Any, project: Path) -> None:
    reader = Reader(page, PAINT)
    spec = text_of(page)
    reader.press("Rectangle")
    page.get_by_label(reader.read("floor"), exact=True).click()
    page.evaluate("levelExporter.view(0, 0, 12)")
    # Another seed may have a wall where this one has floor, which no stroke has changed.
    walls = [
        [x, y]
        for y in range(10, 17)
        for x in range(30, 37)
        if page.evaluate("([x, y]) => levelExporter.cell('ground', x, y)", [x, y]) == 1
    ]
    assert walls
    box = page.locator("#picture").bounding_box()
    for x, act in ((30, page.mouse.down), (36, page.mouse.up)):
        page.mouse.move(box["x"] + x * 12 + 6, box["y"] + (x - 20) * 12 + 6)
        act()
    clearing = f"{walls}.every(([x, y]) => levelExporter.cell('ground', x, y) === 0)"
    until(page, f"{clearing} && levelExporter.edits() > 0")
    reader.press("Save")
    until(page, "document.getElementById('save').disabled")
    levels = project / "levels"
    assert (levels / Path(reader.read("levels/first_cavern.edits.yaml")).name).exists()
    assert (levels / "first_cavern.level.yaml").read_text(encoding="utf-8") == spec
    page.locator("#picture").focus()
    page.keyboard.press(reader.read("N"))
    until(page, "spec => levelExporter.text() !== spec", spec)
    until(page, clearing)
    reader.press("Undo")
    until(page, f"spec => levelExporter.text() === spec && {clearing}", spec)
    reader.press("Look")
    edited = page.evaluate("levelExporter.edits()")
    for x, y in [(x, y) for y in range(10, 17) for x in range(30, 37)]:
        page.mouse.click(box["x"] + x * 12 + 6, box["y"] + y * 12 + 6)
        if page.evaluate("levelExporter.selection().startsWith('edits.')"):
            break
    reader.press("As generated")
    until(page, "edited => levelExporter.edits() === edited - 1", edited)
