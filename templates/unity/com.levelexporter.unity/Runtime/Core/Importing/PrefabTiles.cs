namespace LevelExporter.Importing
{
    /// <summary>
    /// The visible tiles of a layer: its cells, or pictures of one tile below or above them.
    /// </summary>
    public sealed class PrefabTiles
    {
        internal PrefabTiles(LevelLayer layer, string tile, bool betweenCells, int[] numbers)
        {
            Layer = layer;
            Tile = tile;
            BetweenCells = betweenCells;
            Numbers = numbers;
        }

        /// <summary>The layer.</summary>
        public LevelLayer Layer { get; private set; }

        /// <summary>
        /// The name of the tile that all pictures show; empty for the cells themselves.
        /// </summary>
        public string Tile { get; private set; }

        /// <summary>
        /// Whether there is a picture for each corner of the cells: all lies half a cell up and left.
        /// </summary>
        public bool BetweenCells { get; private set; }

        /// <summary>Pictures in a row.</summary>
        public int Width
        {
            get { return Layer.Width + (BetweenCells ? 1 : 0); }
        }

        /// <summary>Rows.</summary>
        public int Height
        {
            get { return Layer.Height + (BetweenCells ? 1 : 0); }
        }

        /// <summary>
        /// The numbers in the sheet, row after row from the top; -1 for none.
        /// </summary>
        public int[] Numbers { get; private set; }

        /// <summary>
        /// The path of the tile asset that a cell shows instead, in the same order; null for the
        /// picture of the sheet. The whole is null where no cell has one.
        /// </summary>
        public string[] Assets { get; internal set; }

        /// <summary>Whether a cell of it is in the way by itself: on a layer that is played on.</summary>
        public bool Blocks { get; internal set; }
    }
}
