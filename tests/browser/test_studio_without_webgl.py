"""The studio's page where the browser has no WebGL 2."""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

import exporter
from level_pages import opened_file, write_page
from studio_comparisons import check_swiped
from studio_contrast import ROOMS, check_distinct
from studio_pages import opened, until
from studio_tabs import CAVE, Studio

LEVEL = "levels/cave.level.yaml"


def test_without_webgl_the_cells_are_seen_all_the_same(
    browser_without_webgl: Any, studio: Studio, project: Path
) -> None:
    with opened(browser_without_webgl, studio) as page:
        page.evaluate("levelExporter.view(0, 0, 8)")
        address = page.evaluate("document.getElementById('picture').toDataURL()")
    displayed = np.asarray(
        Image.open(io.BytesIO(base64.b64decode(address.partition(",")[2]))).convert("RGB"), int
    )
    level = exporter.build_level(exporter.load_level(project / LEVEL))
    colors = displayed[4 : 24 * 8 : 8, 4 : 32 * 8 : 8].sum(axis=2)
    floor = level.walkable()
    # Floors are bright and the inside of rock is dark, whatever their pictures.
    assert colors[floor].min() > np.percentile(colors[~floor], 50)
    assert np.array_equal(
        displayed[0 : 24 * 8 : 8, 0 : 32 * 8 : 8], displayed[7 : 24 * 8 : 8, 7 : 32 * 8 : 8]
    )


def test_without_webgl_the_page_of_a_level_shows_it_all_the_same(
    browser_without_webgl: Any, tmp_path: Path
) -> None:
    path, level = write_page(tmp_path, CAVE)
    start = next(item for item in level.objects if item.name == "start")
    with opened_file(browser_without_webgl, path) as page:
        before = page.evaluate("document.getElementById('picture').toDataURL()")
        page.evaluate("([x, y]) => levelExporter.view(x, y, 32)", [start.x, start.y])
        # The next frame draws it.
        until(page, "old => document.getElementById('picture').toDataURL() !== old", arg=before)
        assert page.evaluate("levelExporter.objects().map(one => one.name)") == ["start"]


def test_without_webgl_two_levels_are_compared_all_the_same(
    browser_without_webgl: Any, studio: Studio, project: Path
) -> None:
    with opened(browser_without_webgl, studio) as page:
        check_swiped(page)


def test_without_webgl_rock_floor_and_page_are_reported_apart(
    browser_without_webgl: Any, studio: Studio, project: Path
) -> None:
    (project / LEVEL).write_text(ROOMS)
    with opened(browser_without_webgl, studio) as page:
        check_distinct(page)
