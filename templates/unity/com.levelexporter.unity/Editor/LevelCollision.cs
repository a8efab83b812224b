namespace LevelExporter.Editing
{
    /// <summary>How cells of a level that cannot be walked on get colliders.</summary>
    // The numbers stand in import settings.
    public enum LevelCollision
    {
        /// <summary>No colliders.</summary>
        None = 0,

        /// <summary>The choice of the export's option `collision`.</summary>
        AsExported = 1,

        /// <summary>Outlines of all cells that cannot be walked on, stored in the prefab.</summary>
        Merged = 2,

        /// <summary>
        /// A tilemap collider for each layer that is played on, merged when the scene is loaded.
        /// </summary>
        Tiles = 3,
    }
}
