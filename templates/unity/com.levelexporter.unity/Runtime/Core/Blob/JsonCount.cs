namespace LevelExporter.Blob
{
    /// <summary>How many lists, maps and scalars a JSON text would build.</summary>
    internal sealed class JsonCount
    {
        public int Lists { get; private set; }

        public int Maps { get; private set; }

        public int Scalars { get; private set; }

        /// <summary>Numbers with a point.</summary>
        public int Points { get; private set; }

        /// <summary>Numbers with an exponent.</summary>
        public int Exponents { get; private set; }

        /// <summary>Counts before anything is built.</summary>
        /// <exception cref="LevelBlobException">There is more than the limits allow.</exception>
        public static JsonCount Of(string text, BlobLimits limits)
        {
            var count = new JsonCount();
            int commas = 0;
            int empty = 0;
            int depth = 0;
            for (int at = 0; at < text.Length; at++)
            {
                char next = text[at];
                if (next == '"')
                {
                    at = EndOfText(text, at);
                }
                else if (next == '[' || next == '{')
                {
                    count.Lists += next == '[' ? 1 : 0;
                    count.Maps += next == '{' ? 1 : 0;
                    // Closing brackets have the code of the opening ones plus 2: ] and [, } and {.
                    empty += at + 1 < text.Length && text[at + 1] == next + 2 ? 1 : 0;
                    if (++depth > limits.Deepest)
                    {
                        throw new LevelBlobException(
                            "values are nested deeper than " + limits.Deepest);
                    }
                }
                else if (next == ']' || next == '}')
                {
                    depth--;
                }
                else if (next == ',')
                {
                    commas++;
                }
                else if (next == '.')
                {
                    count.Points++;
                }
                else if ((next == 'e' || next == 'E') && at > 0 && char.IsDigit(text[at - 1]))
                {
                    count.Exponents++;
                }
            }
            int values = 1 + commas + count.Lists + count.Maps - empty;
            if (values > limits.MostValues)
            {
                throw new LevelBlobException(
                    "the values are over the limit of " + limits.MostValues);
            }
            count.Scalars = System.Math.Max(0, values - count.Lists - count.Maps);
            return count;
        }

        // Where the text that begins at a quote ends: at the next one that is not escaped.
        private static int EndOfText(string text, int at)
        {
            for (at++; at < text.Length && text[at] != '"'; at++)
            {
                if (text[at] == '\\')
                {
                    at++;
                }
            }
            return at;
        }
    }
}
