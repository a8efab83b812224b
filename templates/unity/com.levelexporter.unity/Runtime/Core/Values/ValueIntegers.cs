using System.Collections.Generic;
using LevelExporter.Codecs;

namespace LevelExporter.Values
{
    /// <summary>How the whole numbers of a place are told, and the last of them.</summary>
    internal sealed class ValueIntegers
    {
        /// <summary>
        /// Modes: by itself, from the last one, among known ones, from another place's last.
        /// </summary>
        public const int Plain = 0;
        public const int Delta = 1;
        public const int Known = 2;
        public const int Reference = 3;

        /// <summary>Not told yet.</summary>
        public int Mode = -1;
        public long Last;
        public readonly NumberModel Model = new NumberModel();
        public readonly uint[] Sign = AdaptiveState.FreshStates(1);
        public readonly List<long> Numbers = new List<long>();
        public readonly ValueChoice Choice = new ValueChoice();
    }
}
