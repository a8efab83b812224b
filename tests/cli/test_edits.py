"""`exporter edits` and `exporter preview --overlay edits` on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from exporter.cli.main import main
from exporter.formats.preview import FRAMES

SPEC = """\
size: [24, 16]
seed: 3
layers:
  ground: {generator: cellular_caves, connect: guaranteed}
objects:
  - {name: chest, count: 2}
"""
EDITS = """\
layers:
  ground:
    - {at: [1, 1], was: wall, now: floor}
    - {at: [2, 2], was: lava, now: null}
    - {at: [99, 2], was: wall, now: floor}
objects:
  - {name: chest, add: [20, 1]}
"""
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("levels").mkdir()
    Path("levels/cavern.level.yaml").write_text(SPEC)
    Path("levels/cavern.edits.yaml").write_text(EDITS)
    Path("exporter.yaml").write_text("targets:\n  tiled: {path: t}\n")
    return tmp_path


def test_the_overlay_frames_edits_and_conflicts(folder: Path, capsys: Capture) -> None:
    spec = "levels/cavern.level.yaml"
    assert main(["preview", spec, "--scale", "8", "-o", "plain.png"]) == 0
    assert main(["preview", spec, "--scale", "8", "--overlay", "edits", "-o", "marked.png"]) == 0
    plain, marked = (
        np.asarray(Image.open(name).convert("RGB")) for name in ("plain.png", "marked.png")
    )
    changed = {(int(x) // 8, int(y) // 8) for y, x in np.argwhere((plain != marked).any(axis=2))}
    assert changed == {(1, 1), (2, 2), (20, 1)}
    assert tuple(marked[8, 8]) == tuple(marked[8, 160]) == FRAMES["edit"]
    assert tuple(marked[16, 16]) == FRAMES["conflict"]
    assert (marked[12, 12] == plain[12, 12]).all()
    assert "[2, 2] was lava" in capsys.readouterr().err


def test_an_overlay_needs_a_picture(folder: Path, capsys: Capture) -> None:
    assert main(["preview", "levels/cavern.level.yaml", "--text", "--overlay", "edits"]) == 2
    assert "exporter edits show" in capsys.readouterr().err


def test_show_lists_every_edit_with_its_state(folder: Path, capsys: Capture) -> None:
    assert main(["edits", "show", "--json"]) == 0
    (level,) = json.loads(capsys.readouterr().out)["levels"]
    assert [item["state"] for item in level["cells"]] == ["applied", "conflict", "waiting"]
    assert level["cells"][2]["reason"] == "outside"
    assert level["objects"] == [{"name": "chest", "add": [20, 1], "state": "applied"}]
    assert main(["edits", "show"]) == 0
    out = capsys.readouterr().out
    assert "levels/cavern.edits.yaml: 3 cells, 1 object, 1 conflict" in out
    assert "ground [2, 2]: lava -> empty (conflict: the generated level has wall now)" in out


def test_drop_wants_a_level_and_says_what_it_drops(folder: Path, capsys: Capture) -> None:
    assert main(["edits", "drop"]) == 2
    assert "--level" in capsys.readouterr().err
    assert main(["edits", "drop", "--level", "cavern", "--cell", "1,1"]) == 0
    out = capsys.readouterr().out
    assert "dropped 1 edit (the former file is levels/cavern.edits.yaml.bak)" in out
    assert "ground [1, 1]: wall -> floor" in out
    assert "[1, 1]" not in Path("levels/cavern.edits.yaml").read_text()
    assert main(["edits", "drop", "--level", "crypt"]) == 0
    assert capsys.readouterr().out == "no such hand edit\n"


def paint(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(path.read_text())
    document["layers"][0]["data"][7 * 24 + 7] = 0
    path.write_text(json.dumps(document))
    return document


def test_take_exports_the_map_anew(folder: Path, capsys: Capture) -> None:
    assert main(["export", "-q"]) == 0
    assert main(["edits", "take"]) == 0
    assert "no exported map was painted on" in capsys.readouterr().out
    paint(Path("t/cavern.tmj"))
    assert main(["export"]) == 0
    assert "`exporter edits take` imports what you painted on it" in capsys.readouterr().err
    assert main(["edits", "take", "--json"]) == 0
    (level,) = json.loads(capsys.readouterr().out)["levels"]
    assert (level["cells"], level["objects"], level["kept"]) == (1, 0, [])
    assert main(["export", "--json"]) == 0
    (level,) = json.loads(capsys.readouterr().out)["levels"]
    assert (level["status"], level["kept"]) == ("unchanged", [])
    assert json.loads(Path("t/cavern.tmj").read_text())["layers"][0]["data"][7 * 24 + 7] == 0


def test_an_edits_file_with_faults_is_reported_at_its_line(folder: Path, capsys: Capture) -> None:
    text = "layers:\n  ground:\n    - {at: [1, 1], nwo: a}\n"
    Path("levels/cavern.edits.yaml").write_text(text)
    for command in (["export"], ["check"], ["edits", "show"], ["edits", "take", "--accept"]):
        assert main(command) == 1, command
        output = capsys.readouterr()
        assert "levels/cavern.edits.yaml:3:" in output.err + output.out
        assert "did you mean 'now'?" in output.err + output.out


def test_edits_without_a_spec_are_reported(folder: Path, capsys: Capture) -> None:
    Path("levels/cavern.edits.yaml").rename("levels/cave.edits.yaml")
    assert main(["export"]) == 0
    output = capsys.readouterr().err
    assert "these hand edits are of no level: there is no cave.level.yaml" in output


def test_specs_of_detected_levels_have_the_edits_that_they_were_detected_with(
    folder: Path, capsys: Capture
) -> None:
    spec = "levels/cavern.level.yaml"
    assert main(["seeds", spec, "--count", "2", "--budget", "2", "--write", "levels"]) == 0
    copies = sorted(Path("levels").glob("cavern-*.level.yaml"))
    assert len(copies) == 2
    for copy in copies:
        beside = copy.with_name(copy.name.replace(".level.yaml", ".edits.yaml"))
        assert beside.read_text() == EDITS
