namespace LevelExporter.Importing
{
    /// <summary>What a tile layer shows in each of its cells.</summary>
    public sealed class PrefabTiles
    {
        internal PrefabTiles(LevelLayer layer, int[] numbers, string[] assets, bool blocks)
        {
            Layer = layer;
            Numbers = numbers;
            Assets = assets;
            Blocks = blocks;
        }

        /// <summary>The layer.</summary>
        public LevelLayer Layer { get; private set; }

        /// <summary>
        /// The number in the sheet of every cell, row after row from the top; -1 for none.
        /// </summary>
        public int[] Numbers { get; private set; }

        /// <summary>
        /// The path of the tile asset that a cell shows instead, in the same order; null for the
        /// picture of the sheet. The whole is null where no cell has one.
        /// </summary>
        public string[] Assets { get; private set; }

        /// <summary>Whether a cell of it is in the way by itself: on a layer that is played on.</summary>
        public bool Blocks { get; private set; }
    }
}
