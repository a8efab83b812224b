namespace LevelExporter.Importing
{
    /// <summary>
    /// How a tile that Tiled or Godot drew turned has to be turned in Unity: the tile's x and y
    /// become (XX x + XY y, YX x + YY y) about its centre, with y up.
    /// </summary>
    public struct TileFlip
    {
        /// <summary>The flag of a tile number that swaps left and right.</summary>
        public const uint Horizontal = 0x80000000;

        /// <summary>The flag that swaps top and bottom.</summary>
        public const uint Vertical = 0x40000000;

        /// <summary>The flag that swaps rows and columns.</summary>
        public const uint Transpose = 0x20000000;

        /// <summary>The bits of a tile number without its flags.</summary>
        public const uint NumberMask = 0x1FFFFFFF;

        /// <summary>How much of x goes into x.</summary>
        public readonly int XX;

        /// <summary>How much of y goes into x.</summary>
        public readonly int XY;

        /// <summary>How much of x goes into y.</summary>
        public readonly int YX;

        /// <summary>How much of y goes into y.</summary>
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
