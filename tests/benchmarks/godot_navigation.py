"""Paths through convex pieces in real Godot: polygons, time until usable, time of a query.

Run: python tests/benchmarks/godot_navigation.py [largest side, 512]
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "harness"))
sys.path.insert(0, str(Path(__file__).parents[1] / "engines"))

from engine_harness import Godot
from exporter.generators import GENERATORS, Request
from exporter.geometry.pieces import Pieces, convex_pieces, convex_pieces_by_chunk
from exporter.grids.regions import label_regions
from exporter.streams import open_stream

SCRIPT = Path(__file__).parents[1] / "engines" / "navigation_paths.gd"
TILE = 16
PAIRS = 1000
CHUNK = 256


def connected_cave(side: int) -> np.ndarray:
    """The largest region of a generated cave."""
    entry = GENERATORS.get("cellular_caves")
    stream = open_stream("portable", 1, "ground")
    result = entry.generate(entry.parameters(), Request("ground", side, side, stream))
    regions = label_regions(result.cells == 0)
    return regions.labels == regions.largest


def report(godot: Godot, project: Path, name: str, mask: np.ndarray, parts: list[Pieces]) -> None:
    """Print one line: Godot's result for these pieces, one region for each part."""
    cells = np.argwhere(mask)[:, ::-1]
    chosen = cells[np.random.default_rng(1).integers(0, len(cells), (PAIRS, 2))]
    polygons = sum(map(len, parts))
    question = {
        "use_edge_connections": False,  # looking for near edges takes seconds for many regions
        "regions": [
            {
                "vertices": (part.vertices * (TILE / part.units)).ravel().tolist(),
                "corners": part.corners.tolist(),
                "starts": part.starts.tolist(),
            }
            for part in parts
        ],
        "pairs": ((chosen + 0.5) * TILE).reshape(PAIRS, 4).tolist(),
        "path_search_max_polygons": polygons,
    }
    answer = godot.query(project, SCRIPT, question, seconds=600)
    print(
        f"{name:28} {polygons:8} {mask.sum() / polygons:8.1f} {answer['usable_ms']:9.0f} ms "
        f"{answer['query_ms']:7.2f} ms {answer['arrived']:6} of {PAIRS}",
        flush=True,
    )


def main() -> None:
    """Print one line for every map and kind of regions."""
    largest = int(sys.argv[1]) if len(sys.argv) > 1 else 512
    with tempfile.TemporaryDirectory() as folder:
        godot = Godot.find(Path(folder))
        if godot is None:
            sys.exit("Godot 4 (command godot) is not installed")
        project = godot.new_project(Path(folder) / "game")
        print(f"{'':28} polygons  cells a     usable    a query  paths that arrive")
        print(f"{'':28}           polygon      after")
        side = 128
        while side <= largest:
            mask = connected_cave(side)
            begin = time.perf_counter()
            pieces = convex_pieces(mask)
            result = (time.perf_counter() - begin) * 1000
            report(godot, project, f"cave {side} (made in {result:.0f} ms)", mask, [pieces])
            parts = [part for _, part in convex_pieces_by_chunk(mask, CHUNK) if len(part) > 0]
            report(godot, project, f"cave {side}, {len(parts)} regions", mask, parts)
            side *= 2


if __name__ == "__main__":
    main()
