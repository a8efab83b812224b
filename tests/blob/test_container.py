"""The container byte by byte: accepted and refused values, at their exact limits."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import pytest

from cases import each_case
from exporter.blob import Chunk, read_container, with_chunk, write_container
from exporter.codecs import Limits
from exporter.model.errors import BlobError

HEADER_BYTES, ENTRY_BYTES = 24, 32
CHUNKS = [
    Chunk("LEVL", 21, b"first"),
    Chunk("CELL", 16, b"", 1, 2, 3, 4, 255, 65535, 5, 6),
    Chunk("more", 255, b"last one", 255, 65535, 65535, 65535, 1, 2, 65534, 65534),
]


def bare(count: int, payloads: int, *entries: bytes, **header: int) -> bytes:
    """Return a container of any directory, with right checksums.

    `header` may replace `major`, `minor`, `flags`, `count` and `length`.
    """
    directory = b"".join(entries)
    length = HEADER_BYTES + len(directory) + payloads
    head = b"\x8fLVB\r\n\x1a\n" + struct.pack(
        "<BBHII",
        header.get("major", 1),
        header.get("minor", 0),
        header.get("flags", 0),
        header.get("count", count),
        header.get("length", length),
    )
    check = zlib.crc32(directory, zlib.crc32(head))
    return head + struct.pack("<I", check) + directory + bytes(payloads)


def entry(offset: int, length: int, name: bytes = b"LEVL") -> bytes:
    """Return a directory entry of a payload of zeros."""
    check = zlib.crc32(bytes(length))
    return name + struct.pack("<BBHHHIII", 21, 255, 0, 0, 0, offset, length, check) + bytes(8)


def test_chunks_come_back_in_their_order_with_every_number() -> None:
    container = read_container(write_container(CHUNKS))
    assert len(container) == 3
    assert [container.load(index) for index in range(3)] == CHUNKS
    assert [chunk.payload for chunk in container] == [b"", b"", b""]
    assert [container.stored_length(index) for index in range(3)] == [5, 0, 8]


def test_the_bytes_are_those_of_the_format() -> None:
    data = write_container(CHUNKS)
    assert data[:8].hex() == "8f4c56420d0a1a0a"
    assert struct.unpack_from("<BBHII", data, 8) == (1, 0, 0, 3, len(data))
    start = HEADER_BYTES + 3 * ENTRY_BYTES
    assert struct.unpack_from("<4sBBHHHIIIHHHH", data, HEADER_BYTES + ENTRY_BYTES) == (
        *(b"CELL", 16, 1, 2, 3, 4),
        *(start + 5, 0, zlib.crc32(b""), 255, 65535, 5, 6),
    )
    assert data[start:] == b"firstlast one"


def test_chunks_are_detected_by_type_level_and_item() -> None:
    chunks = [
        Chunk("CELL", 0, b"", level=level, item=item, cell=cell)
        for level in (0, 1)
        for item in (0, 1)
        for cell in (0, 1)
    ]
    container = read_container(write_container(chunks))
    assert container.find("CELL", 1, 0) == [4, 5]
    assert container.find("CELL", 0, 1) == [2, 3]
    assert container.find("CELL", 1) == container.find("CELL", 1, 0)
    assert container.find("WALK", 0) == container.find("CELL", 2) == []


def test_a_chunk_says_whether_it_may_be_skipped() -> None:
    assert Chunk("xtra", 0, b"").ancillary
    assert Chunk("xTRA", 0, b"").ancillary
    assert not Chunk("Xtra", 0, b"").ancillary


@each_case(
    "change",
    [
        {"codec": 256},
        {"codec": -1},
        {"element": 256},
        {"level": 65536},
        {"item": 65536},
        {"cell": 65536},
        {"width": 65536},
        {"height": 65536},
        {"side": 65536},
        {"prior": 65536},
    ],
)
def test_a_number_that_does_not_fit_its_field_is_refused(change: dict[str, Any]) -> None:
    field, value = next(iter(change.items()))
    fits = {"codec": 255, "element": 255}.get(field, 65535)
    given = {"type": "CELL", "codec": 0, "payload": b""}
    write_container([Chunk(**{**given, field: fits})])
    with pytest.raises(ValueError, match="chunk CELL does not fit the blob format"):
        write_container([Chunk(**{**given, field: value})])


def test_a_container_of_no_chunks_is_one() -> None:
    assert len(read_container(write_container([]))) == 0


def test_trailing_bytes_are_refused_whether_or_not_the_length_says_them() -> None:
    data = write_container(CHUNKS)
    for more in (b"\0", b"\0" * 1000, data):
        with pytest.raises(BlobError, match=f"declares {len(data)} bytes, but has"):
            read_container(data + more)
    with pytest.raises(BlobError, match="declares"):
        read_container(bare(0, 0, length=25))
    with pytest.raises(BlobError, match="declares"):
        read_container(bare(0, 0, length=23))


@each_case("length", [0, 7, 8, 23])
def test_less_than_a_header_is_no_blob(length: int) -> None:
    with pytest.raises(BlobError, match="not a level blob"):
        read_container(write_container([])[:length])


@each_case("bit", range(64))
def test_every_bit_of_the_signature_counts(bit: int) -> None:
    data = bytearray(write_container([]))
    data[bit >> 3] ^= 1 << (bit & 7)
    with pytest.raises(BlobError, match="not a level blob"):
        read_container(bytes(data))


def test_other_major_versions_are_refused_and_all_minor_ones_are_read() -> None:
    for major in (0, 2, 255):
        with pytest.raises(BlobError, match=rf"version {major} cannot be read \(known: 1;"):
            read_container(bare(0, 0, major=major))
    for minor in (0, 1, 255):
        assert len(read_container(bare(0, 0, minor=minor))) == 0


@each_case("bit", range(16))
def test_flags_of_the_low_byte_are_refused_and_those_of_the_high_byte_ignored(bit: int) -> None:
    data = bare(0, 0, flags=1 << bit)
    if bit < 8:
        with pytest.raises(BlobError, match="features that this version cannot read"):
            read_container(data)
    else:
        assert len(read_container(data)) == 0


def test_more_chunks_than_fit_or_are_allowed_are_refused() -> None:
    start = HEADER_BYTES + 2 * ENTRY_BYTES
    two = bare(2, 0, entry(start, 0), entry(start, 0))
    assert len(read_container(two, Limits(chunks=2))) == 2
    with pytest.raises(BlobError, match="more than its bytes can hold"):
        read_container(two, Limits(chunks=1))
    with pytest.raises(BlobError, match="more than its bytes can hold"):
        read_container(bare(3, 0, entry(start, 0), entry(start, 0)))
    # One byte less than a third entry would need.
    with pytest.raises(BlobError, match="more than its bytes can hold"):
        read_container(bare(3, ENTRY_BYTES - 1, entry(start, 0), entry(start, 0)))


@each_case("name", [b"LEV1", b"LEV ", b"LE\0L", b"L\xc9VL", b"____"])
def test_a_type_of_other_than_letters_is_refused(name: bytes) -> None:
    start = HEADER_BYTES + ENTRY_BYTES
    with pytest.raises(BlobError, match="chunk 0 has an invalid name"):
        read_container(bare(1, 0, entry(start, 0, name)))


START = HEADER_BYTES + 2 * ENTRY_BYTES


@each_case(
    ("first", "second", "good"),
    [
        ((START, 4), (START + 4, 6), True),
        ((START, 0), (START, 10), True),
        ((START, 2), (START + 7, 3), True),  # a gap belongs to no chunk
        ((START + 9, 0), (START + 10, 0), True),
        ((START, 4), (START + 4, 7), False),  # beyond the end
        ((START, 4), (START + 11, 0), False),
        ((START, 4), (START + 3, 4), False),  # over the one before
        ((START - 1, 4), (START + 4, 6), False),  # over the directory
        ((0, 0), (START, 4), False),
        ((START + 5, 5), (START, 5), False),  # not ascending
        ((START, 4), (START, 4), False),  # twice the same
        ((START, 4), (2**32 - 1, 1), False),
        ((START, 2**32 - 1), (START + 4, 6), False),
    ],
)
def test_payloads_lie_in_order_apart_and_inside(
    first: tuple[int, int], second: tuple[int, int], good: bool
) -> None:
    entries = []
    for offset, length in (first, second):
        check = zlib.crc32(bytes(min(length, 10)))
        numbers = struct.pack("<BBHHHIII", 21, 255, 0, 0, 0, offset, length, check)
        entries.append(b"LEVL" + numbers + bytes(8))
    data = bare(2, 10, *entries)
    if good:
        container = read_container(data)
        assert [len(container.load(index).payload) for index in (0, 1)] == [first[1], second[1]]
    else:
        with pytest.raises(BlobError, match="is outside the file or overlaps another chunk"):
            read_container(data)


def test_damage_of_the_directory_is_reported_at_once_and_that_of_a_payload_when_it_is_read() -> (
    None
):
    data = bytearray(write_container(CHUNKS))
    data[HEADER_BYTES + 6] ^= 1
    with pytest.raises(BlobError, match="damaged directory"):
        read_container(bytes(data))
    data[HEADER_BYTES + 6] ^= 1
    data[9] ^= 1  # the minor version, which may be anything but is under the checksum
    with pytest.raises(BlobError, match="damaged directory"):
        read_container(bytes(data))
    data[9] ^= 1
    data[-1] ^= 1
    container = read_container(bytes(data))
    assert container.load(0).payload == b"first"
    with pytest.raises(BlobError, match=r"damaged chunk 2 \(more\)"):
        container.load(2)


def test_one_more_chunk_comes_after_the_others_and_changes_none() -> None:
    before = [Chunk("LEVL", 21, b"one"), Chunk("CELL", 3, b"two", 1, width=4, height=5)]
    more = read_container(with_chunk(write_container(before), Chunk("gdsc", 0, b"scene")))
    assert [more.load(index) for index in range(3)] == [*before, Chunk("gdsc", 0, b"scene")]


def test_a_chunk_that_readers_must_know_is_not_added() -> None:
    with pytest.raises(ValueError, match="do not know the chunk GDSC would reject the blob"):
        with_chunk(write_container([]), Chunk("GDSC", 0, b""))
