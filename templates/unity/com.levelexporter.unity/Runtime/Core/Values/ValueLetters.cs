using System.Text;
using LevelExporter.Codecs;

namespace LevelExporter.Values
{
    /// <summary>Texts, letter by letter, each in the context of the letter before.</summary>
    internal sealed class ValueLetters
    {
        private readonly NumberModel length = new NumberModel();
        private readonly uint[] letters = AdaptiveState.FreshStates(256);
        private readonly uint[][] pairs = new uint[256][];

        public string Read(RangeDecoder stream, ValueReader reader)
        {
            int count = reader.Spend(stream.Number(length));
            var bytes = new byte[count];
            int before = 0;
            for (int index = 0; index < count; index++)
            {
                uint[] pair = pairs[before] ?? (pairs[before] = new uint[256]);
                int node = 1;
                while (node < 256)
                {
                    uint state = pair[node];
                    if (state == 0)
                    {
                        state = AdaptiveState.Aged(letters[node], 2);
                    }
                    int bit = stream.Peek(state);
                    pair[node] = AdaptiveState.Update(state, bit, AdaptiveState.Limit);
                    if ((state & 1023) < 7)
                    {
                        letters[node] = AdaptiveState.Update(
                            letters[node], bit, AdaptiveState.Limit);
                    }
                    node = node << 1 | bit;
                }
                before = node & 255;
                bytes[index] = (byte)before;
                if (stream.IsOverrun)
                {
                    throw new LevelBlobException("a text is cut short");
                }
            }
            return Utf8(bytes);
        }

        // Encoding.UTF8 would replace lone surrogates, which are coded as if they were characters,
        // and what is no UTF-8.
        private static string Utf8(byte[] bytes)
        {
            var text = new StringBuilder(bytes.Length);
            int at = 0;
            while (at < bytes.Length)
            {
                int first = bytes[at++];
                int more = first < 0x80 ? 0 : first < 0xC2 ? -1 : first < 0xE0 ? 1
                    : first < 0xF0 ? 2 : first < 0xF5 ? 3 : -1;
                if (more < 0 || more > bytes.Length - at)
                {
                    throw new LevelBlobException("a text is not UTF-8");
                }
                int point = more == 0 ? first : first & 0x3F >> more;
                for (int index = 0; index < more; index++)
                {
                    int next = bytes[at++];
                    if ((next & 0xC0) != 0x80)
                    {
                        throw new LevelBlobException("a text is not UTF-8");
                    }
                    point = point << 6 | next & 0x3F;
                }
                // Three and four bytes only for what does not fit into fewer.
                if ((more == 2 && point < 0x800) || (more == 3 && point < 0x10000)
                    || point > 0x10FFFF)
                {
                    throw new LevelBlobException("a text is not UTF-8");
                }
                if (point < 0x10000)
                {
                    text.Append((char)point);
                }
                else
                {
                    text.Append((char)(0xD7C0 + (point >> 10))).Append((char)(0xDC00 | point & 0x3FF));
                }
            }
            return text.ToString();
        }
    }
}
