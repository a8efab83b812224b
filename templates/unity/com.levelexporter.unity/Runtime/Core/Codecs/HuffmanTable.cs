namespace LevelExporter.Codecs
{
    /// <summary>
    /// A code of deflate, laid out so that one look at the next 15 bits finds the symbol.
    /// </summary>
    internal sealed class HuffmanTable
    {
        public const int Longest = 15;

        /// <summary>
        /// By the next bits, lowest first: symbol &lt;&lt; 4 | length of its code; 0 for none.
        /// </summary>
        public readonly ushort[] Entries = new ushort[1 << Longest];

        /// <summary>
        /// Makes the code in which symbols have these lengths, 0 for those without one.
        /// </summary>
        public void Build(byte[] lengths, int start, int count)
        {
            var next = new int[Longest + 2];
            for (int symbol = 0; symbol < count; symbol++)
            {
                next[lengths[start + symbol] + 1]++;
            }
            // Codes of a length begin where the shorter ones end.
            next[1] = 0;
            for (int length = 1; length <= Longest; length++)
            {
                next[length] = next[length] + next[length - 1] << 1;
            }
            System.Array.Clear(Entries, 0, Entries.Length);
            for (int symbol = 0; symbol < count; symbol++)
            {
                int length = lengths[start + symbol];
                if (length == 0)
                {
                    continue;
                }
                int code = next[length]++;
                if (code >> length != 0)
                {
                    throw new LevelBlobException("a deflate code has too many symbols");
                }
                for (int bits = Reversed(code, length); bits < Entries.Length; bits += 1 << length)
                {
                    Entries[bits] = (ushort)(symbol << 4 | length);
                }
            }
        }

        private static int Reversed(int code, int length)
        {
            int reversed = 0;
            for (int bit = 0; bit < length; bit++)
            {
                reversed = reversed << 1 | (code >> bit & 1);
            }
            return reversed;
        }
    }
}
