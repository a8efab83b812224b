using System;

namespace LevelExporter.Importing
{
    /// <summary>The meaning of a tile of a sheet; the fields are named as in the file.</summary>
    [Serializable]
    public sealed class TileSheetTile
    {
        /// <summary>Its place in the sheet, along the rows, from 0.</summary>
        public int number = 0;

        /// <summary>The tile id in the level's cells.</summary>
        public int id = 0;

        /// <summary>The tile's name.</summary>
        public string name = "";

        /// <summary>Whether things can walk there.</summary>
        public bool walkable = false;

        /// <summary>Whether it blocks sight.</summary>
        public bool opaque = false;

        /// <summary>Its colour, `#rrggbb` or `#rrggbbaa`.</summary>
        public string color = "";

        /// <summary>The numbers of its pictures in order; empty without an animation.</summary>
        public int[] frames = new int[0];

        /// <summary>Whether it is in the way.</summary>
        public bool Blocks
        {
            get { return !walkable && !LevelTile.IsEmptyName(name); }
        }
    }
}
