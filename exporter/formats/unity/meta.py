"""Write Unity's `.meta` sidecars: stable guids, and import settings.

Settings of textures are those of Unity 2021.3 (serializedVersion 12), which newer editors update.
Unity's YAML allows neither comments nor blank lines. The maximum texture size is always the largest
of Unity, so that a level that grows is never shrunk silently.

Unity rewrites the whole file with more keys, so the exporter reads and changes only the keys that
it writes itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Literal

from exporter.formats import Artifact
from exporter.model.lazy_dataclass import dataclass

LARGEST_TEXTURE = 16384

Use = Literal["sprite", "sheet", "data", "heights"]


def unity_guid(position: str, name: str) -> str:
    """Return the guid of asset `name` in folder `position`: 32 hex digits.

    Unity stores references between assets as guids. A guid follows from the file's name and the
    path of the target folder in the project, so it is the same on every machine and in every
    export.
    """
    return sha256(f"level-exporter unity {position}/{name}".encode()).digest()[:16].hex()


@dataclass(frozen=True, slots=True)
class _Texture:
    """The import settings in which pictures differ, as Unity numbers them."""

    texture_type: int  # 0 default, 8 sprite
    sprite_mode: int  # 0 none, 1 single, 2 multiple
    srgb: int
    readable: int
    transparency: int
    texture_format: int  # -1 automatic, 9 R16


_TEXTURES: dict[Use, _Texture] = {
    "sprite": _Texture(8, 1, 1, 0, 1, -1),
    "sheet": _Texture(8, 2, 1, 0, 1, -1),
    "data": _Texture(0, 0, 0, 1, 0, -1),
    "heights": _Texture(0, 0, 0, 1, 0, 9),
}


def picture_meta(picture: Artifact, position: str, use: Use, pixels_per_unit: int) -> Artifact:
    """Return the `.meta` of a PNG: no smoothing, no compression.

    `position` is the target folder, relative to the project; the guid derives from it. `use` is
    `sprite` (one picture), `sheet` (tiles), `data` or `heights` (read by scripts).
    `pixels_per_unit` is how many pixels one unit of Unity's world has: the width of a cell.
    """
    texture = _TEXTURES[use]
    text = _TEXTURE_BLOCK.format(
        srgb=texture.srgb,
        readable=texture.readable,
        sprite_mode=texture.sprite_mode,
        pixels_per_unit=pixels_per_unit,
        alpha_usage=int(use != "heights"),
        transparency=texture.transparency,
        texture_type=texture.texture_type,
        texture_format=texture.texture_format,
        largest=LARGEST_TEXTURE,
    )
    return _meta(picture, position, text)


def file_meta(file: Artifact, position: str) -> Artifact:
    """Return the `.meta` of a file other than a picture, by its suffix.

    A file that may have its own importer (`.lvb`, `.exr`, a third-party format) gets only its guid;
    Unity adds the rest. `position` is the target folder, relative to the project; the guid derives
    from it.
    """
    suffix = file.name.rpartition(".")[2]
    if suffix in ("json", "csv", "xml", "txt"):
        return _meta(file, position, _PLAIN_BLOCK.format(importer="TextScriptImporter"))
    if suffix in ("r16", "raw", "xsd"):
        return _meta(file, position, _PLAIN_BLOCK.format(importer="DefaultImporter"))
    return _meta(file, position, "")


def own_part(data: bytes) -> bytes | None:
    """Return the `.meta` file `data` with only the exporter's keys.

    Keys that the editor removed get the exporter's values. Version numbers of blocks are ignored,
    because editors raise them. None if `data` has no guid.
    """
    result = dict(_values(data.decode("utf-8", "replace")))
    guid = result.get(("guid",))
    if not guid:
        return None
    template = f"fileFormatVersion: 2\nguid: {guid}\n{_block_like(result)}"
    return _with_values(template, result).encode()


def merged(current: bytes, expected: bytes) -> bytes:
    """Return `.meta` file `current` with the exporter's keys from `expected`.

    All other lines of `current` stay as they are.
    """
    text = current.decode("utf-8", "replace")
    newline = "\r\n" if "\r\n" in text else "\n"
    values = dict(_values(expected.decode()))
    merged_text = _with_values(text.replace("\r\n", "\n"), values)
    return merged_text.replace("\n", newline).encode()


_Location = tuple[str | int, ...]
# Keys that the editor changes by itself.
_OF_THE_EDITOR = ("serializedVersion",)


def _block_like(result: dict[_Location, str]) -> str:
    """Return the block of settings that the exporter writes for an importer.

    `result` has the values of a `.meta` by position, which name the importer. The block is "" if
    the exporter writes no settings for that importer.
    """
    if any(position[0] == "TextureImporter" for position in result):
        numbers = dict.fromkeys(
            (
                "srgb",
                "readable",
                "sprite_mode",
                "pixels_per_unit",
                "alpha_usage",
                "transparency",
                "texture_type",
                "texture_format",
            ),
            "",
        )
        return _TEXTURE_BLOCK.format(**numbers, largest=LARGEST_TEXTURE)
    for importer in ("TextScriptImporter", "DefaultImporter"):
        if any(position[0] == importer for position in result):
            return _PLAIN_BLOCK.format(importer=importer)
    return ""


def _with_values(text: str, values: dict[_Location, str]) -> str:
    """Replace values in `text`, except those that only the editor sets.

    `text` is YAML. `values` are by position: the keys and list indices that lead to a value.
    """
    lines = text.split("\n")
    for number, position in _places(lines):
        if position in values and position[-1] not in _OF_THE_EDITOR:
            head = lines[number].partition(":")[0]
            lines[number] = f"{head}: {values[position]}" if values[position] else f"{head}:"
            if not values[position] and position[-1] in _EMPTY:
                lines[number] += " "
    return "\n".join(lines)


def _values(text: str) -> Iterator[tuple[_Location, str]]:
    """Yield the position and the text of each value in the YAML `text`.

    A position is the keys and list indices that lead to the value.
    """
    lines = text.replace("\r\n", "\n").split("\n")
    for number, position in _places(lines):
        yield position, lines[number].partition(":")[2].strip()


def _places(lines: list[str]) -> Iterator[tuple[int, _Location]]:
    """Yield the index and the position of each line `key: value`.

    A position is the keys and list indices that lead to the value.
    """
    above: list[tuple[int, str | int]] = []
    for number, line in enumerate(lines):
        rest = line.lstrip(" ")
        indent = len(line) - len(rest)
        if rest.startswith("- "):
            items = [key for depth, key in above if depth == indent and isinstance(key, int)]
            above = [pair for pair in above if pair[0] < indent or _is_key_at(pair, indent)]
            above.append((indent, items[-1] + 1 if items else 0))
            rest = rest[2:]
            indent += 2
        else:
            above = [pair for pair in above if pair[0] < indent]
        key, colon, _ = rest.partition(":")
        if colon:
            above.append((indent, key))
            yield number, tuple(key for _, key in above)


def _is_key_at(pair: tuple[int, str | int], indent: int) -> bool:
    """Return whether `pair` is the key of a list that begins at `indent`.

    Unity does not indent a list below its key. `pair` is an indentation, and a key or a list index.
    """
    return pair[0] == indent and isinstance(pair[1], str)


def _meta(file: Artifact, position: str, block: str) -> Artifact:
    text = f"fileFormatVersion: 2\nguid: {unity_guid(position, file.name)}\n{block}"
    return Artifact(f"{file.name}.meta", "import-settings", text.encode(), file.layer, once=True)


_EMPTY = ("userData", "assetBundleName", "assetBundleVariant")
# Unity itself leaves a space after the colon of an empty value.
_ENDING = "  userData: \n  assetBundleName: \n  assetBundleVariant: \n"

_PLAIN_BLOCK = "{importer}:\n  externalObjects: {{}}\n" + _ENDING

_TEXTURE_BLOCK = (
    """\
TextureImporter:
  internalIDToNameTable: []
  externalObjects: {{}}
  serializedVersion: 12
  mipmaps:
    mipMapMode: 0
    enableMipMap: 0
    sRGBTexture: {srgb}
    linearTexture: 0
  isReadable: {readable}
  streamingMipmaps: 0
  grayScaleToAlpha: 0
  generateCubemap: 6
  maxTextureSize: {largest}
  textureSettings:
    serializedVersion: 2
    filterMode: 0
    aniso: 1
    mipBias: 0
    wrapU: 1
    wrapV: 1
    wrapW: 1
  nPOTScale: 0
  compressionQuality: 50
  spriteMode: {sprite_mode}
  spriteExtrude: 1
  spriteMeshType: 0
  alignment: 0
  spritePivot: {{x: 0.5, y: 0.5}}
  spritePixelsToUnits: {pixels_per_unit}
  spriteBorder: {{x: 0, y: 0, z: 0, w: 0}}
  spriteGenerateFallbackPhysicsShape: 0
  alphaUsage: {alpha_usage}
  alphaIsTransparency: {transparency}
  textureType: {texture_type}
  textureShape: 1
  singleChannelComponent: 0
  ignorePngGamma: 0
  platformSettings:
  - serializedVersion: 3
    buildTarget: DefaultTexturePlatform
    maxTextureSize: {largest}
    resizeAlgorithm: 0
    textureFormat: {texture_format}
    textureCompression: 0
    compressionQuality: 50
    crunchedCompression: 0
    allowsAlphaSplitting: 0
    overridden: 0
  spriteSheet:
    serializedVersion: 2
    sprites: []
    outline: []
    physicsShape: []
"""
    + _ENDING
)
