"""Take the screenshots of the studio for the documentation, in real Chromium.

    PYTHONPATH=.:tests/browser:tests/harness python tests/browser/update_studio_screenshots.py

Needs Chromium (.ci/install-engines gets it) and Playwright. The levels are those of the sample
project.
"""

from __future__ import annotations

import io
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PIL import Image

from chromium import running_chromium
from studio_comparisons import compare_with_seed
from studio_pages import select, until
from studio_tabs import Studio

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "exporter" / "docs" / "images"
SIZE = {"width": 1280, "height": 760}
COLORS = 192


def overview(page: Any) -> None:
    """The stronghold, with a layer selected and the cells seen from the cell under the pointer."""
    select(page, "layers.ground")
    page.keyboard.press("v")
    page.evaluate("levelExporter.view(-2, -2, 12)")
    box = page.locator("#picture").bounding_box()
    page.mouse.move(box["x"] + 12 * 14 + 6, box["y"] + 12 * 30 + 6)


def walking(page: Any) -> None:
    """A walk in the fog."""
    page.locator("#picture").focus()
    page.keyboard.press("g")
    for key in "wweeedddddddddd":
        page.keyboard.press(key)


def seeds(page: Any) -> None:
    """A sheet of seeds."""
    page.locator("#picture").focus()
    page.keyboard.press("d")
    page.wait_for_selector(".seed")
    page.get_by_text("100 levels").wait_for(timeout=60_000)


def overlays(page: Any) -> None:
    """Cells on which all paths depend, with the description of a cell."""
    page.select_option("#overlay", "chokes")
    page.wait_for_timeout(2000)
    box = page.locator("#picture").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def steps(page: Any) -> None:
    """A cave after some of its rounds."""
    page.locator("#picture").focus()
    page.keyboard.press("t")
    until(page, "() => document.querySelector('#steps-at').max > 2")
    page.locator("#steps-at").fill("3")


def compare(page: Any) -> None:
    """Two seeds on both sides of the divider."""
    page.locator("#picture").focus()
    compare_with_seed(page, 77)


SHOTS: dict[str, tuple[str, str, Callable[[Any], None]]] = {
    "studio": ("stronghold", "light", overview),
    "studio-walk": ("stronghold", "dark", walking),
    "studio-seeds": ("cavern", "light", seeds),
    "studio-overlays": ("stronghold", "light", overlays),
    "studio-steps": ("cavern", "dark", steps),
    "studio-compare": ("cavern", "light", compare),
}


def small(content: bytes, path: Path) -> None:
    """Write a picture with few colours."""
    picture = Image.open(io.BytesIO(content)).convert("RGB")
    picture.quantize(COLORS, dither=Image.Dither.NONE).save(path, optimize=True)


def main() -> None:
    """Take all pictures."""
    with tempfile.TemporaryDirectory() as folder, running_chromium() as browser:
        project = Path(folder) / "sample"
        shutil.copytree(ROOT / "sample_project", project, ignore=shutil.ignore_patterns(".*"))
        for name, (level, scheme, prepare) in SHOTS.items():
            studio = Studio(project / "levels" / f"{level}.level.yaml")
            page = browser.new_page(viewport=SIZE, color_scheme=scheme)
            page.goto(studio.url)
            page.evaluate("levelExporter.ready")
            page.wait_for_selector("#right .row", state="attached")
            prepare(page)
            page.wait_for_timeout(500)
            small(page.screenshot(), PICTURES / f"{name}.png")
            page.close()
            studio.end()


if __name__ == "__main__":
    main()
