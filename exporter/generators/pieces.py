"""Find the hand-made pieces that stamps or prefabs are made from."""

from __future__ import annotations

from collections.abc import Iterator

from exporter.generators import Request
from exporter.generators._legend import TRANSPARENT, Legend
from exporter.generators._pieces import Ids, read_pieces
from exporter.generators.prefabs import Prefabs
from exporter.generators.stamp import Stamp, stamp_cells
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Layer
from exporter.model.parameters import Parameters

__all__ = ["TRANSPARENT", "Piece", "pieces_of"]


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """A hand-made piece that a layer of stamps or prefabs can show.

    Attributes:
        name: The name of the prefab; that of the layer for a stamp.
        cells: int32 [height, width]: tile ids of the layer, or `TRANSPARENT`.
        is_stamp: Whether it is a stamp, which users can lay at further places, not a prefab.
    """

    name: str
    cells: Ids
    is_stamp: bool


def pieces_of(layer: Layer, parameters: Parameters, request: Request) -> Iterator[Piece]:
    """Yield the pieces that a layer of stamps or prefabs can show.

    Args:
        layer: The finished layer. Layers of other generators have no pieces.
        parameters: The parameters of the layer.
        request: The request that the layer was made from.

    Raises:
        ParameterError: A file with pieces cannot be read.
    """
    legend = Legend(layer.tiles)
    if isinstance(parameters, Stamp):
        yield Piece(layer.name, stamp_cells(parameters, request, legend), True)
    elif isinstance(parameters, Prefabs):
        for index, prefab in enumerate(parameters.prefabs):
            path = ("prefabs", index)
            for cells in read_pieces(prefab, parameters.glyphs, legend, request, path):
                yield Piece(prefab.name, cells, False)
