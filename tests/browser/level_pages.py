"""The HTML page of one level: making it, and opening it as a file without any network."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import exporter
from exporter.cli.main import main
from studio_pages import until


@contextmanager
def opened_file(browser: Any, path: Path, **options: Any) -> Iterator[Any]:
    """Open a page by its file; nothing may fail there, and nothing be asked of a network."""
    options.setdefault("viewport", {"width": 1280, "height": 800})
    context = browser.new_context(offline=True, **options)
    page = context.new_page()
    faults: list[str] = []
    asked: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda one: faults.append(one.text) if one.type == "error" else 0)
    page.on("request", lambda one: asked.append(one.url))
    page.on("websocket", lambda one: asked.append(one.url))
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
    assert [one for one in asked if not one.startswith(("data:", "blob:"))] == [path.as_uri()]


def made(folder: Path, text: str, *more: str, name: str = "hall") -> tuple[Path, exporter.Level]:
    """Make the page of a spec."""
    spec = folder / f"{name}.level.yaml"
    spec.write_text(text)
    path = folder / "level.html"
    assert main(["preview", str(spec), "-o", str(path), *more]) == 0
    return path, exporter.build_level(exporter.load_level(spec))
