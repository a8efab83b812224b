using System;

namespace LevelExporter
{
    /// <summary>The meaning of a tile id in a layer.</summary>
    public sealed class LevelTile
    {
        private static readonly string[] EmptyNames = { "empty", "nothing", "none", "other" };

        /// <summary>The id in the layer's cells, 0 to 65535.</summary>
        public int Id { get; internal set; }

        /// <summary>The name, as in the level's spec.</summary>
        public string Name { get; internal set; }

        /// <summary>Whether things can walk there.</summary>
        public bool IsWalkable { get; internal set; }

        /// <summary>Whether it blocks sight.</summary>
        public bool IsOpaque { get; internal set; }

        /// <summary>Its colour: `#rrggbb` or `#rrggbbaa`.</summary>
        public string Color { get; internal set; }

        /// <summary>Whether nothing lies in cells of this tile, as in an overlay.</summary>
        public bool IsEmpty
        {
            get { return IsEmptyName(Name); }
        }

        /// <summary>Whether tiles of a name are empty: neither floor nor obstacle.</summary>
        public static bool IsEmptyName(string name)
        {
            return Array.IndexOf(EmptyNames, name) >= 0;
        }
    }
}
