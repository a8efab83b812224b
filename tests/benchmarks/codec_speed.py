"""How long codecs take, encoding (with the check that it decodes) and decoding, in each profile.

    python tests/benchmarks/codec_speed.py [FOLDER]

Best of five, processor time in milliseconds and in nanoseconds for a cell; zstd -19 beside them
where it is installed. FOLDER as for codec_sizes.py; exposure layers of caves are always generated.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parent))

from codec_sizes import compact, from_folder, generated, optional

import exporter
from exporter.codecs import codec_by_number, decode, encode, frame_header


def best(work: Callable[[], Any], times: int = 5) -> float:
    """Return the milliseconds of the quickest of some runs."""
    spent = []
    for _ in range(times):
        start = process_time()
        work()
        spent.append(process_time() - start)
    return 1000 * min(spent)


def exposures() -> dict[str, NDArray[Any]]:
    """Return how much each cell of some caves sees: 16-bit values, few of them, far apart."""
    grids = {}
    for generator, size in (
        ("cellular_caves", 256),
        ("cellular_caves", 512),
        ("visited_caves", 256),
        ("drunkard", 256),
        ("rooms_and_corridors", 256),
    ):
        layers = (
            f"{{ground: {{generator: {generator}}}, exposure: {{generator: exposure, of: ground}}}}"
        )
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "cave.level.yaml"
            path.write_text(
                f"size: [{size}, {size}]\nlayers: {layers}\nvisibility: {{layer: ground}}\n"
            )
            level = exporter.build_level(exporter.load_level(path))
        grids[f"exposure {generator} {size}"] = level.layers["exposure"].cells
    return grids


def main() -> None:
    """Print the table."""
    grids = from_folder(Path(sys.argv[1])) if len(sys.argv) > 1 else generated()
    grids |= exposures()
    zstandard = optional("zstandard")
    print(
        "| data | profile | codec | bytes | encode ns a cell | encode | unchecked | decode | zstd |"
    )
    print("|---|---|---|---:|---:|---:|---:|---:|---:|")
    for name, grid in grids.items():
        if grid.dtype not in (np.bool_, np.uint8, np.uint16, np.int32):
            continue
        for profile in ("small", "fast"):
            frame = encode(grid, profile=profile)
            codec = codec_by_number(frame_header(frame).codec).name
            times = [
                best(partial(encode, grid, profile=profile)),
                best(partial(encode, grid, profile=profile, verify=False)),
                best(partial(decode, frame)),
            ]
            if zstandard is not None:
                raw, engine = compact(grid), zstandard.ZstdCompressor(level=19)
                times.append(best(partial(engine.compress, raw), 1))
            cost = 1e6 * times[0] / grid.size
            row = f"| {name} | {profile} | {codec} | {len(frame):,} | {cost:.0f} |"
            print(row + "".join(f" {time:.1f} |" for time in times))


if __name__ == "__main__":
    main()
