namespace LevelExporter.Codecs
{
    /// <summary>A zlib stream behind one byte that selects the layout of the cells in it.</summary>
    internal static class ZlibCodec
    {
        private const int Plain = 0;
        private const int Bits = 1;
        private const int Planes = 2;
        private const int Steps = 3;
        private const int Values = 4;

        public static int[] Decode(byte[] payload, PartShape shape)
        {
            int layout = payload[0];
            int count = shape.Count;
            if (layout == Bits)
            {
                return FromBits(Inflate(payload, 1, (count + 7) / 8), count);
            }
            if (layout > Values || (layout >= Steps && shape.Element != PartShape.Word))
            {
                throw new LevelBlobException("the layout is not known here");
            }
            if (layout == Values)
            {
                return FromValues(payload, count);
            }
            byte[] raw = Inflate(payload, 1, count * shape.Size);
            return layout == Plain ? PlainCodecs.Read(raw, 0, count, shape)
                : layout == Planes ? Join(raw, shape)
                : FromSteps(Join(raw, shape), shape.Width);
        }

        /// <summary>
        /// Inflates a zlib stream that must give exactly so many bytes and be all that is left.
        /// </summary>
        public static byte[] Inflate(byte[] data, int start, int expected)
        {
            CheckHead(data, start);
            var raw = new byte[expected];
            Inflater.Inflate(data, start + 2, data.Length - 4, raw);
            CheckSum(data, raw);
            return raw;
        }

        /// <summary>
        /// Inflates a zlib stream that is all there is; more bytes than so many are refused.
        /// </summary>
        public static byte[] InflateUpTo(byte[] data, int most)
        {
            CheckHead(data, 0);
            byte[] raw = Inflater.InflateUpTo(data, 2, data.Length - 4, most);
            CheckSum(data, raw);
            return raw;
        }

        private static void CheckHead(byte[] data, int start)
        {
            // Deflate with a window of 32 KiB or less, no dictionary, and the header's own check.
            if (data.Length - start < 6 || (data[start] & 15) != 8 || data[start] >> 4 > 7
                || (data[start + 1] & 32) != 0 || (data[start] << 8 | data[start + 1]) % 31 != 0)
            {
                throw new LevelBlobException("not a zlib stream");
            }
        }

        private static void CheckSum(byte[] data, byte[] raw)
        {
            if (Adler32(raw) != BigEndian(data, data.Length - 4))
            {
                throw new LevelBlobException("a zlib stream has another checksum");
            }
        }

        private static int[] FromBits(byte[] raw, int count)
        {
            var cells = new int[count];
            for (int index = 0; index < count; index++)
            {
                cells[index] = raw[index >> 3] >> (7 - (index & 7)) & 1;
            }
            return cells;
        }

        private static int[] Join(byte[] raw, PartShape shape)
        {
            var cells = new int[shape.Count];
            for (int plane = 0; plane < shape.Size; plane++)
            {
                int start = plane * cells.Length;
                for (int index = 0; index < cells.Length; index++)
                {
                    cells[index] |= raw[start + index] << (8 * plane);
                }
            }
            for (int index = 0; index < cells.Length && shape.Element == PartShape.Truth; index++)
            {
                shape.FromBits((uint)cells[index]);
            }
            return cells;
        }

        /// <summary>
        /// The cells that have these folded steps from W + N - NW, which are overwritten by them.
        /// </summary>
        private static int[] FromSteps(int[] cells, int width)
        {
            int sum = 0;
            for (int index = 0; index < cells.Length; index++)
            {
                // The steps of a row up to a cell sum to its difference from the cell above.
                sum = (index % width == 0 ? 0 : sum) + HeightPrediction.Unfolded(cells[index]);
                cells[index] = (index < width ? 0 : cells[index - width]) + sum & 0xffff;
            }
            return cells;
        }

        private static int[] FromValues(byte[] payload, int count)
        {
            int places = 2 * payload[1] + 4;
            byte[] raw = Inflate(payload, places, count);
            var cells = new int[count];
            for (int index = 0; index < count; index++)
            {
                if (raw[index] > payload[1])
                {
                    throw new LevelBlobException("a place has no value");
                }
                int at = 2 * raw[index] + 2;
                cells[index] = payload[at] | payload[at + 1] << 8;
            }
            return cells;
        }

        private static uint Adler32(byte[] bytes)
        {
            uint low = 1;
            uint high = 0;
            int at = 0;
            while (at < bytes.Length)
            {
                // 5552 bytes are the most before the sums could pass 32 bits.
                int end = System.Math.Min(bytes.Length, at + 5552);
                for (; at < end; at++)
                {
                    low += bytes[at];
                    high += low;
                }
                low %= 65521;
                high %= 65521;
            }
            return high << 16 | low;
        }

        private static uint BigEndian(byte[] data, int at)
        {
            return (uint)data[at] << 24
                | (uint)(data[at + 1] << 16 | data[at + 2] << 8 | data[at + 3]);
        }
    }
}
