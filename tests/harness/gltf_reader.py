"""Reads the `.glb` files that we write with nothing but `json` and numpy."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter.model.level import Level
from exporter.targets import TARGETS

_TYPES = {5123: np.uint16, 5125: np.uint32, 5126: np.float32}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3}


@dataclass(frozen=True, slots=True)
class Model:
    """A file's document and its buffer."""

    document: dict[str, Any]
    buffer: bytes

    @property
    def nodes(self) -> dict[str, dict[str, Any]]:
        """The nodes by name; of equal names the last."""
        return {node["name"]: node for node in self.document["nodes"]}

    def children(self, name: str) -> list[dict[str, Any]]:
        """Return the nodes below a node; none where there is no such node."""
        numbers = self.nodes.get(name, {}).get("children", ())
        return [self.document["nodes"][number] for number in numbers]

    def corners(self, name: str, attribute: str = "POSITION") -> NDArray[np.float32]:
        """Return an attribute of a mesh's triangles: [triangles, 3, ...]; none without the mesh."""
        meshes = [mesh for mesh in self.document.get("meshes", ()) if mesh["name"] == name]
        parts = [
            self._values(part["attributes"][attribute])[self._values(part["indices"])]
            for mesh in meshes
            for part in mesh["primitives"]
        ]
        if not parts:
            return np.zeros((0, 3, 3), np.float32)
        return np.concatenate([part.reshape(-1, 3, part.shape[-1]) for part in parts])

    def _values(self, number: int) -> NDArray[Any]:
        accessor = self.document["accessors"][number]
        view = self.document["bufferViews"][accessor["bufferView"]]
        data = self.buffer[view["byteOffset"] : view["byteOffset"] + view["byteLength"]]
        values = np.frombuffer(data, _TYPES[accessor["componentType"]])
        width = _WIDTHS[accessor["type"]]
        return values if width == 1 else values.reshape(-1, width)


def glb_of(level: Level, folder: str = "models", **options: Any) -> bytes:
    """Return the `.glb` of a level."""
    target = TARGETS.get("gltf")
    chosen = {"bitmaps": False, "heightmaps": False, "blob": False, **options}
    result = target.export(level, target.options(path=folder, **chosen), folder)
    (data,) = (file.data for file in result.artifacts if file.name.endswith(".glb"))
    return data


def model_of(level: Level, **options: Any) -> Model:
    """Return the model of a level."""
    data = glb_of(level, **options)
    magic, version, length, text_length = struct.unpack("<4sIII", data[:16])
    assert (magic, version, length) == (b"glTF", 2, len(data))
    return Model(json.loads(data[20 : 20 + text_length]), data[28 + text_length :])
