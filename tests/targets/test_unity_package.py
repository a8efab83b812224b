"""The Unity package as a package: a `.meta` for everything Unity looks at, names and settings."""

from __future__ import annotations

import itertools
import json
import re
from types import ModuleType

import pytest

from engine_harness.folders import CSHARP, PACKAGE
from exporter._version import __version__
from scripts import load_script

WRITER = CSHARP / "write_metas.py"
SAMPLE_WRITER = WRITER.with_name("write_sample_level.py")


@pytest.fixture(scope="module")
def writer() -> ModuleType:
    return load_script(WRITER)


def test_the_level_of_the_sample_is_what_the_exporter_makes_of_its_spec() -> None:
    expected = load_script(SAMPLE_WRITER).sample_files()
    folder = PACKAGE / "Samples~" / "Cavern"
    assert {"cavern.lvb", "cavern.tileset.png", "cavern.tileset.json"} < expected.keys()
    result = {name: (folder / name).read_bytes() for name in expected if (folder / name).exists()}
    assert result == expected, "run python tests/engines/csharp/write_sample_level.py"


def test_every_file_and_folder_has_its_meta_and_nothing_else_has(writer: ModuleType) -> None:
    expected = {
        path.with_name(path.name + ".meta"): writer.meta_of(path) for path in writer.assets()
    }
    metas = [path for path in PACKAGE.rglob("*.meta") if not writer.exported(path.with_suffix(""))]
    result = {path: path.read_text(encoding="utf-8") for path in metas}
    assert result == expected, "run python tests/engines/csharp/write_metas.py"


def test_guids_are_proper_and_differ() -> None:
    guids = [path.read_text(encoding="utf-8").splitlines()[1] for path in PACKAGE.rglob("*.meta")]
    assert len(guids) == len(set(guids)) > 50
    for guid in guids:
        assert re.fullmatch(r"guid: [0-9a-f]{32}", guid)


def test_unitys_yaml_reader_accepts_every_meta() -> None:
    for path in PACKAGE.rglob("*.meta"):
        data = path.read_bytes()
        assert data.endswith(b"\n")
        assert b"\r" not in data
        for line in data.decode("ascii").splitlines():
            assert line.strip()
            assert "#" not in line


def test_the_package_has_the_exporters_version_and_the_oldest_unity_it_is_for() -> None:
    package = json.loads((PACKAGE / "package.json").read_text(encoding="utf-8"))
    assert package["name"] == PACKAGE.name
    assert package["version"] == __version__
    assert package["unity"] == "2021.3"
    for sample in package["samples"]:
        assert (PACKAGE / sample["path"]).is_dir()


def test_assemblies_are_named_as_their_files_and_refer_to_each_other() -> None:
    files = list(PACKAGE.rglob("*.asmdef"))
    definitions = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in files}
    for name, definition in definitions.items():
        assert definition["name"] == name
        assert not definition["allowUnsafeCode"]
        for reference in definition["references"]:
            assert reference in definitions or reference.endswith(".TestRunner")
    assert definitions["LevelExporter.Editor"]["includePlatforms"] == ["Editor"]
    assert definitions["LevelExporter.Core"]["noEngineReferences"]


def test_a_file_is_named_as_the_class_in_it() -> None:
    for path in PACKAGE.rglob("*.cs"):
        text = path.read_text(encoding="utf-8")
        kinds = re.findall(r"^ {0,4}(?:public|internal) .*?(?:class|struct|enum) (\w+)", text, re.M)
        assert kinds == [path.stem], path.name


def test_no_type_is_named_as_one_of_unitys() -> None:
    used = {"Tile", "Tilemap", "Grid", "Terrain", "Object", "Component", "Sprite", "Random"}
    assert used.isdisjoint(path.stem for path in PACKAGE.rglob("*.cs"))


def test_every_public_member_is_described() -> None:
    for path in (PACKAGE / "Runtime").rglob("*.cs"):
        lines = path.read_text(encoding="utf-8").splitlines()
        if not any(re.match(r"    public ", line) for line in lines):
            continue
        for before, line in itertools.pairwise(lines):
            if re.match(r"    (    )?public ", line):
                assert before.strip().startswith(("///", "[")), f"{path.name}: {line}"
