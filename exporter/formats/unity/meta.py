"""Unity's `.meta` sidecars, written once: a stable guid, and import settings for pictures.

The texture block is arranged for 2021.3 and newer (serializedVersion 12, which newer editors
bring up to date by themselves). Unity's YAML takes neither comments nor blank lines. The largest
size is always the largest Unity has: the file is written once, and a level that grows must not
be shrunk silently.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from exporter.formats import Artifact
from exporter.formats.unity.guid import unity_guid

LARGEST_TEXTURE = 16384

Use = Literal["sprite", "sheet", "data", "heights"]


@dataclass(frozen=True, slots=True)
class _Texture:
    """The settings in which pictures differ, as Unity numbers them."""

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


def picture_meta(picture: Artifact, place: str, use: Use, pixels_per_unit: int) -> Artifact:
    """Return the settings for a PNG: point filter, not compressed, no mipmaps, not resized.

    Args:
        picture: The PNG.
        place: The target folder's path in the project.
        use: `sprite` (one picture), `sheet` (tiles), `data` or `heights` (read by scripts).
        pixels_per_unit: Pixels that make one unit of the world: the width of a cell.
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
    return _meta(picture, place, text)


def file_meta(file: Artifact, place: str) -> Artifact:
    """Return the settings for any other file: its guid and the plain importer for its suffix.

    A file that may have an importer of its own (`.lvb`, `.exr`, a format of another package)
    gets its guid alone; Unity adds the rest.
    """
    suffix = file.name.rpartition(".")[2]
    if suffix in ("json", "csv", "xml", "txt"):
        return _meta(file, place, _PLAIN_BLOCK.format(importer="TextScriptImporter"))
    if suffix in ("r16", "raw", "xsd"):
        return _meta(file, place, _PLAIN_BLOCK.format(importer="DefaultImporter"))
    return _meta(file, place, "")


def _meta(file: Artifact, place: str, block: str) -> Artifact:
    text = f"fileFormatVersion: 2\nguid: {unity_guid(place, file.name)}\n{block}"
    return Artifact(f"{file.name}.meta", "import-settings", text.encode(), file.layer, once=True)


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
