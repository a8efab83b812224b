"""Read and write the container of a blob: a directory, then chunks.

    offset  bytes
    0       8      signature 8F 4C 56 42 0D 0A 1A 0A (catches 7-bit, CR-LF and Ctrl-Z damage)
    8       1, 1   major version (must match), minor version (may be newer)
    10      2      flags: unknown bits in the low byte refuse the file, in the high byte do not
    12      4      number of chunks
    16      4      length of the file
    20      4      CRC-32 of bytes 0 to 19 and the directory
    24      32 n   directory
            rest   payloads, in the order of the directory, never overlapping

All numbers are little-endian and unsigned. The design follows PNG (signature, critical and
ancillary chunk names), KTX2 (index with raw sizes) and Zarr shards (index with its own checksum).
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import replace

from exporter.codecs.codec import Limits
from exporter.model.errors import BlobError
from exporter.model.lazy_dataclass import dataclass

SIGNATURE = b"\x8fLVB\r\n\x1a\n"
MAJOR, MINOR = 1, 0
HEADER = struct.Struct("<8sBBHIII")
ENTRY = struct.Struct("<4sBBHHHIIIHHHH")
NONE = 0xFFFF
# The element code of chunks that hold values instead of cells.
VALUES = 0xFF
_REFUSED_FLAGS = 0x00FF


@dataclass(frozen=True, slots=True)
class Chunk:
    """A chunk of a blob: its payload, and what in a level it stores.

    Attributes:
        type: Four ASCII letters. If the first is lower case, readers that do not know the type skip
            the chunk.
        codec: The number of the codec.
        payload: The stored bytes.
        element: The code of the element type; 255 for values.
        level: The index of its level in a pack.
        item: The index of its layer, or of another thing of this type.
        cell: The index of its part of that layer, row by row.
        width: The number of columns of this part.
        height: The number of rows of this part.
        side: The index of the layer whose cells the codec also reads; 65535 for none.
        prior: The index of the part, of the same layer, that the codec continues; 65535 for none.
    """

    type: str
    codec: int
    payload: bytes
    element: int = VALUES
    level: int = 0
    item: int = 0
    cell: int = 0
    width: int = 0
    height: int = 0
    side: int = NONE
    prior: int = NONE

    @property
    def ancillary(self) -> bool:
        """Whether readers may skip the chunk if they do not know its type."""
        return self.type[0].islower()


@dataclass(frozen=True, slots=True)
class _Location:
    """The position and the checksum of a chunk's payload."""

    offset: int
    length: int
    check: int


class Container:
    """The chunks of a blob; each payload is checked when it is loaded."""

    def __init__(self, data: bytes, chunks: list[Chunk], places: list[_Location]) -> None:
        self._data = data
        self._chunks = chunks
        self._places = places
        self._index: dict[tuple[str, int, int], list[int]] = {}
        self._levels: dict[int, list[int]] = {}
        for position, chunk in enumerate(chunks):
            self._index.setdefault((chunk.type, chunk.level, chunk.item), []).append(position)
            self._levels.setdefault(chunk.level, []).append(position)

    def __len__(self) -> int:
        return len(self._chunks)

    def __iter__(self) -> Iterator[Chunk]:
        """Yield every chunk of the directory, without its payload."""
        return iter(self._chunks)

    def find(self, name: str, level: int, item: int = 0) -> list[int]:
        """Return the indices of the chunks of type `name` of one item, in order.

        `level` is the index of the level in a pack, `item` that of the layer or another thing of
        this type.
        """
        return self._index.get((name, level, item), [])

    def of_level(self, level: int) -> list[int]:
        """Return the indices of all chunks of the level `level`, in file order."""
        return self._levels.get(level, [])

    def entry(self, index: int) -> Chunk:
        """Return chunk number `index` without its payload."""
        return self._chunks[index]

    def stored_length(self, index: int) -> int:
        """Return the length in bytes of the payload of chunk `index`."""
        return self._places[index].length

    def load(self, index: int) -> Chunk:
        """Return chunk number `index` with its payload.

        Raises:
            BlobError: The payload is damaged.
        """
        position = self._places[index]
        payload = self._data[position.offset : position.offset + position.length]
        if zlib.crc32(payload) != position.check:
            chunk = self._chunks[index]
            raise BlobError(
                f"damaged chunk {index} ({chunk.type}): the checksum does not match (export or "
                "copy the file again)"
            )
        return replace(self._chunks[index], payload=payload)


def write_container(chunks: Iterable[Chunk]) -> bytes:
    """Return the bytes of a blob with `chunks`, in this order.

    Raises:
        ValueError: A number does not fit its field.
    """
    listed = list(chunks)
    offset = HEADER.size + ENTRY.size * len(listed)
    directory = bytearray()
    for chunk in listed:
        try:
            directory += ENTRY.pack(
                chunk.type.encode("ascii"),
                chunk.codec,
                chunk.element,
                chunk.level,
                chunk.item,
                chunk.cell,
                offset,
                len(chunk.payload),
                zlib.crc32(chunk.payload),
                chunk.width,
                chunk.height,
                chunk.side,
                chunk.prior,
            )
        except struct.error as error:
            raise ValueError(f"chunk {chunk.type} does not fit the blob format: {error}") from error
        offset += len(chunk.payload)
    head = struct.pack("<8sBBHII", SIGNATURE, MAJOR, MINOR, 0, len(listed), offset)
    check = zlib.crc32(directory, zlib.crc32(head))
    payloads = b"".join(chunk.payload for chunk in listed)
    return head + struct.pack("<I", check) + bytes(directory) + payloads


def with_chunk(data: bytes, chunk: Chunk) -> bytes:
    """Return the blob `data` with `chunk` added, which readers may skip.

    Raises:
        BlobError: `data` is not a container.
        ValueError: The type of the chunk is one that readers do not skip, or a number does not fit
            its field.
    """
    if not chunk.ancillary:
        raise ValueError(
            f"readers that do not know the chunk {chunk.type} would reject the blob (begin its "
            "type with a small letter)"
        )
    container = read_container(data)
    return write_container([*(container.load(index) for index in range(len(container))), chunk])


def read_container(data: bytes, limits: Limits | None = None) -> Container:
    """Check the header and directory of the blob `data`; return its container.

    Raises:
        BlobError: The data is not a container, is damaged, or is too new.
    """
    limits = limits or Limits()
    count = _read_header(data, limits)
    chunks, places = [], []
    end = HEADER.size + ENTRY.size * count
    for index in range(count):
        chunk, position = _read_entry(data, index)
        # Ascending and apart: overlapping ranges are how compact archive bombs are built.
        if position.offset < end or position.length > len(data) - position.offset:
            raise BlobError(
                f"chunk {index} ({chunk.type}) is outside the file or overlaps another chunk"
            )
        end = position.offset + position.length
        chunks.append(chunk)
        places.append(position)
    return Container(data, chunks, places)


def _read_header(data: bytes, limits: Limits) -> int:
    if len(data) < HEADER.size or data[:8] != SIGNATURE:
        raise BlobError("not a level blob")
    _, major, _, flags, count, length, check = HEADER.unpack_from(data)
    if major != MAJOR:
        raise BlobError(
            f"blob version {major} cannot be read (known: {MAJOR}; update the exporter)"
        )
    if flags & _REFUSED_FLAGS:
        raise BlobError(
            f"the blob needs features that this version cannot read (flags {flags:#06x}; update "
            "the exporter)"
        )
    if length != len(data):
        raise BlobError(f"the blob declares {length} bytes, but has {len(data)}")
    if count > limits.chunks or HEADER.size + ENTRY.size * count > len(data):
        raise BlobError(f"the blob declares {count} chunks, more than its bytes can hold")
    directory = data[HEADER.size : HEADER.size + ENTRY.size * count]
    if zlib.crc32(directory, zlib.crc32(data[: HEADER.size - 4])) != check:
        raise BlobError("damaged directory: the checksum does not match")
    return int(count)


def _read_entry(data: bytes, index: int) -> tuple[Chunk, _Location]:
    fields = ENTRY.unpack_from(data, HEADER.size + ENTRY.size * index)
    name, codec, element, level, item, cell, offset, length, check = fields[:9]
    width, height, side, prior = fields[9:]
    if not (name.isascii() and name.isalpha()):
        raise BlobError(f"chunk {index} has an invalid name")
    chunk = Chunk(
        name.decode("ascii"), codec, b"", element, level, item, cell, width, height, side, prior
    )
    return chunk, _Location(offset, length, check)
