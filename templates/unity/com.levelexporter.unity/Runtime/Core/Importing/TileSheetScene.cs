using System;

namespace LevelExporter.Importing
{
    /// <summary>A prefab for objects; fields are named as in the file.</summary>
    [Serializable]
    public sealed class TileSheetScene
    {
        /// <summary>The objects' name in the level's spec.</summary>
        public string name = "";

        /// <summary>The prefab's path in the project.</summary>
        public string path = "";
    }
}
