"""Third-party metrics: measured, required, listed, and failing."""

from __future__ import annotations

import pytest
from outside_packages import Packages, level, position_of, problem

METRIC = """
from exporter.extend import Measured, NotMeasurableError, measure

@measure("odd", OPTIONS)
def odd(measured: Measured, *arguments) -> float:
    '''Something odd.

    The way it is computed.
    '''
    BODY
"""
CAVE = (
    "size: [12, 9]\nlayers:\n  ground: {generator: maze}\nobjects: [{name: key, count: 2}]\n"
    "visibility: {radius: 3}\n"
)


def install(packages: Packages, body: str, options: str = "unit='moons'") -> None:
    text = METRIC.replace("BODY", body).replace("OPTIONS", options)
    packages.install("odd-pack", {"odd.py": text}, {"exporter.measures": {"odd": "odd"}})


def test_the_pages_metric_is_measured_required_and_listed(ruins: Packages) -> None:
    path = "levels/hall.level.yaml"
    metrics = ruins.json("stats", path, "--json")["metrics"]
    assert 0.2 < metrics["sheltered"] < 0.9
    listed = ruins.json("plugins", "--json")["plugins"]
    (own,) = [item for item in listed if (item["kind"], item["name"]) == ("measure", "sheltered")]
    assert own["origin"] == "ruins-pack 1.0"
    assert own["summary"].startswith("Floor that has a cell without floor")
    text = (ruins.project / path).read_text()
    ruins.write(path, text.replace("sheltered: {at_most: 0.9}", "sheltered: {at_most: 0.2}"))
    error = problem(ruins)
    displayed = f"{metrics['sheltered']:.4f}"
    assert error["message"] == f"sheltered is {displayed} (required: at most 0.2)"
    ruins.write(path, text.replace("sheltered:", "beside_walls:"))
    assert "did you mean 'sheltered'?" in problem(ruins, "check")["message"]


def test_a_family_of_metrics_takes_arguments(packages: Packages) -> None:
    install(
        packages,
        "name, number = arguments; return len(measured.objects[name]) * number",
        "arguments=('object', 'number'), needs=('objects',)",
    )
    level(packages, CAVE + "require: {odd.key.21: {equals: 42}}\n")
    assert packages.run("export").returncode == 0
    level(packages, CAVE + "require: {odd.kye.21: {equals: 42}}\n")
    assert problem(packages)["message"] == "unknown object 'kye' (did you mean 'key'?)"
    level(packages, CAVE + "require: {odd.key: {equals: 42}}\n")
    assert "write `odd.NAME.N`" in problem(packages)["message"]
    pattern = packages.json("schema")["definitions"]["LevelRequirements"]["patternProperties"]
    assert any(item.startswith("^odd") for item in pattern)


@pytest.mark.parametrize(
    ("body", "reported"),
    [
        ("raise ValueError('no luck')", "failed (ValueError: no luck) in odd.py, line 10"),
        ("return 'many'", "returned 'many' (it must return a finite number) in odd.py, line 4"),
        ("return float('nan')", "returned nan (it must return a finite number) in odd.py, line 4"),
    ],
)
def test_a_metric_that_fails_is_reported_with_its_package(
    packages: Packages, body: str, reported: str
) -> None:
    install(packages, body)
    level(packages, CAVE + "require: {odd: {equals: 4}}\n")
    error = problem(packages)
    assert error["message"].startswith("odd: measure 'odd' of odd-pack 1.0 ")
    assert error["message"].endswith(reported)
    assert position_of(error) == "levels/one.level.yaml:6:16"
    # Not even `stats` passes over it.
    assert packages.run("stats", "levels/one.level.yaml").returncode == 1


def test_what_does_not_apply_is_left_out_or_reported(packages: Packages) -> None:
    install(packages, "raise NotMeasurableError('no moon is up')")
    level(packages, CAVE)
    assert "odd" not in packages.json("stats", "levels/one.level.yaml", "--json")["metrics"]
    level(packages, CAVE + "require: {odd: {equals: 0.5}}\n")
    assert problem(packages)["message"] == "odd: no moon is up"


def test_a_file_has_further_measures_that_are_called_after_it(packages: Packages) -> None:
    text = METRIC.replace("BODY", "return 1").replace("OPTIONS", "")
    text += text.replace('"odd"', '"odd_half"').replace("return 1", "return 0.5")
    packages.install("odd-pack", {"odd.py": text}, {"exporter.measures": {"odd": "odd"}})
    level(packages, CAVE + "require: {odd_half: {equals: 0.5}}\n")
    assert packages.run("export").returncode == 0
    metrics = packages.json("stats", "levels/one.level.yaml", "--json")["metrics"]
    assert (metrics["odd"], metrics["odd_half"]) == (1, 0.5)
    listed = packages.json("plugins", "--json")["plugins"]
    origins = {item["name"]: item["origin"] for item in listed if item["name"].startswith("odd")}
    assert origins == {"odd": "odd-pack 1.0", "odd_half": "odd-pack 1.0"}
    level(packages, CAVE + "require: {odd_third: {equals: 0.5}}\n")
    assert "unknown key 'odd_third'" in problem(packages)["message"]
