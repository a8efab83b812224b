using System;

namespace LevelExporter.Importing
{
    /// <summary>
    /// How a layer's ids become numbers of the sheet; fields are named as in the file.
    /// </summary>
    [Serializable]
    public sealed class TileSheetLayer
    {
        /// <summary>The layer's name.</summary>
        public string name = "";

        /// <summary>The ids that have a picture.</summary>
        public int[] ids = new int[0];

        /// <summary>The first picture of each of these ids.</summary>
        public int[] numbers = new int[0];

        /// <summary>Ids with several pictures.</summary>
        public TileSheetChoice[] choices = new TileSheetChoice[0];

        /// <summary>The pictures beside the cells, from the bottom to the top.</summary>
        public TileSheetGrid[] grids = new TileSheetGrid[0];

        /// <summary>Ids that are shown by tile assets of the game.</summary>
        public TileSheetAssets[] assets = new TileSheetAssets[0];

        /// <summary>Its surroundings, if it is a part of a larger layer.</summary>
        public TileSheetAround around = new TileSheetAround();
    }
}
