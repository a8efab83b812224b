using System.Collections.Generic;

namespace LevelExporter.Importing
{
    /// <summary>
    /// Outlines of a mask along the edges of its cells: polygons with holes, which are the mask again
    /// when they are filled, by the even-odd and by the non-zero rule.
    /// </summary>
    public static class MaskOutlines
    {
        /// <summary>
        /// The polygons of a part of a mask, one for each region of cells that share edges, in the
        /// row-major order of their first cells. Cells outside the part do not belong to the mask.
        /// </summary>
        /// <param name="mask">A truth value for each cell of the map, row after row.</param>
        /// <param name="width">Cells in a row of the map.</param>
        /// <param name="part">The part, inside the map.</param>
        /// <returns>
        /// For each polygon its rings: the outer one, clockwise where y points down, then the holes,
        /// counter-clockwise, in the row-major order of their first points. A point is named by the
        /// cell whose upper left corner it is. A ring has only points where it turns, none of them
        /// twice, and begins with the uppermost and of these the leftmost.
        /// </returns>
        public static List<GridCell[][]> Of(bool[] mask, int width, GridView part)
        {
            var corners = new OutlineCorners(mask, width, part);
            int[] regions = MaskRegions.Of(mask, width, part);
            var polygons = new SortedDictionary<int, List<int[]>>();
            List<int[]> rings = OutlineRings.Trace(corners);
            // In the order of their first points, so that the outer ring of a region is its first.
            rings.Sort((first, second) => first[0].CompareTo(second[0]));
            foreach (int[] ring in rings)
            {
                int region = regions[corners.CellBeside(ring[0])];
                List<int[]> polygon;
                if (!polygons.TryGetValue(region, out polygon))
                {
                    polygon = new List<int[]>();
                    polygons[region] = polygon;
                }
                polygon.Add(ring);
            }
            var outlines = new List<GridCell[][]>();
            foreach (List<int[]> polygon in polygons.Values)
            {
                outlines.Add(polygon.ConvertAll(ring => Points(ring, corners)).ToArray());
            }
            return outlines;
        }

        private static GridCell[] Points(int[] ring, OutlineCorners corners)
        {
            return System.Array.ConvertAll(ring, corner => corners.PointOf(corner));
        }
    }
}
