"""The HTML page of one level: making it, and opening it as a file without any network."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

import exporter
from exporter.cli.main import main
from studio_pages import DEADLINE, until

SIGHT = """() => {
    let text = "";
    for (let y = 0; y < 30; y++)
        for (let x = 0; x < 40; x++) {
            const seen = levelExporter.visibleFrom(x, y);
            for (let at = 0; at < seen.length; at += 8) {
                let byte = 0;
                for (let bit = 0; bit < 8; bit++) byte = byte * 2 + seen[at + bit];
                text += String.fromCharCode(byte);
            }
        }
    return btoa(text);
}"""


@contextmanager
def opened_file(browser: Any, path: Path, **options: Any) -> Iterator[Any]:
    """Open a page by its file; nothing may fail there, and nothing be asked of a network."""
    options.setdefault("viewport", {"width": 1280, "height": 800})
    context = browser.new_context(offline=True, **options)
    context.set_default_timeout(DEADLINE * 1000)
    page = context.new_page()
    faults: list[str] = []
    requested: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda item: faults.append(item.text) if item.type == "error" else 0)
    page.on("request", lambda item: requested.append(item.url))
    page.on("websocket", lambda item: requested.append(item.url))
    try:
        page.goto(path.as_uri())
        until(
            page,
            "document.getElementById('problems')?.hidden === false || 'levelExporter' in window",
        )
        assert page.inner_text("#problems") == ""
        yield page
    finally:
        context.close()
    assert faults == []
    assert [item for item in requested if not item.startswith(("data:", "blob:"))] == [
        path.as_uri()
    ]


def write_page(
    folder: Path, text: str, *more: str, name: str = "hall"
) -> tuple[Path, exporter.Level]:
    """Make the page of a spec."""
    spec = folder / f"{name}.level.yaml"
    spec.write_text(text)
    path = folder / "level.html"
    assert main(["preview", str(spec), "-o", str(path), *more]) == 0
    return path, exporter.build_level(exporter.load_level(spec))


def check_sight(page: Any, level: exporter.Level) -> None:
    """Check the visible cells of each cell of a level of 40 x 30 cells."""
    packed = np.frombuffer(base64.b64decode(page.evaluate(SIGHT)), np.uint8)
    masks = np.unpackbits(packed).reshape(30, 40, 30, 40).astype(bool)
    assert level.visibility is not None
    for y in range(30):
        for x in range(40):
            assert np.array_equal(masks[y, x], level.visibility.visible_from(x, y)), (x, y)
