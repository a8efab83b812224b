using System;

namespace LevelExporter.Importing
{
    /// <summary>
    /// How a layer's ids become numbers of the sheet; fields are named as in the file.
    /// </summary>
    [Serializable]
    public sealed class TileSheetLayer : TileSheetPicks
    {
        /// <summary>The layer's name.</summary>
        public string name = "";

        /// <summary>What is drawn below the cells, from the bottom to the top.</summary>
        public TileSheetGrid[] below = new TileSheetGrid[0];

        /// <summary>What is drawn above the cells, from the bottom to the top.</summary>
        public TileSheetGrid[] above = new TileSheetGrid[0];
    }
}
