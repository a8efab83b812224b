using System;

namespace LevelExporter.Importing
{
    /// <summary>
    /// The file `&lt;level&gt;.tileset.json`, as Unity's JsonUtility reads it: public fields, named
    /// as in the file.
    /// </summary>
    [Serializable]
    public sealed class TileSheetDescription
    {
        /// <summary>The level's name.</summary>
        public string level = "";

        /// <summary>The picture, beside this file.</summary>
        public string image = "";

        /// <summary>Side of a tile in pixels.</summary>
        public int tile_size = 0;

        /// <summary>Tiles in a row of the sheet.</summary>
        public int columns = 0;

        /// <summary>Rows of the sheet.</summary>
        public int rows = 0;

        /// <summary>Pixels around the tiles.</summary>
        public int margin = 0;

        /// <summary>Pixels between the tiles.</summary>
        public int spacing = 0;

        /// <summary>How the export wants colliders: `merged`, `tiles` or `none`.</summary>
        public string collision = "";

        /// <summary>The meaning of each number of the sheet.</summary>
        public TileSheetTile[] tiles = new TileSheetTile[0];

        /// <summary>How each layer's ids become numbers.</summary>
        public TileSheetLayer[] layers = new TileSheetLayer[0];

        /// <summary>The prefabs that stand for objects.</summary>
        public TileSheetScene[] scenes = new TileSheetScene[0];
    }
}
