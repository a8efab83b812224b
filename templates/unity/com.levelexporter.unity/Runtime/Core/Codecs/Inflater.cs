using System;

namespace LevelExporter.Codecs
{
    /// <summary>
    /// Inflates deflate streams (RFC 1951) up to a known size, and never beyond it. Some of Unity's
    /// platforms have lacked the native library behind .NET's own.
    /// </summary>
    internal sealed class Inflater
    {
        // Where the lengths of length codes stand in a block's head.
        private static readonly int[] LengthOrder =
        {
            16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
        };

        private static readonly byte[] FixedLengths = MakeFixedLengths();

        private readonly byte[] data;
        private readonly int end;
        private readonly int most;
        private readonly HuffmanTable literals = new HuffmanTable();
        private readonly HuffmanTable distances = new HuffmanTable();
        private byte[] output;
        private int have;
        private int at;
        private uint held;
        private int bits;

        private Inflater(byte[] data, int start, int end, byte[] output, int most)
        {
            this.most = most;
            this.data = data;
            this.end = end;
            this.output = output;
            at = start;
        }

        /// <summary>
        /// Fills the output from a stream that must have exactly this size and end at the given
        /// position.
        /// </summary>
        public static void Inflate(byte[] data, int start, int end, byte[] output)
        {
            var inflater = new Inflater(data, start, end, output, output.Length);
            inflater.ReadBlocks();
            if (inflater.have != output.Length)
            {
                throw new LevelBlobException("a zlib stream is too long or too short");
            }
        }

        /// <summary>
        /// Returns the output of a stream that ends at the given position; a larger output is
        /// refused.
        /// </summary>
        public static byte[] InflateUpTo(byte[] data, int start, int end, int most)
        {
            // Room for a few times the stream; it grows with the decoded bytes.
            int room = (int)Math.Min(most, 64 + 4L * (end - start));
            var inflater = new Inflater(data, start, end, new byte[room], most);
            inflater.ReadBlocks();
            Array.Resize(ref inflater.output, inflater.have);
            return inflater.output;
        }

        private void ReadBlocks()
        {
            while (!ReadBlock())
            {
            }
            if (at - bits / 8 != end)
            {
                throw new LevelBlobException("a zlib stream is too long or too short");
            }
        }

        // Makes room for so many further bytes.
        private void Reserve(int count)
        {
            if (count <= output.Length - have)
            {
                return;
            }
            if (count > most - have)
            {
                throw new LevelBlobException("a zlib stream is over the limit of " + most + " bytes");
            }
            Array.Resize(ref output, (int)Math.Min(most, Math.Max(have + count, 2L * output.Length)));
        }

        // Whether it was the last one.
        private bool ReadBlock()
        {
            bool isLast = Take(1) != 0;
            int kind = Take(2);
            if (at - bits / 8 > end || kind == 3)
            {
                throw new LevelBlobException("a zlib stream is broken");
            }
            if (kind == 0)
            {
                CopyBlock();
                return isLast;
            }
            if (kind == 1)
            {
                literals.Build(FixedLengths, 0, 288);
                distances.Build(FixedLengths, 288, 30);
            }
            else
            {
                ReadCodes();
            }
            ReadSymbols();
            return isLast;
        }

        // Bytes as they are, behind their number and its complement.
        private void CopyBlock()
        {
            Take(bits & 7);
            int length = Take(16);
            if (length != (Take(16) ^ 0xFFFF))
            {
                throw new LevelBlobException("a zlib stream is broken");
            }
            // Give back the bytes that were read ahead.
            at -= bits / 8;
            held = 0;
            bits = 0;
            Reserve(length);
            Buffer.BlockCopy(data, at, output, have, length);
            at += length;
            have += length;
        }

        private void ReadCodes()
        {
            int literalCount = Take(5) + 257;
            int distanceCount = Take(5) + 1;
            int lengthCount = Take(4) + 4;
            var lengths = new byte[286 + 32 + 138];
            for (int index = 0; index < lengthCount; index++)
            {
                lengths[LengthOrder[index]] = (byte)Take(3);
            }
            literals.Build(lengths, 0, 19);
            Array.Clear(lengths, 0, 19);
            int count = literalCount + distanceCount;
            int position = 0;
            while (position < count)
            {
                int symbol = Decode(literals.Entries);
                if (symbol < 16)
                {
                    lengths[position++] = (byte)symbol;
                    continue;
                }
                byte repeated = symbol == 16 ? lengths[position - 1] : (byte)0;
                int times = symbol == 16 ? 3 + Take(2) : symbol == 17 ? 3 + Take(3) : 11 + Take(7);
                for (; times > 0; times--)
                {
                    lengths[position++] = repeated;
                }
            }
            if (position != count || literalCount > 286)
            {
                throw new LevelBlobException("a zlib stream is broken");
            }
            literals.Build(lengths, 0, literalCount);
            distances.Build(lengths, literalCount, distanceCount);
        }

        private void ReadSymbols()
        {
            while (true)
            {
                int symbol = Decode(literals.Entries);
                if (symbol < 256)
                {
                    Reserve(1);
                    output[have++] = (byte)symbol;
                    continue;
                }
                if (symbol == 256)
                {
                    return;
                }
                int length = Length(symbol - 257);
                int distance = Distance(Decode(distances.Entries));
                if (distance > have)
                {
                    throw new LevelBlobException("a zlib stream is broken");
                }
                Reserve(length);
                // One byte after the other: the copy may overlap itself.
                for (; length > 0; length--)
                {
                    output[have] = output[have - distance];
                    have++;
                }
            }
        }

        // Four lengths share a number of further bits; the last symbol is 258 alone.
        private int Length(int symbol)
        {
            if (symbol >= 28)
            {
                if (symbol > 28)
                {
                    throw new LevelBlobException("a zlib stream is broken");
                }
                return 258;
            }
            int more = symbol < 8 ? 0 : (symbol >> 2) - 1;
            return 3 + (symbol < 8 ? symbol : (4 | symbol & 3) << more) + Take(more);
        }

        // Two distances share a number of further bits.
        private int Distance(int symbol)
        {
            if (symbol > 29)
            {
                throw new LevelBlobException("a zlib stream is broken");
            }
            int more = symbol < 4 ? 0 : (symbol >> 1) - 1;
            return 1 + (symbol < 4 ? symbol : (2 | symbol & 1) << more) + Take(more);
        }

        private int Decode(ushort[] entries)
        {
            Fill(HuffmanTable.Longest);
            int entry = entries[held & (1 << HuffmanTable.Longest) - 1];
            int length = entry & 15;
            if (length == 0)
            {
                throw new LevelBlobException("a zlib stream is broken");
            }
            held >>= length;
            bits -= length;
            return entry >> 4;
        }

        private int Take(int count)
        {
            Fill(count);
            int value = (int)(held & (1u << count) - 1);
            held >>= count;
            bits -= count;
            return value;
        }

        // Reads zeros a little beyond the end; where the stream ended is checked afterwards.
        private void Fill(int count)
        {
            while (bits < count)
            {
                if (at < end)
                {
                    held |= (uint)data[at] << bits;
                }
                else if (at > end + 4)
                {
                    throw new LevelBlobException("a zlib stream is cut short");
                }
                at++;
                bits += 8;
            }
        }

        private static byte[] MakeFixedLengths()
        {
            var lengths = new byte[288 + 30];
            for (int symbol = 0; symbol < lengths.Length; symbol++)
            {
                lengths[symbol] = (byte)(symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7
                    : symbol < 288 ? 8 : 5);
            }
            return lengths;
        }
    }
}
