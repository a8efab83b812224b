namespace LevelExporter
{
    /// <summary>
    /// How much reading a level may produce. A blob that declares more is refused before anything
    /// is allocated. Ratios cannot be limited: an empty layer is rightly ten thousand to one.
    /// </summary>
    public sealed class BlobLimits
    {
        /// <summary>Cells of one layer.</summary>
        public int MostCells = 1 << 26;

        /// <summary>Bytes of all cells that one reader keeps.</summary>
        public long MostBytes = 1L << 28;

        /// <summary>Chunks of one file.</summary>
        public int MostChunks = 1 << 16;

        /// <summary>Nesting of lists and maps in values.</summary>
        public int Deepest = 64;

        /// <summary>Scalars, lists and maps of one chunk.</summary>
        public int MostValues = 1 << 21;

        /// <summary>Bytes of the JSON text of one chunk.</summary>
        public int MostText = 1 << 24;

        /// <summary>Cells that sight may reach.</summary>
        public int LargestRadius = 255;
    }
}
