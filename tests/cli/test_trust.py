"""`exporter trust`: output, records, and refusals."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from exporter.cli.main import main
from exporter.store.user_folder import TRUSTED, trusted_folders

SETTINGS = """targets:
  tiled: {path: ../game/levels}
  inside: {engine: tiled, path: here}
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project beside a game, in which the command is run."""
    monkeypatch.setenv("LEVEL_EXPORTER_HOME", str(tmp_path / "user"))
    base = Path(os.path.realpath(tmp_path))
    root = base / "project"
    root.mkdir()
    (base / "game").mkdir()
    (root / "exporter.yaml").write_text(SETTINGS)
    monkeypatch.chdir(root)
    return root


def test_a_target_is_allowed_once_and_reported(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = root.parent / "game/levels"
    assert main(["trust", ".", "tiled"]) == 0
    assert capsys.readouterr().out == f"{root} may write into {game} from now on\n"
    assert trusted_folders(root) == (game,)
    assert main(["trust", str(root), "tiled"]) == 0
    assert capsys.readouterr().out == f"{root} may write into {game} already\n"
    assert trusted_folders(root) == (game,)


def test_a_target_inside_needs_no_trust(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trust", ".", "inside"]) == 0
    assert capsys.readouterr().out == f"{root / 'here'} lies in the project: it needs no trust\n"
    assert trusted_folders(root) == ()


def test_a_link_is_allowed_by_where_it_leads(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (root / "here").symlink_to("../game")
    assert main(["trust", ".", "inside"]) == 0
    assert trusted_folders(root) == (root.parent / "game",)
    (root / "here").unlink()
    (root / "here").symlink_to("../other")
    assert trusted_folders(root) == (root.parent / "game",)


def test_a_folder_can_be_named_that_no_target_has(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["trust", ".", "../game"]) == 0
    assert trusted_folders(root) == (root.parent / "game",)


def test_the_folder_of_the_engines_plugin_is_allowed_too(root: Path) -> None:
    (root.parent / "game/project.godot").write_text("")
    text = "targets:\n  godot: {path: ../game/levels, plugin: true}\n"
    (root / "exporter.yaml").write_text(text)
    assert main(["trust", ".", "godot"]) == 0
    game = root.parent / "game"
    assert trusted_folders(root) == (game / "levels", game / "addons/level_exporter")


def test_a_target_that_is_not_there_is_refused(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["trust", ".", "unity"]) == 2
    assert "exporter.yaml has no target 'unity'" in capsys.readouterr().err
    assert main(["trust", "../game", "tiled"]) == 2
    assert "has no exporter.yaml" in capsys.readouterr().err
    assert main(["trust", "none", "tiled"]) == 2
    assert trusted_folders(root) == ()
    assert not (root.parent / "user" / TRUSTED).exists()


def test_a_project_with_broken_settings_can_be_given_trust_by_the_folder(root: Path) -> None:
    (root / "exporter.yaml").write_text("targets: {")
    assert main(["trust", ".", "tiled"]) == 2
    assert main(["trust", ".", "../game"]) == 0


def test_what_cannot_be_preserved_is_reported(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (root.parent / "user").write_bytes(b"in the way")
    assert main(["trust", ".", "tiled"]) == 1
    assert TRUSTED in capsys.readouterr().err


def test_what_is_preserved_can_be_read_and_mended(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["trust", ".", "tiled"])
    position = root.parent / "user" / TRUSTED
    document = json.loads(position.read_text())
    assert document == {"version": 1, "trusted": {str(root): [str(root.parent / "game/levels")]}}
    position.write_text("{}")
    assert main(["trust", ".", "tiled"]) == 1
    assert "is damaged (repair or remove it)" in capsys.readouterr().err


@pytest.mark.parametrize("path", ["../game/.git", "../game/.git/hooks", "../.exporter"])
def test_what_belongs_to_version_control_cannot_be_allowed(
    root: Path, capsys: pytest.CaptureFixture[str], path: str
) -> None:
    (root.parent / path.removeprefix("../")).mkdir(parents=True)
    (root / "exporter.yaml").write_text(f"targets:\n  tiled: {{path: {path}}}\n")
    for name in ("tiled", path):
        assert main(["trust", ".", name]) in (1, 2)
        assert "where outputs are not allowed" in capsys.readouterr().err
    assert trusted_folders(root) == ()
