using System.Collections.Generic;

namespace LevelExporter.Blob
{
    /// <summary>
    /// Combines a level's play layers into masks of its cells. They all have the level's size.
    /// </summary>
    internal static class LevelMasks
    {
        /// <summary>
        /// Walkable cells: a walkable tile of some layer, unless another layer has a tile there
        /// that is neither walkable nor empty. Cells without a tile in any layer are not walkable.
        /// </summary>
        public static bool[] Walkable(
            IReadOnlyList<LevelLayer> layers, LevelGrids grids, int cellCount)
        {
            var walkable = new bool[cellCount];
            foreach (LevelLayer layer in layers)
            {
                Join(walkable, grids.ByLegend(layer, tile => tile.IsWalkable));
            }
            foreach (LevelLayer layer in layers)
            {
                bool[] blocked = grids.ByLegend(layer, tile => !tile.IsWalkable && !tile.IsEmpty);
                for (int index = 0; index < cellCount; index++)
                {
                    walkable[index] &= !blocked[index];
                }
            }
            return walkable;
        }

        /// <summary>Where some layer blocks sight.</summary>
        public static bool[] Opaque(
            IReadOnlyList<LevelLayer> layers, LevelGrids grids, int cellCount)
        {
            var opaque = new bool[cellCount];
            foreach (LevelLayer layer in layers)
            {
                Join(opaque, grids.Opaque(layer));
            }
            return opaque;
        }

        private static void Join(bool[] mask, bool[] other)
        {
            for (int index = 0; index < mask.Length; index++)
            {
                mask[index] |= other[index];
            }
        }
    }
}
