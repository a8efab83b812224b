"""Pictures of the project as grids of colours."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from io import BytesIO
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from exporter.model.errors import ParameterError

if TYPE_CHECKING:
    from PIL.Image import Image

Path = tuple[str | int, ...]
Pixels = TypeVar("Pixels")

MAXIMUM_PIXELS = 1 << 26


def read_colors(content: bytes, name: str, path: Path) -> NDArray[np.uint32]:
    """Return a picture's pixels as 0xRRGGBBAA numbers: uint32 [height, width].

    Raises:
        ParameterError: At `path`, if the content is no picture, broken or too big.
    """

    def decode(picture: Image) -> NDArray[np.uint32]:
        pixels = np.asarray(picture.convert("RGBA")).astype(np.uint32)
        numbers = np.zeros(pixels.shape[:2], np.uint32)
        for channel in range(4):
            numbers <<= np.uint32(8)
            numbers |= pixels[:, :, channel]
        return numbers

    return _read(content, name, path, decode)


def read_greys(content: bytes, name: str, path: Path) -> NDArray[np.uint16]:
    """Return a picture's brightness: uint16 [height, width]; 16-bit greys keep their precision.

    Raises:
        ParameterError: At `path`, if the content is no picture, broken or too big.
    """

    def decode(picture: Image) -> NDArray[np.uint16]:
        if picture.mode.startswith("I"):
            deep = np.asarray(picture).astype(np.int64)
            return np.clip(deep, 0, 65535).astype(np.uint16)
        grey = np.asarray(picture.convert("RGB").convert("L"))
        return grey.astype(np.uint16) * np.uint16(257)

    return _read(content, name, path, decode)


def _read(content: bytes, name: str, path: Path, decode: Callable[[Image], Pixels]) -> Pixels:
    import PIL
    import PIL.Image

    try:
        with warnings.catch_warnings():
            # Pillow's own size warning; the limit below is ours and an error.
            warnings.simplefilter("ignore")
            with PIL.Image.open(BytesIO(content)) as picture:
                if picture.width * picture.height > MAXIMUM_PIXELS:
                    raise ParameterError(
                        f"{name} has {picture.width} x {picture.height} pixels "
                        f"(allowed: {MAXIMUM_PIXELS} in all)",
                        path,
                    )
                return decode(picture)
    except PIL.UnidentifiedImageError:
        raise ParameterError(f"{name} is no picture that can be read", path) from None
    except (OSError, SyntaxError, ValueError, PIL.Image.DecompressionBombError) as error:
        raise ParameterError(f"{name} cannot be read as a picture: {error}", path) from None


def color_number(color: str) -> int:
    """Return #rrggbb or #rrggbbaa as 0xRRGGBBAA."""
    digits = color[1:] if len(color) == 9 else color[1:] + "ff"
    return int(digits, 16)


def color_text(number: int) -> str:
    """Return 0xRRGGBBAA as #rrggbb, or #rrggbbaa where it is not opaque."""
    text = f"#{number:08x}"
    return text[:7] if text.endswith("ff") else text
