"""Godot's `.import` sidecars, written once so that a file looks right without a click.

Godot completes what is missing and keeps what is there, the uid included.
"""

from __future__ import annotations

from collections.abc import Mapping

from exporter.formats import Artifact
from exporter.formats.godot.uid import godot_uid

# Pixel pictures: no mipmaps, and colours of transparent pixels stay what they are. Without
# `detect_3d` off, Godot turns a texture into a compressed one when it is used in 3D.
_PICTURE = {
    "compress/mode": "0",
    "mipmaps/generate": "false",
    "process/fix_alpha_border": "false",
    "detect_3d/compress_to": "0",
}


def picture_import(picture: Artifact, place: str) -> Artifact:
    """Return the settings for a picture that is shown or cut into tiles."""
    return _sidecar(picture, "texture", godot_uid(place, picture.name), _PICTURE)


def image_import(image: Artifact, place: str) -> Artifact:
    """Return the settings for data in an image: loaded as an `Image`, not as a texture."""
    return _sidecar(image, "image", godot_uid(place, image.name), {})


def keep_import(file: Artifact) -> Artifact:
    """Return the settings for a file Godot must leave alone."""
    return _sidecar(file, "keep", None, {})


def _sidecar(
    file: Artifact, importer: str, uid: str | None, parameters: Mapping[str, str]
) -> Artifact:
    lines = ["[remap]", "", f'importer="{importer}"']
    if uid:
        lines.append(f'uid="{uid}"')
    if parameters:
        lines += ["", "[params]", ""]
        lines += [f"{key}={value}" for key, value in parameters.items()]
    data = ("\n".join(lines) + "\n").encode()
    return Artifact(f"{file.name}.import", "import-settings", data, file.layer, once=True)
