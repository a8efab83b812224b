using System;
using System.Collections.Generic;
using LevelExporter.Codecs;

namespace LevelExporter.Packs
{
    /// <summary>One value for each level of a pack, read when it is asked for.</summary>
    internal sealed class PackColumn
    {
        private readonly string kind;
        private readonly long width;
        private readonly long minimum;
        private readonly long divisor;
        private readonly List<object> choices;
        private object[] values;

        /// <summary>Takes the description of the shared part.</summary>
        public PackColumn(Dictionary<string, object> described)
        {
            Name = (string)described["name"];
            IsMeasure = (string)described["group"] == "metrics";
            kind = (string)described["kind"];
            width = (long)described["bytes"];
            bool isKnown = width == 1 || width == 2 || width == 4;
            if (kind == "choice")
            {
                choices = (List<object>)described["values"];
            }
            else if (width == 8 && kind == "number")
            {
                isKnown = true;
            }
            else
            {
                minimum = (long)described["minimum"];
                divisor = (long)described["divisor"];
                isKnown &= divisor >= 1 && (kind == "number" || kind == "integer");
            }
            if (!isKnown)
            {
                throw new LevelBlobException("broken pack: the column " + Name);
            }
        }

        /// <summary>Its name.</summary>
        public string Name { get; private set; }

        /// <summary>Whether conditions can name it.</summary>
        public bool IsMeasure { get; private set; }

        /// <summary>The value of each level.</summary>
        public IReadOnlyList<object> Values(Func<byte[]> payload, int count)
        {
            if (values == null)
            {
                byte[] raw = ZlibCodec.InflateUpTo(payload(), (int)(width * count));
                if (raw.Length != width * count)
                {
                    throw new LevelBlobException("broken pack: a column of another length");
                }
                var read = new object[count];
                for (int index = 0; index < count; index++)
                {
                    read[index] = Value(raw, index);
                }
                values = read;
            }
            return values;
        }

        private object Value(byte[] raw, int index)
        {
            long number = 0;
            for (int place = (int)width - 1; place >= 0; place--)
            {
                number = number << 8 | raw[index * width + place];
            }
            if (width == 8)
            {
                return BitConverter.Int64BitsToDouble(number);
            }
            if (choices == null)
            {
                long value = number + minimum;
                return kind == "integer" ? (object)value : (double)value / divisor;
            }
            if (number >= choices.Count)
            {
                throw new LevelBlobException("broken pack: a choice is out of range");
            }
            return choices[(int)number];
        }
    }
}
