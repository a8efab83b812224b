"""Represent a Godot scene as a tree of nodes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from exporter.formats.godot.values import ExternalResource, Value
from exporter.model.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A node of a scene, with all nodes below it.

    Attributes:
        name: The node's name, unique among its siblings.
        type: The node's class in Godot; empty for an instance of another scene.
        properties: Differences from the class's defaults, in order.
        metadata: The node's metadata; names are ASCII identifiers.
        groups: The node's groups.
        children: The child nodes.
        instance: The scene that the node is an instance of; None otherwise.
        variables: Values for exported variables of the root script of `instance`.
    """

    name: str
    type: str
    properties: Mapping[str, Value] = field(default_factory=dict)
    metadata: Mapping[str, Value] = field(default_factory=dict)
    groups: tuple[str, ...] = ()
    children: tuple[Node, ...] = ()
    instance: ExternalResource | None = None
    variables: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A Godot scene: its tree of nodes, and the uid of its file."""

    root: Node
    uid: str


def count_nodes(node: Node, type_name: str) -> int:
    """Return how many of `node` and all nodes below have class `type_name`."""
    return (node.type == type_name) + sum(count_nodes(child, type_name) for child in node.children)
