namespace LevelExporter
{
    /// <summary>
    /// How much reading a level may take. A blob that asks for more is refused before anything is
    /// allocated. Ratios cannot be limited: an empty layer is rightly ten thousand to one.
    /// </summary>
    public sealed class BlobLimits
    {
        /// <summary>Cells of one layer.</summary>
        public int MostCells = 1 << 26;

        /// <summary>Bytes of everything in one level.</summary>
        public long MostBytes = 1L << 28;

        /// <summary>Work of everything in one level, as the specification counts it.</summary>
        public long MostSteps = 1L << 30;

        /// <summary>Chunks of one file.</summary>
        public int MostChunks = 1 << 16;

        /// <summary>Nesting of lists and maps in values.</summary>
        public int Deepest = 64;

        /// <summary>Scalars, lists and maps of one chunk.</summary>
        public int MostValues = 1 << 21;

        /// <summary>Bytes of the JSON text of one chunk.</summary>
        public int MostText = 1 << 24;

        /// <summary>Cells that sight may reach.</summary>
        public int LargestRadius = 64;

        /// <summary>
        /// Limits for files that strangers made: within them no file takes more than 256 MB or
        /// about two seconds. Levels of a million cells fit in the `fast` profile, larger ones
        /// may not.
        /// </summary>
        public static BlobLimits ForStrangers()
        {
            return new BlobLimits
            {
                MostCells = 1 << 22,
                MostBytes = 1L << 25,
                MostSteps = 1L << 23,
                MostChunks = 1 << 10,
                MostValues = 1 << 16,
                MostText = 1 << 20,
            };
        }
    }
}
