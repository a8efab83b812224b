using System;

namespace LevelExporter
{
    /// <summary>
    /// A cell of a level: X counts to the right, Y down, from the upper left cell (0, 0).
    /// </summary>
    public struct GridCell : IEquatable<GridCell>
    {
        /// <summary>The column, from 0 at the left.</summary>
        public readonly int X;

        /// <summary>The row, from 0 at the top.</summary>
        public readonly int Y;

        /// <summary>Names a cell by its column and row.</summary>
        public GridCell(int x, int y)
        {
            X = x;
            Y = y;
        }

        /// <inheritdoc/>
        public bool Equals(GridCell other)
        {
            return X == other.X && Y == other.Y;
        }

        /// <inheritdoc/>
        public override bool Equals(object other)
        {
            return other is GridCell && Equals((GridCell)other);
        }

        /// <inheritdoc/>
        public override int GetHashCode()
        {
            return X * 73856093 ^ Y * 19349663;
        }

        /// <inheritdoc/>
        public override string ToString()
        {
            return "(" + X + ", " + Y + ")";
        }
    }
}
