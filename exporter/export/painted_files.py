"""Read the files in which engine plugins store painted cells.

A plugin does not know which cells were generated, so it writes every cell of every layer, by the
name of its tile. Cells that differ from the generated level were painted.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exporter.model.errors import ParameterError
from exporter.model.input_files import read_input
from exporter.model.lazy_dataclass import dataclass
from exporter.model.limits import MAXIMUM_CELLS, MAXIMUM_INPUT_BYTES, MAXIMUM_LAYERS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from exporter.formats.tiled.painted import PaintedCell
    from exporter.model.level import Layer

ANSWER = ".refused"
VERSION = 1
_MOST_TILES = 65535


@dataclass(frozen=True, slots=True, eq=False)
class DrawnLayer:
    """A layer as an engine shows it.

    Attributes:
        names: The names of the tiles that appear in `cells`; an empty name for a tile without one.
        cells: uint16 [height, width]: the position of each cell's tile in `names`, from 1; 0 for no
            tile.
    """

    names: tuple[str, ...]
    cells: NDArray[np.uint16]


@dataclass(frozen=True, slots=True, eq=False)
class DrawnLevel:
    """A level as an engine shows it, read from a file of painted cells.

    Attributes:
        file: The file of painted cells.
        level: The level's name.
        size: Width and height in cells.
        layers: The layers by name.
    """

    file: Path
    level: str
    size: tuple[int, int]
    layers: dict[str, DrawnLayer]


def answer(file: Path, message: str) -> None:
    """Write beside `file` what was not imported of its painted cells.

    The engine's plugin shows this `message` to the user; an empty one removes an older answer.
    """
    reply = file.with_name(file.name + ANSWER)
    with suppress(OSError):
        if message:
            reply.write_text(message + "\n", encoding="utf-8")
        else:
            reply.unlink(missing_ok=True)


def read_drawn(file: Path) -> DrawnLevel:
    """Read the level in `file`, where an engine plugin stored painted cells.

    Raises:
        ParameterError: The file cannot be read, or has another format.
    """
    try:
        document = json.loads(read_input(file, MAXIMUM_INPUT_BYTES))
        return _drawn(file, document)
    except ParameterError:
        raise
    except OSError as error:
        raise ParameterError(
            f"the file of painted cells cannot be read ({error.strerror or error})"
        ) from None
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise ParameterError(f"the file of painted cells is broken ({error})") from None


def _drawn(file: Path, document: Any) -> DrawnLevel:
    import numpy as np

    if document["version"] != VERSION:
        raise ParameterError(
            "the file of painted cells is from another version of the exporter's plugin (update "
            "the exporter and the plugin)"
        )
    width, height = (int(side) for side in document["size"])
    if width < 1 or height < 1 or width * height > MAXIMUM_CELLS:
        raise ParameterError(
            f"the file of painted cells declares {width} x {height} cells, which is out of range"
        )
    layers = {}
    for name, layer in list(document["layers"].items())[:MAXIMUM_LAYERS]:
        tiles = layer["tiles"]
        if len(tiles) > _MOST_TILES:
            raise ParameterError(
                f"the layer {name!r} has {len(tiles)} kinds of tiles (allowed: {_MOST_TILES})"
            )
        try:
            raw = base64.b64decode(layer["cells"], validate=True)
        except (binascii.Error, ValueError):
            raise ParameterError(f"the cells of the layer {name!r} are not base64") from None
        if len(raw) != 2 * width * height:
            raise ParameterError(
                f"the layer {name!r} has {len(raw)} bytes of cells (expected: {2 * width * height})"
            )
        cells = np.frombuffer(raw, "<u2").reshape(height, width).astype(np.uint16)
        if int(cells.max()) > len(tiles):
            raise ParameterError(
                f"the layer {name!r} has cells with tile numbers that its tile list lacks"
            )
        layers[str(name)] = DrawnLayer(tuple(str(tile[4]) for tile in tiles), cells)
    return DrawnLevel(file, str(document["level"]), (width, height), layers)


def drawn_cells(drawn: DrawnLevel, layers: Iterable[Layer]) -> dict[str, tuple[PaintedCell, ...]]:
    """Return the painted cells: where `drawn` differs from `layers`.

    `layers` are those of the level as generated now. The result is by name of the layer. Layers
    that are no tile layers, or have another size of cells, are skipped.

    Raises:
        ParameterError: The drawn level has another size, or a tile without a name.
    """
    result = {}
    for layer in layers:
        mine = drawn.layers.get(layer.name)
        if mine is None or layer.kind != "tiles" or not layer.grid_aligned:
            continue
        if (layer.width, layer.height) != drawn.size:
            width, height = drawn.size
            raise ParameterError(
                f"the cells were painted on a map of {width} x {height} cells, but the level has "
                f"{layer.width} x {layer.height} (export, open the scene again, and paint there)"
            )
        cells = tuple(_differing_cells(layer, mine))
        if cells:
            result[layer.name] = cells
    return result


def _differing_cells(layer: Layer, drawn: DrawnLayer) -> Iterable[PaintedCell]:
    import numpy as np

    from exporter.formats.tiled.painted import PaintedCell

    empty = {tile.name for tile in layer.tiles if tile.empty}
    names: list[str | None] = [None, *(None if name in empty else name for name in drawn.names)]
    numbers: dict[str | None, int] = {}
    for name in names:
        numbers.setdefault(name, len(numbers))
    kinds = np.array([numbers[name] for name in names], np.int32)[drawn.cells]
    own = np.full(65536, -1, np.int32)
    words: dict[int, str | None] = {}
    for tile in layer.tiles:
        words[tile.id] = None if tile.empty else tile.name
        own[tile.id] = numbers.get(words[tile.id], -1)
    listed = list(numbers)
    for y, x in np.argwhere(own[layer.cells] != kinds).tolist():
        now = listed[int(kinds[y, x])]
        if now == "":
            raise ParameterError(
                f"the tile painted at [{x}, {y}] of the layer {layer.name!r} is not a tile of the "
                "level (name it under `tiles:` of the target's `tileset`, or give it a text in a "
                "custom data layer `name`)"
            )
        yield PaintedCell(x, y, words.get(int(layer.cells[y, x])), now)
