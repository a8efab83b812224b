using System.Collections.Generic;

namespace LevelExporter.Values
{
    /// <summary>
    /// The shapes of maps that every stream knows from the start, those of a blob's own records,
    /// and the map without keys.
    /// </summary>
    internal static class KnownShapes
    {
        private static readonly string[] Shapes =
        {
            "name width height seed rng visibility_layer properties layers",
            "name kind size generator version tiles walkable heights complete report rooms "
                + "certificate grid_aligned",
            "id name walkable opaque color",
            "minimum maximum units",
            "name x y width height center",
            "regions_before regions_after cells_carved floor cells farthest start dead_ends chokes",
            "id name x y properties",
            "name columns rows",
            "name type nullable",
            "name kind data",
        };

        /// <summary>Adds the shapes, and their keys where they first appear.</summary>
        public static void AddTo(List<string[]> shapes, List<string> keys)
        {
            foreach (string shape in Shapes)
            {
                string[] named = shape.Split(' ');
                shapes.Add(named);
                foreach (string key in named)
                {
                    if (!keys.Contains(key))
                    {
                        keys.Add(key);
                    }
                }
            }
            shapes.Add(new string[0]);
        }
    }
}
