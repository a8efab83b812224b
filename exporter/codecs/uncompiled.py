"""Warn that coding a level takes long where kernels are not compiled.

The estimate counts passes over cells. The tile codec makes by far the most, since it tries many
ways to split the ids into two classes.
"""

from __future__ import annotations

from collections.abc import Sequence

from exporter.codecs._symbols import MOST, distinct_count
from exporter.codecs._tile_search import PIECE, TRIALS
from exporter.codecs.codec import Array, Profile
from exporter.kernels import REINSTALL, warn_uncompiled
from exporter.kernels.codec_tiles import COMPILED

WAY_OUT = f"{REINSTALL}, or set `blob: fast`"
# Interpreted, microseconds for a cell: as a bitmap, in a pass of the tile coder (more with more
# ids), in a pass of all its contexts, as a height.
BITMAP = 10
TILE = 10
TILE_IN_ALL_CONTEXTS = 25
HEIGHT = 100
# Passes over all cells, after the search: seven plans and the check.
LAST_PASSES = 8
SPLITS_OF_SIDE = 8


def announce(layers: Sequence[Array], profile: Profile) -> None:
    """Warn if coding a level takes long without compiled kernels.

    `layers` are the cells of the level's layers, in order: a layer may be coded with the help of an
    earlier one, which takes longer.
    """
    if COMPILED or profile == "fast":
        return
    counts = [distinct_count(cells) for cells in layers]
    heights = tiles = 0
    for number, (cells, count) in enumerate(zip(layers, counts, strict=True)):
        heights += HEIGHT * cells.size if count > 16 else 0
        tiles += tile_microseconds(count, cells.size)
        if 2 <= count <= MOST:
            splits = (min(before, SPLITS_OF_SIDE) for before in counts[:number])
            tiles += TILE * cells.size * sum(splits)
    kernel = "codec_tiles" if tiles > heights else "codec_heights"
    warn_uncompiled(COMPILED, kernel, tiles + heights, 1_000_000, WAY_OUT)


def tile_microseconds(ids: int, cells: int) -> int:
    """Estimate the microseconds that the uncompiled tile codec takes.

    `ids` is the number of different tile ids, `cells` the number of cells.
    """
    if not 2 <= ids <= MOST:
        return 0
    if ids == 2:
        return BITMAP * cells
    # First cuts through the ids and single ids, then each of the commonest ids moved once.
    trials = min(min(ids - 1, 24) + min(ids, 8) + min(ids, 64), TRIALS)
    piece = min(cells, PIECE * PIECE)
    return trials * piece * (TILE + ids // 16) + LAST_PASSES * cells * TILE_IN_ALL_CONTEXTS
