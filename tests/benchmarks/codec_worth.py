"""Measure the growth of level data without each codec, by content.

    python tests/benchmarks/codec_worth.py [FOLDER]

Every codec that takes an array codes it once, alone. The size of an array is its smallest payload
plus the directory entry of a blob's chunk. To remove codecs is then to take the minimum over the
others. The table shows the growth in the source that grows most; it omits less than half a per
cent. A codec stays if some kind grows by 5 % without it.

The sources are the levels and the hand-made maps of `sample_project`, 200 small levels, and the
`.npz` files of FOLDER, if it is given (see `codec_sizes.py`).
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parent))

from codec_sizes import from_folder

import exporter
from exporter.blob import read_container
from exporter.blob._visibility import full_planes
from exporter.blob.container import ENTRY
from exporter.blob.values import decode_values
from exporter.codecs import CODECS, Limits
from exporter.codecs.codec import ELEMENTS, NO_SIDE, canonical
from exporter.codecs.tiles import encode_from_sides
from exporter.codecs.visibility import encode_visibility, unpack_planes
from exporter.model.level import Level

Grid = NDArray[Any]

SAMPLE = Path(__file__).parents[2] / "sample_project" / "levels"
HANDMADE = ("outpost", "stronghold")
KINDS = ("bits", "tiles", "heights", "sight", "constant", "JSON")
# Codecs that stay whatever the measurement.
RETAINED = ("stored", "zlib", "pack")
# Without one of a pair the other may do.
PAIRS = (("bitmap", "tiles"), ("heights", "tiles"), ("bitmap", "visibility"))
SMALL_LEVELS = {
    "caves": "ground: {generator: cellular_caves, connect: guaranteed}",
    "walks": "ground: {generator: drunkard}",
    "blank": "ground: {generator: blank}\n  rock: {generator: blank, tile: wall, role: data}\n"
    "  overlay: {generator: blank, tile: empty, role: data}",
    "rooms": "ground: {generator: rooms_and_corridors}",
    "partition": "ground: {generator: bsp_rooms}",
    "maze": "ground: {generator: maze}",
    "irregular": "ground: {generator: irregular_rooms}",
    "island": "ground: {generator: island_maze}",
    "tiled": "ground: {generator: cellular_caves}\n  look: {generator: autotile, of: ground}",
    "relief": "relief: {generator: heightmap, role: none}\n"
    "  ground: {generator: bands, of: relief, steps: [{below: 0.4, tile: water}, {tile: grass}]}",
}


@dataclass(frozen=True)
class Content:
    """An array, where it is from, and its bytes by each codec that takes it."""

    source: str
    kind: str
    bytes: dict[str, int]

    def least(self, without: Iterable[str] = ()) -> int:
        """Return the bytes of the smallest form, with its entry in the directory."""
        removed = set(without)
        return ENTRY.size + min(n for name, n in self.bytes.items() if name not in removed)


def coded(source: str, kind: str, cells: Grid, earlier: Iterable[Grid] = ()) -> Content:
    """Code an array by every codec; `earlier` are layers whose classes its own may follow."""
    array = canonical(cells)
    result = {name: _bytes(name, array) for name in CODECS.built_in()}
    following = encode_from_sides(array, [other for other in earlier if other.shape == array.shape])
    if following is not None:
        result["tiles"] = min(len(following[1]), result["tiles"] or len(following[1]))
    return Content(source, kind, {name: size for name, size in result.items() if size is not None})


def _bytes(name: str, array: Grid) -> int | None:
    if name == "tiles" and array.dtype == np.bool_:
        array = array.view(np.uint8)  # how it would have to be stored if no other codec did
    payload = CODECS.get(name).encode(array, NO_SIDE)
    return None if payload is None else len(payload)


def kind_of(cells: Grid, otherwise: str) -> str:
    """Return the kind of a grid by its values."""
    distinct = np.unique(cells).size
    return "constant" if distinct < 2 else "bits" if distinct == 2 else otherwise


def contents_of(source: str, level: Level) -> Iterator[Content]:
    """Yield all that a blob of a level holds, and its field of view as planes."""
    earlier: list[Grid] = []
    for layer in level.layers.values():
        kind = kind_of(layer.cells, layer.kind)
        yield coded(source, kind, layer.cells, earlier)
        for mask in layer.masks.values():
            yield coded(source, kind_of(mask, "bits"), mask)
        earlier.append(canonical(layer.cells))
    if level.visibility is not None:
        offsets, planes = full_planes(level.visibility)
        yield sight(source, planes, offsets, level.visibility.opaque)
    container = read_container(exporter.write_blob(level))
    for index in range(len(container)):
        chunk = container.load(index)
        if chunk.type in ("LEVL", "OBJS", "TABL", "PUZZ"):
            values = decode_values(chunk.codec, chunk.payload, Limits())
            text = json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode()
            yield coded(source, "JSON", np.frombuffer(text, np.uint8))


def sight(source: str, planes: Grid, offsets: list[tuple[int, int]], opaque: Grid) -> Content:
    """Code the visible cells of every cell: bool [offsets, height, width]."""
    result = {"visibility": len(encode_visibility(planes, offsets, opaque))}
    bits = np.packbits(planes, axis=2)
    for name, array in (("bitmap", planes), ("tiles", bits), ("pack", bits), ("zlib", planes)):
        size = _bytes(name, canonical(array))
        if size is not None:
            result[name] = size
    return Content(source, "sight", result | {"stored": bits.nbytes})


def corpus(folder: Path) -> Iterator[Content]:
    """Yield the arrays of a folder."""
    grids = from_folder(folder)
    for name, grid in grids.items():
        if f"{name}_offsets" in grids:
            fits = [g for g in grids.values() if g.ndim == 2 and g is not grid]
            opaque = next(g for g in fits if -(-int((g == 0).sum()) // 8) == grid.shape[1])
            offsets = [(int(dx), int(dy)) for dy, dx in grids[f"{name}_offsets"]]
            yield sight("corpus", unpack_planes(grid, opaque).astype(np.bool_), offsets, opaque)
        elif grid.dtype in ELEMENTS and not name.endswith("_offsets"):
            wide = "heights" if grid.dtype.itemsize > 1 else "tiles"
            yield coded("corpus", "JSON" if grid.ndim == 1 else kind_of(grid, wide), grid)


def small_levels(folder: Path) -> Iterator[Level]:
    """Yield 200 small levels, 20 of each kind."""
    for number, layers in enumerate(SMALL_LEVELS.values()):
        for seed in range(20):
            path = folder / "small.level.yaml"
            path.write_text(
                f"size: [{24 + 2 * seed}, {16 + 2 * seed}]\nseed: {100 * number + seed}\n"
                f"layers:\n  {layers}\nvisibility: {{layer: ground, radius: 6}}\n"
                "objects:\n  - {name: chest, count: 3, properties: {gold: 5}}\n"
            )
            yield exporter.build_level(exporter.load_level(path))


def everything() -> Iterator[Content]:
    """Yield the contents of all sources."""
    for path in sorted(SAMPLE.rglob("*.level.yaml")):
        name = path.name.partition(".")[0]
        source = "hand-made" if name in HANDMADE else "sample"
        yield from contents_of(source, exporter.build_level(exporter.load_level(path), SAMPLE))
    with tempfile.TemporaryDirectory() as folder:
        for level in small_levels(Path(folder)):
            yield from contents_of("200 small", level)
    if len(sys.argv) > 1:
        yield from corpus(Path(sys.argv[1]))


def growth(contents: list[Content], kind: str, without: Iterable[str]) -> float:
    """Return by how many per cent a kind grows without some codecs, in the worst source."""
    worst = 0.0
    for source in {content.source for content in contents}:
        these = [c for c in contents if (c.source, c.kind) == (source, kind)]
        before = sum(content.least() for content in these)
        if before:
            worst = max(worst, 100 * sum(c.least(without) for c in these) / before - 100)
    return worst


def main() -> None:
    """Print how much there is of each kind, and the table."""
    contents = list(everything())
    sources = dict.fromkeys(content.source for content in contents)
    print("| source |" + "".join(f" {kind} |" for kind in KINDS))
    print("|---|" + "---:|" * len(KINDS))
    for source in sources:
        groups = [[c.least() for c in contents if (c.source, c.kind) == (source, k)] for k in KINDS]
        print(f"| {source} |" + "".join(f" {len(g)}: {sum(g):,} |" for g in groups))
    print("\n| without |" + "".join(f" {kind} |" for kind in KINDS))
    print("|---|" + "---:|" * len(KINDS))
    judged = [name for name in CODECS.built_in() if name not in RETAINED]
    for without in [*((name,) for name in judged), *PAIRS]:
        grown = [growth(contents, kind, without) for kind in KINDS]
        cells = "".join(f" {g:+.1f} % |" if g >= 0.5 else " |" for g in grown)
        print(f"| {' and '.join(without)} |{cells}")


if __name__ == "__main__":
    main()
