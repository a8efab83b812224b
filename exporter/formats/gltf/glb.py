"""Write binary glTF 2.0 (ISO/IEC 12113), a format of 3D models.

A file is a JSON document and one buffer of numbers.

The builder appends to the lists of the document and to the buffer, in the order of its calls, so
equal calls give equal bytes.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter.model.lazy_dataclass import dataclass

LIGHTS = "KHR_lights_punctual"
# Marks the first node as the scene's root for Godot; other programs ignore it.
_SINGLE_ROOT = "GODOT_single_root"
_ASSET = {"version": "2.0", "generator": "Level Exporter"}
_MAGIC, _VERSION, _JSON, _BINARY = 0x46546C67, 2, 0x4E4F534A, 0x004E4942
_FLOATS, _SHORTS, _INTEGERS = 5126, 5123, 5125
_VERTICES, _INDICES = 34962, 34963
# The greatest index that 16 bits hold; 65535 would restart a strip.
_LARGEST_SHORT = 65534


def is_own_glb(data: bytes) -> bool:
    """Return whether the exporter wrote `data`, the content of a `.glb` file."""
    begin = json.dumps({"asset": _ASSET}, separators=(",", ":"))[:-1].encode()
    return data[20:].startswith(begin)


@dataclass(frozen=True, slots=True, eq=False)
class Triangles:
    """Triangles with their vertices, counter-clockwise as seen from outside.

    Attributes:
        positions: float32 [vertices, 3], x, y and z.
        indices: int64 [3 * triangles]: the numbers of each triangle's three vertices.
        normals: float32 [vertices, 3], of length 1.
        coordinates: float32 [vertices, 2], positions in the picture (texture coordinates).
    """

    positions: NDArray[np.float32]
    indices: NDArray[np.integer[Any]]
    normals: NDArray[np.float32]
    coordinates: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Primitive:
    """Triangles of a mesh that share a material, as stored in the file.

    Attributes:
        attributes: Numbers of the accessors of positions, normals and so on, by glTF's names.
        indices: Number of the accessor of the vertex indices.
        material: Number of the material.
    """

    attributes: Mapping[str, int]
    indices: int
    material: int


class GlbBuilder:
    """Builds a glTF file from pictures, materials, meshes and nodes.

    The number of an entry, by which others refer to it, is its index in the file's lists.
    """

    def __init__(self) -> None:
        self._buffer: list[bytes] = []
        self._length = 0
        # The first node is the root, which is known last.
        self._lists: dict[str, list[Any]] = {"nodes": [{}]}
        self._lights: list[dict[str, Any]] = []

    def add_picture(self, name: str, png: bytes) -> int:
        """Add `png`, a picture that repeats; return the number of its texture."""
        samplers = self._lists.get("samplers")
        if not samplers:
            # Pixels stay sharp near by, and far away they are blended.
            self._add("samplers", {"magFilter": 9728, "minFilter": 9987})
        view = self._view(png, None)
        image = self._add("images", {"name": name, "bufferView": view, "mimeType": "image/png"})
        return self._add("textures", {"sampler": 0, "source": image})

    def add_material(self, material: dict[str, Any]) -> int:
        """Add `material`, an entry of glTF's JSON; return its number."""
        return self._add("materials", material)

    def add_triangles(self, triangles: Triangles, material: int) -> Primitive:
        """Add `triangles` with a material; return them as a part of a mesh.

        `material` is the number from `add_material`; `add_mesh` takes the result.
        """
        attributes = self.add_positions(triangles.positions)
        attributes["NORMAL"] = self._vectors(triangles.normals)
        attributes["TEXCOORD_0"] = self._vectors(triangles.coordinates)
        return Primitive(
            attributes, self.add_indices(triangles.indices, len(triangles.positions)), material
        )

    def add_positions(self, positions: NDArray[np.float32]) -> dict[str, int]:
        """Add vertex `positions`; return `{"POSITION": number of the accessor}`."""
        bounds = {"min": positions.min(axis=0).tolist(), "max": positions.max(axis=0).tolist()}
        return {"POSITION": self._vectors(positions, bounds)}

    def add_indices(self, indices: NDArray[np.integer[Any]], vertices: int) -> int:
        """Add vertex `indices`; return the number of their accessor.

        `vertices` is how many vertices there are: if few enough, indices take 16 bits, else 32.
        """
        short = vertices - 1 <= _LARGEST_SHORT
        data = indices.astype("<u2" if short else "<u4").tobytes()
        accessor = {
            "bufferView": self._view(data, _INDICES),
            "componentType": _SHORTS if short else _INTEGERS,
            "count": indices.size,
            "type": "SCALAR",
        }
        return self._add("accessors", accessor)

    def add_mesh(self, name: str, primitives: Sequence[Primitive]) -> int:
        """Add a mesh of `primitives`; return its number."""
        described = [
            {
                "attributes": dict(primitive.attributes),
                "indices": primitive.indices,
                "material": primitive.material,
            }
            for primitive in primitives
        ]
        return self._add("meshes", {"name": name, "primitives": described})

    def add_light(self, light: dict[str, Any]) -> int:
        """Add `light`, an entry of `KHR_lights_punctual`; return its number."""
        self._lights.append(light)
        return len(self._lights) - 1

    def add_node(self, node: dict[str, Any]) -> int:
        """Add `node`, an entry of glTF's JSON; return its number.

        Its children must have been added before.
        """
        return self._add("nodes", node)

    def file(self, root: dict[str, Any]) -> bytes:
        """Return the whole file, with `root` as the only root node of its scene.

        Raises:
            ValueError: The file would be larger than 4 GB.
        """
        self._lists["nodes"][0] = root
        document: dict[str, Any] = {
            "asset": _ASSET,
            "extensionsUsed": [_SINGLE_ROOT],
            "scene": 0,
            "scenes": [{"nodes": [0]}],
        }
        if self._lights:
            document["extensionsUsed"].append(LIGHTS)
            document["extensions"] = {LIGHTS: {"lights": self._lights}}
        document |= self._lists
        if self._length:
            document["buffers"] = [{"byteLength": self._length}]
        text = json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode()
        text += b" " * (-len(text) % 4)
        length = 20 + len(text) + (8 + self._length if self._length else 0)
        if length >= 1 << 32:
            raise ValueError("the model has more than 4 GB")
        chunks = [struct.pack("<II", len(text), _JSON), text]
        if self._length:
            chunks += [struct.pack("<II", self._length, _BINARY), *self._buffer]
        return b"".join([struct.pack("<III", _MAGIC, _VERSION, length), *chunks])

    def _add(self, name: str, entry: dict[str, Any]) -> int:
        entries = self._lists.setdefault(name, [])
        entries.append(entry)
        return len(entries) - 1

    def _vectors(self, values: NDArray[np.float32], more: Mapping[str, Any] | None = None) -> int:
        view = self._view(values.astype("<f4").tobytes(), _VERTICES)
        accessor = {
            "bufferView": view,
            "componentType": _FLOATS,
            "count": len(values),
            "type": f"VEC{values.shape[1]}",
        }
        return self._add("accessors", accessor | dict(more or {}))

    def _view(self, data: bytes, target: int | None) -> int:
        view = {"buffer": 0, "byteOffset": self._length, "byteLength": len(data)}
        data += bytes(-len(data) % 4)
        self._buffer.append(data)
        self._length += len(data)
        return self._add("bufferViews", view if target is None else view | {"target": target})
