"""The same spec gives the same cells, today and everywhere: recorded hashes hold it."""

from __future__ import annotations

from cases import each_case
from exporter.generators import GENERATORS
from scripts import load_script

golden = load_script("golden/update.py")
CASES = golden.read_cases()


@each_case("name", CASES)
def test_a_generator_makes_what_is_recorded(name: str) -> None:
    now = golden.measured(CASES, name)
    assert (now["version"], now["sha256"]) == (
        CASES[name].get("version"),
        CASES[name].get("sha256"),
    ), "run: python tests/golden/update.py"


@each_case("name", golden.preset_names())
def test_a_preset_builds_what_is_recorded(name: str) -> None:
    assert golden.measured_preset(name) == golden.read_presets().get(name), (
        "run: python tests/golden/update.py"
    )


def test_every_generator_of_maps_and_heights_has_a_recorded_case() -> None:
    expected = {name for name, entry in GENERATORS.all().items() if entry.stage == "map"}
    assert expected <= {case["generator"] for case in CASES.values()}
