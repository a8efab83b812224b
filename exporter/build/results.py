"""Encode results of build stages for the cache.

A layer is a line of JSON followed by arrays; other results are JSON.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from exporter.build.requirements import Figure
from exporter.model.level import (
    Certificate,
    Connection,
    HeightRange,
    Layer,
    PlacedObject,
    Puzzle,
    Room,
    Tile,
)
from exporter.model.limits import MAXIMUM_CELLS
from exporter.placement.placed import PlacedGroup

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def encode_layer(layer: Layer) -> bytes | None:
    """Encode `layer` for the cache.

    None if its report cannot be stored as JSON.
    """
    head = {
        "name": layer.name,
        "kind": layer.kind,
        "generator": layer.generator,
        "version": layer.version,
        "tiles": [[t.id, t.name, t.walkable, t.opaque, t.color] for t in layer.tiles],
        "heights": asdict(layer.heights) if layer.heights is not None else None,
        "complete": layer.complete,
        "report": dict(layer.report),
        "rooms": [asdict(room) for room in layer.rooms],
        "certificate": asdict(layer.certificate) if layer.certificate is not None else None,
        "grid_aligned": layer.grid_aligned,
        "role": layer.role,
        "connections": [asdict(connection) for connection in layer.connections],
        "masks": list(layer.masks),
        "objects": [[o.id, o.name, o.x, o.y, dict(o.properties), o.entry] for o in layer.objects],
        "type": str(layer.cells.dtype),
        "shape": list(layer.cells.shape),
        "walkable": layer.walkable is not None,
        "measures": layer.measures,
    }
    plain = _plain_json(head["report"]) and _plain_json(head["objects"])
    text = plain and json.dumps(head, separators=(",", ":"))
    if not text:
        return None
    parts = [text.encode(), b"\n", _little(layer.cells).tobytes()]
    if layer.walkable is not None:
        parts.append(_bits(layer.walkable))
    parts += [_bits(mask) for mask in layer.masks.values()]
    return b"".join(parts)


def decode_layer(data: bytes) -> Layer:
    """Decode a layer from the cache; raise ValueError if it is malformed."""
    import numpy as np

    line, _, rest = data.partition(b"\n")
    head = json.loads(line)
    height, width = head["shape"]
    if head["type"] not in ("uint8", "uint16") or not 0 < height * width <= MAXIMUM_CELLS:
        raise ValueError("malformed layer: its type or size is invalid")
    kind = np.dtype(head["type"])
    size = height * width * kind.itemsize
    cells = np.frombuffer(rest[:size], kind.newbyteorder("<")).reshape(height, width)
    cells = np.array(cells, kind)
    cells.flags.writeable = False
    grids = [
        np.unpackbits(bits, count=height * width).astype(bool).reshape(height, width)
        for bits in np.frombuffer(rest[size:], np.uint8).reshape(-1, -(-height * width // 8))
    ]
    walkable = grids.pop(0) if head["walkable"] else None
    rooms = [dict(room, center=tuple(room["center"])) for room in head["rooms"]]
    connections = [dict(entry, rooms=tuple(entry["rooms"])) for entry in head["connections"]]
    return Layer(
        name=head["name"],
        kind=head["kind"],
        cells=cells,
        generator=head["generator"],
        version=head["version"],
        tiles=tuple(Tile(*tile) for tile in head["tiles"]),
        walkable=walkable,
        heights=HeightRange(**head["heights"]) if head["heights"] is not None else None,
        complete=head["complete"],
        report=head["report"],
        rooms=tuple(Room(**room) for room in rooms),
        certificate=_certificate(head["certificate"]),
        grid_aligned=head["grid_aligned"],
        role=head["role"],
        connections=tuple(Connection(**entry) for entry in connections),
        masks=dict(zip(head["masks"], grids, strict=True)),
        objects=tuple(PlacedObject(*fields) for fields in head["objects"]),
        measures=head["measures"],
    )


def encode_certificate(certificate: Certificate | None) -> bytes:
    """Encode a certificate, or None, for the cache."""
    document = asdict(certificate) if certificate is not None else None
    return json.dumps(document, separators=(",", ":")).encode()


def decode_certificate(data: bytes) -> Certificate | None:
    """Decode a certificate or None from the cache; ValueError if malformed."""
    return _certificate(json.loads(data))


def _certificate(document: dict[str, Any] | None) -> Certificate | None:
    if document is None:
        return None
    start = document["start"]
    return Certificate(**{**document, "start": start if start is None else tuple(start)})


def encode_figures(figures: dict[str, Figure]) -> bytes:
    """Encode the values of metrics, by name, for the cache."""
    return json.dumps(figures, separators=(",", ":")).encode()


def decode_figures(data: bytes) -> dict[str, Figure]:
    """Decode values of metrics from the cache; raise ValueError if malformed."""
    figures = json.loads(data)
    if not isinstance(figures, dict):
        raise ValueError("malformed metrics: a JSON object is expected")
    return figures


def encode_places(placed: PlacedGroup) -> bytes:
    """Encode a placed group of objects for the cache."""
    if placed == PlacedGroup(placed.cells):
        document: Any = placed.cells
    else:
        document = asdict(placed)
    return json.dumps(document, separators=(",", ":")).encode()


def decode_places(data: bytes) -> PlacedGroup:
    """Decode a group of objects from the cache; raise ValueError if malformed."""
    document = json.loads(data)
    if not isinstance(document, dict):
        return PlacedGroup(tuple((int(x), int(y)) for x, y in document))
    placed = PlacedGroup(
        cells=tuple((int(x), int(y)) for x, y in document.get("cells", ())),
        requested=int(document.get("requested", 0)),
        kinds=tuple(dict(kind) for kind in document.get("kinds", ())),
        kind_of=tuple(int(kind) for kind in document.get("kind_of", ())),
        shortfall=str(document.get("shortfall", "")),
    )
    known = range(len(placed.kinds))
    if len(placed.kind_of) != len(placed.cells) or any(
        item not in known for item in placed.kind_of
    ):
        raise ValueError("malformed placement: each cell needs the number of a known kind")
    return placed


def encode_puzzle(puzzle: Puzzle) -> bytes | None:
    """Encode `puzzle` for the cache.

    None if its data cannot be stored as JSON.
    """
    text = _plain_json([puzzle.name, puzzle.kind, dict(puzzle.data)])
    return text.encode() if text else None


def decode_puzzle(data: bytes) -> Puzzle:
    """Decode a puzzle from the cache; raise ValueError if it is malformed."""
    return Puzzle(*json.loads(data))


def _plain_json(value: Any) -> str | None:
    """Return `value` as JSON; None if JSON cannot represent it exactly."""
    try:
        text = json.dumps(value, separators=(",", ":"))
    except (TypeError, ValueError):
        return None
    return text if _equal(json.loads(text), value) else None


def _equal(item: Any, other: Any) -> bool:
    """Return whether `item` and `other` are equal in value and type."""
    if type(item) is not type(other):
        return False
    if isinstance(item, dict):
        return list(item) == list(other) and all(_equal(item[key], other[key]) for key in item)
    if isinstance(item, list):
        return len(item) == len(other) and all(map(_equal, item, other))
    return bool(item == other)


def _little(cells: NDArray[Any]) -> NDArray[Any]:
    return cells.astype(cells.dtype.newbyteorder("<"))


def _bits(walkable: NDArray[np.bool_]) -> bytes:
    import numpy as np

    return np.packbits(walkable).tobytes()
