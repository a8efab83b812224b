namespace LevelExporter.Sight
{
    /// <summary>
    /// A row of a wedge that is to be scanned between two slopes, exact fractions.
    /// </summary>
    internal struct SightRow
    {
        public readonly int Depth;
        public readonly long StartUp;
        public readonly long StartDown;
        public readonly long EndUp;
        public readonly long EndDown;

        public SightRow(int depth, long startUp, long startDown, long endUp, long endDown)
        {
            Depth = depth;
            StartUp = startUp;
            StartDown = startDown;
            EndUp = endUp;
            EndDown = endDown;
        }
    }
}
