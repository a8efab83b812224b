"""`plugin: true`: the engine's plugin in the game project, kept up to date like any output."""

from pathlib import Path

import pytest

from exporter.cli.main import main
from exporter.store.indexes import INDEX

CAVE = "size: [12, 9]\nlayers:\n  ground: {generator: cellular_caves}\n"
WITH = "targets:\n  godot: {path: game/levels, plugin: true}\n"
WITHOUT = WITH.replace("true", "false")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "exporter.yaml").write_text(WITH)
    (tmp_path / "levels").mkdir()
    (tmp_path / "levels" / "cave.level.yaml").write_text(CAVE)
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "project.godot").write_text("config_version=5\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def addon(project: Path) -> Path:
    return project / "game" / "addons" / "level_exporter"


def test_the_plugin_arrives_whole_and_is_mended(project: Path) -> None:
    assert main(["export"]) == 0
    source = Path(__file__).resolve().parents[2] / "templates" / "godot" / "addons"
    names = {p.relative_to(source) for p in source.rglob("*") if p.is_file()}
    arrived = {
        p.relative_to(addon(project).parent)
        for p in addon(project).rglob("*")
        if p.is_file() and p.name != INDEX
    }
    assert arrived == names
    assert (addon(project) / "plugin.cfg").is_file()
    (addon(project) / "plugin.cfg").unlink()
    assert main(["export"]) == 0
    assert (addon(project) / "plugin.cfg").is_file()


def test_a_second_export_leaves_the_plugin_alone(project: Path) -> None:
    main(["export"])
    stamp = (addon(project) / "plugin.gd").stat().st_mtime_ns
    assert main(["export"]) == 0
    assert (addon(project) / "plugin.gd").stat().st_mtime_ns == stamp


@pytest.mark.parametrize("way", ["clean", "option"])
def test_the_plugin_goes_when_it_is_not_requested(project: Path, way: str) -> None:
    main(["export"])
    (addon(project) / "mine.gd").write_text("# mine\n")
    if way == "clean":
        assert main(["clean"]) == 0
    else:
        (project / "exporter.yaml").write_text(WITHOUT)
        assert main(["export"]) == 0
        assert (addon(project) / "plugin.gd").exists()  # reported as stale, and nothing more
        assert main(["clean", "--stale"]) == 0
    assert [path.name for path in addon(project).rglob("*") if path.is_file()] == ["mine.gd"]


def test_files_of_the_user_are_not_overwritten(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    addon(project).mkdir(parents=True)
    (addon(project) / "plugin.gd").write_text("# my own\n")
    assert main(["export"]) == 1
    assert "--overwrite" in capsys.readouterr().err
    assert (addon(project) / "plugin.gd").read_text() == "# my own\n"


def test_a_target_outside_a_game_project_is_reported_at_its_line(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "game" / "project.godot").unlink()
    assert main(["export"]) == 1
    output = capsys.readouterr().err
    assert "exporter.yaml:2:38: error: 'game/levels' is not in a Godot project" in output


def test_the_unity_package_arrives_too(project: Path) -> None:
    (project / "Assets").mkdir()
    (project / "ProjectSettings").mkdir()
    (project / "exporter.yaml").write_text(
        "targets:\n  unity: {path: Assets/Levels, plugin: true}\n"
    )
    assert main(["export"]) == 0
    assert (project / "Packages" / "com.levelexporter.unity" / "package.json").is_file()
