namespace LevelExporter.Codecs
{
    /// <summary>The codecs without statistics: stored and pack.</summary>
    internal static class PlainCodecs
    {
        private const int MostDistinct = 1 << 16;

        /// <summary>The cells as they are.</summary>
        public static int[] Stored(byte[] payload, PartShape shape)
        {
            int size = shape.Size;
            if (payload.Length != (long)shape.Count * size)
            {
                throw new LevelBlobException("the payload does not hold its cells");
            }
            return Read(payload, 0, shape.Count, shape);
        }

        /// <summary>
        /// A table of the values, and each cell's place in it in as few bits as all need.
        /// </summary>
        public static int[] Pack(byte[] payload, PartShape shape)
        {
            var cursor = new ByteCursor(payload);
            int distinct = (int)cursor.Number(3);
            if (distinct < 1 || distinct > MostDistinct)
            {
                throw new LevelBlobException("the number of distinct values is out of range");
            }
            int width = 0;
            while (1 << width < distinct)
            {
                width++;
            }
            bool plain = width == 8 && shape.Size == 1;
            int table = cursor.Take(plain ? 0 : (long)distinct * shape.Size);
            long expected = plain ? shape.Count : ((long)shape.Count * width + 7) / 8;
            if (cursor.Left != expected)
            {
                throw new LevelBlobException("the payload does not hold its cells");
            }
            if (plain)
            {
                return Read(payload, cursor.Position, shape.Count, shape);
            }
            return Unpack(
                payload, cursor.Position, width, Read(payload, table, distinct, shape), shape.Count);
        }

        /// <summary>Cells of little-endian bytes.</summary>
        public static int[] Read(byte[] bytes, int start, int count, PartShape shape)
        {
            var cells = new int[count];
            int size = shape.Size;
            for (int index = 0; index < count; index++)
            {
                cells[index] = size == 1
                    ? bytes[start + index]
                    : (int)ByteCursor.Little(bytes, start + index * size, size);
            }
            if (shape.Element == PartShape.Truth)
            {
                CheckTruth(cells);
            }
            return cells;
        }

        private static int[] Unpack(byte[] payload, int start, int width, int[] values, int count)
        {
            var cells = new int[count];
            uint mask = (1u << width) - 1;
            uint bits = 0;
            int have = 0;
            for (int index = 0; index < count; index++)
            {
                while (have < width)
                {
                    bits = bits << 8 | payload[start++];
                    have += 8;
                }
                have -= width;
                uint number = bits >> have & mask;
                if (number >= values.Length)
                {
                    throw new LevelBlobException("a cell has no value");
                }
                cells[index] = values[number];
            }
            return cells;
        }

        private static void CheckTruth(int[] cells)
        {
            int all = 0;
            for (int index = 0; index < cells.Length; index++)
            {
                all |= cells[index];
            }
            if (all > 1)
            {
                throw new LevelBlobException("a truth value is neither 0 nor 1");
            }
        }
    }
}
