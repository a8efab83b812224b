"""Write scenes and resources as Godot's text files.

Resources come before the nodes, in the order in which they are first used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from exporter.formats.godot.nodes import Node, Scene
from exporter.formats.godot.text import Resource, quoted, value_text
from exporter.formats.godot.values import ExternalResource, NodeReference, SubResource, Value


def tscn(scene: Scene) -> bytes:
    """Return `scene` as the text of a `.tscn` file."""
    resources = _ResourceWriter()
    nodes: list[str] = []
    for node, parent in _with_parents(scene.root, None):
        nodes += _node(node, parent, resources)
    head = [f'[gd_scene format=4 uid="{scene.uid}"]', ""]
    return "\n".join([*head, *resources.external, *resources.sub, *nodes]).encode()


def tres(kind: str, properties: Mapping[str, Value], uid: str) -> bytes:
    """Return a resource of class `kind` as the text of a `.tres` file.

    `uid` becomes the uid in its header.
    """
    resources = _ResourceWriter()
    entries = _entries(properties, resources)
    head = [f'[gd_resource type="{kind}" format=3 uid="{uid}"]', ""]
    lines = [*head, *resources.external, *resources.sub, "[resource]", *entries, ""]
    return "\n".join(lines).encode()


class _ResourceWriter:
    """Writes each resource of a file once, when it is first referred to."""

    def __init__(self) -> None:
        self.external: list[str] = []
        self.sub: list[str] = []
        self._external_ids: dict[ExternalResource, str] = {}
        # By identity; the resources are kept, so that no other object gets the same id.
        self._sub_ids: dict[int, tuple[SubResource, str]] = {}
        self._counts: Counter[str] = Counter()

    def reference(self, resource: Resource) -> str:
        if isinstance(resource, ExternalResource):
            return f'ExtResource("{self._external_id(resource)}")'
        return f'SubResource("{self._sub_id(resource)}")'

    def _external_id(self, resource: ExternalResource) -> str:
        if resource not in self._external_ids:
            number = self._external_ids[resource] = str(len(self._external_ids) + 1)
            uid = f"uid={quoted(resource.uid)} " if resource.uid else ""
            position = f"{uid}path={quoted(resource.path)}"
            line = f'[ext_resource type="{resource.type}" {position} id="{number}"]'
            self.external += [line, ""]
        return self._external_ids[resource]

    def _sub_id(self, resource: SubResource) -> str:
        if id(resource) not in self._sub_ids:
            entries = _entries(resource.properties, self)
            self._counts[resource.type] += 1
            name = f"{resource.type}_{self._counts[resource.type]}"
            self._sub_ids[id(resource)] = resource, name
            self.sub += [f'[sub_resource type="{resource.type}" id="{name}"]', *entries, ""]
        return self._sub_ids[id(resource)][1]


def _with_parents(node: Node, parent: str | None) -> Iterator[tuple[Node, str | None]]:
    """Yield every node and the path of its parent, None for the root."""
    yield node, parent
    below = "." if parent is None else node.name if parent == "." else f"{parent}/{node.name}"
    for child in node.children:
        yield from _with_parents(child, below)


def _node(node: Node, parent: str | None, resources: _ResourceWriter) -> list[str]:
    position = "" if parent is None else f" parent={quoted(parent)}"
    groups = f" groups=[{', '.join(map(quoted, node.groups))}]" if node.groups else ""
    kind = f" type={quoted(node.type)}"
    instance = ""
    if node.instance is not None:
        kind, instance = "", f" instance={resources.reference(node.instance)}"
    linked = [quoted(name) for name, item in node.variables.items() if _has_nodes(item)]
    links = f" node_paths=PackedStringArray({', '.join(linked)})" if linked else ""
    heading = f"[node name={quoted(node.name)}{kind}{position}{links}{groups}{instance}]"
    metadata = {
        f"metadata/{name}": value for name, value in node.metadata.items() if value is not None
    }
    own = node.properties
    if node.variables:
        own = {**own, **{_key(name): item for name, item in node.variables.items()}}
    return [heading, *_entries(own, resources), *_entries(metadata, resources), ""]


def _has_nodes(value: Value) -> bool:
    """Return whether `value` refers to nodes, whose paths Godot must resolve."""
    entries = value if isinstance(value, tuple) else (value,)
    return any(isinstance(entry, NodeReference) for entry in entries)


def _key(name: str) -> str:
    """Return the variable `name` as a key, in quotes if it is not ASCII."""
    return name if name.isascii() else quoted(name)


def _entries(values: Mapping[str, Value], resources: _ResourceWriter) -> list[str]:
    return [f"{key} = {value_text(value, resources.reference)}" for key, value in values.items()]
