namespace LevelExporter.Codecs
{
    /// <summary>
    /// A layer of classes, 0 and 1, seen three rows at a time: one number a column, with the cell
    /// above in bit 6, the cell itself in bit 3 and the cell below in bit 0.
    /// </summary>
    internal sealed class NineClasses
    {
        private readonly byte[] classes;
        private readonly int width;
        private readonly int height;
        private readonly int edge;
        private readonly byte[] columns;

        public NineClasses(byte[] classes, int width, int height, int edge)
        {
            this.classes = classes;
            this.width = width;
            this.height = height;
            this.edge = edge;
            columns = new byte[width + 2];
            columns[0] = columns[width + 1] = (byte)(73 * edge);
            for (int x = 0; x < width; x++)
            {
                columns[x + 1] = (byte)(edge << 3 | classes[x]);
            }
        }

        /// <summary>
        /// The columns of a row, framed by one on either side; rows are asked for in order.
        /// </summary>
        public byte[] Row(int y)
        {
            int below = (y + 1) * width;
            bool isLast = y + 1 == height;
            for (int x = 0; x < width; x++)
            {
                int next = isLast ? edge : classes[below + x];
                columns[x + 1] = (byte)((columns[x + 1] & 9) << 3 | next);
            }
            return columns;
        }
    }
}
