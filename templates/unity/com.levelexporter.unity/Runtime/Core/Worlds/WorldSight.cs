using System;
using System.Collections.Generic;

namespace LevelExporter.Worlds
{
    /// <summary>
    /// Computes visibility in a world from the loaded parts: as in the table of the whole map, also
    /// across the borders of parts. Cells of parts that are not loaded block sight, and so does all
    /// outside of the world.
    /// </summary>
    public sealed class WorldSight
    {
        private readonly int width;
        private readonly int height;
        private readonly int chunk;
        private readonly WorldSightRule rule;
        private readonly Func<GridCell, LevelBlob> partAt;
        private readonly Dictionary<GridCell, bool[]> cache = new Dictionary<GridCell, bool[]>();
        private bool[] seen;
        private int viewerX;
        private int viewerY;

        /// <summary>The sight in a world.</summary>
        /// <param name="width">Cells in a row of the world.</param>
        /// <param name="height">Rows of the world.</param>
        /// <param name="chunk">The side of the parts in cells.</param>
        /// <param name="rule">The rule of sight in the world's description.</param>
        /// <param name="partAt">Returns a part by its column and row; null while it is not loaded.</param>
        /// <exception cref="ArgumentException">The rule is not known here.</exception>
        public WorldSight(
            int width, int height, int chunk, WorldSightRule rule, Func<GridCell, LevelBlob> partAt)
        {
            if (width < 1 || height < 1 || chunk < 1)
            {
                throw new ArgumentException("a world has cells, and so have its parts");
            }
            if (!rule.IsKnown)
            {
                throw new ArgumentException(
                    rule.IsThere
                        ? "the rule of sight " + rule.algorithm + " with a radius of " + rule.radius
                            + " is not known here"
                        : "the world has no visibility");
            }
            this.width = width;
            this.height = height;
            this.chunk = chunk;
            this.rule = rule;
            this.partAt = partAt;
        }

        /// <summary>How far sight goes, in cells.</summary>
        public int Radius
        {
            get { return rule.radius; }
        }

        /// <summary>
        /// Returns the cells seen from a cell: one truth value for each cell of a square around it,
        /// row after row. The square has 2 * Radius + 1 cells a side. The last answer is kept until
        /// a part is forgotten.
        /// </summary>
        /// <exception cref="LevelBlobException">A part is damaged, or of another world.</exception>
        public bool[] VisibleFrom(int x, int y)
        {
            return (bool[])Seen(x, y).Clone();
        }

        /// <summary>Whether one cell is seen from another.</summary>
        /// <exception cref="LevelBlobException">A part is damaged, or of another world.</exception>
        public bool CanSee(int x, int y, int targetX, int targetY)
        {
            long across = (long)targetX - x + rule.radius;
            long down = (long)targetY - y + rule.radius;
            int side = Side();
            return across >= 0 && down >= 0 && across < side && down < side
                && Seen(x, y)[down * side + across];
        }

        /// <summary>
        /// Returns the cells that block sight in the square of <see cref="VisibleFrom"/>: for <see
        /// cref="FieldOfView.Compute"/> with other doors open, with the viewer in its middle.
        /// </summary>
        /// <exception cref="LevelBlobException">A part is damaged, or of another world.</exception>
        public bool[] OpaqueAround(int x, int y)
        {
            var seenCells = new bool[Side() * Side()];
            for (int index = 0; index < seenCells.Length; index++)
            {
                seenCells[index] = true;
            }
            int left;
            int top;
            int right;
            int bottom;
            if (!Inside(x, width, out left, out right) || !Inside(y, height, out top, out bottom))
            {
                return seenCells;
            }
            for (int row = top / chunk; row <= (bottom - 1) / chunk; row++)
            {
                for (int column = left / chunk; column <= (right - 1) / chunk; column++)
                {
                    var part = new GridCell(column, row);
                    bool[] opaque = Opaque(part);
                    if (opaque != null)
                    {
                        Copy(opaque, part, left, top, right, bottom, seenCells, x, y);
                    }
                }
            }
            return seenCells;
        }

        /// <summary>To be called when a part has been loaded or left.</summary>
        public void Forget(GridCell part)
        {
            cache.Remove(part);
            seen = null;
        }

        // Copies the cells of a part that are near the cell (x, y).
        private void Copy(
            bool[] opaque, GridCell part, int left, int top, int right, int bottom, bool[] seenCells,
            int x, int y)
        {
            int partLeft = part.X * chunk;
            int partTop = part.Y * chunk;
            int partWidth = Math.Min(chunk, width - partLeft);
            int first = Math.Max(left, partLeft);
            int count = Math.Min(right, partLeft + chunk) - first;
            int end = Math.Min(bottom, partTop + chunk);
            for (int row = Math.Max(top, partTop); row < end; row++)
            {
                Array.Copy(
                    opaque,
                    (row - partTop) * partWidth + first - partLeft,
                    seenCells,
                    (row - y + rule.radius) * Side() + first - x + rule.radius,
                    count);
            }
        }

        private int Side()
        {
            return 2 * rule.radius + 1;
        }

        private bool[] Seen(int x, int y)
        {
            if (seen != null && viewerX == x && viewerY == y)
            {
                return seen;
            }
            int side = Side();
            bool[] opaque = OpaqueAround(x, y);
            var seenCells = new bool[opaque.Length];
            FieldOfView.Compute(
                opaque, side, side, rule.radius, rule.radius, rule.radius, rule.Rule, rule.see_walls,
                seenCells);
            // Cells outside of the world are never seen.
            for (int index = 0; index < seenCells.Length; index++)
            {
                long cellX = (long)x - rule.radius + index % side;
                long cellY = (long)y - rule.radius + index / side;
                seenCells[index] &= cellX >= 0 && cellY >= 0 && cellX < width && cellY < height;
            }
            viewerX = x;
            viewerY = y;
            seen = seenCells;
            return seen;
        }

        // The cells of a row or column that are near a cell and in the world; whether there are any.
        private bool Inside(int cell, int count, out int first, out int end)
        {
            first = (int)Math.Max(0, (long)cell - rule.radius);
            end = (int)Math.Min(count, (long)cell + rule.radius + 1);
            return first < end;
        }

        private bool[] Opaque(GridCell part)
        {
            bool[] opaque;
            if (cache.TryGetValue(part, out opaque))
            {
                return opaque;
            }
            LevelBlob level = partAt(part);
            if (level == null)
            {
                return null;
            }
            LevelLayer layer = level.Layer(rule.layer);
            if (layer.Width != Math.Min(chunk, width - part.X * chunk)
                || layer.Height != Math.Min(chunk, height - part.Y * chunk))
            {
                throw new LevelBlobException(
                    "the layer " + rule.layer + " of the part " + part.X + ", " + part.Y
                    + " is not as large as the world says");
            }
            opaque = level.Opaque(rule.layer);
            cache[part] = opaque;
            return opaque;
        }
    }
}
