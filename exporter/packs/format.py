"""Define the bytes of a pack's file, and write and read them.

    offset  bytes
    0       8      signature 8F 4C 56 50 0D 0A 1A 0A
    8       1, 1   major version (must match), minor version (may be newer)
    10      2      flags: unknown bits in the low byte refuse the file, in the high byte do not
    12      4      number of levels n, at most 1,048,576
    16      4, 4   bytes of the shared part, bytes of the columns
    24      4      length of the file
    28      4      CRC-32 of bytes 0 to 27
    32             the shared part: a blob container with one chunk of values, PACK
                   the columns: a blob container with a chunk `colm` for each column
            4 n+4  where each record begins, ascending, and the end of the last: that of the file
                   the records

All numbers are little-endian and unsigned. A record has the CRC-32 of its level's number (4 bytes)
and of all that follows; the bits of its texts, by the shapes of the shared part; and the payloads
of its grids. It unpacks to the blob of its level (`exporter.blob`), so whatever reads a blob reads
a level of a pack, within the same limits.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from exporter.blob import Chunk, Container, read_container, write_container
from exporter.blob.values import NUMBER, decode_values, encode_values, inflate_text
from exporter.codecs import Limits
from exporter.deflate import compress
from exporter.model.errors import BlobError
from exporter.model.lazy_dataclass import dataclass
from exporter.packs.columns import Column, decode_column, encode_column
from exporter.packs.shapes import Bits, Field, Observed, Shape, ShapeReader, packed

SIGNATURE = b"\x8fLVP\r\n\x1a\n"
MAJOR, MINOR = 1, 0
HEADER = struct.Struct("<8sBBHIIIII")
MOST_LEVELS = 1 << 20
_REFUSED_FLAGS = 0x00FF
_OFFSET = struct.Struct("<I")
_SHARED, _COLUMN = "PACK", "colm"
# The fields of a directory's entry after its type: those of a chunk, and the payload's length.
_ENTRY_FIELDS = ("codec", "element", "item", "cell", "width", "height", "side", "prior", "length")

# Returns, for an offset and a length, so many bytes of the file; fewer at its end.
Read = Callable[[int, int], bytes]


def encode_pack(
    name: str,
    blobs: Sequence[bytes],
    columns: Mapping[str, Mapping[str, Sequence[Any]]],
    cells: int = 1,
) -> bytes:
    """Encode a pack, many levels in one file.

    Args:
        name: The name of the pack.
        blobs: The blob of each level, as `write_blob` returns it.
        columns: The columns by group (`seeds`, `parameters`, `metrics`) and name, each with one
            value for each level.
        cells: The number of cells of a level; values that are shares of cells then take fewer
            bytes.

    Raises:
        ValueError: The pack has too many levels or bytes, or what its blobs have in common does not
            fit the limits of a blob's values.
    """
    directory, shapes = Observed(), dict[str, Observed]()
    for blob in blobs:
        entries, trees, _ = _parse_blob(blob)
        directory.add(entries)
        for kind, tree in trees:
            shapes.setdefault(kind, Observed()).add(tree)
    described: list[Column] = []
    chunks = []
    for group, named in columns.items():
        for column, values in named.items():
            description, data = encode_column(column, values, cells)
            chunks.append(Chunk(_COLUMN, 0, data, item=len(described)))
            described.append({"group": group, **description})
    shared = {
        "name": name,
        "directory": directory.shape() if blobs else "[]",
        "shapes": {kind: observed.shape() for kind, observed in shapes.items()},
        "columns": described,
    }
    records = []
    for number, blob in enumerate(blobs):
        entries, trees, payloads = _parse_blob(blob)
        fields: list[Field] = []
        directory.fields(entries, fields)
        for kind, tree in trees:
            shapes[kind].fields(tree, fields)
        body = packed(fields) + payloads
        records.append(_OFFSET.pack(_check(number, body)) + body)
    first = write_container([Chunk(_SHARED, NUMBER, encode_values(shared, "pack"))])
    return _file(first, write_container(chunks), records)


def _file(shared: bytes, columns: bytes, records: Sequence[bytes]) -> bytes:
    position = HEADER.size + len(shared) + len(columns) + _OFFSET.size * (len(records) + 1)
    offsets = [position]
    for record in records:
        offsets.append(offsets[-1] + len(record))
    if len(records) > MOST_LEVELS or offsets[-1] >= 1 << 32:
        raise ValueError(f"the pack is too large (allowed: {MOST_LEVELS:,} levels and 4 GB)")
    numbers = (len(records), len(shared), len(columns), offsets[-1])
    head = HEADER.pack(SIGNATURE, MAJOR, MINOR, 0, *numbers, 0)[:-4]
    table = struct.pack(f"<{len(offsets)}I", *offsets)
    check = _OFFSET.pack(zlib.crc32(head))
    return b"".join([head, check, shared, columns, table, *records])


def _parse_blob(blob: bytes) -> tuple[list[Any], list[tuple[str, Any]], bytes]:
    """Take a blob apart, so that a pack can store its common data only once.

    Return the entry of each chunk, the JSON values with the names of their chunks, and the payloads
    of all other chunks.
    """
    entries: list[Any] = []
    trees: list[tuple[str, Any]] = []
    payloads = []
    container = read_container(blob)
    for index in range(len(container)):
        chunk = container.load(index)
        length = len(chunk.payload)
        if chunk.codec == NUMBER:
            trees.append((chunk.type, json.loads(inflate_text(chunk.payload, Limits()))))
            length = 0
        else:
            payloads.append(chunk.payload)
        entries.append([chunk.type, *(getattr(chunk, name) for name in _ENTRY_FIELDS[:-1]), length])
    return entries, trees, b"".join(payloads)


def _check(number: int, body: bytes) -> int:
    return zlib.crc32(body, zlib.crc32(_OFFSET.pack(number)))


@dataclass(frozen=True, slots=True)
class PackHeader:
    """The checked header of a pack: how many levels, and sizes in bytes.

    Attributes:
        levels: The number of levels.
        shared: Bytes of the shared part, which has what all levels have in common.
        columns: Bytes of the columns.
        length: Bytes of the whole file.
    """

    levels: int
    shared: int
    columns: int
    length: int

    @property
    def columns_at(self) -> int:
        """The offset in the file where the columns begin."""
        return HEADER.size + self.shared

    @property
    def table_at(self) -> int:
        """The offset in the file of the table that states where records begin."""
        return self.columns_at + self.columns


class PackFile:
    """A pack's file, whose levels and columns are read on demand.

    Args:
        read: Returns bytes of the file, given an offset and a length.
        limits: Limits of memory for the data that all levels share, and for one level.

    Raises:
        BlobError: The file is no pack, is damaged, or is too new.
    """

    def __init__(self, read: Read, limits: Limits | None = None) -> None:
        self._read = read
        self._limits = limits or Limits()
        self.header = _read_header(read)
        shared = self._values(self._container(HEADER.size, self.header.shared))
        self.name = _expected(shared, "name", str)
        self.columns: list[Column] = _expected(shared, "columns", list)
        self._directory: Shape = _expected(shared, "directory", (str, dict))
        self._shapes: dict[str, Shape] = _expected(shared, "shapes", dict)
        for column in self.columns:
            _expected(column, "group", str)
            _expected(column, "name", str)

    def column(self, number: int) -> Any:
        """Return the values of the column with this index, one for each level.

        Raises:
            BlobError: The column is damaged, or missing.
        """
        container = self._container(self.header.columns_at, self.header.columns)
        numbers = container.find(_COLUMN, 0, number)
        if not numbers:
            raise BlobError(f"the pack has no column {number}")
        payload = container.load(numbers[0]).payload
        return decode_column(self.columns[number], payload, self.header.levels)

    def blob(self, number: int, deflate: Callable[[bytes], bytes] = compress) -> bytes:
        """Return the blob of level `number`, from 0; read only this level's bytes.

        `deflate` compresses texts to a zlib stream; by default as `write_blob` does.

        Raises:
            BlobError: The level is damaged or over the limits.
        """
        ends = self._read(self.header.table_at + _OFFSET.size * number, 2 * _OFFSET.size)
        first, end = struct.unpack("<II", ends)
        least = self.header.table_at + _OFFSET.size * (self.header.levels + 1)
        if not least <= first <= end - _OFFSET.size <= self.header.length - _OFFSET.size:
            raise BlobError(f"level {number} is outside the pack's bytes")
        if end - first > self._limits.total:
            raise BlobError(f"level {number} is over the limit of {self._limits.total} bytes")
        record = self._read(first, end - first)
        body = record[_OFFSET.size :]
        if len(record) != end - first or _check(number, body) != _OFFSET.unpack_from(record)[0]:
            raise BlobError(f"damaged level {number}: the checksum does not match")
        try:
            return write_container(self._chunks(body, deflate))
        except ValueError as error:
            raise BlobError(f"the level data is damaged: {error}") from error

    def _chunks(self, body: bytes, deflate: Callable[[bytes], bytes]) -> list[Chunk]:
        bits, reader = Bits(body), ShapeReader(self._limits)
        text = zlib.compress(reader.read(self._directory, bits), 0)
        entries = [_entry(item) for item in decode_values(NUMBER, text, self._limits)]
        if len(entries) > self._limits.chunks:
            raise BlobError(f"a level has {len(entries)} chunks (allowed: {self._limits.chunks})")
        texts = [
            deflate(reader.read(_expected(self._shapes, chunk.type, (str, dict)), bits))
            for chunk, _ in entries
            if chunk.codec == NUMBER
        ]
        chunks = []
        at = bits.rest()
        for chunk, length in entries:
            payload = body[at : at + length] if chunk.codec != NUMBER else texts.pop(0)
            at += length
            chunks.append(replace(chunk, payload=payload))
        if at != len(body):
            raise BlobError("the chunks of a level do not have the length of its record")
        return chunks

    def _container(self, offset: int, size: int) -> Container:
        return read_container(self._read(offset, size), self._limits)

    def _values(self, container: Container) -> Any:
        numbers = container.find(_SHARED, 0)
        if not numbers:
            raise BlobError(f"the pack has no chunk {_SHARED}")
        chunk = container.load(numbers[0])
        return decode_values(chunk.codec, chunk.payload, self._limits)


def _read_header(read: Read) -> PackHeader:
    data = read(0, HEADER.size)
    if len(data) < HEADER.size or data[:8] != SIGNATURE:
        raise BlobError("the file is not a level pack")
    _, major, _, flags, levels, shared, columns, length, check = HEADER.unpack(data)
    if major != MAJOR:
        raise BlobError(
            f"pack version {major} cannot be read (known: {MAJOR}; update the exporter)"
        )
    if flags & _REFUSED_FLAGS:
        raise BlobError(
            f"the pack needs features that this version cannot read (flags {flags:#06x}; update "
            "the exporter)"
        )
    if zlib.crc32(data[:-4]) != check:
        raise BlobError("damaged header: the checksum does not match")
    header = PackHeader(levels, shared, columns, length)
    end = header.table_at + _OFFSET.size * (levels + 1)
    if levels > MOST_LEVELS or end > length or len(read(length - 1, 2)) != 1:
        raise BlobError(f"the pack declares {levels} levels, more than its bytes can hold")
    return header


def _entry(fields: Any) -> tuple[Chunk, int]:
    """Return the chunk whose values are stored as the list `fields`.

    The chunk has no payload; the second value is the payload's length.
    """
    if not isinstance(fields, list) or len(fields) != 1 + len(_ENTRY_FIELDS):
        raise BlobError("the level data is damaged: an entry of the directory is malformed")
    name, *numbers = fields
    named = dict(zip(_ENTRY_FIELDS, numbers, strict=True))
    if not isinstance(name, str) or not all(type(n) is int and 0 <= n < 1 << 32 for n in numbers):
        raise BlobError("the level data is damaged: an entry of the directory is malformed")
    length = named.pop("length")
    return Chunk(name, payload=b"", **named), length


def _expected(value: Any, key: str, kind: type | tuple[type, ...]) -> Any:
    if not isinstance(value, dict) or not isinstance(value.get(key), kind):
        raise BlobError(f"broken pack: {key!r} is missing or has the wrong type")
    return value[key]
