namespace LevelExporter.Codecs
{
    /// <summary>Walks through the bytes of a payload; it never leaves them.</summary>
    internal sealed class ByteCursor
    {
        public readonly byte[] Data;
        public int Position;

        public ByteCursor(byte[] data)
        {
            Data = data;
        }

        public int Left
        {
            get { return Data.Length - Position; }
        }

        public int Byte()
        {
            return Data[Take(1)];
        }

        /// <summary>Moves on by a number of bytes and returns where they begin.</summary>
        public int Take(long length)
        {
            if (length < 0 || length > Left)
            {
                throw new LevelBlobException("a payload is cut short");
            }
            int start = Position;
            Position += (int)length;
            return start;
        }

        /// <summary>
        /// A base-128 number: seven bits a byte, low ones first, bit 7 set on all but the last.
        /// </summary>
        public long Number(int mostBytes)
        {
            long number = 0;
            for (int index = 0; index < mostBytes; index++)
            {
                int next = Byte();
                number |= (long)(next & 127) << (7 * index);
                if (next < 128)
                {
                    return number;
                }
            }
            throw new LevelBlobException("a number is too long");
        }

        public long Number()
        {
            return Number(5);
        }

        /// <summary>A little-endian number of one to four bytes.</summary>
        public static uint Little(byte[] data, int at, int size)
        {
            uint value = 0;
            for (int index = 0; index < size; index++)
            {
                value |= (uint)data[at + index] << (8 * index);
            }
            return value;
        }
    }
}
