using System;

namespace LevelExporter.Worlds
{
    /// <summary>
    /// The file `&lt;world&gt;.lvworld`, as Unity's JsonUtility reads it: a level that is exported by
    /// parts. Fields are named as in the file.
    /// </summary>
    [Serializable]
    public sealed class WorldDescription
    {
        private const string Format = "level-exporter-world";
        private const int Newest = 1;
        private const int LongestSide = 65536;

        /// <summary>The kind of the file.</summary>
        public string format = "";

        /// <summary>The version of the file.</summary>
        public int version = 0;

        /// <summary>The world's name.</summary>
        public string level = "";

        /// <summary>Width and height in cells.</summary>
        public int[] size = new int[0];

        /// <summary>The side of the parts in cells; those at the right and the bottom may be smaller.</summary>
        public int chunk = 0;

        /// <summary>
        /// The pattern of the parts' paths from the file's folder, without their suffix: with
        /// `{column}` and `{row}`.
        /// </summary>
        public string parts = "";

        /// <summary>The world's layers.</summary>
        public WorldLayer[] layers = new WorldLayer[0];

        /// <summary>The rule of sight; null in a world without it.</summary>
        public WorldSightRule visibility = new WorldSightRule();

        /// <summary>The fault of the file; null if it is valid.</summary>
        public string Problem()
        {
            if (format != Format)
            {
                return "it is no world of the exporter";
            }
            if (version > Newest)
            {
                return "its version " + version + " is not known here: update the package";
            }
            bool sized = size.Length == 2 && IsSide(size[0]) && IsSide(size[1]) && IsSide(chunk);
            bool named = parts.Contains("{column}") && parts.Contains("{row}");
            bool inside = !parts.Contains("..") && !parts.StartsWith("/") && !parts.Contains(":");
            if (!sized || !named || !inside)
            {
                return "it does not say where its parts are";
            }
            return visibility == null || visibility.IsSound(layers) ? null : "its rule of sight is broken";
        }

        /// <summary>The path of a part from the file's folder, without its suffix.</summary>
        public string PathOf(GridCell part)
        {
            return PathOf(parts, part);
        }

        /// <summary>The path of a part by the pattern of such paths.</summary>
        public static string PathOf(string pattern, GridCell part)
        {
            return pattern.Replace("{column}", part.X.ToString()).Replace("{row}", part.Y.ToString());
        }

        private static bool IsSide(int cells)
        {
            return cells > 0 && cells <= LongestSide;
        }
    }
}
