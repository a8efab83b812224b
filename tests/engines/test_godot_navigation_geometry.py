"""Convex pieces as navigation polygons in real Godot: every path ends at its target."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine_harness import Godot
from exporter.generators import GENERATORS, Request
from exporter.geometry.area import shrunk_area
from exporter.geometry.pieces import Pieces, convex_pieces, convex_pieces_by_chunk
from exporter.grids.regions import label_regions
from exporter.streams import open_stream

TILE = 16
PAIRS = 1000
SCRIPT = Path(__file__).with_name("navigation_paths.gd")


@pytest.fixture(scope="module")
def project(godot: Godot, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return godot.new_project(tmp_path_factory.mktemp("navigation"))


def connected_cave(side: int) -> np.ndarray:
    """The largest region of a generated cave."""
    entry = GENERATORS.get("cellular_caves")
    stream = open_stream("portable", 1, "ground")
    result = entry.generate(entry.parameters(), Request("ground", side, side, stream))
    regions = label_regions(result.cells == 0)
    return regions.labels == regions.largest


def pairs_in(mask: np.ndarray) -> list[list[float]]:
    """Pairs of random cell centres, in pixels: x, y, x, y."""
    cells = np.argwhere(mask)[:, ::-1]
    chosen = cells[np.random.default_rng(1).integers(0, len(cells), (PAIRS, 2))]
    return ((chosen + 0.5) * TILE).reshape(PAIRS, 4).tolist()


def paths(
    godot: Godot, project: Path, parts: Iterable[Pieces], mask: np.ndarray, **more: Any
) -> dict[str, Any]:
    """Ask Godot for the paths between all pairs; one region for each part."""
    regions = [
        {
            "vertices": (part.vertices * (TILE / part.units)).ravel().tolist(),
            "corners": part.corners.tolist(),
            "starts": part.starts.tolist(),
        }
        for part in parts
        if len(part) > 0
    ]
    question = {"regions": regions, "pairs": pairs_in(mask), **more}
    return godot.query(project, SCRIPT, question, allow_warnings=False)


def check_paths(answer: dict[str, Any], mask: np.ndarray) -> None:
    """Every path ends at its target, and its corners lie on floor."""
    assert answer["faults"] == []
    assert answer["arrived"] == PAIRS
    points = np.array(answer["points"]) / TILE
    # A corner of a path lies on a corner of the floor: one of the cells around it is floor.
    height, width = mask.shape
    near = np.zeros(len(points), bool)
    for shift_x in (-0.01, 0.01):
        for shift_y in (-0.01, 0.01):
            x, y = np.floor(points + np.array([shift_x, shift_y])).astype(int).T
            inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
            near[inside] |= mask[y[inside], x[inside]]
    assert near.all()


def test_every_path_in_a_cave_ends_at_its_target(godot: Godot, project: Path) -> None:
    mask = connected_cave(256)
    pieces = convex_pieces(mask)
    assert len(pieces) <= mask.sum() / 20
    answer = paths(godot, project, [pieces], mask)
    check_paths(answer, mask)
    # Every inner edge is joined with its other side: two half-edges fewer at the border.
    assert answer["polygons"] == len(pieces)
    assert answer["merged"] == inner_edges([pieces])


def test_every_path_in_a_large_cave_ends_at_its_target(godot: Godot, project: Path) -> None:
    mask = connected_cave(512)
    pieces = convex_pieces(mask)
    assert len(pieces) > 4096  # more than Godot looks at by default
    answer = paths(godot, project, [pieces], mask, path_search_max_polygons=len(pieces))
    check_paths(answer, mask)


def test_regions_of_chunks_are_joined_by_their_edges(godot: Godot, project: Path) -> None:
    mask = connected_cave(256)
    parts = [pieces for _, pieces in convex_pieces_by_chunk(mask, 64)]
    # Equal edges join even where Godot does not look for edges that are near.
    answer = paths(godot, project, parts, mask, use_edge_connections=False)
    check_paths(answer, mask)
    assert answer["polygons"] == sum(map(len, parts))
    assert answer["merged"] + answer["connections"] == inner_edges(parts)


def test_paths_in_long_corridors_end_at_their_targets(godot: Godot, project: Path) -> None:
    # In long and thin triangles Godot's 32-bit numbers put points beside their places.
    mask = np.zeros((65, 400), bool)
    mask[::4] = True
    mask[:, [0, 399]] = True
    mask[1:3, ::50] = True
    answer = paths(godot, project, [convex_pieces(mask)], mask)
    check_paths(answer, mask)


def test_every_path_of_a_wide_agent_ends_at_its_target(godot: Godot, project: Path) -> None:
    mask = connected_cave(128)
    radius = 64
    area = shrunk_area(mask, radius)
    regions = label_regions(area.fields)
    # Cells whose centres are in the largest part.
    middles = np.arange(128) * 256 + 128
    columns = np.searchsorted(area.columns, middles, side="right") - 1
    rows = np.searchsorted(area.rows, middles, side="right") - 1
    reachable = regions.labels[np.ix_(rows, columns)] == regions.largest
    answer = paths(godot, project, [convex_pieces(mask, radius)], reachable)
    check_paths(answer, mask)


def inner_edges(parts: list[Pieces]) -> int:
    """Return how many edges have a piece on both sides."""
    edges = set()
    for part in parts:
        points = list(map(tuple, part.vertices.tolist()))
        for start, end in zip(part.starts[:-1], part.starts[1:], strict=True):
            ring = [points[corner] for corner in part.corners[start:end].tolist()]
            edges |= set(zip(ring, ring[1:] + ring[:1], strict=True))
    return sum(edge[::-1] in edges for edge in edges) // 2
