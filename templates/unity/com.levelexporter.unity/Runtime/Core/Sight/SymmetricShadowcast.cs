using System.Collections.Generic;

namespace LevelExporter.Sight
{
    /// <summary>
    /// Symmetric shadowcasting after Albert Ford (https://www.albertford.com/shadowcasting/), in a
    /// circle. A wall is seen if it is in the row, a floor if its centre lies between the slopes,
    /// ends included.
    /// </summary>
    internal static class SymmetricShadowcast
    {
        // For each quadrant the steps in x and y of one depth, then of one column.
        private static readonly int[] Quadrants =
        {
            0, -1, 1, 0, 0, 1, 1, 0, 1, 0, 0, 1, -1, 0, 0, 1,
        };

        public static void Cast(SightMap map)
        {
            if (map.Radius < 1)
            {
                return;
            }
            var rows = new Stack<SightRow>();
            for (int quadrant = 0; quadrant < Quadrants.Length; quadrant += 4)
            {
                rows.Push(new SightRow(1, -1, 1, 1, 1));
                while (rows.Count > 0)
                {
                    Scan(map, rows.Pop(), quadrant, rows);
                }
            }
        }

        private static void Scan(SightMap map, SightRow row, int quadrant, Stack<SightRow> rows)
        {
            int depth = row.Depth;
            long startUp = row.StartUp;
            long startDown = row.StartDown;
            // floor(depth * start + 1/2) and ceil(depth * end - 1/2); division rounds towards zero,
            // so both are shifted to be positive by a whole number first.
            long shift = depth + 2;
            long first = (2 * depth * startUp + startDown + 2 * shift * startDown)
                / (2 * startDown) - shift;
            long last = shift
                - (2 * shift * row.EndDown - 2 * depth * row.EndUp + row.EndDown)
                / (2 * row.EndDown);
            bool beforeIsFloor = false;
            bool beforeIsWall = false;
            for (long column = first; column <= last; column++)
            {
                int index = IndexOf(map, quadrant, depth, (int)column);
                bool wall = map.IsOpaque(index);
                if (!wall && beforeIsWall)
                {
                    startUp = 2 * column - 1;
                    startDown = 2 * depth;
                }
                bool centred = column * startDown >= depth * startUp
                    && column * row.EndDown <= depth * row.EndUp;
                if ((wall || centred)
                    && (long)depth * depth + column * column <= (long)map.Radius * map.Radius)
                {
                    map.See(index);
                }
                if (wall && beforeIsFloor && depth < map.Radius)
                {
                    rows.Push(
                        new SightRow(depth + 1, startUp, startDown, 2 * column - 1, 2 * depth));
                }
                beforeIsWall = wall;
                beforeIsFloor = !wall;
            }
            if (beforeIsFloor && depth < map.Radius)
            {
                rows.Push(new SightRow(depth + 1, startUp, startDown, row.EndUp, row.EndDown));
            }
        }

        private static int IndexOf(SightMap map, int quadrant, int depth, int column)
        {
            return map.IndexOf(
                depth * Quadrants[quadrant] + column * Quadrants[quadrant + 2],
                depth * Quadrants[quadrant + 1] + column * Quadrants[quadrant + 3]);
        }
    }
}
