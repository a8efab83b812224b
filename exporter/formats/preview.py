"""One picture of a whole level, for people."""

from __future__ import annotations

from exporter.level import Level


def preview_picture(
    level: Level,
    *,
    scale: int | None = None,
    at: tuple[int, int] | None = None,
    view: tuple[int, int, int, int] | None = None,
) -> bytes:
    """Draw the level as a PNG.

    Args:
        level: What to draw.
        scale: Pixels a cell; chosen from the level's size by default.
        at: A cell (x, y) to look from: cells not visible from it are darkened.
        view: The rectangle (x, y, width, height) in cells to show instead of everything.

    Raises:
        ValueError: If `at` lies outside the level or the level has no visibility.
    """
    raise NotImplementedError
