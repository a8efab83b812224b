"""A Godot editor that is open while levels are exported: it must see new files without focus."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from command_line import run
from engine_harness import Godot
from engine_harness.godot import GodotEditor, errors_in

LEVEL = """\
size: [24, 16]
seed: {seed}
layers:
  ground: {{generator: cellular_caves}}
"""


@pytest.fixture
def project(godot: Godot, tmp_path: Path) -> Path:
    """An exporter project around a Godot game that has the addon and one level."""
    game = godot.new_project(tmp_path / "game", ("level_exporter",))
    (tmp_path / "levels").mkdir()
    (tmp_path / "levels" / "crypt.level.yaml").write_text(LEVEL.format(seed=1))
    (tmp_path / "exporter.yaml").write_text(
        "levels: levels/*.level.yaml\ntargets:\n  godot: {path: game/levels}\n"
    )
    run("export", tmp_path).check_returncode()
    godot.import_project(game)
    return tmp_path


def imported(project: Path, name: str) -> bytes:
    """What Godot made of a file of the level; nothing if it has not imported it."""
    found = list((project / "game" / ".godot" / "imported").glob(f"{name}-*.scn"))
    return found[0].read_bytes() if found else b""


def wait_until_changed(editor: GodotEditor, project: Path, name: str, before: bytes) -> None:
    started = time.monotonic()
    while imported(project, name) in (before, b""):
        waited = time.monotonic() - started
        assert waited < 120, f"{name} was not imported\n{editor.output}"
        assert editor.process.poll() is None, editor.output
        time.sleep(0.05)


def test_an_open_editor_imports_what_is_exported(godot: Godot, project: Path) -> None:
    before = imported(project, "crypt.lvb")
    assert before
    with godot.editor(project / "game") as editor:
        editor.wait_for("Level Exporter: watching")
        (project / "levels" / "crypt.level.yaml").write_text(LEVEL.format(seed=2))
        run("export", project).check_returncode()
        wait_until_changed(editor, project, "crypt.lvb", before)
        (project / "levels" / "second.level.yaml").write_text(LEVEL.format(seed=3))
        run("export", project).check_returncode()
        wait_until_changed(editor, project, "second.lvb", b"")
        assert errors_in(editor.output) == []
