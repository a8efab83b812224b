"""The sheet of a pack in the studio, in a real Chromium."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import exporter
from daemon_harness import wait_until
from studio_pages import opened, text_of, until
from studio_tabs import Studio

LEVELS = {
    "cave": """\
size: [32, 24]
seed: 7
layers:
  ground: {generator: cellular_caves}
objects:
  - {name: start}
pack: {count: 6, budget: 20, measures: [dead_ends], where: farthest > 20}
"""
}
PACK = "blobs/cave.lvp"


def seeds(page: Any) -> list[int]:
    return [
        int(one)
        for one in page.evaluate("[...document.querySelectorAll('.seed')].map(e => e.dataset.seed)")
    ]


def finished(page: Any) -> None:
    wait_until(lambda: page.inner_text(".seed-status").endswith(" s"))


def test_a_pack_is_a_sheet_whose_levels_can_be_left_out(
    browser: Any, studio: Studio, project: Path
) -> None:
    settings = project / "exporter.yaml"
    settings.write_text("levels: levels/**/*.level.yaml\ntargets:\n  tiled: {path: blobs}\n")
    with opened(browser, studio) as page:
        page.focus("#picture")
        page.keyboard.press("d")
        wait_until(lambda: "not built yet" in page.inner_text("#seeds"))
        page.locator("#seeds-build").click()
        finished(page)
        first = (project / PACK).read_bytes()
        with exporter.open_pack(project / PACK) as pack:
            before = pack.seeds.tolist()
            far = [before[index] for index in pack.find("farthest > 41")]
        assert seeds(page) == before
        # Measures of the pack filter and sort it.
        page.fill("#seeds-where", "farthest > 41")
        page.press("#seeds-where", "Enter")
        finished(page)
        assert seeds(page) == far
        page.fill("#seeds-where", "farthest > 999")
        page.press("#seeds-where", "Enter")
        wait_until(lambda: page.inner_text(".seed-status").startswith("0 levels"))
        page.fill("#seeds-where", "")
        page.press("#seeds-where", "Enter")
        finished(page)
        # The second one is left out; another takes its place, and the others stay.
        page.locator(f".seed[data-seed='{before[1]}']").click()
        page.keyboard.press("Delete")
        until(page, f"levelExporter.text().includes('without: [{before[1]}]')")
        page.locator("#seeds-build").click()
        wait_until(lambda: before[1] not in seeds(page) and len(seeds(page)) == 6)
        after = seeds(page)
        assert set(before) - set(after) == {before[1]}
        # A pack that is replaced on disk is shown anew.
        second = (project / PACK).read_bytes()
        for content, expected in ((first, before), (second, after)):
            (project / "other.lvp").write_bytes(content)
            (project / "other.lvp").replace(project / PACK)
            wait_until(lambda expected=expected: seeds(page) == expected)
        # A form for seeds that is being filled in stays as it is.
        page.click("[data-mode=Seeds]")
        page.fill("#seeds-count", "3")
        before = page.inner_text(".seed-status")
        os.utime(project / PACK, (1, 1))
        [status] = (project / ".exporter" / "levels").iterdir()
        status.write_text(json.dumps({**json.loads(status.read_text()), "kept": [PACK]}))
        wait_until(lambda: "kept" in page.get_attribute("#exported", "title"))
        assert (page.inner_text(".seed-status"), seeds(page)) == (before, after)
        # Levels may come in another order, and the first to come is chosen.
        page.locator(f".seed[data-seed='{after[0]}']").click()
        page.get_by_role("button", name="Play").click()
        until(page, f"levelExporter.text().includes('seed: {after[0]}')")
        assert "without" in text_of(page)
        until(page, "document.getElementById('tool-walk').ariaPressed === 'true'")
        assert page.get_attribute("#tool-look", "aria-pressed") == "false"
        page.click("#tool-look")
        until(page, "document.getElementById('tool-walk').ariaPressed === 'false'")
