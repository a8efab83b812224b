namespace LevelExporter.Sight
{
    /// <summary>A map relative to one viewer, and the cells seen so far.</summary>
    internal sealed class SightMap
    {
        public readonly int X;
        public readonly int Y;
        public readonly int Radius;

        private readonly bool[] opaque;
        private readonly int width;
        private readonly int height;
        private readonly bool[] seen;

        public SightMap(
            bool[] opaque, int width, int height, int x, int y, int radius, bool[] seen)
        {
            this.opaque = opaque;
            this.width = width;
            this.height = height;
            this.seen = seen;
            X = x;
            Y = y;
            Radius = radius;
        }

        /// <summary>
        /// The index of the cell (dx, dy) away from the viewer, -1 outside the map.
        /// </summary>
        public int IndexOf(int dx, int dy)
        {
            int x = X + dx;
            int y = Y + dy;
            return x >= 0 && y >= 0 && x < width && y < height ? y * width + x : -1;
        }

        /// <summary>Whether the cell with this index blocks sight; -1 does.</summary>
        public bool IsOpaque(int index)
        {
            return index < 0 || opaque[index];
        }

        /// <summary>Marks a cell as seen; -1 is no cell.</summary>
        public void See(int index)
        {
            if (index >= 0)
            {
                seen[index] = true;
            }
        }
    }
}
