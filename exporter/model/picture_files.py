"""Read picture files safely into arrays.

A picture may come from a stranger, and 21 KB of PNG can expand to gigabytes. So only a few formats
are accepted, and the number of pixels is checked before any are decoded.
"""

from __future__ import annotations

import struct
import warnings
from collections.abc import Callable
from io import BytesIO
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from exporter.model.errors import ParameterError
from exporter.model.limits import MAXIMUM_PIXELS, MAXIMUM_TEXT_BYTES

if TYPE_CHECKING:
    from PIL.Image import Image

Path = tuple[str | int, ...]
Pixels = TypeVar("Pixels")

# In Pillow's names. It reads some sixty formats, of which some run other programs.
FORMATS = ("PNG", "JPEG", "GIF", "BMP", "WEBP", "TGA", "PPM")
FORMAT_WORDS = "PNG, JPEG, GIF, BMP, WebP, TGA, PGM or PPM"

# Every scan of a progressive JPEG reads all pixels again, and takes ten bytes of the file. Encoders
# write about ten scans; inside a scan, no such marker can occur.
_JPEG_START, _JPEG_SCAN = b"\xff\xd8", b"\xff\xda"
_MAXIMUM_SCANS = 64
# PBM, PGM and PPM in text form, which Pillow reads in a loop of Python.
_PLAIN_STARTS = (b"P1", b"P2", b"P3")

# What Pillow's decoders raise for files that are cut short or wrong inside.
_BROKEN = (OSError, SyntaxError, ValueError, LookupError, TypeError, ArithmeticError, struct.error)


# The EXIF tag of a picture's orientation.
_ORIENTATION = 0x0112


def read_colors(content: bytes, name: str, path: Path) -> NDArray[np.uint8]:
    """Return a picture's RGBA pixels: uint8 [height, width, 4].

    Args:
        content: The file's bytes.
        name: The file's name, for messages.
        path: The path of the parameter that names the file, for errors.

    Raises:
        ParameterError: The content is not a picture, is damaged or too big.
    """
    return _read(content, name, path, lambda picture: np.asarray(picture.convert("RGBA")))


def read_greys(content: bytes, name: str, path: Path) -> NDArray[np.uint16]:
    """Return a picture's brightness from 0 (black): uint16 [height, width].

    `content`, `name` and `path` are the file's bytes, its name, and the parameter that names the
    file.

    Raises:
        ParameterError: The content is not a picture, is damaged or too big.
    """

    def decode(picture: Image) -> NDArray[np.uint16]:
        if picture.mode.startswith("I"):
            deep: NDArray[np.uint16] = np.clip(np.asarray(picture), 0, 65535).astype(np.uint16)
            return deep
        grey = np.asarray(picture.convert("RGB").convert("L"))
        return grey.astype(np.uint16) * np.uint16(257)

    return _read(content, name, path, decode)


def _read(content: bytes, name: str, path: Path, decode: Callable[[Image], Pixels]) -> Pixels:
    import PIL.Image
    import PIL.ImageOps

    _check_work(content, name, path)
    try:
        with warnings.catch_warnings():
            # Pillow's own warnings: of sizes, for which we have a limit, and of odd metadata.
            warnings.simplefilter("ignore")
            with PIL.Image.open(BytesIO(content), formats=FORMATS) as picture:
                _check_size(picture, name, path)
                # Cameras record their orientation instead of turning the pixels.
                turned = picture.getexif().get(_ORIENTATION, 1) != 1
                return decode(PIL.ImageOps.exif_transpose(picture) if turned else picture)
    except PIL.UnidentifiedImageError:
        message = f"{name} is not a picture that can be read (allowed: {FORMAT_WORDS})"
        raise ParameterError(message, path) from None
    except PIL.Image.DecompressionBombError:
        message = f"{name} has too many pixels (allowed: {MAXIMUM_PIXELS} in all)"
        raise ParameterError(message, path) from None
    except _BROKEN as error:
        message = f"{name} is not a picture that can be read ({error})"
        raise ParameterError(message, path) from None


def _check_work(content: bytes, name: str, path: Path) -> None:
    """Refuse a file with few pixels that would still take long to decode."""
    if content.startswith(_JPEG_START) and content.count(_JPEG_SCAN) > _MAXIMUM_SCANS:
        raise ParameterError(f"{name} is a JPEG of more than {_MAXIMUM_SCANS} scans", path)
    if content[:2] in _PLAIN_STARTS and len(content) > MAXIMUM_TEXT_BYTES:
        raise ParameterError(
            f"{name} has {len(content)} bytes of plain text (allowed: {MAXIMUM_TEXT_BYTES}; binary "
            "PGM and PPM may be larger)",
            path,
        )


def _check_size(picture: Image, name: str, path: Path) -> None:
    if picture.width * picture.height > MAXIMUM_PIXELS:
        raise ParameterError(
            f"{name} has {picture.width} x {picture.height} pixels "
            f"(allowed: {MAXIMUM_PIXELS} in all)",
            path,
        )
