namespace LevelExporter
{
    /// <summary>A named area of a layer: its rectangle in cells and a cell in its middle.</summary>
    public sealed class LevelRoom
    {
        /// <summary>The name.</summary>
        public string Name { get; internal set; }

        /// <summary>The top left cell of its rectangle; the level's y points down.</summary>
        public GridCell Corner { get; internal set; }

        /// <summary>Cells in a row of its rectangle.</summary>
        public int Width { get; internal set; }

        /// <summary>Rows of its rectangle.</summary>
        public int Height { get; internal set; }

        /// <summary>The cell in its middle.</summary>
        public GridCell Center { get; internal set; }

        /// <summary>Whether a cell lies in its rectangle.</summary>
        public bool Contains(GridCell cell)
        {
            long right = (long)cell.X - Corner.X;
            long down = (long)cell.Y - Corner.Y;
            return right >= 0 && right < Width && down >= 0 && down < Height;
        }
    }
}
