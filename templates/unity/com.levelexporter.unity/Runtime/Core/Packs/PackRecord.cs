using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;
using LevelExporter.Blob;

namespace LevelExporter.Packs
{
    /// <summary>
    /// One level of a pack: bits that complete the texts its levels share, and the payloads of its
    /// grids. It becomes the blob that it was made of.
    /// </summary>
    internal sealed class PackRecord
    {
        /// <summary>The codec of chunks of values.</summary>
        public const int Values = 21;

        private const int Widest = 32;
        private const int EntryNumbers = 9;
        private const int LargestBlock = 0xFFFF;

        private static readonly UTF8Encoding Utf8 = new UTF8Encoding(false, true);

        private readonly byte[] body;
        private readonly BlobLimits limits;
        private readonly List<byte> text = new List<byte>();
        private long at;
        private int visited;

        /// <summary>Takes the bytes behind a record's checksum.</summary>
        public PackRecord(byte[] body, BlobLimits limits)
        {
            this.body = body;
            this.limits = limits;
        }

        /// <summary>The blob of the level.</summary>
        /// <exception cref="LevelBlobException">The record or the shapes are broken.</exception>
        public byte[] Blob(object directory, Dictionary<string, object> shapes)
        {
            try
            {
                byte[] listed = Text(directory);
                var entries = (List<object>)JsonReader.Read(
                    Values, StoredStream(listed), new BlobBudget(limits));
                if (entries.Count > limits.MostChunks)
                {
                    throw new LevelBlobException("a level has more chunks than the limit");
                }
                var chunks = entries.ConvertAll(Chunk);
                var payloads = new byte[chunks.Count][];
                for (int index = 0; index < chunks.Count; index++)
                {
                    if (chunks[index].Codec == Values)
                    {
                        payloads[index] = StoredStream(Text(shapes[chunks[index].Type]));
                    }
                }
                TakePayloads(chunks, payloads);
                return BlobContainer.Write(chunks, payloads);
            }
            catch (Exception cause) when (LevelBlobException.IsDamage(cause))
            {
                throw new LevelBlobException("broken level data: " + cause.Message);
            }
        }

        private static BlobChunk Chunk(object described)
        {
            var fields = (List<object>)described;
            var type = (string)fields[0];
            var numbers = fields.GetRange(1, EntryNumbers).ConvertAll(item => (long)item);
            bool isProper = type.Length == 4 && numbers[0] <= 0xFF && numbers[1] <= 0xFF;
            for (int place = 0; place < EntryNumbers; place++)
            {
                long most = place == EntryNumbers - 1 ? int.MaxValue : 0xFFFF;
                isProper &= numbers[place] >= 0 && numbers[place] <= most;
            }
            foreach (char letter in type)
            {
                isProper &= (letter | 32) >= 'a' && (letter | 32) <= 'z';
            }
            if (!isProper)
            {
                throw new LevelBlobException("broken level data: an entry of the directory");
            }
            return new BlobChunk
            {
                Type = type,
                Codec = (int)numbers[0],
                Element = (int)numbers[1],
                Item = (int)numbers[2],
                Part = (int)numbers[3],
                Width = (int)numbers[4],
                Height = (int)numbers[5],
                Side = (int)numbers[6],
                Prior = (int)numbers[7],
                Length = (int)numbers[8],
            };
        }

        // The texts come first, then the payloads of grids.
        private void TakePayloads(List<BlobChunk> chunks, byte[][] payloads)
        {
            long start = (at + 7) / 8;
            for (int index = 0; index < chunks.Count; index++)
            {
                if (payloads[index] != null)
                {
                    continue;
                }
                if (start + chunks[index].Length > body.Length)
                {
                    throw new LevelBlobException("the level is cut short");
                }
                payloads[index] = new byte[chunks[index].Length];
                Buffer.BlockCopy(body, (int)start, payloads[index], 0, payloads[index].Length);
                start += payloads[index].Length;
            }
            if (start != body.Length)
            {
                throw new LevelBlobException("the payloads of a level have another length");
            }
        }

        private byte[] Text(object shape)
        {
            text.Clear();
            visited = 0;
            AddShape(shape);
            return text.ToArray();
        }

        private void AddShape(object shape)
        {
            visited++;
            if (visited > limits.MostValues)
            {
                throw new LevelBlobException("the values are over the limit of " + limits.MostValues);
            }
            var written = shape as string;
            if (written != null)
            {
                Add(Utf8.GetBytes(written));
                return;
            }
            var fields = (Dictionary<string, object>)shape;
            object part;
            if (fields.TryGetValue("all", out part))
            {
                ((List<object>)part).ForEach(AddShape);
            }
            else if (fields.TryGetValue("integer", out part))
            {
                long number = checked((long)part + Take(fields["bits"]));
                Add(Utf8.GetBytes(number.ToString(CultureInfo.InvariantCulture)));
            }
            else if (fields.TryGetValue("one_of", out part) || fields.TryGetValue("either", out part))
            {
                AddShape(Choice((List<object>)part));
            }
            else if (fields.TryGetValue("list", out part))
            {
                AddList(part, Take(fields["bits"]));
            }
            else
            {
                AddBytes(Take(fields["length"]));
            }
        }

        private void AddList(object element, long count)
        {
            Add(new[] { (byte)'[' });
            for (long index = 0; index < count; index++)
            {
                if (index > 0)
                {
                    Add(new[] { (byte)',' });
                }
                AddShape(element);
            }
            Add(new[] { (byte)']' });
        }

        private void AddBytes(long length)
        {
            if (8 * length > 8L * body.Length - at)
            {
                throw new LevelBlobException("the level is cut short");
            }
            var bytes = new byte[length];
            for (long index = 0; index < length; index++)
            {
                bytes[index] = (byte)Take(8L);
            }
            Add(bytes);
        }

        private void Add(byte[] bytes)
        {
            text.AddRange(bytes);
            if (text.Count > limits.MostText)
            {
                throw new LevelBlobException(
                    "the values are over the limit of " + limits.MostText + " bytes");
            }
        }

        private object Choice(List<object> choices)
        {
            long bits = 0;
            while (1L << (int)bits < choices.Count)
            {
                bits++;
            }
            long number = Take(bits);
            if (number >= choices.Count)
            {
                throw new LevelBlobException("a choice is out of range");
            }
            return choices[(int)number];
        }

        private long Take(object width)
        {
            var left = (long)width;
            if (left < 0 || left > Widest || at + left > 8L * body.Length)
            {
                throw new LevelBlobException("the level is cut short");
            }
            long number = 0;
            while (left > 0)
            {
                int spare = 8 - (int)(at & 7);
                int held = (int)Math.Min(left, spare);
                uint bits = (uint)body[at >> 3] >> (spare - held) & (1u << held) - 1;
                number = number << held | bits;
                at += held;
                left -= held;
            }
            return number;
        }

        // A zlib stream of blocks that are not compressed.
        private static byte[] StoredStream(byte[] bytes)
        {
            var stream = new List<byte> { 0x78, 0x01 };
            uint low = 1;
            uint high = 0;
            int start = 0;
            do
            {
                int length = Math.Min(LargestBlock, bytes.Length - start);
                stream.Add((byte)(start + length == bytes.Length ? 1 : 0));
                stream.Add((byte)length);
                stream.Add((byte)(length >> 8));
                stream.Add((byte)~length);
                stream.Add((byte)(~length >> 8));
                for (int end = start + length; start < end; start++)
                {
                    stream.Add(bytes[start]);
                    low = (low + bytes[start]) % 65521;
                    high = (high + low) % 65521;
                }
            }
            while (start < bytes.Length);
            stream.AddRange(new[] { (byte)(high >> 8), (byte)high, (byte)(low >> 8), (byte)low });
            return stream.ToArray();
        }
    }
}
