using System;

namespace LevelExporter.Worlds
{
    /// <summary>The heights of a layer's samples; fields are named as in the file.</summary>
    [Serializable]
    public sealed class WorldHeights
    {
        /// <summary>The height of sample 0.</summary>
        public double minimum = 0;

        /// <summary>The height of sample 65535.</summary>
        public double maximum = 1;

        /// <summary>The unit of heights.</summary>
        public string units = "";
    }
}
