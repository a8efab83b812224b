"""Compare our deflate with zlib's strongest level: bytes and time.

    python tests/benchmarks/deflate.py

zlib's bytes depend on the machine it was built for; ours do not. This measures the cost.
"""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Callable, Iterator

import numpy as np

from exporter.build.build import build_level
from exporter.deflate import compress
from exporter.kernels import deflate as kernel
from exporter.model.level import Level
from exporter.reading.reader import parse_level

SPEC = """
size: [512, 512]
seed: 11
layers:
  caves: {generator: cellular_caves}
  tiles: {generator: autotile, of: caves}
  visited: {generator: visited_caves, upper_limit: 200000}
  maze: {generator: maze}
  relief: {generator: heightmap, size: [513, 513]}
"""


def level() -> Level:
    """Return one level with a layer of every kind."""
    return build_level(parse_level(SPEC.encode(), "deflate.level.yaml"))


def inputs() -> Iterator[tuple[str, bytes]]:
    """Return the data to compress, by name."""
    for name, layer in level().layers.items():
        cells = np.ascontiguousarray(layer.cells)
        if cells.dtype.itemsize > 1:
            planes = cells.reshape(-1, 1).view(np.uint8).T
            yield f"{name}, {cells.dtype} planes", planes.tobytes()
        elif cells.max() <= 1:
            yield f"{name}, bits", np.packbits(cells).tobytes()
        yield f"{name}, {cells.dtype}", cells.tobytes()
    rows = [
        {"name": f"monster {i % 97}", "hp": i * i % 89, "at": [i % 512, i]} for i in range(9000)
    ]
    yield "JSON", json.dumps(rows, indent=1).encode()
    random = np.random.default_rng(1)
    yield "sparse bytes, 1 MiB", (random.random(1 << 20) < 0.02).astype(np.uint8).tobytes()
    yield "random bits as bytes, 1 MiB", random.integers(0, 2, 1 << 20).astype(np.uint8).tobytes()
    yield "random bytes, 1 MiB", random.bytes(1 << 20)


def timed(work: Callable[[], bytes]) -> tuple[bytes, float]:
    """Return the shortest time of three runs, and their result."""
    best, result = float("inf"), b""
    for _ in range(3):
        start = time.perf_counter()
        result = work()
        best = min(best, time.perf_counter() - start)
    return result, best


def main() -> None:
    """Print the table."""
    print(f"kernel {'compiled' if kernel.COMPILED else 'interpreted'}, zlib {zlib.ZLIB_VERSION}")
    print(f"{'':30} {'bytes':>8} {'zlib -9':>8} {'ours':>8} {'':>7} {'zlib ms':>8} {'ours ms':>8}")
    for name, data in inputs():
        theirs, their_time = timed(lambda data=data: zlib.compress(data, 9))
        ours, our_time = timed(lambda data=data: compress(data))
        if zlib.decompress(ours) != data:
            raise AssertionError(name)
        print(
            f"{name:30} {len(data):8} {len(theirs):8} {len(ours):8} "
            f"{len(ours) / len(theirs) - 1:+7.2%} {1000 * their_time:8.1f} {1000 * our_time:8.1f}"
        )


if __name__ == "__main__":
    main()
