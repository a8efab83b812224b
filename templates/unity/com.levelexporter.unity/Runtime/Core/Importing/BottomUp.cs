namespace LevelExporter.Importing
{
    /// <summary>Unity's rows: its y points up, a level's y points down.</summary>
    public static class BottomUp
    {
        /// <summary>
        /// The row, counted from the bottom, of a row counted from the top; and back.
        /// </summary>
        public static int Row(int y, int height)
        {
            return height - 1 - y;
        }

        /// <summary>
        /// Cells row after row from the bottom, as Tilemap.SetTilesBlock and textures take
        /// them.
        /// </summary>
        public static T[] Rows<T>(T[] cells, int width, int height)
        {
            var turned = new T[cells.Length];
            for (int y = 0; y < height; y++)
            {
                System.Array.Copy(cells, y * width, turned, Row(y, height) * width, width);
            }
            return turned;
        }
    }
}
