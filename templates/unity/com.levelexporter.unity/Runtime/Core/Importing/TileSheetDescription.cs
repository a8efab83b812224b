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

        /// <summary>Width of an isometric tile in pixels; 0 for squares.</summary>
        public int diamond_width = 0;

        /// <summary>Height of an isometric tile in pixels; 0 for squares.</summary>
        public int diamond_height = 0;

        /// <summary>Tiles in a row of the sheet.</summary>
        public int columns = 0;

        /// <summary>Rows of the sheet.</summary>
        public int rows = 0;

        /// <summary>Pixels around the tiles.</summary>
        public int margin = 0;

        /// <summary>Pixels between the tiles.</summary>
        public int spacing = 0;

        /// <summary>Pictures that animated tiles show in a second.</summary>
        public float frames_per_second = 0;

        /// <summary>How the export wants colliders: `merged`, `tiles` or `none`.</summary>
        public string collision = "";

        /// <summary>The meaning of each number of the sheet.</summary>
        public TileSheetTile[] tiles = new TileSheetTile[0];

        /// <summary>How each layer's ids become numbers.</summary>
        public TileSheetLayer[] layers = new TileSheetLayer[0];

        /// <summary>The prefabs that stand for objects.</summary>
        public TileSheetScene[] scenes = new TileSheetScene[0];

        /// <summary>Width of a tile in pixels.</summary>
        public int TileWidth
        {
            get { return diamond_width > 0 ? diamond_width : tile_size; }
        }

        /// <summary>Height of a tile in pixels.</summary>
        public int TileHeight
        {
            get { return diamond_width > 0 ? diamond_height : tile_size; }
        }

        /// <summary>Height of a diamond for a width of 1; 0 for squares.</summary>
        public float DiamondRatio
        {
            get { return diamond_width > 0 ? diamond_height / (float)diamond_width : 0; }
        }
    }
}
