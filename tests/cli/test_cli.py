"""The command line: outputs, exit codes and JSON, run in-process on small projects."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from command_line import run_json
from exporter.cli.main import _warn_uncompiled_checkout, main
from exporter.store.indexes import INDEX

CONFIG = """targets:
  godot: {path: game/levels}
  unity: {path: unity/Assets/Levels}
  tiled: {path: tiled}
"""
CAVE = "size: [24, 16]\nseed: 3\nlayers:\n  ground: {generator: cellular_caves}\n"
ISLES = (
    "size: [20, 20]\nseed: text\nlayers:\n"
    "  ground: {generator: island_maze, visits: 2000}\n"
    "  relief: {generator: heightmap, size: [33, 33]}\n"
)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "exporter.yaml").write_text(CONFIG)
    (tmp_path / "levels" / "deep").mkdir(parents=True)
    (tmp_path / "levels" / "cave.level.yaml").write_text(CAVE)
    (tmp_path / "levels" / "deep" / "isles.level.yaml").write_text(ISLES)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def by_name(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {level["level"]: level for level in document["levels"]}


def files_below(folder: Path) -> set[str]:
    """Return the files of a project but for its state and the indexes of its targets."""
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and ".exporter" not in path.parts and path.name != INDEX
    }


def test_export_writes_what_it_reports(project: Path) -> None:
    before = files_below(project)
    code, document = run_json("export", "--json")
    assert code == 0
    levels = by_name(document)
    assert set(levels) == {"cave", "isles"}
    reported = set()
    for name, level in levels.items():
        assert level["status"] == "built"
        assert level["errors"] == []
        for output in level["outputs"]:
            path = project / output["path"]
            assert path.name.startswith(name)
            assert path.stat().st_size == output["bytes"]
            reported.add(output["path"])
    assert files_below(project) - before == reported
    kinds = {output["kind"] for output in levels["isles"]["outputs"]}
    assert {"bitmap", "heightmap", "metadata", "tilemap", "tileset", "scene", "blob"} <= kinds
    layers = levels["isles"]["layers"]
    assert layers["ground"]["generator"] == "island_maze"
    assert layers["ground"]["certificate"]["cells"] == 400
    assert layers["relief"]["certificate"] is None


def test_a_second_export_changes_nothing_and_lists_the_same(project: Path) -> None:
    _, first = run_json("export", "--json")
    stamps = {p: (project / p).stat().st_mtime_ns for p in files_below(project)}
    code, second = run_json("export", "--json")
    assert code == 0
    assert {level["status"] for level in second["levels"]} == {"unchanged"}
    for item, other in zip(first["levels"], second["levels"], strict=True):
        assert item["outputs"] == other["outputs"]
        assert item["layers"] == other["layers"]
    assert stamps == {p: (project / p).stat().st_mtime_ns for p in files_below(project)}


@pytest.mark.parametrize("extra", [["--force"], ["--force", "--jobs", "2"]])
def test_hashes_do_not_depend_on_force_or_jobs(project: Path, extra: list[str]) -> None:
    _, first = run_json("export", "--json")
    code, second = run_json("export", "--json", *extra)
    assert code == 0
    assert {level["status"] for level in second["levels"]} == {"built"}
    assert [level["outputs"] for level in first["levels"]] == [
        level["outputs"] for level in second["levels"]
    ]


@pytest.mark.parametrize("hidden", [False, True])
def test_an_altered_output_is_preserved_and_overwritten_on_demand(
    project: Path, hidden: bool
) -> None:
    main(["export"])
    path = project / "tiled" / "cave.ground.png"
    content, status = path.read_bytes(), path.stat()
    altered = content[:-1] + bytes([content[-1] ^ 1])
    path.write_bytes(altered)
    if hidden:
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    code, document = run_json("export", "--json")
    levels = by_name(document)
    assert code == 0
    assert {level["status"] for level in levels.values()} == {"unchanged"}
    assert levels["cave"]["kept"] == document["kept"] == ["tiled/cave.ground.png"]
    assert levels["cave"]["warnings"] == [
        "tiled/cave.ground.png: kept: changed since it was written (--overwrite writes over it)"
    ]
    assert path.read_bytes() == altered
    _, document = run_json("export", "--overwrite", "--json")
    levels = by_name(document)
    assert levels["cave"]["status"] == "built"
    assert levels["isles"]["status"] == "unchanged"
    assert document["kept"] == []
    assert path.read_bytes() == content


def test_one_broken_level_does_not_stop_the_others(project: Path) -> None:
    main(["export"])
    before = (project / "tiled" / "cave.tmj").read_bytes()
    (project / "levels" / "cave.level.yaml").write_text(CAVE + "sede: 1\n")
    (project / "levels" / "deep" / "isles.level.yaml").write_text(ISLES.replace("text", "other"))
    code, document = run_json("export", "--json")
    assert code == 1
    levels = by_name(document)
    assert levels["isles"]["status"] == "built"
    assert levels["cave"]["status"] == "failed"
    (error,) = levels["cave"]["errors"]
    assert (error["file"], error["line"], error["column"]) == ("levels/cave.level.yaml", 5, 1)
    assert "did you mean 'seed'" in error["message"]
    assert (project / "tiled" / "cave.tmj").read_bytes() == before


def test_a_requirement_that_is_not_met_fails_at_its_line(project: Path) -> None:
    text = CAVE + "require:\n  max_floor: 0.01\n"
    (project / "levels" / "cave.level.yaml").write_text(text)
    code, document = run_json("export", "--json")
    assert code == 1
    (error,) = by_name(document)["cave"]["errors"]
    assert error["line"] == 6
    assert "required: 0.01" in error["message"]


def test_levels_are_chosen_by_glob(project: Path) -> None:
    _, document = run_json("export", "--level", "is*", "--json")
    assert set(by_name(document)) == {"isles"}
    assert main(["export", "--level", "nothing"]) == 2


def test_check_tells_every_fault_and_writes_nothing(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = files_below(project)
    assert main(["check"]) == 0
    (project / "levels" / "cave.level.yaml").write_text("size: [3]\nsede: 1\n")
    assert main(["check"]) == 1
    errors = capsys.readouterr().err
    assert "levels/cave.level.yaml:1:7: error: the list is too short" in errors
    assert "levels/cave.level.yaml:2:1: error: unknown key 'sede' (did you mean 'seed'?)" in errors
    assert "    2 | sede: 1\n      | ^^^^" in errors
    assert files_below(project) == before


def test_check_reads_lone_specs_and_speaks_json(tmp_path: Path) -> None:
    path = tmp_path / "lone.level.yaml"
    path.write_text("size: [3, 3]\nseed: [1]\n")
    code, document = run_json("check", str(path), "--json")
    assert code == 1
    (level,) = document["levels"]
    assert (level["level"], level["status"]) == ("lone", "failed")
    assert level["errors"][0]["line"] == 2


@pytest.mark.parametrize("command", ["export", "check", "clean", "watch"])
def test_a_folder_without_a_project_is_wrong_usage(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([command]) == 2
    assert main([command, str(tmp_path / "nowhere")]) == 2


def test_unknown_words_are_wrong_usage() -> None:
    for words in (["exprt"], ["export", "--jbos", "2"], ["export", "--jobs", "0"], []):
        with pytest.raises(SystemExit) as caught:
            main(words)
        assert caught.value.code == 2


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ("", "the file is empty"),
        ("targets: [\n", "exporter.yaml:1:10"),
    ],
)
def test_a_wrong_project_file_is_reported_with_its_position(
    project: Path, capsys: pytest.CaptureFixture[str], config: str, said: str
) -> None:
    (project / "exporter.yaml").write_text(config)
    assert main(["export"]) == 1
    assert said in capsys.readouterr().err
    code, document = run_json("export", "--json")
    assert code == 1
    assert document["levels"] == []
    assert document["errors"]


def test_the_project_is_detected_from_a_folder_inside(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project / "levels" / "deep")
    assert main(["export"]) == 0
    assert (project / "tiled" / "cave.tmj").exists()


def test_two_targets_can_serve_one_engine(project: Path) -> None:
    (project / "exporter.yaml").write_text(
        "targets:\n  phone: {engine: tiled, path: a}\n  desk: {engine: tiled, path: b}\n"
    )
    assert main(["export"]) == 0
    assert (project / "a" / "cave.tmj").read_bytes() == (project / "b" / "cave.tmj").read_bytes()


def test_a_preview_is_one_picture(project: Path) -> None:
    from PIL import Image

    assert main(["preview", "levels/cave.level.yaml", "-o", "out.png"]) == 0
    with Image.open(project / "out.png") as picture:
        assert picture.width * 16 == picture.height * 24
    assert main(["preview", "levels/none.level.yaml"]) == 2


def test_a_preview_shows_what_is_seen_from_a_cell(project: Path) -> None:
    spec = project / "levels" / "cave.level.yaml"
    assert main(["preview", str(spec), "--at", "5,8"]) == 2  # no visibility asked for
    spec.write_text(CAVE + "visibility: {radius: 5}\n")
    assert main(["preview", str(spec), "-o", "all.png"]) == 0
    assert main(["preview", str(spec), "-o", "lit.png", "--at", "5,8"]) == 0
    assert main(["preview", str(spec), "-o", "view.png", "--at", "5,8", "--view", "9x7"]) == 0
    assert (project / "all.png").read_bytes() != (project / "lit.png").read_bytes()
    assert main(["preview", str(spec), "--at", "24,0"]) == 2
    assert main(["preview", str(spec), "--view", "9x7"]) == 2


def test_init_makes_a_project_that_exports(tmp_path: Path) -> None:
    assert main(["init", str(tmp_path / "game")]) == 0
    assert (tmp_path / "game" / "generated" / "levels" / "first_cavern.tscn").exists()
    assert main(["export", "--check", str(tmp_path / "game")]) == 0
    before = files_below(tmp_path)
    assert main(["init", str(tmp_path / "game")]) == 0
    assert files_below(tmp_path) == before


def test_the_schema_accepts_the_sample_and_refuses_nonsense() -> None:
    code, schema = run_json("schema")
    assert code == 0
    assert schema["$schema"].startswith("http://json-schema.org/draft-07")
    generators = schema["properties"]["layers"]["additionalProperties"]["properties"]["generator"]
    assert {"cellular_caves", "island_maze", "heightmap"} <= set(generators["enum"])
    rounds = next(
        rule["then"]["properties"]["rounds"]
        for rule in schema["properties"]["layers"]["additionalProperties"]["allOf"]
        if rule["then"]["title"] == "cellular_caves"
    )
    assert rounds["maximum"] > rounds["minimum"]
    assert rounds["description"]


def test_inspect_tells_blobs_and_any_file(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["export"])
    code, document = run_json("inspect", "tiled/cave.lvb", "exporter.yaml", "--json")
    assert code == 0
    assert len(document["files"]) == 2
    assert main(["inspect", "tiled/cave.lvb"]) == 0
    assert "cave.lvb" in capsys.readouterr().out
    assert main(["inspect", "nothing.bin"]) == 2


def test_inspect_tells_which_chunks_divide_a_map(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, document = run_json(
        "inspect", "--divisors", "96x60", "--divisors", "12", "--chunk", "12", "--json"
    )
    assert code == 0
    assert document["files"] == []
    assert [item["chunk_sizes"] for item in document["maps"]] == [
        [1, 2, 3, 4, 6, 12],
        [1, 2, 3, 4, 6, 12],
    ]
    assert main(["inspect", "--divisors", "96x60", "--chunk", "24"]) == 1
    assert "height 48 or 72" in capsys.readouterr().out
    spec = "levels/deep/isles.level.yaml"
    _, document = run_json("inspect", "--divisors", spec, "exporter.yaml", "--json")
    assert [(item["map"], item["width"], item["height"]) for item in document["maps"]] == [
        (spec, 20, 20),
        (f"{spec}, layer relief", 33, 33),
    ]
    assert document["files"][0]["symbols"][0]["byte"] == ord(" ")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--chunk", "5"],
        ["exporter.yaml", "--chunk", "5"],
        ["--divisors", "0"],
        ["--divisors", "5x0"],
        ["--divisors", "2147483648"],
        ["--divisors", "9" * 5000],
        ["--divisors", "5x"],
        ["--divisors", "nothing.level.yaml"],
    ],
)
def test_inspect_refuses_what_it_cannot_look_at(project: Path, arguments: list[str]) -> None:
    assert main(["inspect", *arguments]) == 2


def test_inspect_names_every_symbol_when_requested(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "some.bin").write_bytes(bytes(range(256)))
    assert main(["inspect", "some.bin", "--all"]) == 0
    assert capsys.readouterr().out.count("0.003906") == 256
    assert main(["inspect", "some.bin"]) == 0
    assert "250 more with --all" in capsys.readouterr().out


def test_plugins_lists_everything_that_is_registered(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plugins", "--json"]) == 0
    entries = json.loads(capsys.readouterr().out)["plugins"]
    named = {(entry["kind"], entry["name"]) for entry in entries}
    assert {
        ("generator", "visited_caves"),
        ("sight rule", "symmetric"),
        ("codec", "tiles"),
        ("format", "bitmap"),
        ("target", "godot"),
        ("puzzle", "sudoku"),
    } <= named
    assert all(entry["origin"] is None and entry["summary"] for entry in entries)
    assert main(["plugins"]) == 0
    assert "visited_caves" in capsys.readouterr().out


def test_a_state_that_cannot_be_used_is_reported_in_json_too(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / ".exporter").write_bytes(b"in the way")
    assert main(["export", str(project), "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["levels"] == []
    assert "is not a folder" in document["errors"][0]["message"]


def test_uncompiled_checkout_is_reported_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kernels = tmp_path / "exporter" / "kernels"
    kernels.mkdir(parents=True)
    warn = _warn_uncompiled_checkout
    warn(tmp_path)
    assert capsys.readouterr().err == "", "an installation is no checkout"
    (tmp_path / "setup.py").touch()
    warn(tmp_path)
    (line,) = capsys.readouterr().err.splitlines()
    assert f'-m pip install -e "{tmp_path}"' in line
    (kernels / "maze.so").touch()
    warn(tmp_path)
    assert capsys.readouterr().err == ""
