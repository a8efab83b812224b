using System.Collections.Generic;
using LevelExporter.Codecs;

namespace LevelExporter.Values
{
    /// <summary>
    /// One place in the tree of values: all values under one key share it, so the records of a
    /// list are read column by column. What only some places need is made when it is needed.
    /// </summary>
    internal sealed class ValueNode
    {
        private const int Types = 16;

        public int Previous;

        /// <summary>
        /// Whether lists here have a place for each entry; null before that is told.
        /// </summary>
        public bool? Positional;
        public readonly List<int> Shapes = new List<int>();
        public readonly List<string> Texts = new List<string>();

        private readonly uint[][] types = new uint[Types][];
        private ValueIntegers integers;
        private ValueIntegers mantissas;
        private NumberModel digits;
        private NumberModel length;
        private ValueChoice shapeChoice;
        private Dictionary<int, ValueChoice> textChoices;
        private Dictionary<int, ValueNode> places;
        private Dictionary<string, ValueNode> keys;

        /// <summary>States of the type of a value, by the type before.</summary>
        public uint[] TypeStates
        {
            get
            {
                return types[Previous] ?? (types[Previous] = AdaptiveState.FreshStates(Types));
            }
        }

        public ValueIntegers Integers
        {
            get { return integers ?? (integers = new ValueIntegers()); }
        }

        public ValueIntegers Mantissas
        {
            get { return mantissas ?? (mantissas = new ValueIntegers()); }
        }

        public NumberModel Digits
        {
            get { return digits ?? (digits = new NumberModel()); }
        }

        public NumberModel Length
        {
            get { return length ?? (length = new NumberModel()); }
        }

        public ValueChoice ShapeChoice
        {
            get { return shapeChoice ?? (shapeChoice = new ValueChoice()); }
        }

        /// <summary>The whole numbers' last value, 0 if there was none.</summary>
        public long LastInteger
        {
            get { return integers == null ? 0 : integers.Last; }
        }

        public ValueChoice TextChoice(int context)
        {
            textChoices = textChoices ?? new Dictionary<int, ValueChoice>();
            ValueChoice choice;
            if (!textChoices.TryGetValue(context, out choice))
            {
                textChoices[context] = choice = new ValueChoice();
            }
            return choice;
        }

        /// <summary>
        /// The node of a list's place (-1: of any), made by the reader if it is new.
        /// </summary>
        public ValueNode Place(int place, ValueReader reader)
        {
            places = places ?? new Dictionary<int, ValueNode>();
            ValueNode node;
            if (!places.TryGetValue(place, out node))
            {
                places[place] = node = reader.NewNode();
            }
            return node;
        }

        /// <summary>The node of a map's key, made by the reader if it is new.</summary>
        public ValueNode Key(string key, ValueReader reader)
        {
            keys = keys ?? new Dictionary<string, ValueNode>();
            ValueNode node;
            if (!keys.TryGetValue(key, out node))
            {
                keys[key] = node = reader.NewNode();
            }
            return node;
        }
    }
}
