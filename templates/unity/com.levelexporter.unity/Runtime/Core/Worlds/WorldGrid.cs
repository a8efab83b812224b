using System;
using System.Collections.Generic;

namespace LevelExporter.Worlds
{
    /// <summary>
    /// Where the parts of a world lie, and which of them are near a point. Parts are given by
    /// column and row; points in cells, with y downwards.
    /// </summary>
    public sealed class WorldGrid
    {
        private readonly int width;
        private readonly int height;
        private readonly int chunk;

        /// <summary>The parts of a world.</summary>
        /// <param name="width">Cells in a row of the world.</param>
        /// <param name="height">Rows of the world.</param>
        /// <param name="chunk">The side of the parts in cells.</param>
        public WorldGrid(int width, int height, int chunk)
        {
            if (width < 1 || height < 1 || chunk < 1)
            {
                throw new ArgumentException("a world has cells, and so have its parts");
            }
            this.width = width;
            this.height = height;
            this.chunk = chunk;
            Columns = (width - 1) / chunk + 1;
            Rows = (height - 1) / chunk + 1;
        }

        /// <summary>Parts in a row.</summary>
        public int Columns { get; private set; }

        /// <summary>Rows of parts.</summary>
        public int Rows { get; private set; }

        /// <summary>Whether a part exists.</summary>
        public bool Has(GridCell part)
        {
            return part.X >= 0 && part.Y >= 0 && part.X < Columns && part.Y < Rows;
        }

        /// <summary>The row of the world that lies below a part's last one.</summary>
        public int Bottom(GridCell part)
        {
            return Math.Min(height, (part.Y + 1) * chunk);
        }

        /// <summary>How many cells a point lies outside of a part; 0 inside.</summary>
        public double Distance(GridCell part, double x, double y)
        {
            double left = (double)part.X * chunk;
            double top = (double)part.Y * chunk;
            double across = Math.Max(0, Math.Max(left - x, x - Math.Min(width, left + chunk)));
            double down = Math.Max(0, Math.Max(top - y, y - Math.Min(height, top + chunk)));
            return Math.Sqrt(across * across + down * down);
        }

        /// <summary>
        /// The parts of which some cell is at most so far from a point, the nearest first.
        /// </summary>
        public List<GridCell> Near(double x, double y, double radius)
        {
            var parts = new List<KeyValuePair<double, GridCell>>();
            int right = Index(x + radius, Columns);
            int bottom = Index(y + radius, Rows);
            for (int row = Index(y - radius, Rows); row <= bottom; row++)
            {
                for (int column = Index(x - radius, Columns); column <= right; column++)
                {
                    var part = new GridCell(column, row);
                    double distance = Distance(part, x, y);
                    if (distance <= radius)
                    {
                        parts.Add(new KeyValuePair<double, GridCell>(distance, part));
                    }
                }
            }
            parts.Sort(Compare);
            return parts.ConvertAll(first => first.Value);
        }

        // The column or row of a coordinate, or the nearest one there is.
        private int Index(double coordinate, int count)
        {
            return (int)Math.Max(0, Math.Min(count - 1, Math.Floor(coordinate / chunk)));
        }

        // Sorting is not stable, so equal distances go row by row.
        private static int Compare(
            KeyValuePair<double, GridCell> first, KeyValuePair<double, GridCell> other)
        {
            int byDistance = first.Key.CompareTo(other.Key);
            if (byDistance != 0)
            {
                return byDistance;
            }
            int byRow = first.Value.Y.CompareTo(other.Value.Y);
            return byRow != 0 ? byRow : first.Value.X.CompareTo(other.Value.X);
        }
    }
}
