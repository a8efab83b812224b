using System.Collections.Generic;

namespace LevelExporter.Importing
{
    /// <summary>
    /// The corners of a mask's outlines: the points between cells at which an outline turns, in
    /// row-major order. In every row of points the corners are, two by two, the ends of horizontal
    /// edges, and in every column of vertical ones. Where two cells of the mask touch only at a
    /// point, two corners lie there, one behind the other: twins.
    /// </summary>
    internal sealed class OutlineCorners
    {
        // Which of the cells around a point belong to the mask.
        private const int UpperLeft = 1;
        private const int UpperRight = 2;
        private const int LowerLeft = 4;
        private const int LowerRight = 8;

        // Two that touch only at the point.
        private const int Rising = UpperRight | LowerLeft;

        // How many corners lie at a point, by its code: one where one or three cells belong to the
        // mask, two where two do that touch only at the point.
        private static readonly int[] CornersOf = { 0, 1, 1, 0, 1, 0, 2, 1, 1, 2, 0, 1, 0, 1, 1, 0 };

        private readonly GridView part;
        private readonly int stride;
        private readonly List<int> points = new List<int>();
        private readonly List<int> codes = new List<int>();

        public OutlineCorners(bool[] mask, int width, GridView part)
        {
            this.part = part;
            stride = part.Width + 1;
            for (int y = 0; y <= part.Height; y++)
            {
                for (int x = 0; x <= part.Width; x++)
                {
                    int code = CodeOf(mask, width, x, y);
                    for (int corner = 0; corner < CornersOf[code]; corner++)
                    {
                        points.Add(y * stride + x);
                        codes.Add(code);
                    }
                }
            }
            Following = FindFollowing();
        }

        public int Count
        {
            get { return points.Count; }
        }

        /// <summary>The next corner of every corner, with the mask on the right.</summary>
        public int[] Following { get; private set; }

        /// <summary>The other corner at the point of a corner, or the corner itself.</summary>
        public int TwinOf(int corner)
        {
            if (corner + 1 < points.Count && points[corner + 1] == points[corner])
            {
                return corner + 1;
            }
            return corner > 0 && points[corner - 1] == points[corner] ? corner - 1 : corner;
        }

        /// <summary>Where a corner lies on the map.</summary>
        public GridCell PointOf(int corner)
        {
            return new GridCell(
                part.X + points[corner] % stride, part.Y + points[corner] / stride);
        }

        /// <summary>
        /// A cell of the mask that the first corner of a ring touches: its place in the part. An outer
        /// ring has the mask on the lower right of its first corner, a hole on the upper right.
        /// </summary>
        public int CellBeside(int corner)
        {
            int x = points[corner] % stride;
            int y = points[corner] / stride;
            bool isOuter = (codes[corner] & LowerRight) != 0;
            return (isOuter ? y : y - 1) * part.Width + x;
        }

        private int CodeOf(bool[] mask, int width, int x, int y)
        {
            return (Has(mask, width, x - 1, y - 1) ? UpperLeft : 0)
                | (Has(mask, width, x, y - 1) ? UpperRight : 0)
                | (Has(mask, width, x - 1, y) ? LowerLeft : 0)
                | (Has(mask, width, x, y) ? LowerRight : 0);
        }

        private bool Has(bool[] mask, int width, int x, int y)
        {
            return x >= 0 && y >= 0 && x < part.Width && y < part.Height
                && mask[(part.Y + y) * width + part.X + x];
        }

        // Corners with an even index are left ends of horizontal edges, those with an odd one right
        // ends. So of two twins the first has the edge to the left.
        private int[] FindFollowing()
        {
            int[] vertical = FindVertical();
            var following = new int[points.Count];
            for (int corner = 0; corner < following.Length; corner++)
            {
                // To the right with the mask below, to the left with the mask above.
                int along = corner % 2 == 0 ? LowerRight : UpperLeft;
                following[corner] = (codes[corner] & along) != 0 ? corner ^ 1 : vertical[corner];
            }
            return following;
        }

        // The other end of every corner's vertical edge.
        private int[] FindVertical()
        {
            int[] byColumn = ByColumn();
            for (int position = 0; position + 1 < byColumn.Length; position++)
            {
                int corner = byColumn[position];
                // Of two twins the first in its column must be the one with the edge upwards.
                if (codes[corner] == Rising && byColumn[position + 1] == corner + 1
                    && points[corner + 1] == points[corner])
                {
                    byColumn[position] = corner + 1;
                    byColumn[position + 1] = corner;
                    position++;
                }
            }
            var vertical = new int[byColumn.Length];
            for (int position = 0; position < byColumn.Length; position += 2)
            {
                vertical[byColumn[position]] = byColumn[position + 1];
                vertical[byColumn[position + 1]] = byColumn[position];
            }
            return vertical;
        }

        // The corners column after column, each from the top.
        private int[] ByColumn()
        {
            var starts = new int[stride + 1];
            foreach (int point in points)
            {
                starts[point % stride + 1]++;
            }
            for (int column = 0; column < stride; column++)
            {
                starts[column + 1] += starts[column];
            }
            var byColumn = new int[points.Count];
            for (int corner = 0; corner < byColumn.Length; corner++)
            {
                byColumn[starts[points[corner] % stride]++] = corner;
            }
            return byColumn;
        }
    }
}
