using System;

namespace LevelExporter.Blob
{
    /// <summary>
    /// Cuts a grid into chunks of 256 cells a side; the last of a row or column has the rest.
    /// </summary>
    internal sealed class GridParts
    {
        private const int Side = 256;

        private readonly int width;
        private readonly int height;

        public GridParts(int width, int height)
        {
            this.width = width;
            this.height = height;
            Columns = Count(width);
            Rows = Count(height);
        }

        public int Columns { get; private set; }

        public int Rows { get; private set; }

        /// <summary>The cells of a part; parts are numbered row by row.</summary>
        public GridView this[int part]
        {
            get
            {
                int column = part % Columns;
                int row = part / Columns;
                return new GridView(
                    column * Side,
                    row * Side,
                    column == Columns - 1 ? width - column * Side : Side,
                    row == Rows - 1 ? height - row * Side : Side);
            }
        }

        private static int Count(int length)
        {
            return Math.Max(1, (length + Side / 2) / Side);
        }
    }
}
