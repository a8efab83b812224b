"""Write Godot's `.import` files, so that files import without a click.

Godot adds missing keys and keeps the others, such as the uid. So the exporter reads and changes
only the keys that it writes itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from exporter.formats import Artifact
from exporter.formats.godot.text import quoted
from exporter.formats.godot.uid import godot_uid

# Pixel pictures: no mipmaps, and transparent pixels keep their colours. Without `detect_3d` off,
# Godot compresses a texture when it is used in 3D.
_PICTURE = {
    "compress/mode": "0",
    "mipmaps/generate": "false",
    "process/fix_alpha_border": "false",
    "detect_3d/compress_to": "0",
}

_LEVEL = "level_exporter.level"
_SCENES = "scenes"
_HOOK = "after_export"
# The written keys, by importer; the editor adds missing ones.
_NAMES = {"texture": tuple(_PICTURE), _LEVEL: (_SCENES, _HOOK)}
_DEFAULTS = {_SCENES: "PackedStringArray()", _HOOK: '""'}


def picture_import(picture: Artifact, position: str) -> Artifact:
    """Return the `.import` file that makes `picture` a texture for pixel art.

    `image_import` is for pictures whose pixels are data. `position` is the folder of both files,
    relative to the project; the uid derives from it.
    """
    return _sidecar(picture, "texture", godot_uid(position, picture.name), _PICTURE)


def image_import(image: Artifact, position: str) -> Artifact:
    """Return the `.import` file for `image`, a picture whose pixels are data.

    Godot then imports it as an Image, not as a texture. `position` is the folder of both files,
    relative to the project; the uid derives from it.
    """
    return _sidecar(image, "image", godot_uid(position, image.name), {})


def level_import(
    blob: Artifact, position: str, scenes: Iterable[str] = (), after_export: str = ""
) -> Artifact:
    """Return the `.import` file for a blob that Godot imports as a scene.

    `position` is the folder of both files, relative to the project; the uid derives from it.
    `scenes` are paths of scenes that the import may instance, and of resources that it may set.
    `after_export` is the path of the game's script that receives the imported scene; empty for
    none.
    """
    listed = ", ".join(map(quoted, sorted(set(scenes))))
    parameters = {_SCENES: f"PackedStringArray({listed})"} if listed else {}
    if after_export:
        parameters[_HOOK] = quoted(after_export)
    return _sidecar(blob, _LEVEL, godot_uid(position, blob.name), parameters)


def keep_import(file: Artifact) -> Artifact:
    """Return the `.import` file for a file that Godot must not import."""
    return _sidecar(file, "keep", None, {})


def own_part(data: bytes) -> bytes | None:
    """Return the `.import` file `data` with only the exporter's keys.

    None if `data` names no importer.
    """
    remap, parameters = _read(data)
    importer = remap.get("importer", "").strip('"')
    if not importer:
        return None
    uid = remap.get("uid", "").strip('"') if importer != "keep" else None
    values = {
        name: parameters[name]
        for name in _NAMES.get(importer, ())
        if name in parameters and parameters[name] != _DEFAULTS.get(name)
    }
    return _text(importer, uid or None, values)


def merged(current: bytes, expected: bytes) -> bytes:
    """Return `.import` file `current` with the exporter's keys of `expected`.

    All other lines of `current` stay as they are.
    """
    text = current.decode("utf-8", "replace")
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = text.replace("\r\n", "\n").removesuffix("\n").split("\n")
    for section, values in zip(("remap", "params"), _read(expected), strict=True):
        for key, value in values.items():
            _set(lines, section, key, value)
    return (newline.join(lines) + newline).encode()


def _set(lines: list[str], section: str, key: str, value: str) -> None:
    """Set `key` to `value` in `section` of a file's `lines`.

    A missing section or key is added.
    """
    header = f"[{section}]"
    if header not in lines:
        lines += ["", header, "", f"{key}={value}"]
        return
    start = lines.index(header) + 1
    end = next((i for i in range(start, len(lines)) if lines[i].startswith("[")), len(lines))
    for index in range(start, end):
        if lines[index].startswith(f"{key}="):
            lines[index] = f"{key}={value}"
            return
    while end > start and not lines[end - 1]:
        end -= 1
    lines.insert(end, f"{key}={value}")


_ASSIGNMENT = re.compile(r"([A-Za-z0-9_./]+)=(.*)")


def _read(data: bytes) -> tuple[dict[str, str], dict[str, str]]:
    """Return the keys of sections `remap` and `params`, with values as text."""
    sections: dict[str, dict[str, str]] = {"remap": {}, "params": {}}
    section: dict[str, str] = {}
    for line in data.decode("utf-8", "replace").splitlines():
        if line.startswith("["):
            section = sections.get(line.strip("[] "), {})
        elif (result := _ASSIGNMENT.fullmatch(line)) is not None:
            section.setdefault(result[1], result[2])
    return sections["remap"], sections["params"]


def _sidecar(
    file: Artifact, importer: str, uid: str | None, parameters: Mapping[str, str]
) -> Artifact:
    data = _text(importer, uid, parameters)
    return Artifact(f"{file.name}.import", "import-settings", data, file.layer, once=True)


def _text(importer: str, uid: str | None, parameters: Mapping[str, str]) -> bytes:
    lines = ["[remap]", "", f'importer="{importer}"']
    if uid:
        lines.append(f'uid="{uid}"')
    if parameters:
        lines += ["", "[params]", ""]
        lines += [f"{key}={value}" for key, value in parameters.items()]
    return ("\n".join(lines) + "\n").encode()
