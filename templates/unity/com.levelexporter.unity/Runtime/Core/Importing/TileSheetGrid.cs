using System;

namespace LevelExporter.Importing
{
    /// <summary>
    /// Pictures of one tile that lie apart from the cells of its layer: in the same cells, or, with
    /// `corners`, between them, half a tile up and left. Fields are named as in the file.
    /// </summary>
    [Serializable]
    public sealed class TileSheetGrid : TileSheetPicks
    {
        /// <summary>The tile's name.</summary>
        public string tile = "";

        /// <summary>
        /// 16 pictures, -1 for none, by which of the four cells around a point are joined: the one
        /// above and left of it 1, above and right 2, below and right 4, below and left 8. Empty
        /// for pictures in cells.
        /// </summary>
        public int[] corners = new int[0];

        /// <summary>The ids that count as joined for `corners`.</summary>
        public int[] joins = new int[0];

        /// <summary>
        /// The ids that all four cells must be of for the picture without a joined one; empty for
        /// any.
        /// </summary>
        public int[] bare = new int[0];

        /// <summary>Whether the pictures lie between the cells.</summary>
        public bool IsBetweenCells
        {
            get { return corners.Length > 0; }
        }
    }
}
