"""The stability page matches the measurements, and stable parts stay."""

from __future__ import annotations

from cases import each_case
from exporter.generators import GENERATORS, JoiningParameters
from scripts import load_script

stability = load_script("benchmarks/stability.py")
# Generators that draw nothing at random.
WITHOUT_CHANCE = {
    "bands",
    "blank",
    "from_image",
    "from_ldtk",
    "from_tiled",
    "mask",
    "stamp",
    "subtract",
    "union",
}


def test_the_page_is_what_is_measured() -> None:
    assert stability.PAGE.read_text(encoding="utf-8") == stability.page(), (
        "write it again: python tests/benchmarks/stability.py --write"
    )


def test_every_generator_that_draws_at_random_is_measured() -> None:
    maps = {
        name
        for name in GENERATORS.built_in()
        if issubclass(GENERATORS.get(name).parameters, JoiningParameters)
    }
    assert maps - set(stability.BASES) <= WITHOUT_CHANCE


@each_case(
    ("generator", "parameter", "least"),
    [
        # A limit that was not reached, or a late decision, moves nothing else.
        ("rooms_and_corridors", "attempts", 1.0),
        ("visited_caves", "attempts", 1.0),
        ("wave_function_collapse", "attempts", 1.0),
        ("drunkard", "steps_per_cell", 1.0),
        ("cellular_caves", "wall_percent", 0.95),
        ("cellular_caves", "blank_rows", 0.99),
        ("island_maze", "land_percent", 0.95),
        ("drunkard", "floor_percent", 0.98),
        ("heightmap", "octaves", 0.98),
    ],
)
def test_a_step_moves_no_more_than_it_has_to(generator: str, parameter: str, least: float) -> None:
    rows = {row[0]: row[3] for row in stability.measured(generator)}
    assert rows[parameter] >= least
