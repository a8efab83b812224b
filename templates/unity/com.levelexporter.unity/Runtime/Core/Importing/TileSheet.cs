using System;

namespace LevelExporter.Importing
{
    /// <summary>Where the tiles of a sheet lie, in pixels.</summary>
    public static class TileSheet
    {
        /// <summary>The pixels of a tile with the origin at the picture's top left.</summary>
        public static GridView FromTop(TileSheetDescription sheet, int number)
        {
            return new GridView(
                sheet.margin + number % sheet.columns * (sheet.TileWidth + sheet.spacing),
                sheet.margin + number / sheet.columns * (sheet.TileHeight + sheet.spacing),
                sheet.TileWidth,
                sheet.TileHeight);
        }

        /// <summary>
        /// The pixels of a tile with the origin at the bottom left, as Unity's sprites want it.
        /// </summary>
        public static GridView FromBottom(TileSheetDescription sheet, int number, int pictureHeight)
        {
            GridView top = FromTop(sheet, number);
            return new GridView(top.X, pictureHeight - top.Y - top.Height, top.Width, top.Height);
        }

        /// <summary>
        /// Returns the error of a description for a picture of this size; null if it is valid.
        /// </summary>
        public static string Problem(TileSheetDescription sheet, int pictureWidth, int pictureHeight)
        {
            if (sheet == null || sheet.tile_size < 1 || sheet.columns < 1 || sheet.rows < 1 || sheet.margin < 0
                || sheet.spacing < 0 || sheet.TileWidth < 1 || sheet.TileHeight < 1)
            {
                return "the description of the tileset has no sizes";
            }
            GridView last = FromTop(sheet, sheet.columns * sheet.rows - 1);
            if (last.X + last.Width > pictureWidth || last.Y + last.Height > pictureHeight)
            {
                return "the tileset's picture has " + pictureWidth + " x " + pictureHeight
                    + " pixels, fewer than its description says: was it scaled down?";
            }
            foreach (TileSheetTile tile in sheet.tiles)
            {
                if (tile.number < 0 || tile.number >= sheet.columns * sheet.rows)
                {
                    return "tile " + tile.name + " has a number outside the sheet";
                }
                if (!Array.TrueForAll(tile.frames, item => item >= 0 && item < sheet.columns * sheet.rows))
                {
                    return "tile " + tile.name + " has pictures outside the sheet";
                }
            }
            foreach (TileSheetLayer layer in sheet.layers)
            {
                if (!IsGood(layer, sheet.columns * sheet.rows))
                {
                    return "layer " + layer.name + " has pictures outside the sheet";
                }
                if (!layer.around.IsGood())
                {
                    return "what lies around layer " + layer.name + " cannot be read";
                }
            }
            return null;
        }

        private static bool IsGood(TileSheetLayer layer, int count)
        {
            bool good = Array.TrueForAll(layer.ids, id => id >= 0 && id <= ushort.MaxValue)
                && Array.TrueForAll(layer.numbers, number => number >= 0 && number < count)
                && Array.TrueForAll(layer.assets, item => item.id >= 0 && item.id <= ushort.MaxValue)
                && Array.TrueForAll(layer.grids, grid => HasGoodRuns(grid, count));
            foreach (TileSheetChoice choice in layer.choices)
            {
                good &= choice.id >= 0 && choice.id <= ushort.MaxValue && HasAllClasses(choice)
                    && Array.TrueForAll(choice.joins, id => id >= 0 && id <= ushort.MaxValue)
                    && Array.TrueForAll(choice.numbers, number => number >= 0 && number < count);
            }
            return good;
        }

        private static bool HasGoodRuns(TileSheetGrid grid, int count)
        {
            int[] runs = grid.RunNumbers();
            bool good = runs != null;
            for (int index = 0; good && index < runs.Length; index += 2)
            {
                int number = runs[index + 1];
                good = runs[index] > 0 && number >= TilePictures.None && number < count;
            }
            return good;
        }

        private static bool HasAllClasses(TileSheetChoice choice)
        {
            int least = choice.by == "place" ? 1 : choice.by == "edges" ? 16 : 47;
            if (choice.counts.Length == 0)
            {
                return choice.numbers.Length >= least;
            }
            long sum = 0;
            foreach (int pictures in choice.counts)
            {
                if (pictures < 1)
                {
                    return false;
                }
                sum += pictures;
            }
            return choice.counts.Length >= least && sum == choice.numbers.Length;
        }
    }
}
