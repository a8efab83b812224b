"""Make maps from pictures, in which every colour is a tile."""

from __future__ import annotations

from dataclasses import field
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from exporter.generators import Generated, MapParameters, Parts, Request, cells_alone, generator
from exporter.generators._legend import FLOOR_AND_WALL, AnyTile, Legend, cells_of
from exporter.generators._pictures import color_number, color_text, is_dark, read_colors
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.parameters import About, Color, FileName, Percent, Within
from exporter.model.windows import Window


@dataclass(frozen=True, kw_only=True)
class FromImage(MapParameters):
    """A map drawn as a picture, one pixel for each cell.

    With `colors`, every colour of the picture needs a tile. Without, transparent pixels and pixels
    darker than `threshold_percent` are wall, all others are floor.
    """

    image: Annotated[
        FileName,
        About(
            "File of the picture, relative to the spec: PNG, JPEG, GIF, BMP, WebP, TGA, PGM or PPM."
        ),
    ]
    colors: Annotated[
        dict[Color, AnyTile],
        Within(0, 256, length=True),
        About("Tile of each colour, by #rrggbb or #rrggbbaa."),
    ] = field(default_factory=dict)
    threshold_percent: Annotated[
        Percent, About("Without `colors`: pixels below this brightness are wall.", "%")
    ] = 50
    fit: Annotated[
        Literal["exact", "stretch", "crop"],
        About(
            "What to do with a picture of another size than the layer: `exact` refuses it, "
            "`stretch` scales it without blending, `crop` cuts it or repeats its right and bottom "
            "edges."
        ),
    ] = "exact"


@generator(
    "from_image",
    version=1,
    parts=Parts(cells_alone),
    also=("image", "picture", "png", "bitmap", "draw"),
)
def generate(parameters: FromImage, request: Request) -> Generated:
    """Read the picture, fit it to the size, and map its colours to tiles."""
    content = request.read_project_file(parameters.image, ("image",))
    pixels = read_colors(content, parameters.image, ("image",))
    pixels = _fitted(parameters, pixels, request.window)
    if not parameters.colors:
        return Generated(
            is_dark(pixels, parameters.threshold_percent).astype(np.uint8), FLOOR_AND_WALL
        )
    legend = Legend()
    ids = np.full(pixels.shape, -1, np.int32)
    for color, options in parameters.colors.items():
        ids[pixels == color_number(color)] = legend.add(options)
    unknown = np.argwhere(ids < 0)
    if len(unknown):
        y, x = (int(position) for position in unknown[0])
        x, y = x + request.window.x, y + request.window.y
        raise ParameterError(
            f"{parameters.image} has the colour {color_text(int(pixels[y, x]))} at pixel ({x}, "
            f"{y}), which stands for no tile (known: {', '.join(parameters.colors)})",
            ("colors",),
        )
    return Generated(cells_of(ids), legend.tiles)


def _fitted(
    parameters: FromImage, pixels: NDArray[np.uint32], window: Window
) -> NDArray[np.uint32]:
    """Fit the picture `pixels` to the whole layer; return a window of it.

    Raises:
        ParameterError: The size of the picture differs, and `fit` is `exact`.
    """
    rows, columns = pixels.shape
    width, height = window.whole
    if (rows, columns) == (height, width):
        return pixels[window.y : window.bottom, window.x : window.right]
    if parameters.fit == "exact":
        raise ParameterError(
            f"{parameters.image} has {columns} x {rows} pixels, but the layer has {width} x "
            f"{height} cells (write `fit: stretch` or `fit: crop`)",
            ("image",),
        )
    if parameters.fit == "stretch":
        # The pixel under the middle of each cell.
        down = (2 * np.arange(height) + 1) * rows // (2 * height)
        across = (2 * np.arange(width) + 1) * columns // (2 * width)
    else:
        down = np.minimum(np.arange(height), rows - 1)
        across = np.minimum(np.arange(width), columns - 1)
    down, across = down[window.y : window.bottom], across[window.x : window.right]
    fitted: NDArray[np.uint32] = pixels[down][:, across]
    return fitted
