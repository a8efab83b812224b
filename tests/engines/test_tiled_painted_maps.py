"""Maps that Tiled has saved again: only painted cells are imported, in any form Tiled writes."""

from __future__ import annotations

import base64
import json
import shutil
import zlib
from pathlib import Path

import numpy as np
import pytest

import exporter
from engine_harness import Tiled
from exporter.cli.main import main
from exporter.export.import_edits import ImportOptions, import_painted
from exporter.reading.edits import parse_edits

SPEC = """\
size: [24, 16]
seed: 3
layers:
  ground: {generator: cellular_caves, connect: guaranteed}
  grass: {generator: cellular_caves, wall_percent: 30, role: picture}
objects:
  - {name: chest, count: 2, properties: {gold: 5, cursed: true}}
properties: {mood: dark}
"""


@pytest.mark.parametrize(
    ("options", "suffix"),
    [
        ("", "tmj"),
        (", encoding: zlib, tilesets: project", "tmj"),
        (", infinite: true, collision: merged", "tmj"),
        (", tilesets: embedded", "tmj"),
        (", languages: [xml]", "tmx"),
    ],
)
def test_a_map_that_tiled_saved_again_has_no_changes_but_those_of_a_person(
    tiled: Tiled, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: str, suffix: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("levels").mkdir()
    Path("levels/cavern.level.yaml").write_text(SPEC)
    Path("exporter.yaml").write_text(f"targets:\n  tiled: {{path: t{options}}}\n")
    assert main(["export", "-q"]) == 0
    position = Path(f"t/cavern.{suffix}")
    tiled.save_as(position, Path(f"t/again.{suffix}"))
    shutil.move(f"t/again.{suffix}", position)
    (used,) = import_painted(tmp_path, ImportOptions())
    assert (used.cells, used.objects, used.preserved, used.problems) == (0, 0, (), ())
    assert main(["export", "-q"]) == 0
    # A person paints, in a form of Tiled's own.
    tiled.save_as(position, Path("t/plain.tmj"))
    document = json.loads(Path("t/plain.tmj").read_text())
    layer = next(item for item in document["layers"] if item["name"] == "ground")
    part = layer if "data" in layer else layer["chunks"][0]
    if isinstance(part["data"], str):
        packed = zlib.decompress(base64.b64decode(part["data"]))
        part["data"] = np.frombuffer(packed, "<u4").tolist()
        del layer["encoding"], layer["compression"]
    part["data"][7 * part["width"] + 7] = 0
    Path("t/plain.tmj").write_text(json.dumps(document))
    tiled.save_as(Path("t/plain.tmj"), position)
    Path("t/plain.tmj").unlink()
    (used,) = import_painted(tmp_path, ImportOptions())
    assert (used.cells, used.objects, used.preserved, used.problems) == (1, 0, (), ())
    (edit,) = parse_edits(Path("levels/cavern.edits.yaml").read_bytes(), "x").layers["ground"]
    assert (edit.at, edit.now) == ((7, 7), None)
    assert main(["export", "-q"]) == 0
    level = exporter.build_level(exporter.load_level("levels/cavern.level.yaml"))
    names = {tile.id: tile.name for tile in level.layers["ground"].tiles}
    assert names[int(level.layers["ground"].cells[7, 7])] == "empty"
