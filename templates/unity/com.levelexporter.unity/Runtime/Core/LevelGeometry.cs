using System;
using System.Collections.Generic;

namespace LevelExporter
{
    /// <summary>
    /// Lines and camera views on a grid, by the same rules as the exporter itself.
    /// </summary>
    public static class LevelGeometry
    {
        /// <summary>
        /// The part of a map that a camera shows around the player: the player in the middle
        /// (exactly, for odd sizes), moved so that the view lies in the map. On an axis where the
        /// map is smaller than the view, the view starts at 0.
        /// </summary>
        /// <exception cref="ArgumentOutOfRangeException">A size is not positive.</exception>
        public static GridView GameView(
            GridCell player, int viewWidth, int viewHeight, int mapWidth, int mapHeight)
        {
            if (viewWidth < 1 || viewHeight < 1 || mapWidth < 1 || mapHeight < 1)
            {
                throw new ArgumentOutOfRangeException("viewWidth", "sizes must be positive");
            }
            return new GridView(
                Begin(player.X, viewWidth, mapWidth),
                Begin(player.Y, viewHeight, mapHeight),
                viewWidth,
                viewHeight);
        }

        /// <summary>
        /// Bresenham's line: every cell from one to another, both included, in order. The minor
        /// axis is rounded half away from the first cell, so the line back may differ.
        /// </summary>
        public static List<GridCell> Line(GridCell from, GridCell to)
        {
            long dx = (long)to.X - from.X;
            long dy = (long)to.Y - from.Y;
            long steps = Math.Max(Math.Abs(dx), Math.Abs(dy));
            var cells = new List<GridCell> { from };
            for (long step = 1; step <= steps; step++)
            {
                cells.Add(
                    new GridCell(
                        (int)(from.X + Part(dx, step, steps)),
                        (int)(from.Y + Part(dy, step, steps))));
            }
            return cells;
        }

        /// <summary>
        /// The cells of a line before the first that is a barrier; the first cell is always among
        /// them.
        /// </summary>
        public static List<GridCell> LineUntil(
            GridCell from, GridCell to, Predicate<GridCell> isBarrier)
        {
            List<GridCell> cells = Line(from, to);
            for (int index = 1; index < cells.Count; index++)
            {
                if (isBarrier(cells[index]))
                {
                    cells.RemoveRange(index, cells.Count - index);
                }
            }
            return cells;
        }

        private static int Begin(int player, int view, int map)
        {
            return (int)Math.Max(0, Math.Min((long)player - view / 2, (long)map - view));
        }

        private static long Part(long distance, long step, long steps)
        {
            long rounded = (2 * step * Math.Abs(distance) + steps) / (2 * steps);
            return distance < 0 ? -rounded : rounded;
        }
    }
}
