using System;

namespace LevelExporter.Worlds
{
    /// <summary>A layer of a world; fields are named as in the file.</summary>
    [Serializable]
    public sealed class WorldLayer
    {
        /// <summary>The layer's name.</summary>
        public string name = "";

        /// <summary>`tiles` or `heights`.</summary>
        public string kind = "";

        /// <summary>The heights of samples, in a layer of heights.</summary>
        public WorldHeights heights = new WorldHeights();
    }
}
