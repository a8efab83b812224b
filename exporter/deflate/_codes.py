"""Build the Huffman codes and block headers of deflate (RFC 1951)."""

from __future__ import annotations

import heapq

import numpy as np
from numpy.typing import NDArray

LONGEST_MATCH = 258
END_OF_BLOCK = 256
# RFC 1951, 3.2.7: the order in which the lengths of the code length code are sent.
_LENGTH_CODE_ORDER = (16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15)


def code_widths(counts: list[int], limit: int) -> list[int]:
    """Return the Huffman code length of each symbol; 0 for unused ones.

    `counts` is how often each symbol occurs. If a code is longer than `limit`, the counts are
    flattened and the code is built again. If fewer than two symbols are used, two get codes of one
    bit, so that the code is complete.
    """
    used = [symbol for symbol, count in enumerate(counts) if count]
    if len(used) < 2:
        used = sorted({*used, *((0, 1) if not used else (0 if used[0] else 1,))})
        return [int(symbol in used) for symbol in range(len(counts))]
    weights = [counts[symbol] for symbol in used]
    while True:
        depths = _depths(weights)
        if max(depths) <= limit:
            break
        weights = [(weight >> 1) | 1 for weight in weights]
    widths = [0] * len(counts)
    for symbol, depth in zip(used, depths, strict=True):
        widths[symbol] = depth
    return widths


def _depths(weights: list[int]) -> list[int]:
    """Return each weight's depth in a Huffman tree of all `weights`.

    Of equal weights, older nodes are joined first, so that the tree is the same on every machine.
    """
    heap = [(weight, number) for number, weight in enumerate(weights)]
    heapq.heapify(heap)
    parents = [0] * (2 * len(weights) - 1)
    for number in range(len(weights), len(parents)):
        first, second = heapq.heappop(heap), heapq.heappop(heap)
        parents[first[1]] = parents[second[1]] = number
        heapq.heappush(heap, (first[0] + second[0], number))
    depths = [0] * len(parents)
    for number in range(len(parents) - 2, -1, -1):
        depths[number] = depths[parents[number]] + 1
    return depths[: len(weights)]


def code_patterns(widths: list[int]) -> list[int]:
    """Return each symbol's canonical Huffman code, its bits reversed.

    `widths` are the code lengths of the symbols. RFC 1951, 3.2.2, defines the codes; a stream has
    the first bit of a code lowest.
    """
    following = [0] * 17
    for width in widths:
        following[width + 1] += width > 0
    for width in range(1, 17):
        following[width] = (following[width] + following[width - 1]) << 1
    patterns = []
    for width in widths:
        code = following[width] if width else 0
        following[width] += 1
        patterns.append(int(f"{code:0{width}b}"[::-1], 2) if width else 0)
    return patterns


def block_header(widths: list[int], distance_widths: list[int]) -> list[tuple[int, int]]:
    """Return the header of a block with Huffman codes of its own.

    `widths` has the code length of each literal and match length, `distance_widths` that of each
    distance. The result is (pattern, number of bits) pairs. The header says that more blocks
    follow.
    """
    used = max(257, max(symbol for symbol, width in enumerate(widths) if width) + 1)
    runs = _run_lengths(widths[:used] + distance_widths)
    counts = [0] * 19
    for symbol, _, _ in runs:
        counts[symbol] += 1
    meta = code_widths(counts, 7)
    meta_patterns = code_patterns(meta)
    sent = max(i for i, symbol in enumerate(_LENGTH_CODE_ORDER) if meta[symbol] or i < 4) + 1
    pairs = [(0b100, 3), (used - 257, 5), (len(distance_widths) - 1, 5), (sent - 4, 4)]
    pairs += [(meta[symbol], 3) for symbol in _LENGTH_CODE_ORDER[:sent]]
    for symbol, extra, bits in runs:
        pairs.append((meta_patterns[symbol] | extra << meta[symbol], meta[symbol] + bits))
    return pairs


def _run_lengths(widths: list[int]) -> list[tuple[int, int, int]]:
    """Run-length encode `widths` as (symbol, extra value, extra bits).

    Symbols to 15 are widths; 16 repeats the last width, 17 and 18 repeat zero.
    """
    out: list[tuple[int, int, int]] = []
    index = 0
    while index < len(widths):
        width = widths[index]
        run = 1
        while index + run < len(widths) and widths[index + run] == width:
            run += 1
        index += run
        if width:
            out.append((width, 0, 0))
            run -= 1
        while run >= 3:
            if width:
                part = min(run, 6)
                out.append((16, part - 3, 2))
            else:
                part = min(run, 138)
                out.append((17, part - 3, 3) if part < 11 else (18, part - 11, 7))
            run -= part
        out.extend([(width, 0, 0)] * run)
    return out


def distance_symbol(distance: int) -> tuple[int, int, int]:
    """Return the deflate symbol of a match's `distance`, and its extra bits.

    A symbol means a range of distances. The extra bits, a value and their number, choose one of
    them.
    """
    if not 1 <= distance <= 32768:
        raise ValueError(f"a match cannot look {distance} bytes back (1 to 32768)")
    if distance <= 4:
        return distance - 1, 0, 0
    bits = (distance - 1).bit_length() - 2
    high = (distance - 1) >> bits
    return 2 * bits + high, (distance - 1) & ((1 << bits) - 1), bits


def _length_tables() -> tuple[NDArray[np.uint16], NDArray[np.uint64], NDArray[np.uint64]]:
    """Return arrays by match length: symbol, extra value, extra bits.

    A symbol means a range of the lengths 3 to 258; the value, which has that many bits, chooses one
    of them.
    """
    symbols = np.full(LONGEST_MATCH + 1, 257, np.uint16)
    extras = np.zeros(LONGEST_MATCH + 1, np.uint64)
    bits = np.zeros(LONGEST_MATCH + 1, np.uint64)
    length, symbol = 3, 257
    for width in (0, 0, 1, 2, 3, 4, 5):
        for _ in range(4):
            for extra in range(1 << width):
                if length < LONGEST_MATCH:
                    symbols[length], extras[length], bits[length] = symbol, extra, width
                    length += 1
            symbol += 1
    symbols[LONGEST_MATCH] = 285
    return symbols, extras, bits


LENGTH_SYMBOL, LENGTH_EXTRA, LENGTH_EXTRA_BITS = _length_tables()
