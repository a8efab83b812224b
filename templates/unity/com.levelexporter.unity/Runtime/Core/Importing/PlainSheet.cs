using System;
using System.Collections.Generic;

namespace LevelExporter.Importing
{
    /// <summary>The description of a sheet of plain squares in the colours of a level's legends.</summary>
    public static class PlainSheet
    {
        /// <summary>Side of a tile in pixels.</summary>
        public const int Side = 16;

        private const int Columns = 16;

        /// <summary>
        /// A sheet with every tile of every legend that is not empty, one after the other.
        /// </summary>
        public static TileSheetDescription Describe(LevelBlob level)
        {
            var tiles = new List<TileSheetTile>();
            var layers = new List<TileSheetLayer>();
            foreach (LevelLayer layer in level.Layers)
            {
                var ids = new List<int>();
                var numbers = new List<int>();
                foreach (LevelTile tile in layer.Tiles)
                {
                    if (tile.IsEmpty)
                    {
                        continue;
                    }
                    ids.Add(tile.Id);
                    numbers.Add(tiles.Count);
                    tiles.Add(
                        new TileSheetTile
                        {
                            number = tiles.Count,
                            id = tile.Id,
                            name = tile.Name,
                            walkable = tile.IsWalkable,
                            opaque = tile.IsOpaque,
                            color = tile.Color,
                        });
                }
                layers.Add(
                    new TileSheetLayer
                    {
                        name = layer.Name,
                        ids = ids.ToArray(),
                        numbers = numbers.ToArray(),
                    });
            }
            return new TileSheetDescription
            {
                level = level.Name,
                tile_size = Side,
                columns = Columns,
                rows = Math.Max(1, (tiles.Count + Columns - 1) / Columns),
                tiles = tiles.ToArray(),
                layers = layers.ToArray(),
            };
        }
    }
}
