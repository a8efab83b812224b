namespace LevelExporter
{
    /// <summary>What the samples of a layer of heights stand for.</summary>
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
