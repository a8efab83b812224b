"""Blobs with damage of every kind: bytes, payloads and the directory."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from exporter.blob import Chunk, read_container, write_container
from exporter.blob.container import ENTRY, HEADER

# Values of the fields of a directory, of which most fit no chunk.
FIELDS = {
    "codec": (*range(40), 255),
    "element": (0, 1, 2, 3, 4, 254, 255),
    "level": (1, 65535),
    "item": (0, 1, 2, 77, 65535),
    "cell": (0, 1, 65535),
    "width": (0, 1, 255, 65535),
    "height": (0, 1, 257, 65535),
    "side": (0, 1, 2, 77),
    "prior": (0, 1, 5, 77),
}


def loaded(blob: bytes) -> list[Chunk]:
    """Return all chunks of a blob with their payloads."""
    container = read_container(blob)
    return [container.load(index) for index in range(len(container))]


def resealed(blob: bytearray) -> bytes:
    """Return the blob with a directory checksum that is right again."""
    directory = blob[HEADER.size : HEADER.size + ENTRY.size * chunk_count(blob)]
    check = zlib.crc32(directory, zlib.crc32(blob[: HEADER.size - 4]))
    struct.pack_into("<I", blob, HEADER.size - 4, check)
    return bytes(blob)


def chunk_count(blob: bytes | bytearray) -> int:
    """Return how many chunks the header names."""
    return int(struct.unpack_from("<I", blob, 12)[0])


def cut_and_flipped(whole: bytes) -> Iterator[bytes]:
    """Yield beginnings of a blob, and the blob with one bit changed."""
    for length in range(0, len(whole), max(1, len(whole) // 60)):
        yield whole[:length]
    for index in range(0, len(whole), max(1, len(whole) // 250)):
        changed = bytearray(whole)
        changed[index] ^= 1 << index % 8
        yield bytes(changed)


def damaged_payloads(whole: bytes, count: int = 120) -> Iterator[bytes]:
    """Yield blobs with valid checksums and one damaged payload."""
    chunks, random = loaded(whole), np.random.default_rng(7)
    for turn in range(count):
        index = turn % len(chunks)
        payload = bytearray(chunks[index].payload)
        for _ in range(int(random.integers(1, 4)) if payload else 0):
            # Heads are short, and matter most.
            reach = len(payload) if random.random() < 0.5 else min(len(payload), 24)
            payload[int(random.integers(reach))] = int(random.integers(256))
        if random.random() < 0.25:
            del payload[int(random.integers(len(payload) + 1)) :]
        elif random.random() < 0.15:
            payload += b"\0"
        broken = replace(chunks[index], payload=bytes(payload))
        yield write_container([*chunks[:index], broken, *chunks[index + 1 :]])


def wrong_directories(whole: bytes) -> Iterator[bytes]:
    """Yield blobs with a changed or reordered directory."""
    chunks = loaded(whole)
    for field, values in FIELDS.items():
        for value in values:
            for index in sorted({0, 1, 2, len(chunks) - 1} & {*range(len(chunks))}):
                changed = list(chunks)
                changed[index] = replace(chunks[index], **{field: value})
                yield write_container(changed)
    for first in range(min(len(chunks), 20)):
        swapped = list(chunks)
        swapped[first], swapped[-1 - first] = swapped[-1 - first], swapped[first]
        yield write_container(swapped)


def damaged_entries(whole: bytes, count: int = 300) -> Iterator[bytes]:
    """Yield blobs with one byte of the directory changed, under a right checksum."""
    random = np.random.default_rng(11)
    for turn in range(count):
        blob = bytearray(whole)
        at = HEADER.size + ENTRY.size * (turn % chunk_count(whole))
        blob[at + int(random.integers(ENTRY.size))] = int(random.integers(256))
        yield resealed(blob)


def misplaced_payloads(whole: bytes) -> Iterator[bytes]:
    """Yield blobs with a payload outside of the file or over another one."""
    for index in range(chunk_count(whole)):
        at = HEADER.size + ENTRY.size * index + 12
        offset, length = struct.unpack_from("<II", whole, at)
        others = (0, 8, HEADER.size, offset - 1, len(whole), 0x7FFFFFFF, 0xFFFFFFFF)
        lengths = (len(whole), 0x7FFFFFFF, 0xFFFFFFFF, 0x100000000 - offset)
        for field in [(other, length) for other in others] + [(offset, item) for item in lengths]:
            changed = bytearray(whole)
            struct.pack_into("<II", changed, at, *field)
            yield resealed(changed)
