"""Masks for objects: layers on whose walkable cells they stand, or do not."""

from __future__ import annotations

import pytest

from exporter.build.build import Build
from exporter.model.errors import SpecError
from exporter.reading.reader import parse_level
from spec_problems import problems_in

SPEC = """size: [30, 20]
seed: 5
layers:
  half: {generator: blank, tile: wall, role: none}
  yard: {generator: stamp, of: half, role: none, at: [[3, 2]], art: "......\\n......\\n......"}
  ground: {generator: blank, border: 1}
objects:
"""


def built(text: str) -> Build:
    build = Build(parse_level(text.encode(), "x.level.yaml"))
    build.prepare()
    return build


def places(objects: str) -> list[tuple[int, int]]:
    return [(item.x, item.y) for item in built(SPEC + objects).level()[0].objects]


def in_yard(cell: tuple[int, int]) -> bool:
    return 3 <= cell[0] < 9 and 2 <= cell[1] < 5


def test_objects_stand_in_a_mask_or_outside_of_it() -> None:
    inside = places("  - {name: hen, count: 18, only_in: yard}\n")
    assert len(inside) == 18
    assert all(map(in_yard, inside))
    outside = places("  - {name: fox, count: 400, never_in: yard}\n")
    assert len(outside) == 400
    assert not any(map(in_yard, outside))


def test_a_mask_that_is_full_is_reported_with_figures() -> None:
    with pytest.raises(SpecError, match="could be placed: 504 floor cells, 18 in yard") as caught:
        places("  - {name: hen, count: 19, only_in: yard}\n")
    assert caught.value.line == 8


@pytest.mark.parametrize(
    ("objects", "said"),
    [
        ("{name: hen, only_in: yrad}", "9:26: unknown layer 'yrad' (did you mean 'yard'?)"),
        (
            "{name: hen, never_in: high}",
            "9:27: the layer 'high' has no walkable cells of the level's size",
        ),
    ],
)
def test_what_is_no_mask_is_reported_at_its_line(objects: str, said: str) -> None:
    text = SPEC.replace("objects:", "  high: {generator: heightmap}\nobjects:")
    assert problems_in(built, f"{text}  - {objects}\n") == [said]


def test_a_mask_of_another_size_is_reported_before_anything_is_built() -> None:
    text = SPEC.replace("objects:", "  small: {generator: blank, size: [9, 9]}\nobjects:")
    with pytest.raises(SpecError, match="the layer 'small' has no walkable cells of the level's"):
        parse_level(f"{text}  - {{name: hen, only_in: small}}\n".encode(), "x.level.yaml")


def test_a_mask_changes_no_role() -> None:
    build = built(
        SPEC.replace(", role: none", "") + "  - {name: hen, never_in: ground, required: false}\n"
    )
    assert build.layers["ground"].role == "play"
