"""`exporter seeds` and `check --prove` as they are called."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import exporter
from exporter.cli.main import main
from exporter.pipeline.trials import candidate_seed
from small_specs import CAVES, CROWDED


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LEVEL_EXPORTER_HOME", str(tmp_path / "home"))
    path = tmp_path / "caves.level.yaml"
    path.write_bytes(CAVES)
    return path


def report(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    code = main(["seeds", *arguments, "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_a_report_has_the_levels(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, document = report(
        capsys, str(spec), "--count", "3", "--vary", "ground.wall_percent=38..46",
        "--where", "farthest >= 10", "--budget", "50",
    )  # fmt: skip
    found = exporter.find_seeds(
        exporter.load_level(spec),
        count=3,
        vary={"ground.wall_percent": (38, 46)},
        where="farthest >= 10",
        budget=50,
    )
    assert code == 0
    assert document["levels"] == [one.document() for one in found]
    assert document["kept"] == 3
    assert document["tried"] == found.tried


def test_a_minus_before_the_metric_puts_the_greatest_first(
    spec: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, document = report(capsys, str(spec), "--budget", "30", "--count", "5", "--sort", "-farthest")
    values = [one["metrics"]["farthest"] for one in document["levels"]]
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
    code, document = report(capsys, str(spec), "--where", "farthest > 1000", "--budget", "20")
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
    assert main(arguments) == 0  # the same again
    changed = folder / f"caves-{seeds[1]}.level.yaml"
    changed.write_text("mine")
    capsys.readouterr()
    assert main([*arguments, "--overwrite"]) == 2
    assert f"{changed} exists" in capsys.readouterr().err
    assert changed.read_text() == "mine"


def test_a_picture_of_somebody_else_is_refused_before_anything_is_searched(
    spec: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "mine.html"
    mine.write_text("mine")
    endless = ["--budget", "100000000", "--sort", "floor"]
    assert main(["seeds", str(spec), *endless, "-o", str(mine)]) == 2
    assert "exists and would be written over" in capsys.readouterr().err
    assert main(["seeds", str(spec), "--count", "2", "-o", str(mine), "--overwrite"]) == 0
    assert mine.read_text().startswith("<!doctype html>")


def test_a_proof_names_the_failing_seeds(
    spec: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    crowded = tmp_path / "crowded.level.yaml"
    crowded.write_bytes(CROWDED)
    code, document = report(capsys, str(crowded), "--prove", "40")
    assert code == 1
    assert document["tried"] == 40
    assert document["passed"] + len(document["failed"]) == 40
    for seed in document["failed"]:
        with pytest.raises(exporter.SpecError):
            exporter.build_level(exporter.load_level(crowded).with_seed(seed))
    code, document = report(capsys, str(spec), "--prove", "40")
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
    assert "of 30 seeds keep what is required" in error
    asking.write_bytes(CAVES + demand.replace(b"20}", b"2}"))
    assert main(["check", "--prove", "--json", str(asking), str(spec)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["levels"][0]["proof"]["passed"] == 30
    assert "proof" not in document["levels"][1]


def test_two_specs_are_compared(
    spec: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other.level.yaml"
    other.write_bytes(CAVES.replace(b"42", b"55"))
    heat = tmp_path / "heat.png"
    code, document = report(
        capsys, str(spec), "--compare", str(other), "--spread", "floor,farthest", "--budget", "40",
        "--heat", str(heat),
    )  # fmt: skip
    assert code == 0
    assert [one["spec"] for one in document["specs"]] == ["caves", "other"]
    assert sum(map(sum, document["specs"][0]["counts"])) == 40
    assert document["compared"]["overlap"] < 0.5
    assert heat.read_bytes().startswith(b"\x89PNG")


def test_a_generator_is_compared_with_an_earlier_report(
    spec: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["--spread", "floor,farthest", "--budget", "40"]
    other = tmp_path / "other.level.yaml"
    other.write_bytes(CAVES.replace(b"42", b"46"))
    _, directly = report(capsys, str(spec), "--compare", str(other), *asked)
    _, earlier = report(capsys, str(other), "--heat", str(tmp_path / "heat.png"), *asked)
    kept = tmp_path / "earlier.json"
    kept.write_text(json.dumps(earlier))
    code, document = report(capsys, str(spec), "--compare", str(kept), *asked)
    assert code == 0
    assert document["compared"] == directly["compared"]
    assert [one["spec"] for one in document["specs"]] == ["caves", "earlier.json"]
    assert document["specs"][1]["counts"] == directly["specs"][1]["counts"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"metrics": ["floor", "loops"]}, "other metrics (--spread floor,loops)"),
        ({"specs": []}, "several specs"),
        ({"specs": [{"tried": 1, "values": {"floor": [0.5], "farthest": []}}]}, "broken ones"),
        ({"specs": [{"tried": 1, "values": {"floor": [1], "farthest": ["x"]}}]}, "broken ones"),
        ({"specs": [{"tried": 1, "values": {"floor": [1], "farthest": [10**400]}}]}, "broken ones"),
        ({"specs": [{"values": {"floor": [1], "farthest": [1]}}]}, "how many levels were tried"),
    ],
)
def test_a_broken_report_is_refused(
    spec: Path,
    tmp_path: Path,
    change: dict[str, Any],
    words: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    kept = tmp_path / "earlier.json"
    kept.write_text(
        json.dumps({"metrics": ["floor", "farthest"], "ranges": [], "specs": [], **change})
    )
    asked = ["--spread", "floor,farthest", "--budget", "40", "--compare", str(kept)]
    assert main(["seeds", str(spec), *asked]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--prove", "5", "--count", "3"], "--count does not go with --prove"),
        (["--heat", "x.png"], "need two metrics"),
        (["--heat", "x.png", "--spread", "floor,farthest", "-o", "y.png"], "-o does not go with"),
        (["-o", "sheet.jpg"], "a .png or a .html file"),
        (["-o", "sheet.png", "--count", "5000"], "at most 200 levels"),
        (["--vary", "ground.wall=1..2"], "unknown parameter of 'cellular_caves'"),
        (["--spread", "flor"], "did you mean 'floor'"),
        (["--compare", "missing.yaml", "--spread", "floor,farthest"], "there is no file"),
    ],
)
def test_what_is_asked_wrongly_is_refused(
    spec: Path, arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["seeds", str(spec), *arguments]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="there are no such signals")
@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupted_search_goes_on(spec: Path, jobs: int) -> None:
    arguments = ["--budget", "1500", "--spread", "floor,farthest", "--count", "6", "--json"]
    vary = ["--vary", "ground.wall_percent=25..60", "--jobs", str(jobs)]
    command = [sys.executable, "-m", "exporter", "seeds", str(spec), *arguments, *vary]
    started = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    folder = spec.parent / "home" / "searches"
    while not (folder.is_dir() and any(folder.iterdir())):
        assert started.poll() is None, started.communicate()
        time.sleep(0.01)
    started.send_signal(signal.SIGINT)
    output, error = started.communicate(timeout=120)
    assert started.returncode == 130
    assert "the same command goes on from there" in error
    tried = json.loads(output)["tried"]
    assert 0 < tried < 1500
    (journal,) = folder.iterdir()
    assert len(journal.read_text().splitlines()) >= tried
    again = subprocess.run(command, capture_output=True, text=True, check=True)
    assert not list(folder.iterdir())
    whole = subprocess.run(command, capture_output=True, text=True, check=True)
    assert again.stdout == whole.stdout
