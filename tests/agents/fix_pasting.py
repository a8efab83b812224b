"""Mend a spec as an agent does: by pasting the fix of a problem at its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml

_ENTRY = re.compile(r"^(\w+): ")


def paste(text: str, problem: dict[str, Any]) -> str:
    """Return a spec with the fix of one problem in it."""
    fix = problem["fix"]
    try:
        root = yaml.compose(text)
    except yaml.YAMLError:
        return _over_word(text, problem)
    if "at" in problem:
        path = problem["at"].split(".") if problem["at"] else []
        return _with_entry(text, _node(root, path), _ENTRY.match(fix)[1], fix)
    position = problem["line"] - 1, problem["column"] - 1
    nodes = [
        node for node in _nodes(root) if (node.start_mark.line, node.start_mark.column) == position
    ]
    if not nodes:
        return _over_word(text, problem)
    node = next((node for node in nodes if isinstance(node, yaml.ScalarNode)), nodes[-1])
    return text[: node.start_mark.index] + fix + text[node.end_mark.index :]


def _over_word(text: str, problem: dict[str, Any]) -> str:
    start = _offset(text, problem["line"] - 1, problem["column"] - 1)
    end = start + len(re.match(r"[^\s,}\]]*", text[start:])[0])
    return text[:start] + problem["fix"] + text[end:]


def _with_entry(text: str, mapping: yaml.MappingNode, key: str, entry: str) -> str:
    for name, value in mapping.value:
        if name.value == key:
            return text[: name.start_mark.index] + entry + text[value.end_mark.index :]
    first = mapping.value[0][0].start_mark
    behind = ", " if mapping.flow_style else "\n" + " " * first.column
    return text[: first.index] + entry + behind + text[first.index :]


def _node(root: yaml.Node, path: list[str]) -> Any:
    for key in path:
        if isinstance(root, yaml.SequenceNode):
            root = root.value[int(key)]
        else:
            root = next(value for name, value in root.value if name.value == key)
    return root


def _nodes(node: yaml.Node) -> Iterator[yaml.Node]:
    yield node
    for item in [] if isinstance(node, yaml.ScalarNode) else node.value:
        for child in item if isinstance(item, tuple) else (item,):
            yield from _nodes(child)


def _offset(text: str, line: int, column: int) -> int:
    return sum(len(item) for item in text.splitlines(keepends=True)[:line]) + column
