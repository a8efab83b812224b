namespace LevelExporter.Codecs
{
    /// <summary>Grids of two values, each cell in the context of twelve neighbours.</summary>
    internal static class BitmapCodec
    {
        /// <summary>
        /// The cells; <paramref name="model"/> learns, and has learned if there is a prior.
        /// </summary>
        public static int[] Decode(byte[] payload, PartShape shape, BitmapModel model, bool hasHead)
        {
            int start = hasHead ? ReadHead(payload, shape, model) : 0;
            var bits = new byte[shape.Count];
            var stream = new RangeDecoder(payload, start, payload.Length);
            ReadBits(stream, shape.Width, shape.Height, model, bits);
            var cells = new int[bits.Length];
            int zero = model.Zero;
            int ink = model.Ink;
            for (int index = 0; index < cells.Length; index++)
            {
                cells[index] = bits[index] == 0 ? zero : ink;
            }
            return cells;
        }

        private static int ReadHead(byte[] payload, PartShape shape, BitmapModel model)
        {
            var cursor = new ByteCursor(payload);
            int flags = cursor.Byte();
            if (flags > 3)
            {
                throw new LevelBlobException("a bitmap with unknown flags");
            }
            model.Edge = flags & 1;
            if ((flags & 2) != 0)
            {
                int at = cursor.Take(2 * shape.Size);
                model.Zero = shape.FromBits(ByteCursor.Little(payload, at, shape.Size));
                model.Ink = shape.FromBits(
                    ByteCursor.Little(payload, at + shape.Size, shape.Size));
            }
            return cursor.Position;
        }

        /// <summary>Reads a grid of 0 and 1, row after row.</summary>
        public static void ReadBits(
            RangeDecoder stream, int width, int height, BitmapModel model, byte[] bits)
        {
            uint[] small = model.Small;
            uint[] large = model.Large;
            uint[] rates = AdaptiveState.Rates;
            byte[] data = stream.Data;
            int end = stream.End;
            int position = stream.Position;
            uint code = stream.Code;
            uint range = stream.Range;
            byte edge = (byte)model.Edge;
            // Rows framed by two cells on either side; their bits move through the context.
            byte[] above2 = FramedRow(width, edge);
            byte[] above = FramedRow(width, edge);
            byte[] here = FramedRow(width, edge);
            int at = 0;
            for (int y = 0; y < height; y++)
            {
                int upper2 = above2[0] << 3 | above2[1] << 2 | above2[2] << 1 | above2[3];
                int upper = above[0] << 3 | above[1] << 2 | above[2] << 1 | above[3];
                int left = edge * 3;
                for (int x = 0; x < width; x++)
                {
                    upper2 = (upper2 << 1 | above2[x + 4]) & 31;
                    upper = (upper << 1 | above[x + 4]) & 31;
                    int context = upper2 << 7 | upper << 2 | left;
                    uint state = large[context];
                    int parent = (upper & 14) | (left & 1);
                    if (state == 0)
                    {
                        state = AdaptiveState.Aged(small[parent], 1);
                    }
                    uint bound = (range >> 16) * (state >> 16 | 1);
                    uint count = state & 1023;
                    uint probability = state >> 10;
                    int bit;
                    if (code < bound)
                    {
                        range = bound;
                        bit = 0;
                        probability += (uint)((ulong)(4194304 - probability) * rates[count] >> 16);
                    }
                    else
                    {
                        code -= bound;
                        range -= bound;
                        bit = 1;
                        probability -= (uint)((ulong)probability * rates[count] >> 16);
                    }
                    large[context] = probability << 10 | (count < 1023 ? count + 1 : count);
                    if (count < 7)
                    {
                        small[parent] = AdaptiveState.Update(
                            small[parent], bit, AdaptiveState.BitmapLimit);
                    }
                    while (range < 0x1000000)
                    {
                        range <<= 8;
                        code = code << 8 | (position < end ? data[position] : (uint)0);
                        position++;
                    }
                    left = (left << 1 | bit) & 3;
                    here[x + 2] = (byte)bit;
                    bits[at++] = (byte)bit;
                }
                byte[] spare = above2;
                above2 = above;
                above = here;
                here = spare;
            }
            stream.Position = position;
            stream.Code = code;
            stream.Range = range;
        }

        private static byte[] FramedRow(int width, byte edge)
        {
            var row = new byte[width + 4];
            for (int index = 0; index < row.Length; index++)
            {
                row[index] = edge;
            }
            return row;
        }
    }
}
