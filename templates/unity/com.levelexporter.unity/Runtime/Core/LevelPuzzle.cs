using System.Collections.Generic;

namespace LevelExporter
{
    /// <summary>A puzzle that belongs to a level.</summary>
    public sealed class LevelPuzzle
    {
        /// <summary>The name, as in the level's spec.</summary>
        public string Name { get; internal set; }

        /// <summary>Its kind, such as `sudoku`.</summary>
        public string Kind { get; internal set; }

        /// <summary>
        /// The data of its kind: lists, maps, null, bool, long, double and string.
        /// </summary>
        public IReadOnlyDictionary<string, object> Data { get; internal set; }
    }
}
