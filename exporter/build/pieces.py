"""List the stamps and prefabs that a build placed.

The studio shows them, to place more of them.
"""

from __future__ import annotations

from collections.abc import Iterator

from exporter.build.build import Build
from exporter.build.inputs import Inputs
from exporter.generators import Request
from exporter.generators.pieces import TRANSPARENT, Piece, pieces_of
from exporter.model.level import Layer
from exporter.streams import open_stream

__all__ = ["TRANSPARENT", "Piece", "pieces_of_build"]


def pieces_of_build(build: Build) -> Iterator[tuple[Layer, Piece]]:
    """Yield each stamp and prefab that `build` placed, with its layer.

    Only layers of the level's size are listed.

    Raises:
        ParameterError: A file with prefabs cannot be read.
    """
    inputs, spec = Inputs(build.source), build.spec
    for layer in build.layers.values():
        if not layer.grid_aligned:
            continue
        request = Request(
            layer.name,
            layer.width,
            layer.height,
            open_stream(spec.rng, spec.seed, layer.name),
            layers=inputs.layers,
            read_file=inputs.file,
        )
        for piece in pieces_of(layer, spec.layers[layer.name].parameters, request):
            yield layer, piece
