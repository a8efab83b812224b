"""Parse colours written as `#rrggbb` or `#rrggbbaa` into four bytes."""

from __future__ import annotations

Rgba = tuple[int, int, int, int]


def rgba(color: str) -> Rgba:
    """Return the red, green, blue and alpha of `color`, each 0 to 255.

    Raises:
        ValueError: `color` is neither `#rrggbb` nor `#rrggbbaa`.
    """
    if not color.startswith("#") or len(color) not in (7, 9):
        raise ValueError(f"{color!r} is not #rrggbb or #rrggbbaa")
    data = bytes.fromhex(color[1:])
    return data[0], data[1], data[2], data[3] if len(data) == 4 else 255
