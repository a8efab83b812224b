"""Read the game's scenes that represent objects of a level.

The scenes that a scene inherits are read, too, and the script of its root with its base scripts, as
far as their files are found. A base class that is given by name is searched in files named like the
class, beside the script or in a folder above.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, replace

from exporter.formats.godot.agent_bodies import body_reach
from exporter.formats.godot.exported_variables import ScriptOutline, Variable, snake_case
from exporter.formats.godot.node_classes import has_no_position, is_engine_class
from exporter.formats.godot.scene_headings import (
    SceneHead,
    ScriptPosition,
    absolute_path,
    scene_head,
)
from exporter.formats.godot.values import RESOURCES, ExternalResource
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass

# The longest chain of scenes that inherit, or of scripts that extend, each other.
_LONGEST_CHAIN = 64
# At most so many scenes are searched for circles.
_MOST_SCENES = 256
# The most bytes that are read as text.
_LARGEST_SCENE = 16 << 20
_LARGEST_SCRIPT = 1 << 20
# Files that are scenes once the editor has imported them, and scenes that are not text.
_MODELS = (".glb", ".gltf", ".fbx", ".blend", ".dae")
_UNREAD = (".scn", ".lvb", *_MODELS)
ENDINGS = (".tscn", *_UNREAD)

Read = Callable[[str], bytes]


@dataclass(frozen=True, slots=True, eq=False)
class ObjectScene:
    """A scene of the game that represents the objects of one name.

    Attributes:
        resource: The file of the scene.
        root_class: The class of the scene's root; empty if unknown.
        variables: The exported variables of the root's script, by name.
        unknown_base: A base class of the script whose file was not found; empty if none is missing.
    """

    resource: ExternalResource
    root_class: str = ""
    variables: Mapping[str, Variable] = field(default_factory=dict)
    unknown_base: str = ""

    @property
    def placed(self) -> bool:
        """Whether the scene's root has a 2D position, which the level then sets."""
        return not has_no_position(self.root_class)


def read_object_scene(path: str, content: bytes, read: Read) -> ObjectScene:
    """Read the root class and the exported variables of a scene.

    Args:
        path: The scene's path, as `res://...`, with one of `ENDINGS`.
        content: The content of the scene's file.
        read: Returns the content of another file, by its path relative to the game; raises
            ParameterError if it cannot be read.

    Raises:
        ValueError: The file is not a scene, or a file is too large; the message gives the reason.
    """
    ending = posixpath.splitext(path)[1].lower()
    if ending in _UNREAD:
        root_class = "Node3D" if ending in _MODELS else ""
        return ObjectScene(ExternalResource("PackedScene", path, ""), root_class)
    head = _head(content, path)
    resource = ExternalResource("PackedScene", path, head.uid)
    scenes = [head, *_bases(head, path, read)]
    script = next((scene.script for scene in scenes if scene.has_script_entry), None)
    variables, unknown = _variables(script, read)
    return ObjectScene(resource, scenes[-1].root_class, variables, unknown)


def circle_of(path: str, is_level: Callable[[str, str], bool], read: Read) -> tuple[str, ...]:
    """Return how a scene contains the level or itself; () if neither.

    The result is the chain of paths from the scene at `path` to the level, or to the repeated
    scene. A scene contains the scenes that it inherits or has instances of. `is_level` returns
    whether a scene is the level, from its path and its uid; `read` returns a file by its path
    relative to the game, or raises ParameterError.
    """
    done: set[str] = set()

    def search(way: tuple[str, ...]) -> tuple[str, ...]:
        here = way[-1]
        if here in way[:-1] or is_level(here, ""):
            return way
        if here in done or len(done) + len(way) > _MOST_SCENES or not here.endswith(".tscn"):
            return ()
        content = _content(here, read)
        try:
            head = None if content is None else _head(content, here)
        except ValueError:
            head = None
        result: tuple[str, ...] = ()
        if head is not None:
            if is_level(here, head.uid):
                return way
            ways = (search((*way, scene)) for scene in head.scenes)
            result = next((item for item in ways if item), ())
        done.add(here)
        return result

    return search((path,))


def agent_reach(path: str, read: Read) -> float | None:
    """Return how far the shapes of an agent's scene reach from its origin.

    The result is in pixels: 0 if no shape can be read, None for a scene without an agent. `path` is
    the scene's, as `res://...`; `read` returns a file by its path relative to the game, or raises
    ParameterError.
    """
    texts: dict[str, str] = {}
    while path.endswith(".tscn") and path not in texts and len(texts) < _LONGEST_CHAIN:
        content = _content(path, read)
        if content is None:
            break
        try:
            text = _scene_text(content)
            base = scene_head(text, path).base
        except ValueError:
            break
        texts[path] = text
        path = base
    return body_reach(tuple(texts.values()))


def _head(content: bytes, path: str) -> SceneHead:
    return scene_head(_scene_text(content), path)


def _scene_text(content: bytes) -> str:
    if len(content) > _LARGEST_SCENE:
        raise ValueError(f"the scene has {len(content)} bytes (allowed: {_LARGEST_SCENE})")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("the scene is not UTF-8 text") from None
    return text.replace("\r\n", "\n")


def _bases(head: SceneHead, path: str, read: Read) -> Iterator[SceneHead]:
    """Yield the scenes that a scene inherits, until one cannot be read.

    `head` and `path` are the scene's.
    """
    seen = {path}
    while head.base and head.base not in seen and len(seen) < _LONGEST_CHAIN:
        seen.add(head.base)
        content = _content(head.base, read)
        if content is None:
            return
        try:
            head = _head(content, head.base)
        except ValueError:
            return
        yield head


def _variables(script: ScriptPosition | None, read: Read) -> tuple[dict[str, Variable], str]:
    """Return the exported variables of a script and its base scripts.

    The second result is the name of a base class whose file was not found; "" if none is missing.
    """
    variables: dict[str, Variable] = {}
    seen: set[str] = set()
    while script is not None and script.path not in seen and len(seen) < _LONGEST_CHAIN:
        if script.source is None:
            seen.add(script.path)
        outline = _outline(script, read)
        if outline is None:
            return variables, ""
        for name, variable in outline.variables.items():
            variables.setdefault(name, replace(variable, script=script.path))
        if outline.base_is_path:
            script = ScriptPosition(absolute_path(outline.base, script.path))
        elif is_engine_class(outline.base):
            return variables, ""
        else:
            script = _class_file(outline.base, script.path, read)
            if script is None:
                return variables, outline.base
    return variables, ""


def _outline(script: ScriptPosition, read: Read) -> ScriptOutline | None:
    source = script.source
    if source is None:
        content = _content(script.path, read)
        if content is None:
            return None
        if len(content) > _LARGEST_SCRIPT:
            sizes = f"{len(content)} bytes (allowed: {_LARGEST_SCRIPT})"
            raise ValueError(f"its script {script.path} has {sizes}")
        source = content.decode("utf-8-sig", "replace")
    # Imported here: few levels have scenes with scripts.
    if script.path.endswith(".cs"):
        from exporter.formats.godot.csharp_exports import csharp_outline

        return csharp_outline(source, posixpath.basename(script.path).removesuffix(".cs"))
    from exporter.formats.godot.gdscript_exports import gdscript_outline

    return gdscript_outline(source)


def _class_file(class_name: str, beside: str, read: Read) -> ScriptPosition | None:
    """Return the script of a base class; None if it is not found.

    `class_name` is the class that the script at the path `beside` extends.
    """
    if not class_name.isidentifier():
        return None
    files = [f"{snake_case(class_name)}.gd", f"{class_name}.gd"]
    if beside.endswith(".cs"):
        files = [f"{class_name}.cs"]
    folder = posixpath.dirname(beside.removeprefix(RESOURCES))
    while True:
        for file in dict.fromkeys(files):
            position = ScriptPosition(RESOURCES + posixpath.join(folder, file))
            outline = None if position.path == beside else _outline(position, read)
            if outline is not None and outline.class_name == class_name:
                return position
        if not folder:
            return None
        folder = posixpath.dirname(folder)


def _content(path: str, read: Read) -> bytes | None:
    if not path.startswith(RESOURCES):
        return None
    try:
        return read(path.removeprefix(RESOURCES))
    except ParameterError:
        return None
