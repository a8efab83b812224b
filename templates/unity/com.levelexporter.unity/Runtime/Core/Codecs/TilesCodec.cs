using System;
using System.Collections.Generic;

namespace LevelExporter.Codecs
{
    /// <summary>Grids of up to 256 ids: the head, and the ids behind the dense ids.</summary>
    internal static class TilesCodec
    {
        /// <summary>
        /// The cells; <paramref name="model"/> learns, and has learned if there is a prior.
        /// </summary>
        /// <param name="payload">The stored bytes.</param>
        /// <param name="shape">What they hold.</param>
        /// <param name="side">The cells of the same part of another layer, or null.</param>
        /// <param name="model">A fresh model, or the model of a prior.</param>
        /// <param name="hasHead">Whether the model is fresh.</param>
        public static int[] Decode(
            byte[] payload, PartShape shape, int[] side, TilesModel model, bool hasHead)
        {
            int start = hasHead ? ReadHead(payload, shape, side, model) : 0;
            var stream = new RangeDecoder(payload, start, payload.Length);
            byte[] classes = null;
            if ((model.Flags & TilesModel.Own) != 0)
            {
                classes = new byte[shape.Count];
                BitmapCodec.ReadBits(stream, shape.Width, shape.Height, model.Layer, classes);
            }
            else if ((model.Flags & TilesModel.FromSide) != 0)
            {
                classes = SideClasses(side, Distinct(side, shape.Count), model.Classes);
            }
            int[] cells = TilesStream.Read(stream, shape.Width, shape.Height, classes, model);
            int[] ids = model.Ids;
            for (int index = 0; index < cells.Length; index++)
            {
                if (cells[index] >= ids.Length)
                {
                    throw new LevelBlobException("an id is out of range");
                }
                cells[index] = ids[cells[index]];
            }
            return cells;
        }

        private static int ReadHead(byte[] payload, PartShape shape, int[] side, TilesModel model)
        {
            var cursor = new ByteCursor(payload);
            model.Flags = cursor.Byte();
            int masked = model.Flags & (TilesModel.Own | TilesModel.FromSide);
            if (model.Flags > 31 || masked == (TilesModel.Own | TilesModel.FromSide))
            {
                throw new LevelBlobException("tiles with unknown flags");
            }
            int count = cursor.Byte() + 1;
            model.Ids = ReadIds(cursor, count, shape);
            int classCount = masked == 0 ? 0
                : masked == TilesModel.Own ? count
                : Distinct(side, shape.Count).Count;
            model.Classes = new byte[classCount];
            int start = cursor.Take((classCount + 7) / 8);
            for (int index = 0; index < classCount; index++)
            {
                model.Classes[index] = (byte)(payload[start + (index >> 3)] >> (7 - (index & 7)) & 1);
            }
            model.MakeContexts(shape.Count);
            return cursor.Position;
        }

        // Ascending ids: the first, then runs of equal gaps.
        private static int[] ReadIds(ByteCursor cursor, int count, PartShape shape)
        {
            var ids = new int[count];
            long folded = cursor.Number();
            long id = (folded & 1) != 0 ? -(folded >> 1) - 1 : folded >> 1;
            long first = id;
            int have = 0;
            ids[have++] = (int)id;
            while (have < count)
            {
                long gap = cursor.Number() + 1;
                long run = cursor.Number() + 1;
                if (run > count - have)
                {
                    throw new LevelBlobException("more ids than there are");
                }
                for (; run > 0; run--)
                {
                    id += gap;
                    ids[have++] = unchecked((int)id);
                }
            }
            if (!shape.Holds(first, id))
            {
                throw new LevelBlobException("an id does not fit its type");
            }
            return ids;
        }

        private static List<int> Distinct(int[] side, int count)
        {
            if (side == null || side.Length != count)
            {
                throw new LevelBlobException("the layer that the tiles follow from is missing");
            }
            var values = new List<int>(new HashSet<int>(side));
            if (values.Count < 2 || values.Count > 256)
            {
                throw new LevelBlobException("the layer that the tiles follow from has other ids");
            }
            values.Sort();
            return values;
        }

        private static byte[] SideClasses(int[] side, List<int> values, byte[] classOfPosition)
        {
            if (values.Count != classOfPosition.Length)
            {
                throw new LevelBlobException("the layer that the tiles follow from has other ids");
            }
            var classOf = new Dictionary<int, byte>();
            for (int position = 0; position < values.Count; position++)
            {
                classOf[values[position]] = classOfPosition[position];
            }
            var classes = new byte[side.Length];
            int last = values[0];
            byte lastClass = classOfPosition[0];
            for (int index = 0; index < side.Length; index++)
            {
                if (side[index] != last)
                {
                    last = side[index];
                    lastClass = classOf[last];
                }
                classes[index] = lastClass;
            }
            return classes;
        }
    }
}
