namespace LevelExporter.Codecs
{
    /// <summary>
    /// Reads decisions from a stream. Zeros are read beyond its end, so a broken stream ends with
    /// its last value. The loops over cells keep the registers in locals.
    /// </summary>
    internal sealed class RangeDecoder
    {
        public readonly byte[] Data;
        public int Position;
        public uint Code;
        public uint Range;

        private readonly int end;

        /// <summary>Starts at a position of some bytes.</summary>
        public RangeDecoder(byte[] data, int start, int end)
        {
            Data = data;
            this.end = end;
            Position = start;
            Range = 0xFFFFFFFF;
            for (int index = 0; index < 4; index++)
            {
                Code = Code << 8 | Next();
            }
        }

        /// <summary>Where zeros begin.</summary>
        public int End
        {
            get { return end; }
        }

        /// <summary>
        /// Whether far more was read than the stream holds: only damage does that.
        /// </summary>
        public bool IsOverrun
        {
            get { return Position - 64 > end; }
        }

        /// <summary>The next decision of a state that learns up to 255.</summary>
        public int Decide(uint[] states, int index)
        {
            int bit = Peek(states[index]);
            states[index] = AdaptiveState.Update(states[index], bit, AdaptiveState.Limit);
            return bit;
        }

        /// <summary>The next decision of a state, which is not updated.</summary>
        public int Peek(uint state)
        {
            uint bound = (Range >> 16) * (state >> 16 | 1);
            int bit = 0;
            if (Code < bound)
            {
                Range = bound;
            }
            else
            {
                Code -= bound;
                Range -= bound;
                bit = 1;
            }
            while (Range < 0x1000000)
            {
                Range <<= 8;
                Code = Code << 8 | Next();
            }
            return bit;
        }

        /// <summary>The next bits at even odds, high bit first.</summary>
        public ulong Even(int width)
        {
            ulong value = 0;
            for (int index = 0; index < width; index++)
            {
                value = value << 1 | (uint)Peek(AdaptiveState.Fresh);
            }
            return value;
        }

        /// <summary>The next number, from 0 to below 2^63.</summary>
        public long Number(NumberModel model)
        {
            int length = 0;
            while (Decide(model.Lengths, length) != 0)
            {
                length++;
                if (length > NumberModel.Longest)
                {
                    throw new LevelBlobException("a number is too long");
                }
            }
            if (length == 0)
            {
                return 0;
            }
            ulong second = (uint)Decide(model.Seconds, length);
            return (long)(((2 | second) << (length - 1) | Even(length - 1)) - 1);
        }

        /// <summary>The next number of a size that fits where it is needed.</summary>
        public int NumberUpTo(NumberModel model, int most)
        {
            long number = Number(model);
            if (number > most)
            {
                throw new LevelBlobException("a number is out of range");
            }
            return (int)number;
        }

        /// <summary>The next folded number: 2 n encodes n, 2 n + 1 encodes -n - 1.</summary>
        public long Folded(NumberModel model)
        {
            long folded = Number(model);
            return (folded & 1) != 0 ? -(folded >> 1) - 1 : folded >> 1;
        }

        /// <summary>The next byte of the stream, 0 beyond its end.</summary>
        public uint Next()
        {
            uint next = Position < end ? Data[Position] : (uint)0;
            Position++;
            return next;
        }
    }
}
