"""Targets outside of their project: refused with a suggestion, until trusted."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from exporter.model.errors import SpecError
from exporter.project.outside import folders_of_target, refusal
from exporter.project.settings_file import load_project
from exporter.store.user_folder import trust


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project in a folder of its own, and a user who trusts nothing yet."""
    monkeypatch.setenv("LEVEL_EXPORTER_HOME", str(tmp_path / "user"))
    root = Path(os.path.realpath(tmp_path)) / "project"
    root.mkdir()
    (root.parent / "game").mkdir()
    return root


def settings(root: Path, *targets: str) -> None:
    text = "".join(f"  {target}\n" for target in targets)
    (root / "exporter.yaml").write_text(f"targets:\n{text}")


# --- refusing ------------------------------------------------------------------------------------


@pytest.mark.parametrize("folder", ["t", "t/deep", ".", "link", "new/link/../x", "../project/t"])
def test_folders_in_the_project_are_no_matter(root: Path, folder: str) -> None:
    (root / "t").mkdir()
    (root / "link").symlink_to("t")
    assert refusal(root, folder, "tiled") is None


@pytest.mark.parametrize("folder", ["..", "../game", "../game/new", "link", "link/deep"])
def test_a_folder_outside_is_refused_with_the_command_that_allows_it(
    root: Path, folder: str
) -> None:
    (root / "link").symlink_to("../game")
    real = os.path.realpath(root / folder)
    assert refusal(root, folder, "tiled") == (
        f"{folder!r} is outside the project, in {real} (allow it "
        f"once with `exporter trust {root} tiled`)"
    )


def test_what_the_user_allowed_is_not_refused(root: Path) -> None:
    trust(root, root.parent / "game")
    assert refusal(root, "../game", "tiled") is None
    assert refusal(root, "../game/levels", "tiled") is None
    assert refusal(root, "..", "tiled") is not None
    assert refusal(root, "../game2", "tiled") is not None


def test_a_project_with_a_space_in_its_path_is_quoted(root: Path) -> None:
    moved = root.rename(root.with_name("my project"))
    result = refusal(moved, "../game", "tiled")
    assert result is not None
    assert f'`exporter trust "{moved}" tiled`' in result


@pytest.mark.parametrize(
    "folder", [".git", "t/.git/x", ".exporter", "CON", "../game/.svn", "../.git/x"]
)
def test_a_reserved_folder_is_refused_and_cannot_be_allowed(root: Path, folder: str) -> None:
    trust(root, root.parent / "game")
    result = refusal(root, folder, "tiled")
    assert result is not None
    assert "where outputs are not allowed" in result
    assert "exporter trust" not in result


def test_the_settings_are_refused_at_the_path(root: Path) -> None:
    settings(root, "tiled: {path: ../game}", "godot: {path: g}")
    with pytest.raises(SpecError) as caught:
        load_project(root)
    (problem,) = caught.value.problems
    assert (problem.line, problem.column) == (2, 17)
    assert f"`exporter trust {root} tiled`" in problem.message
    trust(root, root.parent / "game")
    assert [target.name for target in load_project(root).targets] == ["tiled", "godot"]


# --- files of a target ---------------------------------------------------------------------------


def test_a_target_writes_its_own_folder(root: Path) -> None:
    settings(root, "tiled: {path: ../game/levels}", "other: {engine: tiled, path: here}")
    assert folders_of_target(root, "tiled") == [root / "../game/levels"]
    assert folders_of_target(root, "other") == [root / "here"]
    assert folders_of_target(root, "none") == []


def test_a_target_with_its_engines_plugin_writes_that_too(root: Path) -> None:
    (root.parent / "game" / "project.godot").write_text("")
    settings(root, "godot: {path: ../game/levels, plugin: true}")
    assert folders_of_target(root, "godot") == [
        root / "../game/levels",
        root / "../game/addons/level_exporter",
    ]
    for other in ("false", "1", "'true'", "[true]"):
        settings(root, f"godot: {{path: ../game/levels, plugin: {other}}}")
        assert folders_of_target(root, "godot") == [root / "../game/levels"]
    settings(root, "godot: {path: ../elsewhere/levels, plugin: true}")
    assert folders_of_target(root, "godot") == [root / "../elsewhere/levels"]
    settings(root, "tiled: {path: ../game/levels, plugin: true}")
    assert folders_of_target(root, "tiled") == [root / "../game/levels"]


def test_a_target_of_an_engine_that_is_not_known_writes_its_folder(root: Path) -> None:
    settings(root, "mine: {path: ../game, plugin: true}", "x: {engine: [1], path: ../game}")
    assert folders_of_target(root, "mine") == [root / "../game"]
    assert folders_of_target(root, "x") == [root / "../game"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "5",
        "targets: 5",
        "targets: [tiled]",
        "targets: {tiled: 5}",
        "targets: {tiled: {path: 5}}",
        "targets: {tiled: {}}",
        "targets: {tiled",
        "\0",
    ],
)
def test_settings_of_another_form_name_no_folder(root: Path, text: str) -> None:
    (root / "exporter.yaml").write_text(text)
    assert folders_of_target(root, "tiled") == []


def test_settings_that_cannot_be_read_name_no_folder(root: Path) -> None:
    assert folders_of_target(root, "tiled") == []
