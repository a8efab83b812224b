"""The blank map: all floor or all wall."""

from __future__ import annotations

import numpy as np
import pytest

from exporter.build.build import build_level
from exporter.generators import Generated, Request
from exporter.generators.blank import Blank, generate
from exporter.model.errors import ParameterError, SpecError
from exporter.reading.reader import parse_level
from exporter.streams import open_stream


def make(parameters: Blank, width: int = 7, height: int = 5) -> Generated:
    return generate(parameters, Request("a", width, height, open_stream("portable", 1, "a")))


def test_every_cell_is_floor_unless_wall_is_requested() -> None:
    floor = make(Blank())
    assert floor.cells.shape == (5, 7)
    assert not floor.cells.any()
    assert (make(Blank(tile="wall")).cells == 1).all()
    assert [(tile.name, tile.walkable, tile.opaque) for tile in floor.tiles] == [
        ("floor", True, False),
        ("wall", False, True),
    ]


def test_a_border_of_wall_goes_around_the_floor() -> None:
    expected = np.ones((5, 7), np.uint8)
    expected[2:3, 2:5] = 0
    assert np.array_equal(make(Blank(border=2)).cells, expected)


@pytest.mark.parametrize("border", [3, 4, 8192])
def test_a_border_that_leaves_no_floor_is_a_map_of_wall(border: int) -> None:
    assert (make(Blank(border=border)).cells == 1).all()


def test_a_border_around_wall_is_refused() -> None:
    with pytest.raises(ParameterError, match="cannot have a border") as caught:
        Blank(tile="wall", border=1).check(7, 5)
    assert caught.value.path == ("border",)


def test_a_spec_names_it_like_any_generator() -> None:
    text = "size: [7, 5]\nlayers:\n  ground: {generator: blank, border: 1}\n"
    layer = build_level(parse_level(text.encode(), "a.level.yaml")).layers["ground"]
    assert layer.certificate is not None
    assert (layer.certificate.floor, layer.certificate.regions_after) == (15, 1)
    wrong = text.replace("border: 1", "border: 1, tile: wall")
    with pytest.raises(SpecError, match="cannot have a border") as caught:
        parse_level(wrong.encode(), "a.level.yaml")
    assert (caught.value.line, caught.value.column) == (3, 38)
