"""How many sudoku are solved and made in a second, beside a plain backtracking search.

Run: python tests/benchmarks/puzzles.py [puzzles]
"""

from __future__ import annotations

import sys
import time

from exporter.kernels.sudoku import COMPILED
from exporter.puzzles.sudoku import make, solve
from exporter.streams import open_stream

PEERS = [
    {
        peer
        for peer in range(81)
        if peer != cell
        and (
            peer // 9 == cell // 9
            or peer % 9 == cell % 9
            or (peer // 27 == cell // 27 and peer % 9 // 3 == cell % 9 // 3)
        )
    }
    for cell in range(81)
]


def brute_force(cells: list[int], steps: list[int]) -> bool:
    """Fill the first empty cell with every digit its peers leave, as the reference program does."""
    if 0 not in cells:
        return True
    cell = cells.index(0)
    used = {cells[peer] for peer in PEERS[cell]}
    for digit in range(1, 10):
        if digit in used:
            continue
        steps[0] += 1
        cells[cell] = digit
        if steps[0] > 20_000:
            return False
        if brute_force(cells, steps):
            return True
    cells[cell] = 0
    return False


def main() -> None:
    """Print one line for every number of clues."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    print(f"kernel compiled: {COMPILED}; {count} puzzles a line")
    print(f"{'clues':>5} {'reached':>8} {'made/s':>9} {'solved/s':>9} {'brute force/s':>14}")
    for clues in (40, 32, 28, 25, 22, 20):
        amount = count if clues >= 25 else max(1, count // 10)
        begin = time.perf_counter()
        puzzles = [make(clues, open_stream("portable", seed, "bench")) for seed in range(amount)]
        making = time.perf_counter() - begin
        begin = time.perf_counter()
        for puzzle in puzzles:
            assert solve(puzzle.clues).solution == puzzle.solution
        solving = time.perf_counter() - begin
        slow = puzzles[:10]
        begin = time.perf_counter()
        ended = sum(brute_force([int(c) for c in puzzle.clues], [0]) for puzzle in slow)
        brute = len(slow) / (time.perf_counter() - begin)
        note = "" if ended == len(slow) else f" ({len(slow) - ended} given up)"
        reached = sum(puzzle.clue_count for puzzle in puzzles) / amount
        print(
            f"{clues:>5} {reached:>8.1f} {amount / making:>9.0f} {amount / solving:>9.0f} "
            f"{brute:>14.1f}{note}"
        )


if __name__ == "__main__":
    main()
