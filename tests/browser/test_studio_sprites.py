"""Objects of several kinds in one group, in a real Chromium: pictures are the preview's."""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

import exporter
from exporter.formats.images.sprites import sprite
from exporter.formats.preview import sprite_places
from studio_pages import opened
from studio_tabs import Studio

SPAWNED = """\
size: [40, 30]
seed: 6
layers:
  ground: {generator: bsp_rooms}
objects:
  - {name: start}
  - {name: monster, required: false, spawn: {table: monsters, budget: [3, 9], along: [start, exit]}}
  - {name: exit, far_from: start}
tables:
  monsters:
    columns: {name: text, danger: integer, weight: integer}
    rows:
      - [rat, 1, 6]
      - [goblin, 1, 6]
      - [ogre, 2, 6]
"""


def test_each_kind_is_drawn_as_in_the_preview(browser: Any, studio: Studio, project: Path) -> None:
    path = project / "levels" / "cave.level.yaml"
    path.write_text(SPAWNED)
    level = exporter.build_level(exporter.load_level(path))
    places = sprite_places(level)
    assert len([item for item in places if item.startswith("monster/")]) > 1
    with opened(browser, studio) as page:
        page.mouse.move(2, 2)
        page.evaluate("levelExporter.view(0, 0, 16)")
        data = page.evaluate("document.getElementById('marks').toDataURL().split(',')[1]")
        marks = np.asarray(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGBA"))
        compared = set()
        for item in level.objects:
            drawn = marks[item.y * 16 : item.y * 16 + 16, item.x * 16 : item.x * 16 + 16]
            if drawn.shape[:2] != (16, 16):
                continue
            expected = sprite(*places[item.kind])
            opaque = expected[..., 3] == 255
            assert np.array_equal(drawn[opaque], expected[opaque]), item.kind
            compared.add(item.kind)
        assert len([item for item in compared if item.startswith("monster/")]) > 1
