"""Measure how far the collision shapes of an agent's scene reach.

An agent is a scene with a NavigationAgent2D. The reach is the distance from the scene's origin to
the farthest point of a shape.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import lru_cache

from exporter.formats.godot.scene_headings import SceneSection, sections
from exporter.model.lazy_dataclass import dataclass

_AGENT = "NavigationAgent2D"
_BODIES = ("CharacterBody2D", "RigidBody2D", "AnimatableBody2D", "StaticBody2D")
_NUMBER = re.compile(r"-?\d+(?:\.\d*)?(?:e[+-]?\d+)?")
_SUB_RESOURCE = re.compile(r'SubResource\(\s*"?([^")\s]*)"?\s*\)')


@dataclass(slots=True, eq=False)
class _ShapeNode:
    """A node of a scene: its class, and its properties as written.

    `shape` is half of the longer side of the node's collision shape in pixels; None without a
    shape.
    """

    node_class: str = ""
    values: dict[str, str] = field(default_factory=dict)
    shape: float | None = None

    @property
    def reach(self) -> float | None:
        """How far the shape reaches from the parent node's origin, in pixels.

        None without a shape, or if the node is disabled.
        """
        if self.values.get("disabled") == "true":
            return None
        middle = max(map(abs, _numbers(self.values.get("position", "0"))), default=0.0)
        if self.node_class == "CollisionPolygon2D":
            corners = map(abs, _numbers(self.values.get("polygon", "")))
            return middle + max(corners, default=0.0)
        if self.node_class == "CollisionShape2D" and self.shape is not None:
            return middle + self.shape
        return None


@lru_cache(maxsize=16)  # the levels of a game have the same scenes
def body_reach(texts: tuple[str, ...]) -> float | None:
    """Return how far an agent's shapes reach from its origin, in pixels.

    `texts` are the texts of the scene, then of the scenes that it inherits. The result is None
    without a NavigationAgent2D, and 0 if no shape of a body can be read.
    """
    nodes: dict[str, _ShapeNode] = {}
    for text in reversed(texts):
        _read_nodes(text, nodes)
    if not any(node.node_class == _AGENT for node in nodes.values()):
        return None
    return max(_reaches(nodes), default=0.0)


def _reaches(nodes: Mapping[str, _ShapeNode]) -> Iterator[float]:
    for path, node in nodes.items():
        parent = nodes.get(path.rpartition("/")[0] or ".")
        if parent is not None and parent.node_class in _BODIES and node.reach is not None:
            yield node.reach


def _read_nodes(text: str, nodes: dict[str, _ShapeNode]) -> None:
    """Add the nodes of a scene to `nodes`, which has those that it inherits.

    `text` is the scene's file; the keys are paths of nodes.
    """
    shapes: dict[str, SceneSection] = {}
    for section in sections(text):
        if section.heading == "sub_resource":
            shapes[section.text("id")] = section
        elif section.heading == "node":
            parent, name = section.text("parent"), section.text("name")
            path = "." if not parent else name if parent == "." else f"{parent}/{name}"
            node = nodes.setdefault(path, _ShapeNode())
            node.node_class = section.text("type") or node.node_class
            node.values |= section.values
            shape = _SUB_RESOURCE.fullmatch(section.values.get("shape", ""))
            if shape and shape[1] in shapes:
                node.shape = _half_side(shapes[shape[1]])


def _half_side(shape: SceneSection) -> float | None:
    """Return half of a shape's longer side in pixels; None if it is unknown.

    Scene files do not contain values that are Godot's defaults, so these are repeated here.
    """
    match shape.text("type"):
        case "CircleShape2D":
            return _first(shape, "radius", 10.0)
        case "CapsuleShape2D":
            return max(_first(shape, "radius", 10.0), _first(shape, "height", 30.0) / 2)
        case "RectangleShape2D":
            return max(_numbers(shape.values.get("size", "20")), default=0.0) / 2
    return None


def _first(shape: SceneSection, name: str, default: float) -> float:
    return next(iter(_numbers(shape.values.get(name, ""))), default)


def _numbers(value: str) -> list[float]:
    """Return the numbers in the brackets of `value`, or a single number."""
    return [float(number) for number in _NUMBER.findall(value.partition("(")[2] or value)]
