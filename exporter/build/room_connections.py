"""Find the connections between a layer's rooms when they are first read.

Most builds do not need them; a search through ten thousand seeds computes them only for levels
whose metrics read them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import overload

from exporter.model.level import Connection, Layer


class RoomConnections(Sequence[Connection]):
    """The connections between a layer's rooms, found on first use.

    Args:
        layer: The finished layer with rooms; its own `connections` are ignored.
    """

    def __init__(self, layer: Layer) -> None:
        self._layer = layer

    @cached_property
    def _connections(self) -> tuple[Connection, ...]:
        from exporter.grids.room_graph import room_edges

        walkable = self._layer.walkable
        assert walkable is not None
        return room_edges(walkable, self._layer.doors, self._layer.rooms)

    def __len__(self) -> int:
        return len(self._connections)

    @overload
    def __getitem__(self, index: int) -> Connection: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Connection, ...]: ...

    def __getitem__(self, index: int | slice) -> Connection | tuple[Connection, ...]:
        return self._connections[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RoomConnections | tuple) and self._connections == tuple(other)

    def __hash__(self) -> int:
        return hash(self._connections)

    def __repr__(self) -> str:
        return repr(self._connections)


def with_connections(layer: Layer) -> Layer:
    """Return `layer` with the connections between its rooms, if it has rooms."""
    if not layer.rooms or layer.walkable is None or layer.connections:
        return layer
    return replace(layer, connections=RoomConnections(layer))
