using System;

namespace LevelExporter
{
    /// <summary>
    /// Where the cells of a level lie in the plane: squares, or the diamonds of Unity's isometric
    /// grid. The level's y points down, the plane's up.
    /// </summary>
    public struct LevelLayout
    {
        private readonly int height;
        private readonly float width;
        private readonly float ratio;

        /// <param name="levelHeight">Rows of the level.</param>
        /// <param name="cellWidth">Units of the world that a cell is wide.</param>
        /// <param name="diamondRatio">Height of a diamond for a width of 1; 0 for squares.</param>
        public LevelLayout(int levelHeight, float cellWidth, float diamondRatio)
        {
            height = levelHeight;
            width = cellWidth;
            ratio = diamondRatio;
        }

        /// <summary>Whether cells are diamonds.</summary>
        public bool IsIsometric
        {
            get { return ratio > 0; }
        }

        /// <summary>Units of the world that a cell is high.</summary>
        public float CellHeight
        {
            get { return IsIsometric ? width * ratio : width; }
        }

        /// <summary>The point in the plane of a point of the level, in cells.</summary>
        public void Point(float x, float y, out float pointX, out float pointY)
        {
            Offset(x, height - y, out pointX, out pointY);
        }

        /// <summary>The distance in the plane of one in cells, right and up.</summary>
        public void Offset(float right, float up, out float x, out float y)
        {
            x = IsIsometric ? (right - up) * width / 2 : right * width;
            y = IsIsometric ? (right + up) * CellHeight / 2 : up * width;
        }

        /// <summary>The cell that a point of the plane lies in.</summary>
        public GridCell CellAt(float pointX, float pointY)
        {
            float right = pointX / width;
            float up = pointY / CellHeight;
            if (IsIsometric)
            {
                float across = right;
                right = up + across;
                up -= across;
            }
            return new GridCell(
                (int)Math.Floor((double)right), height - 1 - (int)Math.Floor((double)up));
        }
    }
}
