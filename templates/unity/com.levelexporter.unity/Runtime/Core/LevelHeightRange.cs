namespace LevelExporter
{
    /// <summary>The heights of a layer's samples.</summary>
    public sealed class LevelHeightRange
    {
        /// <summary>The height of sample 0.</summary>
        public double Minimum { get; internal set; }

        /// <summary>The height of sample 65535.</summary>
        public double Maximum { get; internal set; }

        /// <summary>The unit of both.</summary>
        public string Units { get; internal set; }
    }
}
