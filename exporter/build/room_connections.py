"""Find the connections between the rooms of a finished layer, on demand.

Most builds never do: a search through ten thousand seeds pays for the graph of those levels alone
whose metrics ask for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import overload

from exporter.model.level import Connection, Layer


class RoomConnections(Sequence[Connection]):
    """The connections of a layer's rooms: a sequence that is computed at the first look.

    Args:
        layer: The layer as it is finished; its connections are not looked at.
    """

    def __init__(self, layer: Layer) -> None:
        self._layer = layer

    @cached_property
    def _found(self) -> tuple[Connection, ...]:
        from exporter.grids.room_graph import room_edges

        walkable = self._layer.walkable
        assert walkable is not None
        return room_edges(walkable, self._layer.doors, self._layer.rooms)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._found)

    @overload
    def __getitem__(self, index: int) -> Connection: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Connection, ...]: ...

    def __getitem__(self, index: int | slice) -> Connection | tuple[Connection, ...]:
        """Return a connection, or some of them."""
        return self._found[index]

    def __eq__(self, other: object) -> bool:
        """Whether the other is a sequence of the same connections."""
        return isinstance(other, RoomConnections | tuple) and self._found == tuple(other)

    def __hash__(self) -> int:
        """Return the hash of the tuple that it is equal to."""
        return hash(self._found)

    def __repr__(self) -> str:
        """Show them as a tuple."""
        return repr(self._found)


def with_connections(layer: Layer) -> Layer:
    """Return a finished layer with the connections of its rooms, if it has rooms and floor."""
    if not layer.rooms or layer.walkable is None or layer.connections:
        return layer
    return replace(layer, connections=RoomConnections(layer))
