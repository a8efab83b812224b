using System;

namespace LevelExporter.Importing
{
    /// <summary>A tile with several pictures; fields are named as in the file.</summary>
    [Serializable]
    public sealed class TileSheetChoice
    {
        /// <summary>The tile id.</summary>
        public int id = 0;

        /// <summary>
        /// What chooses: `place`, or neighbours with the same tile (`edges`, `blob`).
        /// </summary>
        public string by = "";

        /// <summary>The pictures.</summary>
        public int[] numbers = new int[0];
    }
}
