namespace LevelExporter.Codecs
{
    /// <summary>
    /// States of decisions: 22 bits probability of 0, 10 bits how often they were met.
    /// 0 means "never met".
    /// </summary>
    internal static class AdaptiveState
    {
        public const uint Fresh = 0x80000000;

        /// <summary>How often the states of a bitmap count, and all others.</summary>
        public const uint BitmapLimit = 1023;
        public const uint Limit = 255;

        /// <summary>How far a state that was met n times moves, out of 65536.</summary>
        public static readonly uint[] Rates = MakeRates();

        public static uint Update(uint state, int bit, uint limit)
        {
            ulong probability = state >> 10;
            uint count = state & 1023;
            if (bit != 0)
            {
                probability -= probability * Rates[count] >> 16;
            }
            else
            {
                probability += (4194304 - probability) * Rates[count] >> 16;
            }
            return (uint)probability << 10 | (count < limit ? count + 1 : count);
        }

        /// <summary>The state as if it had been met at most so often.</summary>
        public static uint Aged(uint state, uint most)
        {
            uint count = state & 1023;
            return count <= most ? state : state - count + most;
        }

        public static uint[] FreshStates(int count)
        {
            var states = new uint[count];
            for (int index = 0; index < count; index++)
            {
                states[index] = Fresh;
            }
            return states;
        }

        private static uint[] MakeRates()
        {
            var rates = new uint[1024];
            for (uint count = 0; count < rates.Length; count++)
            {
                rates[count] = 131072 / (2 * count + 3);
            }
            return rates;
        }
    }
}
