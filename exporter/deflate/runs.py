"""Compress pictures and grids, with matches at only one distance.

A match always repeats the bytes one pixel (or cell) before, which finds long runs and needs only
operations on whole arrays. Huffman tables are fitted to each block; a block that would not shrink
is written uncompressed.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from exporter.deflate._bits import STORED_LIMIT, pack_bits, stored_blocks
from exporter.deflate._codes import (
    END_OF_BLOCK,
    LENGTH_EXTRA,
    LENGTH_EXTRA_BITS,
    LENGTH_SYMBOL,
    LONGEST_MATCH,
    block_header,
    code_patterns,
    code_widths,
    distance_symbol,
)

SHORTEST_RUN = 4
BLOCK_BYTES = 1 << 21


@dataclass(frozen=True, slots=True, eq=False)
class Tokens:
    """The literals and matches of a deflate block.

    Attributes:
        values: uint16 [n]: a byte, or the length 3..258 of a match.
        matches: bool [n]: which of the values are lengths of matches.
    """

    values: NDArray[np.uint16]
    matches: NDArray[np.bool_]

    @staticmethod
    def joined(parts: list[Tokens]) -> Tokens:
        """Return all tokens of `parts`, one part after the other."""
        return Tokens(
            np.concatenate([part.values for part in parts]),
            np.concatenate([part.matches for part in parts]),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """The tokens of a deflate block, and the original bytes.

    Attributes:
        tokens: The literals and matches.
        pieces: A function that returns the original bytes in pieces; it may be called twice.
        size: The number of original bytes.
    """

    tokens: Tokens
    pieces: Callable[[], Iterable[bytes]]
    size: int


def wrap(blocks: Iterable[Block], distance: int) -> bytes:
    """Return the zlib stream of `blocks`, whose matches look `distance` back.

    `distance` is in bytes. Only one block is held in memory at a time.
    """
    # 0x78: deflate with a 32 KiB window; 0x5e makes the two bytes a multiple of 31.
    out = [b"\x78\x5e"]
    adler = 1
    # Bits not yet written: fewer than eight, the first in the lowest place.
    carry, carried = 0, 0
    for block in blocks:
        for piece in block.pieces():
            adler = zlib.adler32(piece, adler)
        codes, sizes = _dynamic_block(block.tokens, distance)
        bits = int(sizes.sum(dtype=np.int64))
        as_is = 8 * block.size + 48 * (block.size // STORED_LIMIT + 1)
        if bits < as_is:
            data, carry, carried = pack_bits(carry, carried, codes, sizes)
            out.append(data)
        else:
            out.append(stored_blocks(carry, carried, b"".join(block.pieces())))
            carry, carried = 0, 0
    # The last block is an empty one with the fixed codes: final bit, kind 01, seven zero bits.
    end = carry | 0b011 << carried
    out.append(end.to_bytes((carried + 10 + 7) // 8, "little"))
    out.append(adler.to_bytes(4, "big"))
    return b"".join(out)


def compress_rows(rows: NDArray[np.uint8]) -> bytes:
    """Return the zlib stream of `rows`, uint8 [rows, bytes], row after row."""
    pieces = [
        np.ascontiguousarray(row[start : start + BLOCK_BYTES]).reshape(1, -1)
        for row in rows
        for start in range(0, row.size, BLOCK_BYTES)
    ]
    return wrap((_run_block(piece) for piece in pieces), 1)


def _run_block(piece: NDArray[np.uint8]) -> Block:
    return Block(row_tokens(piece, 1)[0], lambda: [piece.tobytes()], piece.size)


def coded_bits(rows: NDArray[np.uint8]) -> int:
    """Return how many bits `rows` take, each row in its own Huffman code.

    A byte equal to the one before counts as nothing. So this estimates the size of the result of
    `compress_rows`, without that of the matches.
    """
    bits = 0
    for row in rows:
        new = np.ones(row.size, bool)
        np.not_equal(row[1:], row[:-1], out=new[1:])
        counts = np.bincount(row[new], minlength=256)
        bits += int(counts @ np.array(code_widths(counts.tolist(), 15)))
    return bits


def row_tokens(rows: NDArray[np.uint8], distance: int) -> tuple[Tokens, NDArray[np.int64]]:
    """Divide `rows` into literals, and matches that stay in their row.

    Args:
        rows: uint8 [rows, bytes]: the data, row by row.
        distance: How many bytes back matches look.

    Returns:
        The tokens, and the index of the first token of each row, with the end as a last item.

    Raises:
        ValueError: `distance` is not from 1 to 32768.
    """
    distance_symbol(distance)
    count, length = rows.shape
    equal = np.zeros(rows.shape, bool)
    np.equal(rows[:, distance:], rows[:, :-distance], out=equal[:, distance:])
    repeats = equal.ravel()
    edges = np.flatnonzero(repeats[1:] != repeats[:-1]) + 1
    if repeats.size and repeats[-1]:
        edges = np.append(edges, repeats.size)
    starts, ends = edges[::2], edges[1::2]
    lengths = ends - starts
    short = lengths < SHORTEST_RUN
    begins = ~repeats
    begins[_ranges(starts[short], lengths[short])] = True

    starts, lengths = starts[~short], lengths[~short]
    places, sizes = _split_runs(starts, lengths)
    tails = lengths % LONGEST_MATCH
    # One or two remaining bytes are too short for a separate match.
    loose = (tails > 0) & (tails < 3)
    begins[_ranges((starts + lengths - tails)[loose], tails[loose])] = True
    begins[places] = True

    positions = np.flatnonzero(begins)
    values = rows.reshape(-1)[positions].astype(np.uint16)
    matches = np.zeros(positions.size, bool)
    where = np.searchsorted(positions, places)
    values[where] = sizes
    matches[where] = True
    first = np.searchsorted(positions, np.arange(count + 1) * length)
    return Tokens(values, matches), first


def _split_runs(
    starts: NDArray[np.int64], lengths: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Split runs of repeated bytes into matches of allowed lengths.

    Returns the starts and lengths of the matches.
    """
    tails = lengths % LONGEST_MATCH
    pieces = lengths // LONGEST_MATCH + (tails >= 3)
    places = np.repeat(starts, pieces) + LONGEST_MATCH * _counts(pieces)
    ends = np.repeat(starts + lengths, pieces)
    return places, np.minimum(ends - places, LONGEST_MATCH)


def _counts(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return 0, 1, ... size - 1 for each of `sizes`, one after another."""
    total = np.cumsum(sizes)
    return np.arange(int(total[-1]) if total.size else 0) - np.repeat(total - sizes, sizes)


def _ranges(starts: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return start, start + 1, ... start + size - 1 of each range, in order."""
    return np.repeat(starts, sizes) + _counts(sizes)


def _dynamic_block(tokens: Tokens, distance: int) -> tuple[NDArray[np.uint64], NDArray[np.uint8]]:
    """Return the bit patterns of a block, and how many bits each has.

    The block has Huffman codes fitted to `tokens`; `distance` is that of all matches.
    """
    lengths = tokens.values[tokens.matches]
    counts = np.bincount(tokens.values[~tokens.matches], minlength=286)
    counts += np.bincount(LENGTH_SYMBOL[lengths], minlength=286)
    counts[END_OF_BLOCK] = 1
    widths = code_widths(counts.tolist(), 15)
    patterns = code_patterns(widths)
    symbol, extra, extra_bits = distance_symbol(distance)
    # Two codes of one bit: a tree with a single leaf is legal, but not every reader likes it.
    spare = 0 if symbol else 1
    distance_widths = [int(i in (symbol, spare)) for i in range(max(symbol, spare) + 1)]
    distance_code = int(symbol > spare) | extra << 1
    head = block_header(widths, distance_widths)

    width_of = np.array(widths, np.uint8)
    pattern_of = np.array(patterns, np.uint64)
    # A match is its length symbol, the length's extra bits, then the distance: one pattern.
    every = np.arange(LONGEST_MATCH + 1)
    length_width = width_of[LENGTH_SYMBOL].astype(np.uint64)
    length_pattern = pattern_of[LENGTH_SYMBOL] | LENGTH_EXTRA[every] << length_width
    length_width = length_width + LENGTH_EXTRA_BITS[every]
    length_pattern = length_pattern | np.uint64(distance_code) << length_width
    length_width = length_width + np.uint64(1 + extra_bits)

    table_pattern = np.concatenate([pattern_of[:256], length_pattern])
    table_width = np.concatenate([width_of[:256], length_width.astype(np.uint8)])
    index = tokens.values + tokens.matches.astype(np.uint16) * np.uint16(256)
    codes = np.empty(len(head) + index.size + 1, np.uint64)
    sizes = np.empty(codes.size, np.uint8)
    codes[: len(head)] = [pattern for pattern, _ in head]
    sizes[: len(head)] = [width for _, width in head]
    codes[len(head) : -1] = table_pattern[index]
    sizes[len(head) : -1] = table_width[index]
    codes[-1], sizes[-1] = patterns[END_OF_BLOCK], widths[END_OF_BLOCK]
    return codes, sizes
