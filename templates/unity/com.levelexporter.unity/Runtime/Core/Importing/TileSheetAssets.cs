using System;

namespace LevelExporter.Importing
{
    /// <summary>
    /// A tile that is shown by tile assets of the game; fields are named as in the file.
    /// </summary>
    [Serializable]
    public sealed class TileSheetAssets
    {
        /// <summary>The tile id.</summary>
        public int id = 0;

        /// <summary>The assets' paths in the project, of which place chooses one.</summary>
        public string[] paths = new string[0];
    }
}
