"""`exporter stats`: the metrics of a level, as a table and as a document."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from exporter import build_level, load_level, measure
from exporter.cli.main import main
from exporter.console.stats import metric_lines, number_text

CAVE = (
    "size: [20, 12]\nseed: 4\nlayers:\n  ground: {generator: cellular_caves}\n"
    "visibility: {radius: 3}\nobjects: [{name: start}, {name: big-chest, count: 2}]\n"
)


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    path = tmp_path / "cave.level.yaml"
    path.write_text(CAVE)
    return path


def test_every_metric_is_a_line(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", str(spec)]) == 0
    lines = capsys.readouterr().out.splitlines()
    expected = measure(build_level(load_level(spec)))
    assert [line.split()[0] for line in lines] == [*expected]
    assert [line.split()[1] for line in lines] == [*map(number_text, expected.values())]
    # Points stand below each other.
    points = {line.index(".", 20) for line in lines if "share" in line[20:]}
    assert len(points) == 1


def test_a_table_is_aligned_and_has_units() -> None:
    lines = metric_lines({"farthest": 123, "floor": 0.51236, "objects.chest": 6})
    assert lines == [
        "farthest       123       steps",
        "floor            0.5124  share",
        "objects.chest    6",
    ]
    assert metric_lines({}) == []


def test_a_document_has_all_digits(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", str(spec), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document == {
        "level": "cave",
        "seed": 4,
        "metrics": measure(build_level(load_level(spec))),
    }


def test_named_metrics_alone_are_printed(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = ["farthest", "objects.'big-chest'", "distance.start.'big-chest'"]
    options = [word for name in names for word in ("--metric", name)]
    assert main(["stats", str(spec), "--json", *options]) == 0
    assert [*json.loads(capsys.readouterr().out)["metrics"]] == names


def test_a_level_has_other_metrics_with_another_seed(
    spec: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["stats", f"{spec}@5", "--json"]) == 0
    other = json.loads(capsys.readouterr().out)
    spec.write_text(CAVE.replace("seed: 4", "seed: 5"))
    assert other["metrics"] == measure(build_level(load_level(spec)))
    assert other["seed"] == 5
    assert main(["stats", f"{spec}@some words", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["seed"] == "some words"


def test_a_file_with_an_at_in_its_name_is_detected(tmp_path: Path) -> None:
    odd = tmp_path / "cave@7.level.yaml"
    odd.write_text("level: cave\n" + CAVE)
    assert main(["stats", str(odd)]) == 0
    assert main(["stats", f"{odd}@9"]) == 0


def test_limits_that_are_broken_keep_nobody_from_the_figures(
    spec: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec.write_text(CAVE + "require: {farthest: {at_least: 900}}\nbudget: {blob: 1}\n")
    assert main(["check", str(spec)]) == 1
    capsys.readouterr()
    assert main(["stats", str(spec), "--metric", "farthest"]) == 0
    assert capsys.readouterr().out.startswith("farthest  ")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["gone.level.yaml"], 2, "exporter: there is no file 'gone.level.yaml'"),
        (["gone.level.yaml@3"], 2, "exporter: there is no file 'gone.level.yaml'"),
        (
            ["SPEC", "--metric", "farthes"],
            2,
            "exporter: --metric: unknown metric 'farthes' (did you mean 'farthest'?)",
        ),
        (
            ["SPEC", "--metric", "rooms"],
            1,
            "exporter: rooms: no layer was built of rooms (use rooms_and_corridors, "
            "bsp_rooms or prefabs)",
        ),
        (
            ["DOTNET@some words"],
            2,
            "exporter: DOTNET@some words: the seed does not fit `rng: dotnet` (write a whole "
            "number of 32 bits, or remove `rng`)",
        ),
    ],
)
def test_mistakes_are_reported_in_a_line(
    spec: Path, arguments: list[str], code: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    dotnet = spec.with_name("dotnet.level.yaml")
    dotnet.write_text("rng: dotnet\n" + CAVE)
    files = {"SPEC": str(spec), "DOTNET": str(dotnet)}

    def put_in(text: str) -> str:
        for word, file in files.items():
            text = text.replace(word, file)
        return text

    assert main(["stats", *map(put_in, arguments)]) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.rstrip() == put_in(message)


def test_a_spec_with_faults_is_reported_as_everywhere(
    spec: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec.write_text(CAVE.replace("radius", "radios"))
    assert main(["stats", str(spec)]) == 1
    assert f"{spec}:5:14: error: unknown key 'radios'" in capsys.readouterr().err


def test_a_level_that_takes_too_long_is_refused(
    spec: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    layer = "{generator: heightmap, droplets: 10000000}"
    spec.write_text(f"size: [64, 64]\nlayers: {{a: {layer}}}\n")
    assert main(["stats", str(spec), "--max-seconds", "20"]) == 1
    assert "--max-seconds" in capsys.readouterr().err


def test_a_metric_of_an_object_that_the_spec_has_not_is_refused(
    spec: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["stats", str(spec), "--metric", "objects.ghost"]) == 2
    assert "--metric: unknown object 'ghost'" in capsys.readouterr().err


def test_a_seed_must_stand_behind_the_sign(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", f"{spec}@"]) == 2
    assert "the seed after the @ is missing" in capsys.readouterr().err
