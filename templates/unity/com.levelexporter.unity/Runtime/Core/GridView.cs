namespace LevelExporter
{
    /// <summary>A rectangle of cells: its upper left cell and its size.</summary>
    public struct GridView
    {
        /// <summary>The first column.</summary>
        public readonly int X;

        /// <summary>The first row.</summary>
        public readonly int Y;

        /// <summary>Columns.</summary>
        public readonly int Width;

        /// <summary>Rows.</summary>
        public readonly int Height;

        /// <summary>Names a rectangle by its upper left cell and its size.</summary>
        public GridView(int x, int y, int width, int height)
        {
            X = x;
            Y = y;
            Width = width;
            Height = height;
        }

        /// <summary>Whether a cell lies in the rectangle.</summary>
        public bool Contains(GridCell cell)
        {
            return cell.X >= X && cell.X - X < Width && cell.Y >= Y && cell.Y - Y < Height;
        }
    }
}
