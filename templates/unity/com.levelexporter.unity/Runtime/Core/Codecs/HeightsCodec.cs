namespace LevelExporter.Codecs
{
    /// <summary>
    /// Samples predicted from their neighbours, the misses coded with rANS.
    /// </summary>
    internal static class HeightsCodec
    {
        private const uint Low = 1 << 23;

        /// <summary>
        /// Codec `heights`: misses in tables chosen by how rough the surroundings are.
        /// </summary>
        public static int[] Decode(byte[] payload, PartShape shape)
        {
            var cursor = new ByteCursor(payload);
            RangeDecoder head = Head(cursor);
            HeightPrediction prediction = HeightPrediction.Read(head, shape);
            HeightTables tables = HeightTables.Read(head);
            long length = cursor.Number();
            int coded = cursor.Take(length);
            int[] folded = Residuals(
                payload, coded, cursor.Position, shape.Width, shape.Height, tables);
            return prediction.Restore(folded, shape.Width, shape.Height);
        }

        private static RangeDecoder Head(ByteCursor cursor)
        {
            long length = cursor.Number();
            int start = cursor.Take(length);
            return new RangeDecoder(cursor.Data, start, cursor.Position);
        }

        private static int[] Residuals(
            byte[] data, int coded, int raw, int width, int height, HeightTables tables)
        {
            int codedEnd = raw;
            if (codedEnd - coded < 4)
            {
                throw new LevelBlobException("the residuals are cut short");
            }
            uint state = (uint)data[coded] << 24
                | (uint)(data[coded + 1] << 16 | data[coded + 2] << 8 | data[coded + 3]);
            coded += 4;
            uint[] packed = tables.Packed;
            var folded = new int[width * height];
            // Sizes of the residuals of the row above and, before x, of this one; the one after
            // the last stays 0.
            var sizes = new int[width + 2];
            uint held = 0;
            int bits = 0;
            int at = 0;
            for (int y = 0; y < height; y++)
            {
                int west = 0;
                int northWest = 0;
                int north = sizes[0];
                for (int x = 0; x < width; x++)
                {
                    int northEast = sizes[x + 1];
                    int energy = 2 * (west + north) + northWest + northEast;
                    uint entry = packed[tables.FirstPosition(energy) + (int)(state & 4095)];
                    int value = (int)entry & HeightTables.TokenMask;
                    state = (entry >> HeightTables.FrequencyShift & HeightTables.FrequencyMask)
                        * (state >> HeightTables.PositionBits) + (entry >> HeightTables.OffsetShift);
                    while (state < Low)
                    {
                        if (coded >= codedEnd)
                        {
                            throw new LevelBlobException("the residuals are cut short");
                        }
                        state = state << 8 | data[coded++];
                    }
                    if (value >= 8)
                    {
                        int extra = (value >> 2) - 1;
                        while (bits < extra)
                        {
                            // The runtime refuses to read beyond the end of the payload.
                            held |= (uint)data[raw++] << bits;
                            bits += 8;
                        }
                        value = (value & 3 | 4) << extra | (int)(held & ((1u << extra) - 1));
                        held >>= extra;
                        bits -= extra;
                    }
                    folded[at++] = value;
                    northWest = north;
                    north = northEast;
                    west = value + 1 >> 1;
                    sizes[x] = west;
                }
            }
            if (coded != codedEnd || raw != data.Length || state != Low)
            {
                throw new LevelBlobException("the residuals do not end where they should");
            }
            return folded;
        }
    }
}
