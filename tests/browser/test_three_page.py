"""The documented page for three.js, in a real Chromium with the real library."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import exporter
from daemon_harness import wait_until
from engine_harness import find_three
from exporter.build.build import build_level
from exporter.reading.reader import parse_level
from gltf_reader import glb_of

DOCUMENT = Path(exporter.__file__).parent / "docs" / "how-to" / "gltf.md"
ORIGIN = "http://walk.test"
SPEC = b"""
size: [32, 24]
layers:
  relief: {generator: heightmap, maximum: 2}
  ground: {generator: cellular_caves}
objects: [{name: start}]
"""


def shot(page: Any) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(page.screenshot())).convert("RGB")).astype(int)


def test_the_page_walks_through_a_model(browser: Any) -> None:
    library = find_three()
    if library is None:
        pytest.skip("three.js is not installed; .ci/install-engines installs it")
    (text,) = re.findall(r"```html\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    model = glb_of(build_level(parse_level(SPEC, "crypt.level.yaml")))

    def answer(route: Any) -> None:
        path = route.request.url.removeprefix(ORIGIN)
        if path == "/":
            route.fulfill(body=text, content_type="text/html")
        elif path == "/models/crypt.glb":
            route.fulfill(body=model)
        elif path.startswith("/node_modules/three/"):
            route.fulfill(path=library / path.removeprefix("/node_modules/three/"))
        else:
            route.fulfill(status=404)

    faults: list[str] = []

    def note(message: Any) -> None:
        # The browser looks for an icon.
        if message.type == "error" and not message.location["url"].endswith("/favicon.ico"):
            faults.append(message.text)

    page = browser.new_context(viewport={"width": 160, "height": 120}).new_page()
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", note)
    page.route("**/*", answer)
    page.goto(ORIGIN)
    wait_until(lambda: len(np.unique(shot(page).reshape(-1, 3), axis=0)) > 50)
    first = shot(page)
    page.keyboard.down("ArrowUp")
    wait_until(lambda: (np.abs(shot(page) - first).max(axis=2) > 8).mean() > 0.1)
    page.keyboard.up("ArrowUp")
    page.context.close()
    assert faults == []
