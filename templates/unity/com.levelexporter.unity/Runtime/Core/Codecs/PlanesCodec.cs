namespace LevelExporter.Codecs
{
    /// <summary>
    /// Wide cells split into bytes, each significance coded as a grid of its own.
    /// </summary>
    internal static class PlanesCodec
    {
        public static int[] Decode(byte[] payload, PartShape shape)
        {
            var cursor = new ByteCursor(payload);
            int flags = cursor.Byte();
            if (flags > 1 || shape.Size == 1)
            {
                throw new LevelBlobException("planes with unknown flags");
            }
            var cells = new uint[shape.Count];
            var plane = new PartShape(shape.Width, shape.Height, PartShape.Byte);
            for (int place = 0; place < shape.Size; place++)
            {
                int codec = cursor.Byte();
                if (!GridCodecs.CanNest(codec))
                {
                    throw new LevelBlobException("a plane cannot be coded by codec " + codec);
                }
                long length = cursor.Number();
                int start = cursor.Take(length);
                var inner = new byte[length];
                System.Buffer.BlockCopy(payload, start, inner, 0, inner.Length);
                int[] bytes = GridCodecs.Decode(codec, inner, plane, null, null, null);
                for (int index = 0; index < cells.Length; index++)
                {
                    cells[index] |= (uint)bytes[index] << (8 * place);
                }
            }
            if (cursor.Left != 0)
            {
                throw new LevelBlobException("something follows the planes");
            }
            if (flags == 1)
            {
                AddSteps(cells, shape);
            }
            var result = new int[cells.Length];
            for (int index = 0; index < result.Length; index++)
            {
                result[index] = (int)cells[index];
            }
            return result;
        }

        // Each cell is a folded step from the one before it in its row.
        private static void AddSteps(uint[] cells, PartShape shape)
        {
            uint mask = shape.Size == 4 ? 0xFFFFFFFF : 0xFFFF;
            for (int index = 0; index < cells.Length; index++)
            {
                uint step = cells[index] >> 1 ^ (uint)-(int)(cells[index] & 1);
                uint before = index % shape.Width == 0 ? 0 : cells[index - 1];
                cells[index] = unchecked(before + step) & mask;
            }
        }
    }
}
