using System.Collections.Generic;
using LevelExporter.Importing;
using UnityEngine;

namespace LevelExporter.Editing
{
    /// <summary>A sheet of plain squares in the colours of a level's legends.</summary>
    internal static class PlainTiles
    {
        private const int Side = 16;
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
                rows = Mathf.Max(1, (tiles.Count + Columns - 1) / Columns),
                tiles = tiles.ToArray(),
                layers = layers.ToArray(),
            };
        }

        /// <summary>The picture of such a sheet.</summary>
        public static Texture2D Paint(TileSheetDescription sheet)
        {
            int width = sheet.columns * Side;
            int height = sheet.rows * Side;
            var pixels = new Color32[width * height];
            foreach (TileSheetTile tile in sheet.tiles)
            {
                byte[] color = TileColor.Of(tile.color);
                GridView place = TileSheet.FromBottom(sheet, tile.number, height);
                for (int y = 0; y < place.Height; y++)
                {
                    for (int x = 0; x < place.Width; x++)
                    {
                        pixels[(place.Y + y) * width + place.X + x] =
                            new Color32(color[0], color[1], color[2], color[3]);
                    }
                }
            }
            var picture = new Texture2D(width, height, TextureFormat.RGBA32, false);
            picture.name = "plain tiles";
            picture.filterMode = FilterMode.Point;
            picture.wrapMode = TextureWrapMode.Clamp;
            picture.SetPixels32(pixels);
            picture.Apply(false, true);
            return picture;
        }
    }
}
