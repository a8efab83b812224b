"""`exporter seeds` and `check --prove` as they are called."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

import exporter
from command_line import run_json
from exporter.build.trials import candidate_seed
from exporter.cli.main import main
from exporter.reading.reader import parse_level
from small_specs import CAVES, CROWDED


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LEVEL_EXPORTER_HOME", str(tmp_path / "home"))
    path = tmp_path / "caves.level.yaml"
    path.write_bytes(CAVES)
    return path


def report(*arguments: str) -> tuple[int, dict[str, Any]]:
    return run_json("seeds", *arguments, "--json")


def test_a_report_has_the_levels(spec: Path) -> None:
    code, document = report(
        str(spec), "--count", "3", "--vary", "ground.wall_percent=38..46",
        "--where", "farthest >= 10", "--budget", "50",
    )  # fmt: skip
    seeds = exporter.find_seeds(
        exporter.load_level(spec),
        count=3,
        vary={"ground.wall_percent": (38, 46)},
        where="farthest >= 10",
        budget=50,
    )
    assert code == 0
    assert document["levels"] == [item.document() for item in seeds]
    assert document["kept"] == 3
    assert document["tried"] == seeds.tried


def test_a_minus_before_the_metric_puts_the_greatest_first(spec: Path) -> None:
    _, document = report(str(spec), "--budget", "30", "--count", "5", "--sort", "-farthest")
    values = [item["metrics"]["farthest"] for item in document["levels"]]
    assert values == sorted(values, reverse=True)


def test_an_error_in_an_expression_has_a_caret(
    spec: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["seeds", str(spec), "--where", "floor > 0 and farthst > 3"]) == 2
    assert capsys.readouterr().err.splitlines() == [
        "exporter: --where: unknown metric 'farthst' (did you mean 'farthest'?)",
        "    floor > 0 and farthst > 3",
        "                  ^^^^^^^",
    ]


def test_nothing_that_matches_is_exit_code_1_with_the_nearest(
    spec: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["seeds", str(spec), "--where", "farthest > 1000", "--budget", "20"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "none of 20 levels matches; the nearest has the seed" in captured.err
    assert "farthest > 1000 fails (farthest is " in captured.err
    code, document = report(str(spec), "--where", "farthest > 1000", "--budget", "20")
    assert code == 1
    assert document["levels"] == []
    assert document["nearest"]["misses"].startswith("farthest > 1000 fails")


def test_sheets_and_specs_are_written_once(
    spec: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet, folder = tmp_path / "sheet.png", tmp_path / "chosen"
    arguments = ["seeds", str(spec), "--count", "3", "-o", str(sheet), "--write", str(folder)]
    assert main(arguments) == 0
    seeds = [candidate_seed("caves", number) for number in range(3)]
    assert sorted(folder.iterdir()) == sorted(folder / f"caves-{s}.level.yaml" for s in seeds)
    for seed in seeds:
        assert exporter.load_level(folder / f"caves-{seed}.level.yaml").seed == seed
    assert sheet.read_bytes().startswith(b"\x89PNG")
    assert main(arguments) == 0  # the same result again
    changed = folder / f"caves-{seeds[1]}.level.yaml"
    changed.write_text("mine")
    capsys.readouterr()
    assert main(arguments) == 0
    captured = capsys.readouterr()
    other = folder / f"caves-{seeds[1]}-2.level.yaml"
    assert f"{changed} is another level; this one is {other}" in captured.err
    assert str(other) in captured.out
    assert changed.read_text() == "mine"
    assert exporter.load_level(other).seed == seeds[1]
    assert len(list(folder.iterdir())) == 4


def test_levels_with_other_parameters_are_written_beside_each_other(
    spec: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "chosen"
    for values in ("30..40", "50..55", "30..40"):
        vary = ["--vary", f"ground.wall_percent={values}"]
        assert main(["seeds", str(spec), "--count", "1", *vary, "--write", str(folder)]) == 0
    first, second = (exporter.load_level(path) for path in sorted(folder.iterdir())[::-1])
    assert first.level + "-2" == second.level
    percents = [item.layers["ground"].parameters.wall_percent for item in (first, second)]
    assert percents[0] <= 40 < 50 <= percents[1]


ENDLESS = ["--budget", "100000000", "--sort", "floor"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([*ENDLESS, "-o", "{}/none/x.png"], "there is no folder"),
        ([*ENDLESS, "-o", "{}/dangling.png"], "a broken link"),
        ([*ENDLESS, "--write", "{}/dangling.png"], "a broken link"),
        ([*ENDLESS, "--write", "{}/caves.level.yaml"], "is not a folder"),
        ([*ENDLESS, "--write", "{}/caves.level.yaml/deep"], "is not a folder"),
        (
            ["--budget", "99999999", "--spread", "floor,farthest", "--heat", "{}/none/x.png"],
            "there is no folder",
        ),
        (["--spread", "floor,farthest", "--heat", "{}/x.jpg"], "x.jpg does not end in .png"),
    ],
)
def test_what_cannot_be_written_is_refused_before_anything_is_searched(
    spec: Path, arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = spec.parent
    if os.name != "nt":
        (folder / "dangling.png").symlink_to(folder / "nothing")
    elif "dangling" in arguments[-1]:
        pytest.skip("links need rights")
    assert main(["seeds", str(spec), *(argument.format(folder) for argument in arguments)]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="there is no such folder")
def test_a_folder_in_which_nothing_can_be_written_is_refused(
    spec: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["seeds", str(spec), *ENDLESS, "--write", "/proc/chosen"]) == 2
    assert "nothing can be written into '/proc'" in capsys.readouterr().err


def test_a_spec_that_cannot_be_rewritten_is_refused_before_anything_is_searched(
    spec: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec.write_bytes(b"size: [20, 14]\nlayers:\n  ground:\n    ? generator\n    : cellular_caves\n")
    vary = ["--vary", "ground.wall_percent=30..40", "--write", str(tmp_path / "chosen")]
    assert main(["seeds", str(spec), *ENDLESS, *vary]) == 2
    assert "cannot be rewritten in place" in capsys.readouterr().err
    spec.write_bytes(CAVES + b"level: " + b"x" * 60 + b"\n")
    assert main(["seeds", str(spec), *ENDLESS, "--write", str(tmp_path / "chosen")]) == 1
    assert "at most 64 characters" in capsys.readouterr().err


def test_what_cannot_be_written_in_the_end_costs_no_search(
    spec: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from exporter.cli import search_files
    from exporter.model.errors import StoreError

    def fail(path: Path, data: bytes) -> None:
        raise StoreError("the disk is full")

    journal = tmp_path / "home" / "searches"
    arguments = ["seeds", str(spec), "--budget", "600", "--sort", "floor", "--count", "2"]
    with monkeypatch.context() as patch:
        patch.setattr(search_files, "write_file", fail)
        assert main([*arguments, "--write", str(tmp_path / "chosen")]) != 0
    captured = capsys.readouterr()
    assert "2 levels of 600 tried" in captured.out
    assert "the disk is full" in captured.err
    assert len(list(journal.iterdir())) == 1
    assert main([*arguments, "--write", str(tmp_path / "chosen")]) == 0
    assert not list(journal.iterdir())


def test_limits_that_no_level_keeps_show_the_nearest(
    spec: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec.write_bytes(CAVES + b"require: {farthest: {at_least: 5000}}\n")
    code, document = report(str(spec), "--budget", "30")
    assert code == 1
    farthest = {
        seed: exporter.measure(exporter.build_level(_without_limits(seed)), ["farthest"])[
            "farthest"
        ]
        for seed in (candidate_seed("caves", number) for number in range(30))
    }
    assert document["nearest"]["seed"] == max(farthest, key=lambda seed: farthest[seed])
    assert main(["seeds", str(spec), "--budget", "30"]) == 1
    error = capsys.readouterr().err
    assert "none of 30 levels matches; the nearest has the seed" in error
    assert f"farthest is {max(farthest.values())} (required: at least 5000)\n" in error
    # A level that meets its requirements is nearer than any that does not.
    spec.write_bytes(CAVES + b"require: {farthest: {at_least: 22}}\n")
    code, document = report(str(spec), "--budget", "30", "--where", "floor > 9")
    assert document["nearest"]["metrics"]["floor"] < 9


def _without_limits(seed: int) -> exporter.LevelSpec:
    return parse_level(CAVES, "caves.level.yaml").with_seed(seed)


def test_a_condition_without_a_value_is_no_failure_to_build(
    spec: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["seeds", str(spec), "--budget", "5", "--where", "floor / 0 > 1"]) == 1
    assert capsys.readouterr().err == (
        "none of 5 levels matches: the condition has no value: the expression divides by zero\n"
    )


def test_the_budget_of_a_blob_is_preserved_by_levels_that_are_detected_and_by_proofs(
    spec: Path,
) -> None:
    spec.write_bytes(CAVES + b"budget: {blob: 1 kB}\n")
    sizes = {}
    for number in range(12):
        seed = candidate_seed("caves", number)
        level = exporter.build_level(exporter.load_level(spec).with_seed(seed))
        sizes[seed] = exporter.measure(level, ["blob_bytes"])["blob_bytes"]
    most = sorted(sizes.values())[5]
    small = {seed for seed, size in sizes.items() if size <= most}
    assert 0 < len(small) < 12
    spec.write_bytes(CAVES + b"budget: {blob: %d}\n" % most)
    code, document = report(str(spec), "--prove", "12")
    assert code == 1
    assert set(document["failed"]) == sizes.keys() - small
    code, document = report(str(spec), "--budget", "12")
    assert {item["seed"] for item in document["levels"]} == small
    assert "(budget: " in document["reason"]


def test_the_most_expensive_of_the_varied_levels_is_held_against_the_time_that_is_allowed(
    spec: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    layer = b"  relief: {generator: heightmap, droplets: 1}\n"
    spec.write_bytes(CAVES.replace(b"[20, 14]", b"[512, 512]") + layer)
    values = ["--vary", "relief.droplets=1..1000000", "--max-seconds", "1"]
    assert main(["seeds", str(spec), *ENDLESS, *values]) == 1
    assert "building a level with relief.droplets 1000000 takes about" in capsys.readouterr().err
    assert main(["seeds", str(spec), "--budget", "1", "--count", "1", "--where", "floor > 2"]) == 1


def test_what_comes_out_of_files_and_code_of_others_does_not_reach_the_terminal_as_it_is(
    spec: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    remaining = tmp_path / "earlier.json"
    values = {"floor": [0.5], "farthest": [3]}
    specs = [{"tried": 2, "values": values, "reason": "\x1b[2Jgone"}]
    remaining.write_text(
        json.dumps({"metrics": ["floor", "farthest"], "ranges": [], "specs": specs})
    )
    requested = ["--spread", "floor,farthest", "--budget", "4", "--compare", str(remaining)]
    assert main(["seeds", str(spec), *requested]) == 0
    error = capsys.readouterr().err
    assert "gone" in error
    assert "\x1b" not in error


def test_a_picture_of_somebody_else_is_refused_before_anything_is_searched(
    spec: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "mine.html"
    mine.write_text("mine")
    endless = ["--budget", "100000000", "--sort", "floor"]
    assert main(["seeds", str(spec), *endless, "-o", str(mine)]) == 2
    assert "exists already" in capsys.readouterr().err
    assert main(["seeds", str(spec), "--count", "2", "-o", str(mine), "--overwrite"]) == 0
    assert mine.read_text().startswith("<!doctype html>")


def test_a_proof_names_the_failing_seeds(spec: Path, tmp_path: Path) -> None:
    crowded = tmp_path / "crowded.level.yaml"
    crowded.write_bytes(CROWDED)
    code, document = report(str(crowded), "--prove", "40")
    assert code == 1
    assert document["tried"] == 40
    assert document["passed"] + len(document["failed"]) == 40
    for seed in document["failed"]:
        with pytest.raises(exporter.SpecError):
            exporter.build_level(exporter.load_level(crowded).with_seed(seed))
    code, document = report(str(spec), "--prove", "40")
    assert code == 0
    assert document["failed"] == []
    assert document["lower_bound"] == pytest.approx(0.05 ** (1 / 40), abs=1e-6)


def test_check_proves_what_specs_ask_for(
    spec: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asking = tmp_path / "asking.level.yaml"
    demand = b"require: {farthest: {at_least: 20}, seeds: {of: 30, at_least: 0.9}}\n"
    asking.write_bytes(CAVES + b"seed: {search: 99, where: farthest >= 20}\n" + demand)
    assert main(["check", str(asking), str(spec)]) == 0
    capsys.readouterr()
    assert main(["check", "--prove", str(asking), str(spec)]) == 1
    error = capsys.readouterr().err
    assert f"{asking}:5:" in error
    assert "of 30 seeds meet the requirements" in error
    asking.write_bytes(CAVES + demand.replace(b"20}", b"2}"))
    assert main(["check", "--prove", "--json", str(asking), str(spec)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["levels"][0]["proof"]["passed"] == 30
    assert "proof" not in document["levels"][1]


MISSION = b"""size: [64, 40]
seed: 3
layers: {ground: {generator: bsp_rooms, depth: 4}}
mission:
  start: entrance
  goal: throne
  locks: [{name: red, kind: key}]
  rooms: {at_least: 5}
"""


def test_a_proof_over_seeds_tries_the_mission(spec: Path, tmp_path: Path) -> None:
    vault = tmp_path / "vault.level.yaml"
    vault.write_bytes(MISSION.replace(b"5}", b"14}"))
    code, document = report(str(vault), "--prove", "8")
    assert code == 1
    assert 0 < document["passed"] < 8
    for seed in document["failed"]:
        with pytest.raises(exporter.SpecError, match="no shortest complete walk"):
            exporter.build_level(exporter.load_level(vault).with_seed(seed))


def test_check_proves_measures_of_a_mission_that_are_required(
    spec: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    vault = tmp_path / "vault.level.yaml"
    demand = b"require: {mission_rooms: {at_least: 5}, seeds: {of: 12, at_least: 0.3}}\n"
    vault.write_bytes(MISSION + demand)
    assert main(["check", "--prove", "--json", str(vault)]) == 0
    capsys.readouterr()
    # The shortest walk is never so long.
    vault.write_bytes(MISSION + demand.replace(b"at_least: 5}", b"at_least: 17}"))
    assert main(["check", "--prove", str(vault)]) == 1
    assert "mission_rooms" in capsys.readouterr().err


def test_two_specs_are_compared(spec: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.level.yaml"
    other.write_bytes(CAVES.replace(b"42", b"55"))
    heat = tmp_path / "heat.png"
    code, document = report(
        str(spec), "--compare", str(other), "--spread", "floor,farthest", "--budget", "40",
        "--heat", str(heat),
    )  # fmt: skip
    assert code == 0
    assert [item["spec"] for item in document["specs"]] == ["caves", "other"]
    assert sum(map(sum, document["specs"][0]["counts"])) == 40
    assert document["compared"]["overlap"] < 0.5
    assert heat.read_bytes().startswith(b"\x89PNG")


def test_a_generator_is_compared_with_an_earlier_report(spec: Path, tmp_path: Path) -> None:
    requested = ["--spread", "floor,farthest", "--budget", "40"]
    other = tmp_path / "other.level.yaml"
    other.write_bytes(CAVES.replace(b"42", b"46"))
    _, directly = report(str(spec), "--compare", str(other), *requested)
    _, earlier = report(str(other), "--heat", str(tmp_path / "heat.png"), *requested)
    remaining = tmp_path / "earlier.json"
    remaining.write_text(json.dumps(earlier))
    code, document = report(str(spec), "--compare", str(remaining), *requested)
    assert code == 0
    assert document["compared"] == directly["compared"]
    assert [item["spec"] for item in document["specs"]] == ["caves", "earlier.json"]
    assert document["specs"][1]["counts"] == directly["specs"][1]["counts"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"metrics": ["floor", "loops"]}, "other metrics (--spread floor,loops)"),
        ({"specs": []}, "several specs"),
        ({"specs": [{"tried": 1, "values": {"floor": [0.5], "farthest": []}}]}, "no valid values"),
        ({"specs": [{"tried": 1, "values": {"floor": [1], "farthest": ["x"]}}]}, "no valid values"),
        (
            {"specs": [{"tried": 1, "values": {"floor": [1], "farthest": [10**400]}}]},
            "no valid values",
        ),
        (
            {"specs": [{"values": {"floor": [1], "farthest": [1]}}]},
            "the number of levels that were tried",
        ),
    ],
)
def test_a_broken_report_is_refused(
    spec: Path,
    tmp_path: Path,
    change: dict[str, Any],
    words: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    remaining = tmp_path / "earlier.json"
    remaining.write_text(
        json.dumps({"metrics": ["floor", "farthest"], "ranges": [], "specs": [], **change})
    )
    requested = ["--spread", "floor,farthest", "--budget", "40", "--compare", str(remaining)]
    assert main(["seeds", str(spec), *requested]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--prove", "5", "--count", "3"], "--count cannot be used with --prove"),
        (["--prove", "100000001"], "--prove: 100000001 seeds are out of range"),
        (["--where", ""], "--where is empty"),
        (["--prove", "5", "--where", ""], "--where is empty"),
        (["--sort", ""], "--sort is empty"),
        (["--spread", ""], "--spread is empty"),
        (["--spread", "floor,"], "--spread: '' is not the name of a metric"),
        (["--sort", "flor"], "--sort: unknown metric 'flor'"),
        (["--heat", "x.png"], "plot two metrics"),
        (
            ["--heat", "x.png", "--spread", "floor,farthest", "-o", "y.png"],
            "-o cannot be used with",
        ),
        (["-o", "sheet.jpg"], "does not end in .png or .html"),
        (["-o", "sheet.png", "--count", "5000"], "write --count 200 or less"),
        (["--vary", "ground.wall=1..2"], "--vary: unknown parameter of 'cellular_caves'"),
        (["--spread", "flor"], "did you mean 'floor'"),
        (["--compare", "missing.yaml", "--spread", "floor,farthest"], "there is no file"),
    ],
)
def test_what_is_requested_wrongly_is_refused(
    spec: Path, arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["seeds", str(spec), *arguments]) == 2
    assert words in capsys.readouterr().err


def test_a_world_that_is_not_created_at_once_is_refused_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    world = tmp_path / "wilds.level.yaml"
    world.write_text(
        "size: [20000, 20000]\nchunk: 512\nlayers:\n  a: {generator: cellular_caves}\n"
    )
    for arguments in (["--budget", "9"], ["--prove", "9"]):
        assert main(["seeds", str(world), *arguments]) == 1
        output = capsys.readouterr().err
        assert "a world of 400,000,000 cells cannot be built at once" in output
        assert "takes about" not in output
