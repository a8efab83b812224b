namespace LevelExporter.Blob
{
    /// <summary>
    /// A non-negative integer of up to 3,000 bits or so, with the operations of long division.
    /// </summary>
    internal sealed class WideInteger
    {
        // 32 bits each, lowest first.
        private readonly uint[] words = new uint[100];

        public WideInteger(long value)
        {
            words[0] = (uint)value;
            words[1] = (uint)(value >> 32);
        }

        public bool IsZero
        {
            get { return BitLength == 0; }
        }

        public int BitLength
        {
            get
            {
                int index = words.Length - 1;
                while (index > 0 && words[index] == 0)
                {
                    index--;
                }
                int bits = 0;
                while (bits < 32 && words[index] >> bits != 0)
                {
                    bits++;
                }
                return index * 32 + bits;
            }
        }

        public void MultiplyByTen(int times)
        {
            for (; times > 0; times--)
            {
                ulong carry = 0;
                for (int index = 0; index < words.Length; index++)
                {
                    carry += (ulong)words[index] * 10;
                    words[index] = (uint)carry;
                    carry >>= 32;
                }
            }
        }

        public void ShiftLeft(int bits)
        {
            int skip = bits / 32;
            int shift = bits % 32;
            for (int index = words.Length - 1; index >= 0; index--)
            {
                ulong word = index >= skip ? words[index - skip] : 0;
                ulong below = index > skip ? words[index - skip - 1] : 0;
                words[index] = (uint)((word << 32 | below) << shift >> 32);
            }
        }

        public int CompareTo(WideInteger other)
        {
            int index = words.Length - 1;
            while (index > 0 && words[index] == other.words[index])
            {
                index--;
            }
            return words[index].CompareTo(other.words[index]);
        }

        /// <summary>
        /// The next bit of a quotient: takes the divisor off once if it can, and doubles the rest.
        /// </summary>
        public long TakeBit(WideInteger divisor)
        {
            long bit = CompareTo(divisor) >= 0 ? 1 : 0;
            ulong borrow = 0;
            for (int index = 0; index < words.Length && bit == 1; index++)
            {
                ulong rest = (ulong)words[index] - divisor.words[index] - borrow;
                words[index] = (uint)rest;
                borrow = rest >> 63;
            }
            ShiftLeft(1);
            return bit;
        }
    }
}
