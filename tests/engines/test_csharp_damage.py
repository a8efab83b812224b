"""Damaged and hostile blobs in Unity's reader, under Mono: each is refused with the reader's own
exception or gives exactly what was there; none crashes, hangs or asks for memory without bound.

All blobs of a test go through one process: an exception of another kind would end it.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine_harness import Mono
from exporter.blob import Chunk, read_container, write_container
from exporter.blob.container import ENTRY, HEADER
from exporter.blob.values import NUMBER, encode_values

PACKAGE = Path(__file__).parents[2] / "templates" / "unity" / "com.levelexporter.unity"
PROGRAMS = Path(__file__).parent / "csharp"
VECTORS = Path(__file__).parents[1] / "vectors"
SLOWEST_MILLISECONDS = 20_000
MOST_MEGABYTES = 1200


@pytest.fixture(scope="module")
def breaker(mono: Mono, tmp_path_factory: pytest.TempPathFactory) -> Path:
    core = sorted((PACKAGE / "Runtime" / "Core").rglob("*.cs"))
    programs = [PROGRAMS / name for name in ("JsonText.cs", "LevelSummary.cs", "BreakBlobs.cs")]
    folder = tmp_path_factory.mktemp("breaker")
    return mono.compile([*core, *programs], folder / "break.exe")


def break_blobs(mono: Mono, breaker: Path, blobs: list[bytes]) -> list[str]:
    """Return `error`, `same` or `other` for each blob; the first is the whole one."""
    file = breaker.with_suffix(".blobs")
    file.write_bytes(b"".join(struct.pack("<i", len(blob)) + blob for blob in blobs))
    *answers, slowest, peak = mono.run(breaker, file).splitlines()
    assert len(answers) == len(blobs)
    assert int(slowest.removeprefix("slowest ")) < SLOWEST_MILLISECONDS
    assert int(peak.removeprefix("peak ")) < MOST_MEGABYTES
    assert answers[0] != "error" or len(blobs[0]) == 0
    return answers[1:]


def loaded(blob: bytes) -> list[Chunk]:
    container = read_container(blob)
    return [container.load(index) for index in range(len(container))]


def resealed(blob: bytearray) -> bytes:
    """Return the blob with a directory checksum that is right again."""
    count = struct.unpack_from("<I", blob, 12)[0]
    directory = blob[HEADER.size : HEADER.size + ENTRY.size * count]
    check = zlib.crc32(directory, zlib.crc32(blob[: HEADER.size - 4]))
    struct.pack_into("<I", blob, HEADER.size - 4, check)
    return bytes(blob)


@pytest.mark.parametrize("name", ["small-cave", "every-codec", "data"])
def test_cut_and_flipped_bytes_are_refused_or_change_nothing(
    mono: Mono, breaker: Path, name: str
) -> None:
    whole = (VECTORS / f"{name}.lvb").read_bytes()
    damaged = [whole[:length] for length in range(0, len(whole), max(1, len(whole) // 60))]
    for place in range(0, len(whole), max(1, len(whole) // 250)):
        changed = bytearray(whole)
        changed[place] ^= 1 << place % 8
        damaged.append(bytes(changed))
    answers = break_blobs(mono, breaker, [whole, *damaged])
    # A newer minor version and the flags that may be ignored change nothing.
    assert set(answers) <= {"error", "same"}
    assert answers.count("same") <= 4


@pytest.mark.parametrize(
    "name", ["small-cave", "every-codec", "every-menu", "data", "sights-coded"]
)
def test_damage_under_right_checksums_ends_in_an_answer(
    mono: Mono, breaker: Path, name: str
) -> None:
    whole = (VECTORS / f"{name}.lvb").read_bytes()
    chunks = loaded(whole)
    random = np.random.default_rng(7)
    damaged = []
    for _ in range(250):
        changed = list(chunks)
        index = int(random.integers(len(chunks)))
        payload = bytearray(chunks[index].payload)
        for _ in range(int(random.integers(1, 4))):
            if payload:
                # Heads are short, and what they say matters most.
                reach = len(payload) if random.random() < 0.5 else min(len(payload), 24)
                payload[int(random.integers(reach))] = int(random.integers(256))
        cut = int(random.integers(len(payload) + 1)) if random.random() < 0.3 else len(payload)
        changed[index] = replace(chunks[index], payload=bytes(payload[:cut]))
        damaged.append(write_container(changed))
    break_blobs(mono, breaker, [whole, *damaged])


def test_directories_that_lie_are_refused_or_change_nothing(mono: Mono, breaker: Path) -> None:
    whole = (VECTORS / "large.lvb").read_bytes()
    chunks = loaded(whole)
    damaged = []
    for field, values in {
        "codec": (*range(40), 255),
        "element": (0, 1, 2, 3, 4, 254, 255),
        "level": (1, 65535),
        "item": (0, 1, 2, 77, 65535),
        "cell": (0, 1, 65535),
        "width": (0, 1, 255, 65535),
        "height": (0, 1, 257, 65535),
        "side": (0, 1, 2, 77),
        "prior": (0, 1, 5, 77),
    }.items():
        for value in values:
            for index in (0, 1, 2, len(chunks) - 1):
                changed = list(chunks)
                changed[index] = replace(chunks[index], **{field: value})
                damaged.append(write_container(changed))
    for first in range(len(chunks)):
        swapped = list(chunks)
        swapped[first], swapped[-1 - first] = swapped[-1 - first], swapped[first]
        damaged.append(write_container(swapped))
    answers = break_blobs(mono, breaker, [whole, *damaged])
    assert answers.count("error") > len(damaged) // 2


def test_payloads_outside_the_file_or_over_another_are_refused(mono: Mono, breaker: Path) -> None:
    whole = (VECTORS / "small-cave.lvb").read_bytes()
    count = struct.unpack_from("<I", whole, 12)[0]
    damaged = []
    for index in range(count):
        at = HEADER.size + ENTRY.size * index + 12
        offset, length = struct.unpack_from("<II", whole, at)
        for other in (0, 8, HEADER.size, offset - 1, len(whole), 0x7FFFFFFF, 0xFFFFFFFF):
            damaged.append((at, struct.pack("<II", other, length)))
        for other in (len(whole), 0x7FFFFFFF, 0xFFFFFFFF, 0x100000000 - offset):
            damaged.append((at, struct.pack("<II", offset, other)))
    blobs = []
    for at, field in damaged:
        changed = bytearray(whole)
        changed[at : at + 8] = field
        blobs.append(resealed(changed))
    assert set(break_blobs(mono, breaker, [whole, *blobs])) == {"error"}


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
