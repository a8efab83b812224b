"""The facts of each level of a contact sheet."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import exporter
from exporter.reading.reader import parse_level
from exporter.studio.exported import pack_state
from exporter.studio.frames import read_frame
from exporter.studio.seed_levels import PackSheet, Sheet
from exporter.studio.seed_tasks import SheetError, SheetTask

PACK = Path(__file__).parents[1] / "vectors" / "caves.lvp"

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


def test_a_sheet_of_a_pack_has_the_levels_that_its_condition_finds(tmp_path: Path) -> None:
    task = SheetTask(
        b"", "caves.level.yaml", tmp_path, None, None, 60, 7, 3, skip=1, where="farthest > 2",
        pack=PACK, pack_state=pack_state(PACK),
    )  # fmt: skip
    sheet = PackSheet(task)
    with exporter.open_pack(PACK) as pack:
        found = pack.find("farthest > 2")[1:4]
        seeds = [int(pack.seeds[index]) for index in found]
    event = sheet.opened().event
    assert (event["event"], event["sheet"], event["count"]) == ("seeds", 7, 3)
    header, _ = read_frame(sheet.levels(range(3)).message)
    assert [item["number"] for item in header["levels"]] == found
    assert [item["seed"] for item in header["levels"]] == seeds
    for change, message in (({"pack_state": ""}, "built again"), ({"where": "flor > 2"}, "flor")):
        with pytest.raises(SheetError, match=message):
            PackSheet(replace(task, **change))
