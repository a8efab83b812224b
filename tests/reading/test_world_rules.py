"""The spec of a world, a level with `chunk`: allowed parts, and messages for others."""

from __future__ import annotations

import pytest

from cases import each_case
from exporter.model.errors import SpecError
from exporter.reading.reader import parse_level

BODY = "layers: {a: {generator: blank}}\n"


def problems_of(text: str) -> list[str]:
    with pytest.raises(SpecError) as caught:
        parse_level(text.encode(), "w.level.yaml")
    return [f"{problem.line}: {problem.message}" for problem in caught.value.problems]


@pytest.mark.parametrize("size", ["[4096, 4096]", "[8192, 2048]", "[1, 8192]"])
def test_a_level_of_16_777_216_cells_needs_no_chunk(size: str) -> None:
    assert parse_level(f"size: {size}\n{BODY}".encode(), "w.level.yaml").chunk is None


@pytest.mark.parametrize("size", ["[4096, 4097]", "[8192, 2049]"])
def test_a_level_of_more_cells_needs_chunk(size: str) -> None:
    (message,) = problems_of(f"seed: 1\nsize: {size}\n{BODY}")
    assert message.startswith("2: ")
    assert "cells are too many at once" in message
    assert "`chunk: 512`" in message
    spec = parse_level(f"size: {size}\nchunk: 64\n{BODY}".encode(), "w.level.yaml")
    assert spec.chunk == 64


@pytest.mark.parametrize("size", ["[8193, 2]", "[2, 65536]"])
def test_a_side_above_8192_needs_chunk(size: str) -> None:
    (message,) = problems_of(f"size: {size}\n{BODY}")
    assert "cells are too many for a side (allowed: 8,192" in message
    assert "`chunk: 512`" in message
    parse_level(f"size: {size}\nchunk: 64\n{BODY}".encode(), "w.level.yaml")


def test_chunk_is_allowed_for_the_smallest_level() -> None:
    assert parse_level(f"size: [1, 1]\nchunk: 2048\n{BODY}".encode(), "w.level.yaml").chunk == 2048


def test_a_world_has_at_most_65_536_cells_a_side() -> None:
    parse_level(f"size: [65536, 65536]\nchunk: 512\n{BODY}".encode(), "w.level.yaml")
    (message,) = problems_of(f"size: [65537, 9]\nchunk: 512\n{BODY}")
    assert "65536" in message.replace(",", "")


@each_case(
    ("size", "chunk", "fits"),
    [
        ("[65536, 65536]", 64, 256),
        ("[65536, 65536]", 128, 256),
        ("[16385, 16384]", 64, 128),
        ("[65536, 4097]", 64, 128),
    ],
)
def test_too_many_parts_are_reported_with_the_chunk_that_fits(
    size: str, chunk: int, fits: int
) -> None:
    (message,) = problems_of(f"size: {size}\nchunk: {chunk}\n{BODY}")
    assert message.startswith("2: ")
    assert "a world has at most 65,536" in message
    assert f"(write `chunk: {fits}`)" in message
    parse_level(f"size: {size}\nchunk: {fits}\n{BODY}".encode(), "w.level.yaml")


def test_a_world_has_as_many_parts_as_can_be_remembered() -> None:
    for size in ("[16384, 16384]", "[65536, 4096]"):
        parse_level(f"size: {size}\nchunk: 64\n{BODY}".encode(), "w.level.yaml")


def test_the_layer_that_blocks_sight_is_exported() -> None:
    text = (
        "size: [128, 128]\nchunk: 64\nlayers:\n  fog: {generator: cellular_caves, role: ROLE}\n"
        "  ground: {generator: cellular_caves}\nvisibility: {layer: fog, radius: 4}\n"
    )
    (message,) = problems_of(text.replace("ROLE", "none"))
    assert message.startswith("6: ")
    assert "write `role: data` for 'fog'" in message
    parse_level(text.replace("ROLE", "data").encode(), "w.level.yaml")
    parse_level(text.replace("ROLE", "none").replace("chunk: 64\n", "").encode(), "w.level.yaml")


@each_case("chunk", ["0", "63", "100", "4096", "-64", "64.5", "sixty"])
def test_parts_have_one_of_six_sizes(chunk: str) -> None:
    (message,) = problems_of(f"size: [99, 99]\nchunk: {chunk}\n{BODY}")
    assert message.startswith("2: ")
    assert "2048" in message


@each_case(
    ("line", "text", "said"),
    [
        (3, "layers:\n  a: {generator: maze}\n", "'maze' needs the whole map at once"),
        (
            3,
            "layers:\n  a: {generator: cellular_caves, update: in_place}\n",
            "needs the whole map at once",
        ),
        (3, "layers:\n  a: {generator: voronoi}\n", "write `relax_rounds: 0`"),
        (3, "layers:\n  a: {generator: heightmap, droplets: 9}\n", "or `chunk`"),
        (3, "layers:\n  a: {generator: heightmap, size: [65, 65]}\n", "remove `size`"),
        (2, "rng: dotnet\n" + BODY, "remove `rng`, or `chunk`"),
        (2, "seed: {search: 9, best: farthest}\n" + BODY, "write a seed, or remove `chunk`"),
        (2, "budget: {blob: 1 kB}\n" + BODY, "remove `budget`, or `chunk`"),
        (2, "require: {seeds: {of: 9}}\n" + BODY, "remove it, or `chunk`"),
        (2, "require: {rooms: {at_least: 4}}\n" + BODY, "remove it, or `chunk`"),
        (3, "layers:\n  a: {generator: blank, require: {complete: true}}\n", "or `chunk`"),
        (
            4,
            "layers:\n  a: {generator: blank}\n  b: {generator: stamp, of: a, from_layer: a}\n",
            "draw the stamp with `art`",
        ),
        (3, "layers:\n  a: {generator: from_tiled, file: a.tmj}\n", "write `objects: false`"),
        (4, BODY + "objects:\n  - {name: chest}\n", "write `place: by_cell` with `percent`"),
        (
            3,
            BODY + "tables: {a: {columns: {b: text}, rows: [[c]]}}\n",
            "`tables` cannot be used in a world",
        ),
        (3, BODY + "puzzles: {a: {kind: sudoku}}\n", "`puzzles` cannot be used in a world"),
        (3, BODY + "require: {complete: true}\n", "cannot be required of a world"),
    ],
)
def test_what_cannot_be_created_by_parts_is_reported_at_its_line(
    line: int, text: str, said: str
) -> None:
    messages = problems_of(f"size: [99, 99]\nchunk: 64\n{text}")
    assert messages[0].startswith(f"{line + 1}: "), messages
    assert said in messages[0]
