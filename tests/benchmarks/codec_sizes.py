"""Compare the sizes of level data by our codecs and by other formats.

    python tests/benchmarks/codec_sizes.py [FOLDER]

FOLDER may hold `.npz` files (first array each): bool, uint8, uint16 or int32 arrays, and
`NAME.npz` with `NAME_offsets.npz` (dy, dx) and a map for visibility planes named `fov*.npz`.
Without it, levels are generated here. Peers: zstd -19, oxipng, lossless WebP, JPEG XL effort 9;
a peer that is not installed is left out (pip install zstandard pyoxipng pillow-jxl-plugin).
Heights go to zstd as bytes of the predicted residuals' planes, which is kinder than raw samples.
"""

from __future__ import annotations

import importlib
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from exporter.blob.inspection.byte_entropy import order_zero_bits
from exporter.codecs import codec_by_number, encode, frame_header
from exporter.codecs.visibility import encode_visibility

Grid = NDArray[Any]


def optional(name: str) -> Any:
    """Return a module, or None when it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def compact(grid: Grid) -> bytes:
    """Return the kindest bytes for a general compressor: bits for two values, planes of steps."""
    if len(np.unique(grid[:64])) <= 2 and len(np.unique(grid)) <= 2:
        return np.packbits(grid.reshape(-1) == grid.max()).tobytes()
    if grid.dtype.itemsize == 1:
        return grid.tobytes()
    plane = grid.astype(np.int64)
    predicted = np.zeros_like(plane)
    predicted[0, 1:], predicted[1:, 0] = plane[0, :-1], plane[:-1, 0]
    predicted[1:, 1:] = plane[1:, :-1] + plane[:-1, 1:] - plane[:-1, :-1]
    missed = plane - predicted
    folded = ((missed << 1) ^ (missed >> 63)).astype("<u4")
    return folded.reshape(-1, 1).view(np.uint8).T[:3].tobytes()


def picture(grid: Grid) -> Image.Image | None:
    """Return a lossless picture of a grid, or None if it cannot be one."""
    if grid.ndim != 2 or grid.dtype == np.int32:
        return None
    if grid.dtype == np.uint16:
        return Image.fromarray(grid)
    if len(np.unique(grid)) <= 2:
        return Image.fromarray((grid == grid.max()).astype(np.uint8) * 255)
    return Image.fromarray(grid.astype(np.uint8))


def zstd(grid: Grid) -> int | None:
    """Return bytes by zstd -19."""
    module = optional("zstandard")
    return len(module.ZstdCompressor(level=19).compress(compact(grid))) if module else None


def oxipng(grid: Grid) -> int | None:
    """Return bytes by oxipng at level 6."""
    module, image = optional("oxipng"), picture(grid)
    if module is None or image is None:
        return None
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return len(module.optimize_from_memory(buffer.getvalue(), level=6))


def webp(grid: Grid) -> int | None:
    """Return bytes by lossless WebP, method 6; 16-bit samples as two of its channels."""
    image = picture(grid)
    if image is None:
        return None
    if grid.dtype == np.uint16:
        channels = np.zeros((*grid.shape, 3), np.uint8)
        channels[..., 0], channels[..., 1] = grid >> 8, grid & 255
        image = Image.fromarray(channels)
    buffer = io.BytesIO()
    image.convert("RGB").save(buffer, "WEBP", lossless=True, quality=100, method=6)
    return len(buffer.getvalue())


def jxl(grid: Grid) -> int | None:
    """Return bytes by JPEG XL, lossless, effort 9."""
    codecs = optional("imagecodecs")
    if codecs is not None and picture(grid) is not None:
        return len(codecs.jpegxl_encode(np.ascontiguousarray(grid), lossless=True, effort=9))
    image = picture(grid)
    if image is None or optional("pillow_jxl") is None:
        return None
    buffer = io.BytesIO()
    try:
        image.save(buffer, "JXL", lossless=True, effort=9)
    except (OSError, ValueError):
        return None  # this plug-in takes no 16-bit pictures
    return len(buffer.getvalue())


PEERS: dict[str, Callable[[Grid], int | None]] = {
    "zstd -19": zstd,
    "oxipng": oxipng,
    "WebP": webp,
    "JXL e9": jxl,
}


def generated() -> dict[str, Grid]:
    """Return levels made here, of the kinds the exporter makes."""
    rng = np.random.default_rng(1)
    walls = rng.random((512, 512)) < 0.45
    for _ in range(5):
        framed = np.pad(walls, 1, constant_values=True)
        walls = (
            sum(framed[y : y + 512, x : x + 512].astype(int) for y in range(3) for x in range(3))
            >= 5
        )
    around = np.pad(walls, 1, constant_values=True)
    shape = around[:-2, 1:-1] | around[1:-1, 2:] * 2 | around[2:, 1:-1] * 4 | around[1:-1, :-2] * 8
    pictures = np.where(
        walls, shape, 16 + rng.choice(5, walls.shape, p=[0.8, 0.08, 0.06, 0.04, 0.02])
    )
    field = np.zeros((513, 513))
    for octave in range(6):
        step = 256 >> octave
        coarse = rng.normal(size=(513 // step + 3, 513 // step + 3)) * 0.5**octave
        at = np.arange(513) / step
        whole, part = at.astype(int), at % 1
        part = part * part * (3 - 2 * part)
        rows = coarse[whole] * (1 - part)[:, None] + coarse[whole + 1] * part[:, None]
        field += rows[:, whole] * (1 - part) + rows[:, whole + 1] * part
    field = (field - field.min()) / (field.max() - field.min())
    entities = [
        {"id": number, "type": ["rat", "bat", "chest"][int(rng.integers(3))],
         "x": int(rng.integers(512)), "y": int(rng.integers(512)), "hp": int(rng.integers(4)) * 5}
        for number in range(200)
    ]  # fmt: skip
    return {
        "cave": walls.astype(np.uint8),
        "autotile": np.where(walls, shape, 16).astype(np.uint8),
        "decorated": pictures.astype(np.uint8),
        "heights": (field * 65535).astype(np.uint16),
        "small cave": walls[:21, :40].astype(np.uint8),
        "entities": np.frombuffer(json.dumps(entities).encode(), np.uint8),
    }


def from_folder(folder: Path) -> dict[str, Grid]:
    """Return the first array of every file of a folder."""
    return {path.stem: first_array(path) for path in sorted(folder.glob("*.npz"))}


def first_array(path: Path) -> Grid:
    """Return the first array of an .npz file."""
    with np.load(path) as file:
        return np.asarray(file[file.files[0]])


def sizes(name: str, grids: dict[str, Grid]) -> tuple[str, int] | None:
    """Return the codec and payload bytes of an array; None for one that only helps others."""
    grid = grids[name]
    if f"{name}_offsets" in grids:
        opaque = next(
            other for other in grids.values() if other.ndim == 2 and _viewers(other, grid)
        )
        offsets = [(int(dx), int(dy)) for dy, dx in grids[f"{name}_offsets"]]
        return "visibility", len(encode_visibility(grid, offsets, opaque))
    if grid.dtype not in (np.bool_, np.uint8, np.uint16, np.int32):
        return None
    frame = encode(grid)
    header = frame_header(frame)
    return codec_by_number(header.codec).name, len(frame) - header.payload_at


def _viewers(opaque: Grid, planes: Grid) -> bool:
    """Whether packed planes have one bit for each transparent cell of a map."""
    count = int((opaque == 0).sum())
    return opaque.shape != planes.shape and planes.shape[1] == -(-count // 8)


def main() -> None:
    """Print the table."""
    grids = from_folder(Path(sys.argv[1])) if len(sys.argv) > 1 else generated()
    for module in ("zstandard", "oxipng", "pillow_jxl"):
        if optional(module) is None:
            print(f"({module} is not installed: its column stays empty)")
    columns = ["ours", *PEERS, "order-0"]
    print("| data | raw | codec |" + "".join(f" {column} |" for column in columns))
    print("|---|---:|---|" + "---:|" * len(columns))
    for name, grid in grids.items():
        result = sizes(name, grids)
        if result is None:
            continue
        bound = order_zero_bits(np.unique(grid, return_counts=True)[1]) / 8
        row = [
            result[1],
            *(peer(grid) if grid.ndim == 2 or peer is zstd else None for peer in PEERS.values()),
        ]
        cells = [f"{value:,}" if value is not None else "" for value in [*row, int(bound)]]
        print(
            f"| {name} | {grid.nbytes:,} | {result[0]} |" + "".join(f" {cell} |" for cell in cells)
        )


if __name__ == "__main__":
    main()
