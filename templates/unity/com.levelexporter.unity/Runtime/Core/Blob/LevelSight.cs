using LevelExporter.Codecs;

namespace LevelExporter.Blob
{
    /// <summary>The rule of sight of a level, and the map it looks at.</summary>
    internal sealed class LevelSight
    {
        private const int Derive = 32;
        private const int Coded = 20;
        private const int LongestSide = 8192;

        public SightRule Rule { get; private set; }

        public bool SeeWalls { get; private set; }

        public int Radius { get; private set; }

        public int Width { get; private set; }

        public int Height { get; private set; }

        public bool[] Opaque { get; set; }

        /// <summary>
        /// Reads the rule. Stored planes equal its result, and one viewer's view is computed faster
        /// than they are read.
        /// </summary>
        public static LevelSight Read(BlobChunk chunk, byte[] payload, BlobLimits limits)
        {
            if (chunk.Codec != Derive && chunk.Codec != Coded)
            {
                throw new LevelBlobException(
                    "visibility codec " + chunk.Codec + " is not known here");
            }
            if (payload.Length < 4 || (chunk.Codec == Derive && payload.Length != 4)
                || payload[0] > (int)SightRule.Raycast
                || payload[1] > (payload[0] == (int)SightRule.Raycast ? 1 : 0))
            {
                throw new LevelBlobException("broken visibility rule");
            }
            int radius = (int)ByteCursor.Little(payload, 2, 2);
            if (radius < 1 || radius > limits.LargestRadius)
            {
                throw new LevelBlobException("a radius of " + radius + " is over the limit");
            }
            if (chunk.Width < 1 || chunk.Height < 1 || chunk.Width > LongestSide
                || chunk.Height > LongestSide)
            {
                throw new LevelBlobException(
                    "a map of " + chunk.Width + " x " + chunk.Height + " cells has no visibility");
            }
            return new LevelSight
            {
                Rule = (SightRule)payload[0],
                SeeWalls = payload[1] == 1,
                Radius = radius,
                Width = chunk.Width,
                Height = chunk.Height,
            };
        }
    }
}
