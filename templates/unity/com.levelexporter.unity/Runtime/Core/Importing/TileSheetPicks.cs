using System;

namespace LevelExporter.Importing
{
    /// <summary>
    /// Which picture of the sheet each id of a layer gets; fields are named as in the file.
    /// </summary>
    [Serializable]
    public class TileSheetPicks
    {
        /// <summary>The ids that have a picture.</summary>
        public int[] ids = new int[0];

        /// <summary>The first picture of each of these ids.</summary>
        public int[] numbers = new int[0];

        /// <summary>Ids with several pictures.</summary>
        public TileSheetChoice[] choices = new TileSheetChoice[0];
    }
}
