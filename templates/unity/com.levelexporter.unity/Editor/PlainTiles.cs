using LevelExporter.Importing;
using UnityEngine;

namespace LevelExporter.Editing
{
    /// <summary>The picture of a sheet of plain squares.</summary>
    internal static class PlainTiles
    {
        /// <summary>The picture of a plain sheet.</summary>
        public static Texture2D Paint(TileSheetDescription sheet)
        {
            int width = sheet.columns * PlainSheet.Side;
            int height = sheet.rows * PlainSheet.Side;
            var pixels = new Color32[width * height];
            foreach (TileSheetTile tile in sheet.tiles)
            {
                byte[] color = TileColor.Of(tile.color);
                GridView view = TileSheet.FromBottom(sheet, tile.number, height);
                for (int y = 0; y < view.Height; y++)
                {
                    for (int x = 0; x < view.Width; x++)
                    {
                        pixels[(view.Y + y) * width + view.X + x] =
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
