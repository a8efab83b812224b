namespace LevelExporter.Codecs
{
    /// <summary>
    /// The tables of token frequencies of a height grid, laid out for decoding, and which energy
    /// (how rough the surroundings are) uses which of them.
    /// </summary>
    internal sealed class HeightTables
    {
        public const int PositionBits = 12;
        public const int Places = 1 << PositionBits;

        // In a place: the token, the frequency of its run, how far the place lies in the run.
        public const int TokenMask = 63;
        public const int FrequencyShift = 6;
        public const int FrequencyMask = 8191;
        public const int OffsetShift = 19;

        private const int Energies = 80;
        private const int MostTables = 8;
        private const int LargestToken = 63;

        // Energies below this are looked up.
        private const int Quick = 4096;

        private readonly int[] classes = new int[Energies];
        private readonly int[] quick = new int[Quick];

        /// <summary>For each table and place what lies there.</summary>
        public uint[] Packed { get; private set; }

        /// <summary>The first place of the table for an energy.</summary>
        public int FirstPosition(int energy)
        {
            return energy < Quick ? quick[energy] : classes[Token(energy)] * Places;
        }

        /// <summary>Reads the part of a payload's head after the prediction.</summary>
        public static HeightTables Read(RangeDecoder head)
        {
            var tables = new HeightTables();
            var model = new NumberModel();
            int count = head.NumberUpTo(model, MostTables - 1) + 1;
            int energy = 0;
            for (int table = 0; table < count; table++)
            {
                int run = table == count - 1
                    ? Energies - energy
                    : head.NumberUpTo(model, Energies - energy);
                for (; run > 0; run--)
                {
                    tables.classes[energy++] = table;
                }
            }
            for (int value = 0; value < Quick; value++)
            {
                tables.quick[value] = tables.classes[Token(value)] * Places;
            }
            tables.Packed = new uint[count * Places];
            var models = new NumberModel[PositionBits + 2];
            for (int index = 0; index < models.Length; index++)
            {
                models[index] = new NumberModel();
            }
            for (int table = 0; table < count; table++)
            {
                ReadTable(head, head.NumberUpTo(model, LargestToken), models, tables.Packed, table);
            }
            return tables;
        }

        private static void ReadTable(
            RangeDecoder head, int last, NumberModel[] models, uint[] packed, int table)
        {
            int at = table * Places;
            int left = Places;
            int before = 0;
            for (int token = 0; token <= last; token++)
            {
                before = head.NumberUpTo(models[BitLength(before)], left);
                left -= before;
                for (int offset = 0; offset < before; offset++)
                {
                    packed[at++] = (uint)(token | before << FrequencyShift)
                        | (uint)offset << OffsetShift;
                }
            }
            if (left != 0)
            {
                throw new LevelBlobException("the frequencies of a table do not add up");
            }
        }

        /// <summary>
        /// A number below 4 itself, else its bit length and the two bits after the first.
        /// </summary>
        private static int Token(int value)
        {
            if (value < 4)
            {
                return value;
            }
            int length = BitLength(value);
            return 4 * (length - 2) + (value >> (length - 3) & 3);
        }

        private static int BitLength(int value)
        {
            int length = 0;
            while (value >> length != 0)
            {
                length++;
            }
            return length;
        }
    }
}
