using System;
using System.Collections.Generic;
using LevelExporter.Codecs;

namespace LevelExporter.Values
{
    /// <summary>
    /// Reads a tree of null, bool, long, double, string, List&lt;object&gt; and
    /// Dictionary&lt;string, object&gt;. Whole numbers beyond 62 bits become texts.
    /// </summary>
    internal sealed class ValueReader
    {
        /// <summary>The number of this codec in files.</summary>
        public const int Codec = 21;

        private const long Largest = 1L << 62;

        private static readonly double[] Powers =
        {
            1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
        };

        private readonly RangeDecoder stream;
        private readonly BlobLimits limits;
        private readonly List<ValueNode> nodes = new List<ValueNode>();
        private readonly List<string[]> shapes = new List<string[]>();
        private readonly List<string> keys = new List<string>();
        private readonly NumberModel shapeModel = new NumberModel();
        private readonly NumberModel keyModel = new NumberModel();
        private readonly NumberModel keyCount = new NumberModel();
        private readonly NumberModel modeModel = new NumberModel();
        private readonly uint[] positionalStates = AdaptiveState.FreshStates(1);
        private readonly ValueLetters letters = new ValueLetters();
        private int left;

        private ValueReader(byte[] payload, BlobLimits limits)
        {
            stream = new RangeDecoder(payload, 0, payload.Length);
            this.limits = limits;
            left = limits.MostValues;
            KnownShapes.AddTo(shapes, keys);
        }

        /// <summary>The value a payload holds.</summary>
        /// <exception cref="LevelBlobException">It is broken, or over a limit.</exception>
        public static object Read(int codec, byte[] payload, BlobLimits limits)
        {
            if (codec != Codec)
            {
                throw new LevelBlobException("values codec " + codec + " is not known here");
            }
            var reader = new ValueReader(payload, limits);
            return reader.Value(reader.NewNode(), 0, 0);
        }

        /// <summary>
        /// Counts what is built against the limit, and gives up when the stream has ended.
        /// </summary>
        public int Spend(long count)
        {
            if (count > left || stream.IsOverrun)
            {
                throw new LevelBlobException("the values are cut short or over the limit");
            }
            left -= (int)count;
            return (int)count;
        }

        /// <summary>
        /// A new place of the tree; places are numbered in the order they are met.
        /// </summary>
        public ValueNode NewNode()
        {
            if (nodes.Count >= limits.MostPlaces)
            {
                throw new LevelBlobException("the values have more places than the limit");
            }
            var node = new ValueNode();
            nodes.Add(node);
            return node;
        }

        private object Value(ValueNode node, int context, int depth)
        {
            Spend(1);
            if (depth > limits.Deepest)
            {
                throw new LevelBlobException("values are nested too deep");
            }
            uint[] states = node.TypeStates;
            int kind = 1;
            while (kind < 16)
            {
                kind = kind << 1 | stream.Decide(states, kind);
            }
            kind -= 16;
            node.Previous = kind;
            switch (kind)
            {
                case 0:
                    return null;
                case 1:
                    return false;
                case 2:
                    return true;
                case 3:
                    return Integer(node.Integers);
                case 4:
                    return Decimal(node);
                case 5:
                    return BitConverter.Int64BitsToDouble((long)stream.Even(64));
                case 6:
                    return Text(node, context, 0);
                case 7:
                    return ListOf(node, depth);
                case 8:
                    return Map(node, depth);
                case 9:
                    return Text(node, context, 6);
                case 10:
                    return Text(node, context, 8);
                case 11:
                    return LongInteger();
                default:
                    throw new LevelBlobException("value type " + kind + " is not known here");
            }
        }

        private double Decimal(ValueNode node)
        {
            int digits = stream.NumberUpTo(node.Digits, Powers.Length - 1);
            long mantissa = Integer(node.Mantissas);
            if (Math.Abs(mantissa) > 1L << 53)
            {
                throw new LevelBlobException("a decimal has too many digits");
            }
            // Both are exact, so the quotient is rounded as everywhere else.
            return mantissa / Powers[digits];
        }

        private long Integer(ValueIntegers integers)
        {
            if (integers.Mode < 0)
            {
                integers.Mode = stream.NumberUpTo(
                    modeModel, ValueIntegers.Reference + nodes.Count - 1);
            }
            long value;
            if (integers.Mode == ValueIntegers.Known)
            {
                int at = Choose(integers.Choice, integers.Numbers.Count);
                if (at == integers.Numbers.Count)
                {
                    integers.Numbers.Add(Signed(integers));
                }
                value = integers.Numbers[at];
            }
            else
            {
                long start = integers.Mode == ValueIntegers.Plain ? 0
                    : integers.Mode == ValueIntegers.Delta ? integers.Last
                    : nodes[integers.Mode - ValueIntegers.Reference].LastInteger;
                // Both are below 2^63 in size, and the sum is refused from 2^62 on.
                long step = Signed(integers);
                value = unchecked(start + step);
                if (step > 0 != value > start && step != 0)
                {
                    throw new LevelBlobException("a number is out of range");
                }
            }
            if (value <= -Largest || value >= Largest)
            {
                throw new LevelBlobException("a number is out of range");
            }
            integers.Last = value;
            return value;
        }

        private long Signed(ValueIntegers integers)
        {
            long value = stream.Number(integers.Model);
            return value > 0 && stream.Decide(integers.Sign, 0) != 0 ? -value : value;
        }

        // Which of the known things comes, or their number for a new one.
        private int Choose(ValueChoice choice, int known)
        {
            for (int index = 0; index < known && index < ValueChoice.Single; index++)
            {
                if (stream.Decide(choice.States, index) == 0)
                {
                    return index;
                }
            }
            if (known <= ValueChoice.Single)
            {
                return known;
            }
            int later = stream.NumberUpTo(choice.Later, known - ValueChoice.Single);
            return later == 0 ? known : later + ValueChoice.Single - 1;
        }

        // With digits: `#` and so many hexadecimal ones.
        private string Text(ValueNode node, int context, int digits)
        {
            int at = Choose(node.TextChoice(context), node.Texts.Count);
            if (at == node.Texts.Count)
            {
                node.Texts.Add(
                    digits == 0
                        ? letters.Read(stream, this)
                        : "#" + stream.Even(4 * digits).ToString("x" + digits));
            }
            return node.Texts[at];
        }

        private string LongInteger()
        {
            string text = letters.Read(stream, this);
            int digits = text.StartsWith("-", StringComparison.Ordinal) ? 1 : 0;
            bool good = text.Length > digits;
            for (int index = digits; index < text.Length; index++)
            {
                good &= text[index] >= '0' && text[index] <= '9';
            }
            if (!good)
            {
                throw new LevelBlobException("a whole number is none");
            }
            return text;
        }

        private List<object> ListOf(ValueNode node, int depth)
        {
            long length = stream.Number(node.Length);
            if (length > left)
            {
                throw new LevelBlobException("a list is over the limit");
            }
            if (length > 0 && node.Positional == null)
            {
                node.Positional = stream.Decide(positionalStates, 0) != 0;
            }
            // It grows with what is read, not with what was declared.
            var values = new List<object>();
            for (int place = 0; place < length; place++)
            {
                ValueNode child = node.Place(node.Positional == true ? place : -1, this);
                values.Add(Value(child, 0, depth + 1));
            }
            return values;
        }

        private Dictionary<string, object> Map(ValueNode node, int depth)
        {
            int at = Choose(node.ShapeChoice, node.Shapes.Count);
            if (at == node.Shapes.Count)
            {
                int shape = stream.NumberUpTo(shapeModel, shapes.Count);
                node.Shapes.Add(shape == 0 ? NewShape() : shape - 1);
            }
            var map = new Dictionary<string, object>();
            foreach (string key in shapes[node.Shapes[at]])
            {
                map[key] = Value(node.Key(key, this), at, depth + 1);
            }
            return map;
        }

        private int NewShape()
        {
            int count = Spend(stream.Number(keyCount));
            var shape = new List<string>();
            var met = new HashSet<string>();
            for (int index = 0; index < count; index++)
            {
                Spend(0);
                int key = stream.NumberUpTo(keyModel, keys.Count);
                if (key == 0)
                {
                    keys.Add(letters.Read(stream, this));
                    key = keys.Count;
                }
                if (!met.Add(keys[key - 1]))
                {
                    throw new LevelBlobException("a map has a key twice");
                }
                shape.Add(keys[key - 1]);
            }
            shapes.Add(shape.ToArray());
            return shapes.Count - 1;
        }
    }
}
