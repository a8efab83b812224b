"""Read the root node of a Godot scene file (`.tscn`).

Only the headings and the script of the root are read. They give the scene's uid, the scene that it
inherits, and its root's class and script.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from functools import lru_cache

from exporter.formats.godot.values import RESOURCES
from exporter.model.lazy_dataclass import dataclass

# A text that does not end goes to the end of the file: no part is read twice.
_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)'
_TOKEN = re.compile(rf'{_STRING}|;[^\n]*|[\[\](){{}}\n]|[^"\[\](){{}}\n;]+', re.DOTALL)
_PART = re.compile(rf'{_STRING}|[\[\](){{}}=]|\s+|[^\s"\[\](){{}}=]+', re.DOTALL)
_HEADING = re.compile(r"\[\s*(\w+)")
_REFERENCE = re.compile(r'(Ext|Sub)Resource\(\s*"?([^")\s]*)"?\s*\)')
_INSTANCE = re.compile(r'\binstance=ExtResource\(\s*"?([^")\s\\]*)"?\s*\)')
_OPEN, _CLOSE = ("[", "(", "{"), ("]", ")", "}")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}


@dataclass(frozen=True, slots=True)
class ScriptPosition:
    """Where a node's script is: in the file `path`, or inside a scene.

    `source` is the script's text if it is inside the scene `path`, else None.
    """

    path: str
    source: str | None = None


@dataclass(frozen=True, slots=True)
class SceneHead:
    """What the headings of a scene file say about its root node and script.

    Attributes:
        uid: The scene's uid; empty if it has none.
        root_class: The class of the root; empty for a scene that inherits another.
        base: The path of the scene that this one inherits; empty for none.
        has_script_entry: Whether the file sets the root's script; otherwise the script is
            inherited.
        script: The root's script; None without any.
        scenes: The paths of all scenes that this one inherits or instances.
    """

    uid: str
    root_class: str
    base: str
    has_script_entry: bool = False
    script: ScriptPosition | None = None
    scenes: tuple[str, ...] = ()


@lru_cache(maxsize=16)  # the levels of a game have the same scenes
def scene_head(text: str, path: str) -> SceneHead:
    """Read the root node of a scene file from its headings.

    `path` is the file's, as `res://...`; paths in the file can be relative to it.

    Raises:
        ValueError: The text is not a scene.
    """
    resources = _SceneResources(path)
    statements = _statements(text)
    first = _Statement.of(next(statements, ""))
    if first.heading != "gd_scene":
        raise ValueError("the first line of the scene is not [gd_scene ...]")
    uid = _text(first.attributes.get("uid", '""'))
    current = first
    for line in statements:
        statement = _Statement.of(line)
        if statement.heading == "node":
            # Quotes inside of texts have backslashes, so nothing in a text is taken for a node.
            scenes = dict.fromkeys(map(resources.named, _INSTANCE.findall(text)))
            head = _root(uid, statement, statements, resources)
            return replace(head, scenes=tuple(scene for scene in scenes if scene))
        if statement.heading:
            current = statement
            resources.add(statement)
        elif current.heading == "sub_resource":
            resources.add_value(current, line)
    raise ValueError("the scene has no node")


@dataclass(frozen=True, slots=True)
class SceneSection:
    """A section of a scene file: a heading in brackets, then values by name.

    `heading` is the first word in the brackets; `attributes` has the others (`name=value`), as
    written.
    """

    heading: str
    attributes: Mapping[str, str]
    values: dict[str, str] = field(default_factory=dict)

    def text(self, attribute: str) -> str:
        """Return the heading's `attribute` without quotes; "" if it is not set."""
        return _text(self.attributes.get(attribute, ""))


def sections(text: str) -> Iterator[SceneSection]:
    """Yield the sections of a scene file, whose content is `text`."""
    current: SceneSection | None = None
    for line in _statements(text):
        statement = _Statement.of(line)
        if statement.heading:
            if current is not None:
                yield current
            current = SceneSection(statement.heading, statement.attributes)
        elif current is not None:
            name, _, value = line.partition("=")
            current.values[name.strip()] = value.strip()
    if current is not None:
        yield current


def absolute_path(name: str, beside: str) -> str:
    """Resolve the path `name`, which may be relative to the file `beside`.

    The result begins with `res://`, if `name` is not empty and has no other scheme.
    """
    if "://" in name or not name:
        return name
    folder = posixpath.dirname(beside.removeprefix(RESOURCES))
    return RESOURCES + posixpath.normpath(posixpath.join(folder, name))


@dataclass(frozen=True, slots=True)
class _Statement:
    """A line of a scene file: a heading with its attributes, or another line.

    `heading` is the first word in the brackets, empty for another line; attributes are as written.
    """

    heading: str
    attributes: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, text: str) -> _Statement:
        result = _HEADING.match(text)
        if result is None:
            return cls("")
        return cls(result[1], dict(_attributes(text)))


def _attributes(heading: str) -> Iterator[tuple[str, str]]:
    """Yield name and value of a heading's attributes, as written."""
    depth = 0
    word = name = ""
    value: list[str] = []
    for match in _PART.finditer(heading):
        part = match[0]
        depth -= part in _CLOSE
        if depth <= 1 and name and value and (part.isspace() or depth == 0):
            yield name, "".join(value)
            name, value = "", []
        if part == "=" and depth == 1:
            name, value = word, []
        elif name and not (part.isspace() and not value):
            value.append(part)
        elif not part.isspace():
            word = part
        depth += part in _OPEN


class _SceneResources:
    """The scripts and scenes among the resources of a scene file, by id."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._files: dict[str, str] = {}
        self._sources: dict[str, str | None] = {}

    def add(self, statement: _Statement) -> None:
        """Add the resource that the heading `statement` declares."""
        identity = _text(statement.attributes.get("id", '""'))
        if statement.heading == "ext_resource":
            name = _text(statement.attributes.get("path", '""'))
            self._files[identity] = absolute_path(name, self.path)
        elif statement.heading == "sub_resource":
            self._sources[identity] = None

    def add_value(self, statement: _Statement, line: str) -> None:
        """Add `line`, an assignment below the heading `statement`.

        Only the text of a script is kept.
        """
        name, _, value = line.partition("=")
        if name.strip() == "script/source":
            self._sources[_text(statement.attributes.get("id", '""'))] = _text(value.strip())

    def named(self, identity: str) -> str:
        return self._files.get(identity, "")

    def file(self, value: str) -> str:
        """Return the path of the file that `value` refers to.

        A reference is such as `ExtResource("1")`; for any other value the result is "".
        """
        result = _REFERENCE.match(value)
        return self._files.get(result[2], "") if result and result[1] == "Ext" else ""

    def script(self, value: str) -> ScriptPosition | None:
        """Return the script that `value` refers to; None if it refers to none."""
        result = _REFERENCE.match(value)
        if result is None:
            return None
        if result[1] == "Ext":
            return ScriptPosition(self._files.get(result[2], ""))
        return ScriptPosition(self.path, self._sources.get(result[2]) or "")


def _root(
    uid: str, statement: _Statement, following: Iterator[str], resources: _SceneResources
) -> SceneHead:
    root_class = _text(statement.attributes.get("type", '""'))
    base = resources.file(statement.attributes.get("instance", ""))
    for line in following:
        if line.startswith("["):
            break
        name, _, value = line.partition("=")
        if name.strip() == "script":
            return SceneHead(uid, root_class, base, True, resources.script(value.strip()))
    return SceneHead(uid, root_class, base)


def _statements(text: str) -> Iterator[str]:
    """Yield each heading and each assignment; both can have several lines."""
    parts: list[str] = []
    depth = 0
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token.startswith(";"):
            continue
        if token == "\n" and depth <= 0:
            statement = "".join(parts).strip()
            parts, depth = [], 0
            if statement:
                yield statement
            continue
        depth += (token in _OPEN) - (token in _CLOSE)
        parts.append(token)
    if rest := "".join(parts).strip():
        yield rest


def _text(value: str) -> str:
    """Return the text in the quotes of `value`, or `value` if it has none.

    Ids of older scenes have no quotes.
    """
    if not value.startswith('"'):
        return value
    return re.sub(
        r"\\(.)", lambda result: _ESCAPED.get(result[1], result[1]), value[1:-1], flags=re.DOTALL
    )
