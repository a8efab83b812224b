using System;

namespace LevelExporter.Importing
{
    /// <summary>
    /// The surroundings of a layer that is a part of a larger one, since neighbours and positions
    /// decide which pictures cells get; fields are named as in the file.
    /// </summary>
    [Serializable]
    public sealed class TileSheetAround
    {
        private const int Widest = 16;

        /// <summary>Columns that are known to the left of the layer.</summary>
        public int left = 0;

        /// <summary>Rows that are known above it.</summary>
        public int top = 0;

        /// <summary>Columns that are known to its right.</summary>
        public int right = 0;

        /// <summary>Rows that are known below it.</summary>
        public int bottom = 0;

        /// <summary>The column of the whole map that is the layer's first.</summary>
        public int x = 0;

        /// <summary>The row of the whole map that is the layer's first.</summary>
        public int y = 0;

        /// <summary>
        /// The ids around the layer, row after row from the top without the layer's own cells: how many
        /// there are of one, and the id, with spaces between them.
        /// </summary>
        public string runs = "";

        /// <summary>Whether it is valid around a layer of any size.</summary>
        public bool IsGood()
        {
            bool good = IsWidth(left) && IsWidth(top) && IsWidth(right) && IsWidth(bottom);
            int[] numbers = TileSheetRuns.Numbers(runs);
            good &= numbers != null && x >= 0 && y >= 0;
            for (int index = 0; good && index < numbers.Length; index += 2)
            {
                int id = numbers[index + 1];
                good = numbers[index] > 0 && id >= 0 && id <= ushort.MaxValue;
            }
            return good;
        }

        /// <summary>The ids of a layer with those around it, row after row from the top.</summary>
        public int[] With(int[] cells, int width, int height)
        {
            int wide = left + width + right;
            var all = new int[wide * (top + height + bottom)];
            int[] numbers = TileSheetRuns.Numbers(runs);
            int run = 0;
            int used = 0;
            for (int index = 0; index < all.Length; index++)
            {
                int column = index % wide - left;
                int row = index / wide - top;
                if (column >= 0 && column < width && row >= 0 && row < height)
                {
                    all[index] = cells[row * width + column];
                }
                else if (run < numbers.Length)
                {
                    all[index] = numbers[run + 1];
                    if (++used == numbers[run])
                    {
                        run += 2;
                        used = 0;
                    }
                }
            }
            return all;
        }

        /// <summary>
        /// Returns the part of a result for all cells that belongs to the layer's own cells.
        /// </summary>
        public int[] Without(int[] all, int width, int height)
        {
            int wide = left + width + right;
            var own = new int[width * height];
            for (int row = 0; row < height; row++)
            {
                Array.Copy(all, (row + top) * wide + left, own, row * width, width);
            }
            return own;
        }

        private static bool IsWidth(int cells)
        {
            return cells >= 0 && cells <= Widest;
        }
    }
}
