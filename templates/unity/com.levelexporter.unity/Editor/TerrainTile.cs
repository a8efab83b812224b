using System.IO;
using LevelExporter.Importing;

namespace LevelExporter.Editing
{
    /// <summary>
    /// The file `&lt;part&gt;.&lt;layer&gt;.raw` of a part of a world: its heights, and those to the right
    /// and below that it shares with its neighbours.
    /// </summary>
    internal static class TerrainTile
    {
        /// <summary>The heights of a terrain; null if the file is missing.</summary>
        /// <param name="path">The file.</param>
        /// <param name="chunk">The side of the parts in cells.</param>
        public static float[,] Read(string path, int chunk)
        {
            long side = chunk + 1L;
            var file = new FileInfo(path);
            if (!file.Exists || file.Length != 2 * side * side || !TerrainHeights.IsResolution(chunk + 1))
            {
                return null;
            }
            return TerrainHeights.OfRaw(File.ReadAllBytes(path), chunk + 1);
        }
    }
}
