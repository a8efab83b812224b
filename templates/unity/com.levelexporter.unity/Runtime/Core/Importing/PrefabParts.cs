namespace LevelExporter.Importing
{
    /// <summary>Which parts of a level its prefab has.</summary>
    public sealed class PrefabParts
    {
        /// <summary>A tilemap for each layer that is seen.</summary>
        public bool Tilemaps = true;

        /// <summary>Outlines of all cells that cannot be walked on.</summary>
        public bool Outlines = true;

        /// <summary>A child for each object.</summary>
        public bool Objects = true;
    }
}
