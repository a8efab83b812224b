using System.Collections.Generic;

namespace LevelExporter
{
    /// <summary>An object in a cell.</summary>
    public sealed class LevelObject
    {
        /// <summary>A number that no other object of the level has, from 1 up.</summary>
        public int Id { get; internal set; }

        /// <summary>Its name in the level's spec; several objects can have one name.</summary>
        public string Name { get; internal set; }

        /// <summary>Its cell.</summary>
        public GridCell Cell { get; internal set; }

        /// <summary>Free values: null, bool, long, double and string.</summary>
        public IReadOnlyDictionary<string, object> Properties { get; internal set; }
    }
}
