namespace LevelExporter.Importing
{
    /// <summary>
    /// How a tile that Tiled or Godot drew turned has to be turned in Unity: the tile's x and y
    /// become (XX x + XY y, YX x + YY y) about its centre, with y up.
    /// </summary>
    public struct TileFlip
    {
        /// <summary>Flags of a tile number: left and right, top and bottom, and rows and columns change places.</summary>
        public const uint Horizontal = 0x80000000;
        public const uint Vertical = 0x40000000;
        public const uint Transpose = 0x20000000;

        /// <summary>What is left of a tile number without its flags.</summary>
        public const uint NumberMask = 0x1FFFFFFF;

        public readonly int XX;
        public readonly int XY;
        public readonly int YX;
        public readonly int YY;

        private TileFlip(int xx, int xy, int yx, int yy)
        {
            XX = xx;
            XY = xy;
            YX = yx;
            YY = yy;
        }

        /// <summary>
        /// The turn of some flags. They apply in the order transpose, horizontal, vertical; with y
        /// up a transposition is the flip about the other diagonal.
        /// </summary>
        public static TileFlip Of(uint flags)
        {
            int horizontal = (flags & Horizontal) != 0 ? -1 : 1;
            int vertical = (flags & Vertical) != 0 ? -1 : 1;
            return (flags & Transpose) != 0
                ? new TileFlip(0, -horizontal, -vertical, 0)
                : new TileFlip(horizontal, 0, 0, vertical);
        }
    }
}
