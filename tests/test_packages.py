"""The packages for the engines' shops: complete or refused, and always the same bytes."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

import build_packages
from build_packages import ADDON, PackageError, build, godot_files, unity_files, unity_problems
from exporter import __version__

ROOT = Path(__file__).resolve().parents[1]
TEMPLATES = ROOT / "templates"


@pytest.fixture
def templates(tmp_path: Path) -> Path:
    """A copy of the templates, to damage."""
    for engine in ("godot", "unity"):
        shutil.copytree(TEMPLATES / engine, tmp_path / "templates" / engine)
    return tmp_path / "templates"


def unity(templates: Path) -> Path:
    return templates / "unity" / build_packages.UNITY_PACKAGE


def refused(templates: Path, folder: Path) -> list[str]:
    """The reasons for which nothing is built."""
    with pytest.raises(PackageError) as raised:
        build(folder, templates)
    assert not folder.exists()
    return str(raised.value).splitlines()


def test_one_command_builds_both_packages(tmp_path: Path) -> None:
    command = [ROOT / ".ci" / "build-packages", tmp_path / "dist", "https://example.org/me/game"]
    finished = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert finished.returncode == 0, finished.stderr
    names = [Path(line).name for line in finished.stdout.splitlines()]
    assert names == [
        f"level-exporter-godot-{__version__}.zip",
        f"com.levelexporter.unity-{__version__}.tgz",
    ]
    assert sorted(os.listdir(tmp_path / "dist")) == sorted(names)


def test_the_zip_has_the_addon_in_its_position_and_nothing_else(tmp_path: Path) -> None:
    archive, _ = build(tmp_path, TEMPLATES)
    with zipfile.ZipFile(archive) as opened:
        result = {name: opened.read(name) for name in opened.namelist()}
        modes = {info.external_attr >> 16 for info in opened.infolist()}
    folder = TEMPLATES / "godot" / ADDON
    files = [path for path in folder.rglob("*") if path.is_file()]
    expected = {(ADDON / path.relative_to(folder)).as_posix(): path.read_bytes() for path in files}
    assert result == expected
    assert modes == {0o100644}
    assert b"MIT" in result[f"{ADDON}/LICENSE"]


def test_the_addon_of_a_release_can_say_what_it_is_set_up_from(tmp_path: Path) -> None:
    name = (ADDON / build_packages.SOURCE_FILE).as_posix()
    address = "https://example.org/v1/level_exporter-1.0.0-py3-none-any.whl#sha256=12"
    plain = godot_files(TEMPLATES)
    assert b'const DEFAULT_SOURCE := ""\n' in plain[name]
    archive, _ = build(tmp_path, TEMPLATES, "https://example.org/me/game", address)
    with zipfile.ZipFile(archive) as opened:
        result = {item: opened.read(item) for item in opened.namelist()}
    assert f'const DEFAULT_SOURCE := "{address}"\n'.encode() in result.pop(name)
    del plain[name]
    assert result == plain
    for bad in ("level-exporter", "http://example.org/a.whl", 'https://a"b', "https://a\\b", ""):
        with pytest.raises(PackageError, match="no address"):
            godot_files(TEMPLATES, bad)


def test_an_addon_without_a_position_for_the_address_is_reported(templates: Path) -> None:
    (templates / "godot" / ADDON / build_packages.SOURCE_FILE).unlink()
    with pytest.raises(PackageError, match="has no place for an address"):
        godot_files(templates, "git+https://example.org/me/game@v1")


def test_the_archive_for_unity_is_laid_out_as_npm_does(tmp_path: Path) -> None:
    _, archive = build(tmp_path, TEMPLATES)
    with tarfile.open(archive) as opened:
        members = opened.getmembers()
        manifest = opened.extractfile("package/package.json")
        assert manifest is not None
        described = json.load(manifest)
    assert all(member.isfile() and member.name.startswith("package/") for member in members)
    assert {member.mtime for member in members} == {0}
    folder = unity(TEMPLATES)
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert {member.name.removeprefix("package/") for member in members} == files
    assert described == json.loads((folder / "package.json").read_text(encoding="utf-8"))


def test_links_lead_to_the_version_in_the_repository_that_is_named() -> None:
    files = unity_files(TEMPLATES, "https://example.org/me/levels")
    described = json.loads(files["package.json"])
    start = f"https://example.org/me/levels/blob/v{__version__}/templates/unity/"
    for name in ("documentationUrl", "changelogUrl", "licensesUrl"):
        assert described[name].startswith(start)
        assert (TEMPLATES / "unity" / described[name].removeprefix(start)).is_file()
    assert (ROOT / described["repository"]["directory"]).is_dir()
    assert unity_problems(files, __version__) == []


def test_two_builds_are_the_same_bytes_whatever_the_disk_says(
    tmp_path: Path, templates: Path
) -> None:
    for number, path in enumerate(sorted(templates.rglob("*"))):
        os.utime(path, (number * 1000, number * 1000))
        if path.is_file():
            path.chmod(0o755)
    first, second = build(tmp_path / "a", TEMPLATES), build(tmp_path / "b", templates)
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


def test_what_tools_leave_behind_is_not_packed(templates: Path) -> None:
    before = godot_files(templates), unity_files(templates)
    for folder in (templates / "godot" / ADDON, unity(templates)):
        (folder / ".level-exporter-index").write_text("an index")
        (folder / "__pycache__").mkdir()
        (folder / "__pycache__" / "x.pyc").write_text("a cache")
    assert (godot_files(templates), unity_files(templates)) == before


@pytest.mark.parametrize("name", ["LICENSE", "plugin.cfg", "plugin.gd.uid"])
def test_an_addon_without_a_file_it_needs_is_refused(
    tmp_path: Path, templates: Path, name: str
) -> None:
    (templates / "godot" / ADDON / name).unlink()
    assert any(name in line for line in refused(templates, tmp_path / "dist"))


def test_a_uid_without_its_script_is_refused(tmp_path: Path, templates: Path) -> None:
    (templates / "godot" / ADDON / "gone.gd.uid").write_text("uid://x\n")
    reported = refused(templates, tmp_path / "dist")
    assert reported == [f"{ADDON}/gone.gd.uid belongs to no script"]


def test_another_version_than_the_exporters_is_refused(tmp_path: Path, templates: Path) -> None:
    for path in (templates / "godot" / ADDON / "plugin.cfg", unity(templates) / "package.json"):
        path.write_text(path.read_text(encoding="utf-8").replace(__version__, "99.0.0"))
    assert refused(templates, tmp_path / "dist") == [
        f"plugin.cfg: the version is not {__version__}",
        f"package.json: the version is not {__version__}",
    ]


@pytest.mark.parametrize(
    ("name", "reported"),
    [
        ("LICENSE.md", "LICENSE.md is missing"),
        ("Runtime/Core/LevelBlob.cs.meta", "Runtime/Core/LevelBlob.cs.meta is missing"),
        ("Tests.meta", "Tests.meta is missing"),
        ("Samples~/Cavern.meta", "Samples~/Cavern.meta is missing"),
        ("Editor/LevelPrefab.cs", "Editor/LevelPrefab.cs.meta belongs to nothing"),
    ],
)
def test_a_unity_package_without_a_file_it_needs_is_refused(
    tmp_path: Path, templates: Path, name: str, reported: str
) -> None:
    (unity(templates) / name).unlink()
    assert reported in refused(templates, tmp_path / "dist")


def test_a_hidden_folder_needs_no_meta_and_may_have_none(tmp_path: Path, templates: Path) -> None:
    (unity(templates) / "Documentation~" / "index.md.meta").write_text(f"guid: {'a' * 32}\n")
    reported = refused(templates, tmp_path / "dist")
    assert reported == ["Documentation~/index.md.meta belongs to nothing"]


def test_guids_are_needed_and_belong_to_one_file(tmp_path: Path, templates: Path) -> None:
    metas = [unity(templates) / name for name in ("Editor.meta", "Runtime.meta", "Tests.meta")]
    metas[1].write_bytes(metas[0].read_bytes())
    metas[2].write_text("fileFormatVersion: 2\n")
    assert refused(templates, tmp_path / "dist") == [
        "Runtime.meta has the guid of Editor",
        "Tests.meta has no guid",
    ]


def test_a_manifest_that_no_registry_takes_is_refused(tmp_path: Path, templates: Path) -> None:
    path = unity(templates) / "package.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    manifest |= {"name": "com.other", "unity": "newest", "license": ""}
    manifest["samples"].append({"displayName": "None", "path": "Samples~/None"})
    path.write_text(json.dumps(manifest))
    assert refused(templates, tmp_path / "dist") == [
        f"package.json: the name is not {build_packages.UNITY_PACKAGE}",
        "package.json: `unity` is not a version such as 2021.3",
        "package.json: license is missing",
        "package.json: the sample Samples~/None is missing",
    ]


def test_a_refusal_is_reported_line_by_line(
    templates: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (unity(templates) / "README.md").unlink()
    monkeypatch.setattr(build_packages, "ROOT", templates.parent)
    monkeypatch.setattr(build_packages, "version", lambda: __version__)
    assert build_packages.main([str(templates.parent / "dist")]) == 1
    assert "build-packages: README.md is missing\n" in capsys.readouterr().err
    assert build_packages.main([]) == 2


def test_archives_depend_on_names_and_content_alone() -> None:
    files = {"b.txt": b"two", "a/c.txt": b"one"}
    turned = dict(reversed(files.items()))
    assert build_packages.zip_bytes(files) == build_packages.zip_bytes(turned)
    assert build_packages.tgz_bytes(files) == build_packages.tgz_bytes(turned)
    with tarfile.open(fileobj=io.BytesIO(build_packages.tgz_bytes(files))) as archive:
        assert archive.getnames() == ["package/a/c.txt", "package/b.txt"]
