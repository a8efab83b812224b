"""How long codecs take, encoding (with the check that it decodes) and decoding.

    python tests/benchmarks/codec_speed.py [FOLDER]

Best of five, in milliseconds; zstd -19 beside them where it is installed. FOLDER as for
codec_sizes.py.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

from codec_sizes import compact, from_folder, generated, optional

from exporter.codecs import codec_by_number, decode, encode, frame_header


def best(work: Callable[[], Any], times: int = 5) -> float:
    """Return the milliseconds of the quickest of some runs."""
    spent = []
    for _ in range(times):
        start = perf_counter()
        work()
        spent.append(perf_counter() - start)
    return 1000 * min(spent)


def main() -> None:
    """Print the table."""
    grids = from_folder(Path(sys.argv[1])) if len(sys.argv) > 1 else generated()
    zstandard = optional("zstandard")
    print("| data | codec | encode | unchecked | decode | zstd -19 |")
    print("|---|---|---:|---:|---:|---:|")
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
            print(f"| {name} | {codec} |" + "".join(f" {time:.1f} |" for time in times))


if __name__ == "__main__":
    main()
