"""Report the chunks of a blob or frame, or the entropy of any bytes.

Each chunk is listed with its codec, its size, its bits per symbol, and the order-0 bound: the bits
per symbol of an ideal code that codes symbols one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, field, replace
from typing import Any

import numpy as np

from exporter.blob import GODOT_SCENE, Chunk, Container, read_container, read_pack
from exporter.blob._budget import DecodingBudget
from exporter.blob._grids import parts
from exporter.blob._sight import DerivedSight
from exporter.blob.container import SIGNATURE
from exporter.blob.inspection.byte_entropy import ByteEntropy, Symbol, entropy
from exporter.blob.values import NUMBER as VALUES_CODEC
from exporter.blob.values import inflate_text
from exporter.codecs import Limits, codec_by_number, decode_payload, read_frame
from exporter.codecs.entropy import order_zero_bits
from exporter.codecs.frame import MAGIC
from exporter.model.errors import BlobError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Layer, Level

DERIVE = 32
# Limits of data that is made only to be counted: the tables of visibility of all levels, and the
# array of a frame. Beyond them a row shows no symbols.
COUNTED_SIGHTS = Limits(total=1 << 25, steps=1 << 26)
COUNTED_FRAME = Limits(cells=1 << 22, total=1 << 24)
VALUES = {"LEVL": "level", "OBJS": "objects", "TABL": "tables", "PUZZ": "puzzles"}
# Number of symbols the text names by default.
SHORT_LIST = 6


@dataclass(frozen=True, slots=True)
class ChunkInspection:
    """Facts about one chunk of a blob, or about a frame's payload.

    Attributes:
        type: The chunk's type; `frame` for a frame.
        name: The name of its layer, or the kind of chunk.
        part: The index of its part of the layer; 0 if the layer is not split.
        codec: The codec's name.
        bytes: The number of stored bytes.
        raw_bytes: The size of the decoded cells in bytes (of the JSON for values, of packed bits
            for visibility).
        symbols: The number of decoded symbols: cells, characters of JSON, pairs of viewer and
            offset.
        bits_per_symbol: 8 * bytes / symbols.
        order_zero_bits_per_symbol: The order-0 bound for the same symbols.
        order_zero_bytes: The order-0 bound in bytes, rounded up.
    """

    type: str
    name: str
    part: int
    codec: str
    bytes: int
    raw_bytes: int
    symbols: int
    bits_per_symbol: float
    order_zero_bits_per_symbol: float
    order_zero_bytes: int


@dataclass(frozen=True, slots=True)
class Inspection:
    """What a file contains: its kind, its chunks and its entropy.

    Attributes:
        kind: `blob`, `frame` or `bytes`.
        entropy: The entropy of all bytes.
        chunks: The chunks of a blob or frame.
        overhead: The size of header and directory in bytes.
        levels: The names of the levels of a blob.
    """

    kind: str
    entropy: ByteEntropy
    chunks: tuple[ChunkInspection, ...] = ()
    overhead: int = 0
    levels: tuple[str, ...] = field(default=())

    def report(self) -> dict[str, Any]:
        """Return the facts as JSON data."""
        result: dict[str, Any] = {
            "kind": self.kind,
            "bytes": self.entropy.size,
            "bits_per_byte": round(self.entropy.bits_per_byte, 4),
            "distinct": self.entropy.distinct,
            "verdict": self.entropy.verdict,
            "symbols": [_symbol_row(symbol) for symbol in self.entropy.symbols],
        }
        if self.kind != "bytes":
            result["levels"] = list(self.levels)
            result["overhead"] = self.overhead
            result["chunks"] = [_rounded(asdict(chunk)) for chunk in self.chunks]
        return result


def inspect_bytes(data: bytes, limits: Limits | None = None) -> Inspection:
    """Report what a blob, frame or other file contains.

    Raises:
        BlobError: The file starts like a blob, but is damaged, hostile or too new.
    """
    data = bytes(data)
    if data.startswith(SIGNATURE):
        return _inspect_blob(data, limits or Limits())
    if data[:1] == bytes((MAGIC,)):
        try:
            return _inspect_frame(data, limits or COUNTED_FRAME)
        except BlobError:
            pass  # any file may begin with that byte
    return Inspection("bytes", entropy(data))


def inspection_text(inspection: Inspection, all_symbols: bool = False) -> str:
    """Format `inspection` as lines of text, without a final line feed.

    `all_symbols` lists every byte value with its probability, not only the most frequent.
    """
    result = inspection.entropy
    lines = [
        f"{inspection.kind}, {result.size:,} bytes, {result.bits_per_byte:.3f} bits per byte, "
        f"{result.distinct} distinct: {result.verdict}",
        *_symbol_lines(result, all_symbols),
    ]
    if inspection.kind == "bytes":
        return "\n".join(lines)
    rows = [("chunk", "of", "codec", "bytes", "bits/symbol", "order-0", "order-0 bytes")]
    rows += [
        (
            chunk.type,
            f"{chunk.name} [{chunk.part}]" if chunk.part else chunk.name,
            chunk.codec,
            f"{chunk.bytes:,}",
            f"{chunk.bits_per_symbol:.4f}",
            f"{chunk.order_zero_bits_per_symbol:.4f}",
            f"{chunk.order_zero_bytes:,}",
        )
        for chunk in inspection.chunks
    ]
    lines += _aligned(rows, 3)
    total = sum(chunk.bytes for chunk in inspection.chunks)
    lines.append(f"{total:,} bytes in chunks, {inspection.overhead:,} of overhead")
    return "\n".join(lines)


def _symbol_lines(result: ByteEntropy, all_symbols: bool) -> list[str]:
    """Return the most frequent byte values on one line, or all in a table."""
    symbols = result.symbols
    if not symbols:
        return []
    if all_symbols:
        rows = [("byte", "symbol", "count", "probability")]
        rows += [
            (
                f"0x{symbol.byte:02x}",
                _byte_text(symbol.byte),
                f"{symbol.count:,}",
                f"{symbol.probability:.6f}",
            )
            for symbol in symbols
        ]
        return _aligned(rows, 2)
    common = ", ".join(
        f"{_byte_text(symbol.byte)} x {symbol.count:,} ({symbol.probability:.1%})"
        for symbol in symbols[:SHORT_LIST]
    )
    more = len(symbols) - SHORT_LIST
    return [f"most frequent: {common}" + (f", {more} more with --all" if more > 0 else "")]


def _aligned(rows: Sequence[tuple[str, ...]], left: int) -> list[str]:
    """Format rows as aligned columns; the first `left` are flush left.

    The other columns are flush right.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if column < left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _inspect_blob(data: bytes, limits: Limits) -> Inspection:
    container = read_container(data, limits)
    levels = read_pack(data, limits)
    grids = [_Grids(level, list(level.layers.values()), _masks(level)) for level in levels]
    budget = DecodingBudget(COUNTED_SIGHTS)
    chunks = tuple(
        _inspect_chunk(container, index, chunk, grids, budget)
        for index, chunk in enumerate(container)
    )
    stored = sum(chunk.bytes for chunk in chunks)
    names = tuple(level.name for level in levels)
    return Inspection("blob", entropy(data), chunks, len(data) - stored, names)


@dataclass(frozen=True, slots=True)
class _Grids:
    """A level, with its layers and masks as their chunks are numbered."""

    level: Level
    layers: list[Layer]
    masks: list[tuple[str, str, Any]]


def _inspect_chunk(
    container: Container, index: int, chunk: Chunk, grids: list[_Grids], sights: DecodingBudget
) -> ChunkInspection:
    size = container.stored_length(index)
    # Readers pass over chunks of levels and layers that do not exist.
    if chunk.level >= len(grids):
        return _unknown(chunk, size)
    of_level = grids[chunk.level]
    level = of_level.level
    label = f"{level.name}: " if len(grids) > 1 else ""
    # Readers take the first of several such chunks.
    if chunk.type in VALUES and container.find(chunk.type, chunk.level)[:1] == [index]:
        text = inflate_text(container.load(index).payload, Limits())
        return _row(chunk, label + VALUES[chunk.type], size, np.frombuffer(text, np.uint8))
    if chunk.type == "VISI" and isinstance(level.visibility, DerivedSight):
        return _visibility_row(chunk, label, size, level.visibility.charged_to(sights))
    if chunk.type == GODOT_SCENE:
        return replace(_unknown(chunk, size), name=f"{label}Godot's scene")
    name, cells = _grid_of(of_level, chunk)
    part = None if cells is None else _cut(cells, chunk.cell)
    return _unknown(chunk, size) if part is None else _row(chunk, label + name, size, part)


def _unknown(chunk: Chunk, size: int) -> ChunkInspection:
    """Return the facts about a chunk whose content is not known."""
    return ChunkInspection(chunk.type, "unknown", 0, str(chunk.codec), size, size, 0, 0.0, 0.0, 0)


def _grid_of(grids: _Grids, chunk: Chunk) -> tuple[str, Any]:
    """Return the name and the cells of the grid that `chunk` stores.

    The cells are None if the level has no such grid.
    """
    if chunk.type in ("CELL", "WALK") and chunk.item < len(grids.layers):
        layer = grids.layers[chunk.item]
        return layer.name, layer.cells if chunk.type == "CELL" else layer.walkable
    if chunk.type == "mask" and chunk.item < len(grids.masks):
        owner, name, mask = grids.masks[chunk.item]
        return f"{owner}: {name}", mask
    visibility = grids.level.visibility
    if chunk.type == "OPAQ" and visibility is not None:
        return "opaque", visibility.opaque
    return "", None


def _masks(level: Level) -> list[tuple[str, str, Any]]:
    """Return (layer, name, cells) of every mask, in the order of their chunks."""
    return [
        (layer.name, name, mask)
        for layer in level.layers.values()
        for name, mask in layer.masks.items()
    ]


def _visibility_row(chunk: Chunk, label: str, size: int, table: DerivedSight) -> ChunkInspection:
    """Return the facts about a visibility chunk.

    Its symbols are pairs of a cell and an offset: whether the cell sees the cell there.
    """
    name = f"{label}{table.algorithm}, radius {table.radius}"
    viewers = int((~table.opaque).sum())
    try:
        offsets = len(table.offsets) * (2 if table.mutual else 1)
    except BlobError:
        # The table is over the limits. The rule is all that the chunk has to say.
        return _chunk_row(chunk, name, size, 0, 0, 0.0)
    seen = int(table.count[~table.opaque].sum()) - viewers
    bound = order_zero_bits(np.array([seen, viewers * offsets - seen]))
    return _chunk_row(chunk, name, size, (viewers * offsets + 7) // 8, viewers * offsets, bound)


def _cut(cells: Any, part: int) -> Any:
    """Return the part of `cells` with the index `part`; None without one."""
    columns, rows = parts(cells.shape[1]), parts(cells.shape[0])
    if part >= len(columns) * len(rows):
        return None
    left, width = columns[part % len(columns)]
    top, height = rows[part // len(columns)]
    return cells[top : top + height, left : left + width]


def _row(chunk: Chunk, name: str, size: int, symbols: Any) -> ChunkInspection:
    return _chunk_row(chunk, name, size, symbols.nbytes, symbols.size, _order_zero_bits(symbols))


def _order_zero_bits(symbols: Any) -> float:
    if symbols.itemsize == 1:
        return order_zero_bits(entropy(np.ascontiguousarray(symbols)).counts)
    return order_zero_bits(np.unique(symbols, return_counts=True)[1])


def _chunk_row(
    chunk: Chunk, name: str, size: int, raw: int, symbols: int, bound: float
) -> ChunkInspection:
    names = {} if chunk.type == "frame" else {DERIVE: "derive", VALUES_CODEC: "json"}
    codec = names.get(chunk.codec) or codec_by_number(chunk.codec).name
    return ChunkInspection(
        chunk.type,
        name,
        chunk.cell,
        codec,
        size,
        raw,
        symbols,
        8 * size / max(1, symbols),
        bound / max(1, symbols),
        _whole_bytes(bound),
    )


def _inspect_frame(data: bytes, limits: Limits) -> Inspection:
    header, payload = read_frame(data)
    chunk = Chunk("frame", header.codec, b"")
    name = f"{header.dtype.name} {' x '.join(map(str, header.shape))}"
    try:
        limits.check(header.shape, header.dtype)
    except BlobError:
        row = _chunk_row(chunk, name, len(payload), 0, 0, 0.0)
    else:
        cells = decode_payload(header.codec, payload, header.shape, header.dtype)
        row = _row(chunk, name, len(payload), cells)
    return Inspection("frame", entropy(data), (row,), header.payload_at)


def _whole_bytes(bits: float) -> int:
    return -int(-bits // 8)


def _rounded(row: dict[str, Any]) -> dict[str, Any]:
    return {
        key: round(value, 6) if isinstance(value, float) else value for key, value in row.items()
    }


def _symbol_row(symbol: Symbol) -> dict[str, Any]:
    return {"byte": symbol.byte, "count": symbol.count, "probability": round(symbol.probability, 9)}


def _byte_text(byte: int) -> str:
    return repr(chr(byte)) if 32 <= byte < 127 else f"0x{byte:02x}"
