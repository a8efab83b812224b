"""Hostile values in the Unity reader, under Mono.

Each blob is refused with the reader's own exception or gives exactly its values; none crashes,
hangs or asks for memory without bound. All blobs of a test go through one process: an exception of
another kind would end it.
"""

from __future__ import annotations

import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from damaged_blobs import loaded
from engine_harness import Mono
from engine_harness.breakers import break_in_csharp, compile_breaker
from engine_harness.folders import VECTORS
from exporter.blob import Chunk, write_container
from exporter.blob.values import NUMBER, encode_values


@pytest.fixture(scope="module")
def breaker(mono: Mono, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compile_breaker(mono, tmp_path_factory.mktemp("breaker"))


def break_blobs(mono: Mono, breaker: Path, blobs: list[bytes]) -> list[str]:
    """Return `error`, `same` or `other` for each blob but the first, which is whole."""
    return break_in_csharp(mono, breaker, blobs)[1:]


def described(**layer: object) -> Chunk:
    """Return a `LEVL` chunk with one layer."""
    fields = {
        "name": "ground", "kind": "tiles", "size": [40, 21], "generator": "", "version": 1,
        "tiles": [], "walkable": None, "heights": None, "complete": True, "report": {},
        "rooms": [], "certificate": None, "grid_aligned": True, "role": "play", "connections": [],
        "masks": [], **layer,
    }  # fmt: skip
    level = {
        "name": "hostile", "width": 40, "height": 21, "seed": 0, "rng": "portable",
        "visibility_layer": None, "properties": {}, "layers": [fields],
    }  # fmt: skip
    return Chunk("LEVL", NUMBER, encode_values(level))


def test_giant_sizes_are_refused_before_anything_is_allocated(mono: Mono, breaker: Path) -> None:
    good = write_container([described(), Chunk("CELL", 2, b"\1\0", 1, width=40, height=21)])
    blobs = [
        write_container([described(size=size), Chunk("CELL", 2, b"\1\0", 1, width=w, height=h)])
        for size, w, h in (
            ([65535, 65535], 65535, 65535),
            ([1 << 23, 1 << 23], 0, 0),
            ([-1, 5], 65535, 5),
            ([1 << 40, 1], 0, 1),
            ([20000, 20000], 256, 256),
            ([40, 21.5], 40, 21),
        )
    ]
    assert set(break_blobs(mono, breaker, [good, *blobs])) == {"error"}


def test_a_wide_open_level_of_a_few_bytes_is_still_read(mono: Mono, breaker: Path) -> None:
    side = [256] * 7 + [208]
    cells = [
        Chunk("CELL", 2, b"\1\0", 1, cell=row * 8 + column, width=side[column], height=side[row])
        for row in range(8)
        for column in range(8)
    ]
    blob = write_container([described(size=[2000, 2000]), *cells])
    assert len(blob) < 4000
    assert break_blobs(mono, breaker, [blob, blob]) == ["same"]


def test_hostile_values_stop_at_a_limit(mono: Mono, breaker: Path) -> None:
    deep: object = 0
    for _ in range(60):
        deep = [deep]
    good = write_container(
        [described(report={"deep": deep}), Chunk("CELL", 2, b"\1\0", 1, width=40, height=21)]
    )
    random = np.random.default_rng(3)
    level = described(tiles=[{"id": 1, "name": "x", "walkable": True, "opaque": False,
                              "color": "#ffffff"}] * 50)  # fmt: skip
    payloads = [b"", b"\0" * 50, b"\xff" * 50, level.payload[:40] + b"\0" * 200]
    payloads += [random.bytes(int(random.integers(1, 400))) for _ in range(150)]
    payloads += [level.payload[:20] + random.bytes(3000) for _ in range(50)]
    blobs = [
        write_container([Chunk("LEVL", 21, payload), *loaded(good)[1:]]) for payload in payloads
    ]
    assert set(break_blobs(mono, breaker, [good, *blobs])) == {"error"}


def test_damaged_json_ends_in_an_answer(mono: Mono, breaker: Path) -> None:
    good = (VECTORS / "data.lvb").read_bytes()
    chunks = loaded(good)
    random = np.random.default_rng(4)
    blobs = []
    for _ in range(300):
        changed = list(chunks)
        index = int(random.choice([0, -3, -2, -1]))
        text = bytearray(zlib.decompress(chunks[index].payload))
        for _ in range(int(random.integers(1, 4))):
            text[int(random.integers(len(text)))] = random.choice(
                list(b'[]{}",:0e-.\\utn \x00\xe9')
            )
        cut = int(random.integers(len(text) + 1)) if random.random() < 0.2 else len(text)
        changed[index] = replace(chunks[index], payload=zlib.compress(bytes(text[:cut])))
        blobs.append(write_container(changed))
    answers = break_blobs(mono, breaker, [good, *blobs])
    assert answers.count("error") > 200


def test_a_long_chain_of_layers_that_follow_from_each_other_is_no_danger(
    mono: Mono, breaker: Path
) -> None:
    layers = 5000
    level = {
        "name": "chain", "width": 2, "height": 1, "seed": 0, "rng": "portable",
        "visibility_layer": None, "properties": {},
        "layers": [
            {
                "name": f"layer {number}", "kind": "tiles", "size": [2, 1], "generator": "",
                "version": 1, "tiles": [], "walkable": None, "heights": None, "complete": True,
                "report": {}, "rooms": [], "certificate": None, "grid_aligned": True,
                "role": "play", "connections": [], "masks": [],
            }
            for number in range(layers)
        ],
    }  # fmt: skip
    payload = encode_values(level)
    cells = [
        Chunk("CELL", 0, b"\1\2", 1, item=item, width=2, height=1, side=item - 1 if item else 65535)
        for item in range(layers - 1, -1, -1)
    ]
    blob = write_container([Chunk("LEVL", NUMBER, payload), *cells])
    assert break_blobs(mono, breaker, [blob, blob]) == ["same"]
