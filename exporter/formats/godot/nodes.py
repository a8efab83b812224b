"""Represent a Godot scene as a tree of nodes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from exporter.formats.godot.values import ExternalResource, Value
from exporter.model.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A node of a scene and everything below it.

    Attributes:
        name: Its name, which no sibling has.
        type: Its class in Godot; empty for an instance of another scene.
        properties: Differences from the class's defaults, in order.
        metadata: Its metadata; names are ASCII identifiers.
        groups: The groups it is in.
        children: The nodes below it.
        instance: The scene that it is an instance of.
        variables: Exported variables of the script of that scene's root.
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
    """A tree of nodes with the uid of its file."""

    root: Node
    uid: str


def count_nodes(node: Node, type_name: str) -> int:
    """Return the number of nodes of a class, at and below a node."""
    return (node.type == type_name) + sum(count_nodes(child, type_name) for child in node.children)
