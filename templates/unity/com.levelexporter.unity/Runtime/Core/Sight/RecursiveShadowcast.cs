using System.Collections.Generic;

namespace LevelExporter.Sight
{
    /// <summary>
    /// Recursive shadowcasting after Bjorn Bergstrom, on exact fractions, in a circle. In the row
    /// `depth` the cell `column` steps from the axis lies between the slopes
    /// (2 column - 1) / (2 depth + 1) and (2 column + 1) / (2 depth - 1); a row is scanned from
    /// the diagonal to the axis.
    /// </summary>
    internal static class RecursiveShadowcast
    {
        // For each octant the steps in x and y of one depth, then of one column.
        private static readonly int[] Octants =
        {
            0, -1, -1, 0, 0, -1, 1, 0, 0, 1, -1, 0, 0, 1, 1, 0,
            -1, 0, 0, -1, -1, 0, 0, 1, 1, 0, 0, -1, 1, 0, 0, 1,
        };

        public static void Cast(SightMap map)
        {
            var rows = new Stack<SightRow>();
            for (int octant = 0; octant < Octants.Length; octant += 4)
            {
                rows.Push(new SightRow(1, 1, 1, 0, 1));
                while (rows.Count > 0)
                {
                    Follow(map, rows.Pop(), octant, rows);
                }
            }
        }

        // Scans row after row until one ends with a wall.
        private static void Follow(SightMap map, SightRow row, int octant, Stack<SightRow> rows)
        {
            if (row.StartUp * row.EndDown < row.EndUp * row.StartDown)
            {
                return;
            }
            for (int depth = row.Depth; depth <= map.Radius; depth++)
            {
                long startUp = row.StartUp;
                long startDown = row.StartDown;
                if (Scan(map, octant, depth, row, rows, ref startUp, ref startDown))
                {
                    return;
                }
                row = new SightRow(depth + 1, startUp, startDown, row.EndUp, row.EndDown);
            }
        }

        // Scans a row, moves the start slope along, and says whether the row ends with a wall.
        private static bool Scan(
            SightMap map,
            int octant,
            int depth,
            SightRow row,
            Stack<SightRow> rows,
            ref long startUp,
            ref long startDown)
        {
            bool blocked = false;
            long nextUp = startUp;
            long nextDown = startDown;
            for (int column = depth; column >= 0; column--)
            {
                if (startUp * (2 * depth + 1) < (2 * column - 1) * startDown)
                {
                    continue;
                }
                if (row.EndUp * (2 * depth - 1) > (2 * column + 1) * row.EndDown)
                {
                    break;
                }
                int index = map.IndexOf(
                    depth * Octants[octant] + column * Octants[octant + 2],
                    depth * Octants[octant + 1] + column * Octants[octant + 3]);
                if ((long)depth * depth + (long)column * column <= (long)map.Radius * map.Radius)
                {
                    map.See(index);
                }
                if (map.IsOpaque(index))
                {
                    if (!blocked && depth < map.Radius)
                    {
                        blocked = true;
                        rows.Push(
                            new SightRow(
                                depth + 1, startUp, startDown, 2 * column + 1, 2 * depth - 1));
                    }
                    if (blocked)
                    {
                        nextUp = 2 * column - 1;
                        nextDown = 2 * depth + 1;
                    }
                }
                else if (blocked)
                {
                    blocked = false;
                    startUp = nextUp;
                    startDown = nextDown;
                }
            }
            return blocked;
        }
    }
}
