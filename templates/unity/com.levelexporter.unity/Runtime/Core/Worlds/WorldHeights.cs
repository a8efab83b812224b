using System;

namespace LevelExporter.Worlds
{
    /// <summary>What the samples of a layer of heights mean; fields are named as in the file.</summary>
    [Serializable]
    public sealed class WorldHeights
    {
        /// <summary>The height of sample 0.</summary>
        public double minimum = 0;

        /// <summary>The height of sample 65535.</summary>
        public double maximum = 1;

        /// <summary>What heights are counted in.</summary>
        public string units = "";
    }
}
