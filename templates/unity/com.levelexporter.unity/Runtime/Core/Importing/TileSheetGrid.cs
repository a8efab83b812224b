using System;

namespace LevelExporter.Importing
{
    /// <summary>
    /// Pictures of one tile that are seen beside the cells of its layer; fields are named as in the
    /// file.
    /// </summary>
    [Serializable]
    public sealed class TileSheetGrid
    {
        /// <summary>The tile's name.</summary>
        public string tile = "";

        /// <summary>Whether it lies above the cells; otherwise below them.</summary>
        public bool above = false;

        /// <summary>
        /// Whether it has a picture for each corner of the cells, in the middle of which the corner
        /// is: one more row and column than there are cells.
        /// </summary>
        public bool between_cells = false;

        /// <summary>
        /// The numbers, row after row from the top: how many there are of one, and the number, -1 for
        /// none, with spaces between them.
        /// </summary>
        public string runs = "";

        /// <summary>The same as numbers; null for a text that is no such list.</summary>
        public int[] RunNumbers()
        {
            return TileSheetRuns.Numbers(runs);
        }
    }
}
