"""The package's own reader of zlib streams, against Python's zlib library in all its ways."""

from __future__ import annotations

import hashlib
import zlib
from pathlib import Path

import numpy as np
import pytest

from engine_harness import Mono
from engine_harness.folders import CORE, CSHARP

STRATEGIES = (
    zlib.Z_DEFAULT_STRATEGY, zlib.Z_FILTERED, zlib.Z_HUFFMAN_ONLY, zlib.Z_RLE, zlib.Z_FIXED,
)  # fmt: skip


@pytest.fixture(scope="module")
def inflater(mono: Mono, tmp_path_factory: pytest.TempPathFactory) -> Path:
    programs = [CSHARP / name for name in ("LevelSummary.cs", "InflateStreams.cs")]
    return mono.compile([*CORE, *programs], tmp_path_factory.mktemp("inflate") / "inflate.exe")


def inflate(mono: Mono, inflater: Path, streams: list[tuple[int, bytes]]) -> list[str]:
    lines = "".join(f"{length} {stream.hex()}\n" for length, stream in streams)
    return mono.run(inflater, stdin=lines).splitlines()


def texts() -> list[bytes]:
    random = np.random.default_rng(1)
    return [
        b"a",
        b"abc" * 40,
        bytes(70000),
        random.bytes(5000),
        random.integers(0, 3, 30000, np.uint8).tobytes(),
        (random.normal(size=20000) * 12).astype(np.int8).tobytes(),
        bytes(range(256)) * 130,
    ]


def deflated(text: bytes, level: int, strategy: int, window: int = 15) -> bytes:
    engine = zlib.compressobj(level, zlib.DEFLATED, window, 9, strategy)
    half = engine.compress(text[: len(text) // 2]) + engine.flush(zlib.Z_FULL_FLUSH)
    return half + engine.compress(text[len(text) // 2 :]) + engine.flush()


def test_every_kind_of_block_is_inflated(mono: Mono, inflater: Path) -> None:
    streams, digests = [], []
    for text in texts():
        for level in (0, 1, 6, 9):
            for strategy in STRATEGIES:
                streams.append((len(text), deflated(text, level, strategy)))
                digests.append(hashlib.sha256(text).hexdigest())
        streams.append((len(text), deflated(text, 9, 0, 9)))
        digests.append(hashlib.sha256(text).hexdigest())
    assert inflate(mono, inflater, streams) == digests


def test_streams_of_another_length_or_with_damage_are_refused(mono: Mono, inflater: Path) -> None:
    random = np.random.default_rng(2)
    streams: list[tuple[int, bytes]] = []
    for text in texts():
        for level in (0, 9):
            stream = deflated(text, level, 0)
            streams += [(len(text) + 1, stream), (len(text) - 1, stream)]
            streams += [(len(text), stream + b"\0"), (len(text), stream[:-1])]
            streams += [(len(text), b"\0" + stream), (len(text), stream[:-4])]
            for _ in range(20):
                damaged = bytearray(stream[: 400 + int(random.integers(400))])
                damaged[int(random.integers(len(damaged)))] ^= 1 << int(random.integers(8))
                if zlib_refuses(bytes(damaged)):
                    streams.append((len(text), bytes(damaged)))
    assert set(inflate(mono, inflater, streams)) == {"refused"}


def zlib_refuses(stream: bytes) -> bool:
    try:
        zlib.decompress(stream)
    except zlib.error:
        return True
    return False
