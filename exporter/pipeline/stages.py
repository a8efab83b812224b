"""Stages of a build that can be remembered, and what each depended on.

A stage's own key is the hash of everything known before it runs: its parameters, seed, size, the
generator's version and the exporter's. What it looks at while it runs (other layers, files, the
visibility) is recorded. Its result may be used again when its own key is known and everything that
was recorded is still the same; a layer it never looked at can change without running it again.
Results are named by the hash of their content, so a stage that runs again and makes the same thing
ends the matter there. The idea is that of constructive traces in Mokhov, Mitchell and Peyton Jones,
"Build Systems a la Carte" (2018).

Nothing here touches a disk: a `Memory` keeps bytes by key, and may forget them at any time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from exporter.model.keys import content_key, stage_key
from exporter.model.level import Certificate, HeightRange, Layer, PlacedObject, Puzzle, Room, Tile
from exporter.model.limits import MAXIMUM_SIDE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# How many sets of dependencies are remembered of one stage: branches one goes to and fro between.
MAXIMUM_TRACES = 8


class Memory(Protocol):
    """Keeps bytes by key; may forget them at any time."""

    def load(self, key: str) -> bytes | None:
        """Return what was saved, or None."""

    def save(self, key: str, data: bytes) -> None:
        """Keep `data`."""


@dataclass(slots=True)
class Trace:
    """What a stage looked at, and the key of what it made.

    Attributes:
        layers: Keys of the layers it looked at; None for a name that did not exist.
        files: SHA-256 of the files it read, by their names in the spec.
        names: The names of all earlier layers, where it looked at those.
        visibility: Key of the visibility, where it looked at it.
        result: Key of the result.
    """

    layers: dict[str, str | None] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    names: list[str] | None = None
    visibility: str | None = None
    result: str = ""


class RecordedLayers(Mapping[str, Layer]):
    """The finished layers, as a stage sees them: what it looks at is noted in a trace."""

    def __init__(self, layers: Mapping[str, Layer], keys: Mapping[str, str], trace: Trace) -> None:
        self._layers = layers
        self._keys = keys
        self._trace = trace

    def __getitem__(self, name: str) -> Layer:
        """Return a layer, noting that it was looked at."""
        self._trace.layers[name] = self._keys.get(name)
        return self._layers[name]

    def __iter__(self) -> Iterator[str]:
        """Go through the names, noting that all of them were."""
        self._trace.names = list(self._layers)
        return iter(self._layers)

    def __len__(self) -> int:
        """Return the number of layers, noting their names."""
        self._trace.names = list(self._layers)
        return len(self._layers)


class Stages:
    """The stages of one build over a memory, which may be none.

    Args:
        memory: Where results are kept; None runs every stage.
        identity: What stands for the exporter's own code in every key.
    """

    def __init__(self, memory: Memory | None, identity: str) -> None:
        self.memory = memory
        self.identity = identity
        # Saved after the build, so that nobody waits for it.
        self.unsaved: dict[str, bytes] = {}
        # Whether every stage so far has a key; without one, nothing behind it can be remembered.
        self.complete = memory is not None

    def run(
        self,
        parts: tuple[str, ...],
        holds: Callable[[Trace], bool],
        make: Callable[[Trace], Any],
        encode: Callable[[Any], bytes | None],
        decode: Callable[[bytes], Any],
    ) -> tuple[Any, str]:
        """Return a stage's result and its key, from memory or by making it.

        Args:
            parts: What the stage's own key is made of.
            holds: Whether everything a trace recorded is still the same.
            make: Makes the result, noting in the trace what it looks at.
            encode: Puts the result into bytes; None when it cannot.
            decode: The way back; ValueError for anything wrong.
        """
        if self.memory is None:
            return make(Trace()), ""
        own = stage_key(self.identity, *parts)
        traces = self._traces(own)
        for trace in traces:
            if holds(trace):
                data = self.memory.load(trace.result)
                if data is not None:
                    try:
                        return decode(data), trace.result
                    except (ValueError, KeyError, TypeError, IndexError):
                        continue
        trace = Trace()
        result = make(trace)
        data = encode(result)
        if data is None:
            self.complete = False
            return result, ""
        trace.result = content_key(data)
        self.unsaved[trace.result] = data
        kept = [
            trace,
            *(old for old in traces if old.result != trace.result or not _same(old, trace)),
        ]
        self.unsaved[own] = json.dumps([asdict(one) for one in kept[:MAXIMUM_TRACES]]).encode()
        return result, trace.result

    def _traces(self, own: str) -> list[Trace]:
        assert self.memory is not None
        data = self.memory.load(own)
        if data is None:
            return []
        try:
            return [Trace(**one) for one in json.loads(data)]
        except (ValueError, TypeError):
            return []

    def save(self) -> int:
        """Keep what was made; return the number of bytes."""
        size = 0
        if self.memory is not None:
            for key, data in self.unsaved.items():
                self.memory.save(key, data)
                size += len(data)
        self.unsaved = {}
        return size


def _same(one: Trace, other: Trace) -> bool:
    return asdict(one) == asdict(other)


# --- results as bytes: a line of JSON, then the arrays -----------------------------------------


def encode_layer(layer: Layer) -> bytes | None:
    """Put a layer into bytes; None when its report is not plain JSON."""
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
        "type": str(layer.cells.dtype),
        "shape": list(layer.cells.shape),
        "walkable": layer.walkable is not None,
    }
    text = _plain_json(head["report"]) and json.dumps(head, separators=(",", ":"))
    if not text:
        return None
    parts = [text.encode(), b"\n", _little(layer.cells).tobytes()]
    if layer.walkable is not None:
        parts.append(_bits(layer.walkable))
    return b"".join(parts)


def decode_layer(data: bytes) -> Layer:
    """Return the layer of `encode_layer`; ValueError for anything else."""
    import numpy as np

    line, _, rest = data.partition(b"\n")
    head = json.loads(line)
    height, width = head["shape"]
    if head["type"] not in ("uint8", "uint16") or not 0 < height * width <= MAXIMUM_SIDE**2:
        raise ValueError("not a layer")
    kind = np.dtype(head["type"])
    size = height * width * kind.itemsize
    cells = np.frombuffer(rest[:size], kind.newbyteorder("<")).reshape(height, width)
    cells = np.array(cells, kind)
    cells.flags.writeable = False
    walkable = None
    if head["walkable"]:
        bits = np.frombuffer(rest[size:], np.uint8)
        walkable = np.unpackbits(bits, count=height * width).astype(bool).reshape(height, width)
    certificate = head["certificate"]
    if certificate is not None and certificate["start"] is not None:
        certificate["start"] = tuple(certificate["start"])
    rooms = [dict(room, center=tuple(room["center"])) for room in head["rooms"]]
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
        certificate=Certificate(**certificate) if certificate is not None else None,
        grid_aligned=head["grid_aligned"],
    )


def encode_objects(objects: tuple[PlacedObject, ...]) -> bytes | None:
    """Put placed objects into bytes; None when their properties are not plain JSON."""
    document = [[o.id, o.name, o.x, o.y, dict(o.properties)] for o in objects]
    text = _plain_json(document)
    return text.encode() if text else None


def decode_objects(data: bytes) -> tuple[PlacedObject, ...]:
    """Return the objects of `encode_objects`; ValueError for anything else."""
    return tuple(PlacedObject(*fields) for fields in json.loads(data))


def encode_puzzle(puzzle: Puzzle) -> bytes | None:
    """Put a puzzle into bytes; None when its data are not plain JSON."""
    text = _plain_json([puzzle.name, puzzle.kind, dict(puzzle.data)])
    return text.encode() if text else None


def decode_puzzle(data: bytes) -> Puzzle:
    """Return the puzzle of `encode_puzzle`; ValueError for anything else."""
    return Puzzle(*json.loads(data))


def _plain_json(value: Any) -> str | None:
    """Return a value as JSON if it comes back equal, else None."""
    try:
        text = json.dumps(value, separators=(",", ":"))
    except (TypeError, ValueError):
        return None
    return text if _equal(json.loads(text), value) else None


def _equal(one: Any, other: Any) -> bool:
    """Compare, telling True from 1 and a list from a tuple."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return list(one) == list(other) and all(_equal(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(_equal, one, other))
    return bool(one == other)


def _little(cells: NDArray[Any]) -> NDArray[Any]:
    return cells.astype(cells.dtype.newbyteorder("<"), copy=False)


def _bits(walkable: NDArray[np.bool_]) -> bytes:
    import numpy as np

    return np.packbits(walkable).tobytes()
