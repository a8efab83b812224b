"""Define the options `grid` (isometric maps) and `animated`."""

from __future__ import annotations

from typing import Annotated

from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.parameters import About, Matches, Parameters, Within
from exporter.targets._options import TargetOptions

SHAPE_RULE = (
    "isometric: cells have four sides. For squares leave out `grid`; for hexagons leave it out, "
    "too, and let a script of the game place the cells, which it reads from the .lvb"
)

CellSide = Annotated[int, Within(2, 512)]


@dataclass(frozen=True, kw_only=True)
class CellGrid(Parameters):
    """The option `grid`: the shape of cells on the screen."""

    shape: Annotated[str, Matches("isometric", SHAPE_RULE), About("Shape of a cell: `isometric`.")]
    cell: Annotated[
        tuple[CellSide, CellSide],
        About("Width and height of a diamond, even numbers.", unit="pixels", example="[32, 16]"),
    ] = (32, 16)


@dataclass(frozen=True, kw_only=True)
class MapOptions(TargetOptions):
    """Base of the options of targets with isometric maps and moving tiles."""

    grid: Annotated[
        CellGrid | None,
        About(
            "Lay out the same cells as diamonds, in the engine's own isometric layout; default: "
            "squares. Worlds have squares only.",
            example="{shape: isometric, cell: [32, 16]}",
        ),
    ] = None

    animated: Annotated[
        bool,
        About("Animate drawn water and lava; readers without animations show the first picture."),
    ] = True

    @property
    def diamond(self) -> tuple[int, int] | None:
        """Width and height of isometric cells in pixels; None for square cells."""
        return None if self.grid is None else self.grid.cell

    def check_options(self) -> None:
        """Refuse odd sides of isometric cells, and `extrude` for such cells."""
        if self.grid is None:
            return
        width, height = self.grid.cell
        if width % 2 or height % 2:
            even = f"[{width + width % 2}, {height + height % 2}]"
            message = (
                f"diamonds of {width} x {height} pixels have an odd side, so they leave gaps "
                f"(write `cell: {even}`)"
            )
            raise ParameterError(message, ("grid", "cell"))
        if self.extrude:
            message = "`extrude` cannot be used with `grid: isometric` (leave it out)"
            raise ParameterError(message, ("extrude",))


def check_no_grid(options: object) -> None:
    """Refuse the option `grid` for worlds, whose chunks have square cells.

    Raises:
        ParameterError: The target's `options` have a `grid`.
    """
    if getattr(options, "grid", None) is not None:
        message = (
            "`grid` cannot be used for a world, whose parts are squares (leave out `grid` here, or "
            "`chunk` in the spec)"
        )
        raise ParameterError(message, ("grid",))
