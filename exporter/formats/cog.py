"""A Cloud Optimized GeoTIFF of every layer, for QGIS, GDAL and other programs for maps.

Cells are one unit large, and y grows upwards from the lower edge of the level. A part of a world
is a file of its own, and `<world>.<layer>.vrt` joins them to one map. The library `rasterio` (extra
`worlds`) writes them. They are not compressed: compressed bytes depend on its version.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from xml.sax.saxutils import escape

from exporter.formats import Artifact, FormatOptions, format
from exporter.formats.heights.samples import FULL_SCALE, height_range
from exporter.formats.worlds.libraries import extra_library
from exporter.model.colors import rgba
from exporter.model.level import Layer, Level, WorldPart

# The side of the squares in the file: a quarter of what the smallest usual parts have.
BLOCK = 256
_PALETTE = 256


def whole(level: Level, options: FormatOptions) -> list[Artifact]:
    """Return what joins the files of a world's parts: a text for each layer."""
    part = level.part
    if part is None:
        return []
    return [
        Artifact(f"{part.world}.{layer.name}.vrt", "metadata", _joined(part, layer), layer.name)
        for layer in level.layers.values()
    ]


@format("cog", kind="heightmap", suffix="tif", each="layer", whole=whole)
def write(level: Level, layer: Layer, options: FormatOptions) -> bytes:
    """Return the file of a layer, with its picture at lower resolutions.

    Raises:
        ParameterError: The library is not installed.
    """
    files = extra_library("rasterio.io", "cog")
    affine = extra_library("rasterio", "cog").Affine
    with files.MemoryFile() as file:
        with file.open(
            driver="COG",
            width=layer.width,
            height=layer.height,
            count=1,
            dtype=layer.cells.dtype.name,
            transform=affine(*_transform(level, layer)),
            BLOCKSIZE=BLOCK,
            COMPRESS="NONE",
            OVERVIEW_COMPRESS="NONE",
            # Numbers of tiles cannot be blended, and means of heights are rounded differently by
            # versions of the library.
            RESAMPLING="NEAREST",
        ) as raster:
            raster.write(layer.cells, 1)
            raster.set_band_description(1, layer.name)
            if layer.kind == "heights":
                offset, scale = _offset_and_scale(layer)
                raster.offsets, raster.scales = (offset,), (scale,)
                raster.units = (height_range(layer).units,)
            elif layer.cells.itemsize == 1:
                raster.write_colormap(1, _palette(layer))
        content: bytes = file.read()
    return content


def _transform(level: Level, layer: Layer) -> tuple[float, float, float, float, float, float]:
    """Return where a sample lies: x and y of (column, row) as two rows of three factors."""
    if level.part is not None:
        x, y = level.part.origin
        return (1.0, 0.0, float(x), 0.0, -1.0, float(level.part.size[1] - y))
    if layer.grid_aligned:
        return (1.0, 0.0, 0.0, 0.0, -1.0, float(level.height))
    # The samples of a layer with a size of its own begin and end at the level's edges.
    across = level.width / max(1, layer.width - 1)
    down = level.height / max(1, layer.height - 1)
    return (across, 0.0, -across / 2, 0.0, -down, level.height + down / 2)


def _offset_and_scale(layer: Layer) -> tuple[float, float]:
    heights = height_range(layer)
    return float(heights.minimum), (heights.maximum - heights.minimum) / FULL_SCALE


def _palette(layer: Layer) -> dict[int, tuple[int, ...]]:
    return {tile.id: tuple(rgba(tile.color)) for tile in layer.tiles if tile.id < _PALETTE}


def _joined(part: WorldPart, layer: Layer) -> bytes:
    """Return GDAL's description of a layer of the whole world."""
    width, height = part.size
    lines = [
        f'<VRTDataset rasterXSize="{width}" rasterYSize="{height}">',
        f" <GeoTransform>0.0, 1.0, 0.0, {float(height)!r}, 0.0, -1.0</GeoTransform>",
        f' <VRTRasterBand dataType="{_type(layer)}" band="1">',
        f"  <Description>{escape(layer.name)}</Description>",
        *_meaning(layer),
    ]
    for row in range(part.rows):
        for column in range(part.columns):
            lines += _source(part, layer, column, row)
    lines += [" </VRTRasterBand>", "</VRTDataset>"]
    return ("\n".join(lines) + "\n").encode()


def _type(layer: Layer) -> str:
    return "Byte" if layer.cells.itemsize == 1 else "UInt16"


def _meaning(layer: Layer) -> Iterator[str]:
    """Yield what a layer's numbers mean."""
    if layer.kind == "heights":
        offset, scale = _offset_and_scale(layer)
        yield f"  <UnitType>{escape(height_range(layer).units)}</UnitType>"
        yield f"  <Offset>{offset!r}</Offset>"
        yield f"  <Scale>{scale!r}</Scale>"
        return
    if layer.cells.itemsize > 1 or not layer.tiles:
        return
    names: dict[int, Any] = {tile.id: escape(tile.name) for tile in layer.tiles}
    palette = _palette(layer)
    yield "  <ColorInterp>Palette</ColorInterp>"
    yield "  <CategoryNames>"
    yield from (f"   <Category>{names.get(one, '')}</Category>" for one in range(max(names) + 1))
    yield "  </CategoryNames>"
    yield "  <ColorTable>"
    for one in range(max(names) + 1):
        red, green, blue, alpha = palette.get(one, (0, 0, 0, 0))
        yield f'   <Entry c1="{red}" c2="{green}" c3="{blue}" c4="{alpha}"/>'
    yield "  </ColorTable>"


def _source(part: WorldPart, layer: Layer, column: int, row: int) -> list[str]:
    x, y = column * part.chunk, row * part.chunk
    width, height = min(part.chunk, part.size[0] - x), min(part.chunk, part.size[1] - y)
    file = escape(f"{part.folder}/{part.world}.{column}_{row}.{layer.name}.tif")
    size = f'xSize="{width}" ySize="{height}"'
    return [
        "  <SimpleSource>",
        f'   <SourceFilename relativeToVRT="1">{file}</SourceFilename>',
        "   <SourceBand>1</SourceBand>",
        f'   <SourceProperties RasterXSize="{width}" RasterYSize="{height}" '
        f'DataType="{_type(layer)}" BlockXSize="{BLOCK}" BlockYSize="{BLOCK}"/>',
        f'   <SrcRect xOff="0" yOff="0" {size}/>',
        f'   <DstRect xOff="{x}" yOff="{y}" {size}/>',
        "  </SimpleSource>",
    ]
