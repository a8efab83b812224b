using LevelExporter.Importing;
using UnityEngine;

namespace LevelExporter.Scenes
{
    /// <summary>
    /// Unity terrains from layers of heights, in the editor and in a running game.
    /// </summary>
    public static class LevelTerrain
    {
        // A terrain cannot be flat, and a file may ask for heights that floats cannot hold.
        private const float Lowest = 0.001f;
        private const float Highest = 100000;

        /// <summary>
        /// Terrain data of a layer of heights. Its heights count from the layer's minimum, where
        /// the terrain has to stand; Unity keeps about 15 bits of each.
        /// </summary>
        /// <param name="level">The level.</param>
        /// <param name="layer">The name of the layer.</param>
        /// <param name="width">Units of the world along x.</param>
        /// <param name="length">Units of the world along z.</param>
        /// <param name="unitsPerHeight">Units of the world that one unit of the layer's heights is.</param>
        public static TerrainData Make(
            LevelBlob level, string layer, float width, float length, float unitsPerHeight)
        {
            LevelLayer described = level.Layer(layer);
            float[,] heights = TerrainHeights.Of(
                level.Cells(layer), described.Width, described.Height);
            LevelHeightRange range = described.HeightRange;
            double span = range == null ? 1 : range.Maximum - range.Minimum;
            return Of(heights, width, length, (float)(span * unitsPerHeight));
        }

        /// <summary>Terrain data of heights from 0 to 1, [z, x].</summary>
        /// <param name="heights">A square of 2^n + 1 samples.</param>
        /// <param name="width">Units of the world along x.</param>
        /// <param name="length">Units of the world along z.</param>
        /// <param name="height">Units of the world that a height of 1 is.</param>
        public static TerrainData Of(float[,] heights, float width, float length, float height)
        {
            var data = new TerrainData();
            // The resolution first: setting it changes the size.
            data.heightmapResolution = heights.GetLength(0);
            data.size = new Vector3(width, Mathf.Clamp(height, Lowest, Highest), length);
            data.SetHeights(0, 0, heights);
            return data;
        }
    }
}
