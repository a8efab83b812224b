"""Draw the pictures of the page on finding levels: a sheet, and a heat map for each generator.

    PYTHONPATH=. python tests/golden/update_ranges.py

The same code gives the same pictures everywhere. They are packed again without loss by Pillow,
because they are committed.
"""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image

from exporter.build.build import build_level
from exporter.explore.finding import RunningSearch
from exporter.explore.ranges import heat_map, survey
from exporter.explore.search import search_for
from exporter.explore.sheets import displayed_levels, sheet_png
from exporter.explore.varying import parse_varied
from exporter.reading.reader import parse_level

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "exporter" / "docs" / "images" / "ranges"
# For each generator its varied parameters, and the metrics across and upwards.
GENERATORS = {
    "bsp_rooms": (["depth=2..6", "split_percent=5..45"], "floor,farthest"),
    "cellular_caves": (["wall_percent=30..60"], "floor,farthest"),
    "drunkard": (["floor_percent=20..70", "straight_percent=0..90"], "floor,farthest"),
    "irregular_rooms": (["rooms=3..14"], "floor,farthest"),
    "island_maze": (["land_percent=30..60"], "floor,dead_ends"),
    "maze": (["newest_percent=0..100", "braid_percent=0..100"], "dead_ends,farthest"),
    "rooms_and_corridors": (["rooms=4..20"], "floor,farthest"),
    "visited_caves": (["open_percent=30..60"], "floor,farthest"),
    "voronoi": (["floor_percent=20..90", "sites=10..60"], "floor,farthest"),
}
SEEDS = 400


def level_of(name: str) -> bytes:
    """Return the spec of a generator."""
    return (f"level: {name}\nsize: [49, 33]\nlayers:\n  ground: {{generator: {name}}}\n").encode()


def heat(name: str, varied: list[str], metrics: str) -> bytes:
    """Return the heat map of a generator."""
    spec = parse_level(level_of(name), f"{name}.level.yaml")
    parameters = [parse_varied(f"ground.{text}", spec) for text in varied]
    search = search_for(spec, varied=parameters, spread=metrics.split(","), budget=SEEDS)
    return heat_map([survey(search, name, 1)])


def sheet() -> bytes:
    """Return the sheet of the page: caves that differ."""
    spec = parse_level(level_of("cellular_caves"), "cave.level.yaml")
    varied = [parse_varied("ground.wall_percent=30..55", spec)]
    search = search_for(spec, varied=varied, spread=["floor", "farthest"], count=8, budget=1000)
    result = RunningSearch(search).run(1)
    return sheet_png(
        displayed_levels(result.levels, lambda level: build_level(search.spec_of(level)))
    )


def update(name: str, data: bytes) -> None:
    """Write a picture if its pixels differ from the existing file."""
    path = PICTURES / f"{name}.png"
    picture = Image.open(io.BytesIO(data)).convert("RGB")
    if path.exists() and Image.open(path).convert("RGB").tobytes() == picture.tobytes():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    few = picture.getcolors(256) is not None
    (picture.quantize(256) if few else picture).save(path, optimize=True)
    print(path.relative_to(ROOT))


def main() -> None:
    """Draw everything."""
    update("found-caves", sheet())
    for name, (varied, metrics) in GENERATORS.items():
        update(name, heat(name, varied, metrics))


if __name__ == "__main__":
    main()
