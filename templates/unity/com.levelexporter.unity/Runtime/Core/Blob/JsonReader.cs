using System.Collections.Generic;
using System.Text;
using LevelExporter.Codecs;

namespace LevelExporter.Blob
{
    /// <summary>
    /// Reads the values of a chunk: JSON text in a zlib stream. Integers become long, other numbers
    /// double, lists and maps List and Dictionary. Everything that is built is counted first.
    /// </summary>
    internal sealed class JsonReader
    {
        private const int Codec = 21;
        private const int LongestNumber = 32;

        private readonly string text;
        private int at;

        private JsonReader(string text)
        {
            this.text = text;
        }

        /// <summary>The values of a payload.</summary>
        /// <exception cref="LevelBlobException">It holds none, or more than the budget.</exception>
        public static object Read(int codec, byte[] payload, BlobBudget budget)
        {
            if (codec != Codec)
            {
                throw new LevelBlobException("values codec " + codec + " is not known here");
            }
            byte[] bytes = ZlibCodec.InflateUpTo(payload, budget.Limits.MostText);
            // Throws for invalid UTF-8, half characters included.
            string text = new UTF8Encoding(false, true).GetString(bytes);
            JsonCount count = JsonCount.Of(text, budget.Limits);
            budget.ChargeValues(bytes.Length, count);
            var reader = new JsonReader(text);
            object value = reader.Value();
            if (reader.at != text.Length)
            {
                throw Broken("something follows the values");
            }
            return value;
        }

        private static LevelBlobException Broken(string what)
        {
            return new LevelBlobException("broken values: " + what);
        }

        // The character at hand; U+0000, which no text has, at the end.
        private char Next()
        {
            return at < text.Length ? text[at] : '\0';
        }

        private bool Take(char expected)
        {
            if (Next() != expected)
            {
                return false;
            }
            at++;
            return true;
        }

        private void Expect(string expected)
        {
            if (string.CompareOrdinal(text, at, expected, 0, expected.Length) != 0)
            {
                throw Broken("not JSON");
            }
            at += expected.Length;
        }

        private object Value()
        {
            switch (Next())
            {
                case '[':
                    return List();
                case '{':
                    return Map();
                case '"':
                    return Text();
                case 'n':
                    Expect("null");
                    return null;
                case 't':
                    Expect("true");
                    return true;
                case 'f':
                    Expect("false");
                    return false;
                default:
                    return Number();
            }
        }

        private List<object> List()
        {
            at++;
            var list = new List<object>();
            if (!Take(']'))
            {
                do
                {
                    list.Add(Value());
                }
                while (Take(','));
                Expect("]");
            }
            return list;
        }

        private Dictionary<string, object> Map()
        {
            at++;
            var map = new Dictionary<string, object>();
            if (!Take('}'))
            {
                do
                {
                    string key = Text();
                    Expect(":");
                    // Throws for a key that is there twice.
                    map.Add(key, Value());
                }
                while (Take(','));
                Expect("}");
            }
            return map;
        }

        private string Text()
        {
            Expect("\"");
            int start = at;
            while (Next() >= ' ' && Next() != '"' && Next() != '\\')
            {
                at++;
            }
            if (Take('"'))
            {
                return text.Substring(start, at - 1 - start);
            }
            var built = new StringBuilder(text, start, at - start, 16 + at - start);
            while (!Take('"'))
            {
                char next = Next();
                if (next < ' ')
                {
                    throw Broken("a control character in a text, or its end is missing");
                }
                at++;
                built.Append(next == '\\' ? Escape() : next);
            }
            return Checked(built.ToString());
        }

        private char Escape()
        {
            char kind = Next();
            at++;
            int known = "\"\\/bfnrt".IndexOf(kind);
            if (known >= 0)
            {
                return "\"\\/\b\f\n\r\t"[known];
            }
            int code = 0;
            for (int digit = 0; digit < 4 && kind == 'u'; digit++)
            {
                int value = "0123456789abcdef".IndexOf(char.ToLowerInvariant(Next()));
                code = value < 0 || code < 0 ? -1 : code << 4 | value;
                at++;
            }
            if (code <= 0)
            {
                throw Broken("an unknown escape");
            }
            return (char)code;
        }

        // Escapes may have built half characters.
        private static string Checked(string built)
        {
            for (int index = 0; index < built.Length; index++)
            {
                if (char.IsSurrogate(built[index]) && !char.IsSurrogatePair(built, index++))
                {
                    throw Broken("half a character in a text");
                }
            }
            return built;
        }

        private object Number()
        {
            int start = at;
            Take('-');
            int digits = at;
            Digits();
            if (text[digits] == '0' && at > digits + 1)
            {
                throw Broken("a number begins with 0");
            }
            int whole = at;
            if (Take('.'))
            {
                Digits();
            }
            int mantissa = at;
            if (Take('e') || Take('E'))
            {
                if (!Take('-'))
                {
                    Take('+');
                }
                Digits();
            }
            if (at - start > LongestNumber)
            {
                throw Broken("a number is too long");
            }
            string number = text.Substring(start, at - start);
            if (at == whole)
            {
                return JsonNumber.Integer(number);
            }
            return JsonNumber.Decimal(number, mantissa - start);
        }

        private void Digits()
        {
            int start = at;
            while (Next() >= '0' && Next() <= '9')
            {
                at++;
            }
            if (at == start)
            {
                throw Broken("not JSON");
            }
        }
    }
}
