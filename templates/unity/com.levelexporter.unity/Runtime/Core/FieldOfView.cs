using System;
using LevelExporter.Sight;

namespace LevelExporter
{
    /// <summary>
    /// Computes the cells seen from one cell, by the same rules as the exporter, in whole numbers,
    /// so that both give the same cells. Outside the map is opaque; an opaque cell sees only
    /// itself.
    /// </summary>
    public static class FieldOfView
    {
        /// <summary>
        /// Marks in <paramref name="seen"/> the cells seen from (x, y); the rest is cleared.
        /// </summary>
        /// <param name="opaque">Which cells block sight, row after row.</param>
        /// <param name="width">Cells in a row.</param>
        /// <param name="height">Rows.</param>
        /// <param name="x">The viewer's column; outside the map nothing is seen.</param>
        /// <param name="y">The viewer's row.</param>
        /// <param name="radius">How far sight goes.</param>
        /// <param name="rule">The rule.</param>
        /// <param name="seeWalls">Whether the opaque cells at the ends of rays are seen too.</param>
        /// <param name="seen">As many cells as the map.</param>
        /// <exception cref="ArgumentException">An array is not as large as the map.</exception>
        public static void Compute(
            bool[] opaque,
            int width,
            int height,
            int x,
            int y,
            int radius,
            SightRule rule,
            bool seeWalls,
            bool[] seen)
        {
            if (width < 0 || height < 0 || opaque.Length != (long)width * height)
            {
                throw new ArgumentException("opaque is not as large as the map", "opaque");
            }
            if (seen.Length != opaque.Length)
            {
                throw new ArgumentException("seen is not as large as the map", "seen");
            }
            Array.Clear(seen, 0, seen.Length);
            if (x < 0 || y < 0 || x >= width || y >= height)
            {
                return;
            }
            seen[y * width + x] = true;
            if (opaque[y * width + x])
            {
                return;
            }
            var map = new SightMap(opaque, width, height, x, y, radius, seen);
            switch (rule)
            {
                case SightRule.Symmetric:
                    SymmetricShadowcast.Cast(map);
                    break;
                case SightRule.Shadowcast:
                    RecursiveShadowcast.Cast(map);
                    break;
                default:
                    RayCast.Cast(map, seeWalls);
                    break;
            }
        }
    }
}
