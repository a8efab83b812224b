"""Register styles: palettes for drawn tiles, one file for each.

    @style("ice")
    def colors() -> Style:
        return Style(floor="#c3d9e8", ...)

A style has only colours: shapes, and the choice of a cell's picture, are the same in all styles.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from exporter.model.colors import rgba
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Level
from exporter.model.registry import Registry, module_summary

DEFAULT = "stone"


@dataclass(frozen=True, kw_only=True)
class Style:
    """The colours of a style, as `#rrggbb`; by default those of `stone`.

    Attributes:
        shade: The colour towards which shadows lean.
        light: The colour towards which lights lean.
        floor: Rooms.
        corridor: Corridors between rooms.
        cave: The ground of caves.
        wall: The upper edge of built walls.
        face: The front of built walls.
        fill: The inside of built walls, far from any edge.
        rock: The upper edge of rocks.
        rock_face: The front of rocks.
        rock_fill: The inside of rocks.
        grass: Land and meadows.
        tree: Crowns of trees.
        sand: Beaches and deserts.
        dirt: Earth and paths.
        snow: Snow.
        ice: Ice.
        water: Shallow and open water.
        deep: Deep water.
        foam: Where water meets land.
        lava: Lava and fire.
        acid: Acid, slime and swamps.
        pit: The dark of a drop.
        wood: Doors, planks, trunks.
        metal: Fittings.
        accents: Tiles whose names suggest no material; the name chooses one of these colours.
        relief: Seven colours of heights, from the deep sea to the highest summit.
        summary: One line about the style: the first paragraph of its module's docstring.
    """

    shade: str = "#1a1330"
    light: str = "#fff0cc"
    floor: str = "#8e8177"
    corridor: str = "#857767"
    cave: str = "#8f6f50"
    wall: str = "#908ba0"
    face: str = "#6a6480"
    fill: str = "#252130"
    rock: str = "#8a7c90"
    rock_face: str = "#64546c"
    rock_fill: str = "#241f2c"
    grass: str = "#6fa03f"
    tree: str = "#3f7a3c"
    sand: str = "#dcc283"
    dirt: str = "#9b7650"
    snow: str = "#e3ebf2"
    ice: str = "#a9d3e6"
    water: str = "#3f86c8"
    deep: str = "#2d66ac"
    foam: str = "#d8f0f4"
    lava: str = "#e2561b"
    acid: str = "#7fa63a"
    pit: str = "#16121f"
    wood: str = "#94602f"
    metal: str = "#d9b45a"
    accents: tuple[str, ...] = (
        "#a5655f",
        "#5f87a5",
        "#8a9a58",
        "#8b6aa3",
        "#b98d4f",
        "#5a9a88",
        "#a0708a",
        "#6d7fae",
    )
    relief: tuple[str, ...] = (
        "#274b86",
        "#4482b4",
        "#e0cd95",
        "#7fa94e",
        "#4f7f45",
        "#85735f",
        "#f2f3f5",
    )
    summary: str = ""

    def __post_init__(self) -> None:
        """Refuse invalid colours where the style is defined.

        Raises:
            ValueError: A value is not `#rrggbb`, or there are not seven colours of relief and at
                least one accent.
        """
        for name in self.__dataclass_fields__:
            value = getattr(self, name)
            if name != "summary":
                for color in (value,) if isinstance(value, str) else value:
                    rgba(color)
        if len(self.relief) != 7 or not self.accents:
            raise ValueError(
                f"the style has {len(self.relief)} colours of relief and {len(self.accents)} "
                "accents (needed: 7 colours of relief, at least 1 accent)"
            )


STYLES: Registry[Style] = Registry("exporter.tilesets.styles", "style", Style)


def style(name: str) -> Callable[[Callable[[], Style]], Callable[[], Style]]:
    """Register the colours that the decorated function returns as a style.

    `name` is the style's name in specs.
    """

    def register(colors: Callable[[], Style]) -> Callable[[], Style]:
        result = STYLES.guarded(name, colors, Style)()
        summary = result.summary or module_summary(colors.__module__)
        STYLES.add(name, replace(result, summary=summary), colors.__module__)
        return colors

    return register


def style_of(level: Level) -> Style:
    """Return the style in which the tiles of `level` are drawn.

    It is the default style if the level names none.

    Raises:
        RegistryError: The level names a style that does not exist.
    """
    named = level.tileset.options.style if level.tileset else None
    return STYLES.get(named or DEFAULT)
