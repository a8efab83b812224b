"""The facts of each level of a contact sheet."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import exporter
from exporter.reading.reader import parse_level
from exporter.studio.frames import read_frame
from exporter.studio.seed_levels import Sheet
from exporter.studio.seed_tasks import SheetTask

CROWDED = """\
size: [60, 40]
seed: 3
layers:
  base: {generator: rooms_and_corridors, rooms: 4}
objects:
  - {name: chest, count: 5, spacing: 20, required: false}
"""


def test_each_level_tells_whether_it_is_complete_and_what_it_lacks(tmp_path: Path) -> None:
    task = SheetTask(CROWDED.encode(), "cave.level.yaml", tmp_path, None, None, 60, 1, count=12)
    header, _ = read_frame(Sheet(task).levels(range(12)).message)
    spec = parse_level(CROWDED.encode(), "cave.level.yaml", tmp_path)
    lacking: set[str] = set()
    for item in header["levels"]:
        level = exporter.build_level(replace(spec, seed=item["seed"]))
        rooms, chests = level.layers["base"].complete, len(level.objects) == 5
        assert item["complete"] == (rooms and chests) == (not item["warnings"])
        assert any("of 4 rooms" in text for text in item["warnings"]) != rooms
        assert any("'chest' could be placed" in text for text in item["warnings"]) != chests
        lacking.add(f"{rooms} {chests}")
    assert len(lacking) > 1
