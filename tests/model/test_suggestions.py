"""Suggestions for a name that does not exist."""

from __future__ import annotations

import dataclasses
from typing import get_type_hints

from cases import each_case
from exporter.generators import GENERATORS
from exporter.model.parameters import About
from exporter.model.suggestions import did_you_mean, suggestions, unknown_name
from exporter.reading.expected import rules
from exporter.reading.level_keys import LayerOptions, LevelDocument, VisibilityParameters

KNOWN = ["cellular_caves", "visited_caves", "maze", "heightmap"]
WORDS = {
    "cellular_caves": ("caves", "cave"),
    "visited_caves": ("caves",),
    "heightmap": ("noise", "perlin"),
}


@each_case(
    ("name", "meant"),
    [
        ("maze", ["maze"]),
        ("Maze", ["maze"]),
        ("mase", ["maze"]),
        ("cellular-caves", ["cellular_caves"]),
        ("Cellular Caves", ["cellular_caves"]),
        ("celular_caves", ["cellular_caves"]),
        ("caves", ["cellular_caves", "visited_caves"]),
        ("Cave", ["cellular_caves"]),
        ("perlin", ["heightmap"]),
        ("perlinn", ["heightmap"]),
        ("zzz", []),
        ("", []),
    ],
)
def test_a_name_is_detected_by_its_letters_and_by_what_people_call_it(
    name: str, meant: list[str]
) -> None:
    assert suggestions(name, KNOWN, WORDS) == meant


@each_case(
    ("name", "meant"),
    [
        ("room_max", ["max_room_size"]),
        ("room", ["min_room_size", "max_room_size", "room_shape"]),
        ("max_size_room", ["max_room_size"]),
        ("Room-Max", ["max_room_size"]),
        ("percent", []),  # too many have it
    ],
)
def test_a_name_is_detected_by_some_of_its_words(name: str, meant: list[str]) -> None:
    known = ["min_room_size", "max_room_size", "room_shape"]
    assert suggestions(name, known + [f"share_of_layer_{item}_percent" for item in "abcd"]) == meant


def test_no_more_than_three_are_suggested() -> None:
    known = [f"a{number}" for number in range(9)]
    assert suggestions("rock", known, dict.fromkeys(known, ("rock",))) == known[:3]


def test_suggestions_are_requested_as_a_question() -> None:
    assert did_you_mean(["a"]) == "did you mean 'a'?"
    assert did_you_mean(["a", "b"]) == "did you mean 'a' or 'b'?"
    assert did_you_mean(["a", "b", "c"]) == "did you mean 'a', 'b' or 'c'?"
    assert unknown_name("layer", "x", []) == "unknown layer 'x' (no layer is defined)"
    assert unknown_name("layer", "zzz", ["a", "b"]) == "unknown layer 'zzz' (known: a, b)"


@each_case(
    ("word", "generator"),
    [
        ("caves", "cellular_caves"), ("cave", "visited_caves"), ("rooms", "rooms_and_corridors"),
        ("dungeon", "bsp_rooms"), ("noise", "heightmap"), ("perlin", "heightmap"),
        ("height", "heightmap"), ("bsp", "bsp_rooms"), ("wfc", "wave_function_collapse"),
        ("fov", "exposure"), ("walls", "outline"), ("labyrinth", "maze"),
        ("random_walk", "drunkard"), ("islands", "island_maze"), ("empty", "blank"),
        ("biomes", "bands"), ("rivers", "flow"), ("hillshade", "shade"), ("cliffs", "slope"),
    ],
)  # fmt: skip
def test_generators_are_detected_by_what_people_call_them(word: str, generator: str) -> None:
    assert f"'{generator}'" in GENERATORS.unknown(word)


def test_synonyms_are_no_names_of_other_things() -> None:
    """A word that is another thing's own name would never be looked at."""
    for name, entry in GENERATORS.all().items():
        assert not set(entry.also) & set(GENERATORS.names()), name
    kinds = [entry.parameters for entry in GENERATORS.all().values()]
    for kind in (LevelDocument, LayerOptions, VisibilityParameters, *kinds):
        hints = get_type_hints(kind, include_extras=True)
        own = {field.name for field in dataclasses.fields(kind)}
        for field in own:
            for rule in rules(hints[field]):
                if isinstance(rule, About):
                    assert not set(rule.also) & own, (kind, field)
