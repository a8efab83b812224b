using System;

namespace LevelExporter.Sight
{
    /// <summary>
    /// Ray casting: a line to every cell nearer than the radius; the first opaque one ends it.
    /// </summary>
    internal static class RayCast
    {
        public static void Cast(SightMap map, bool seeWalls)
        {
            long reach = (long)map.Radius * map.Radius;
            for (int dy = -map.Radius; dy <= map.Radius; dy++)
            {
                for (int dx = -map.Radius; dx <= map.Radius; dx++)
                {
                    if ((long)dx * dx + (long)dy * dy < reach)
                    {
                        Walk(map, dx, dy, seeWalls);
                    }
                }
            }
        }

        private static void Walk(SightMap map, int dx, int dy, bool seeWalls)
        {
            int across = Math.Abs(dx);
            int down = Math.Abs(dy);
            int steps = Math.Max(across, down);
            for (int step = 1; step <= steps; step++)
            {
                int x = (2 * step * across + steps) / (2 * steps);
                int y = (2 * step * down + steps) / (2 * steps);
                int index = map.IndexOf(dx < 0 ? -x : x, dy < 0 ? -y : y);
                if (map.IsOpaque(index))
                {
                    if (seeWalls)
                    {
                        map.See(index);
                    }
                    return;
                }
                map.See(index);
            }
        }
    }
}
