namespace LevelExporter
{
    /// <summary>The rules of sight, by their numbers in files.</summary>
    public enum SightRule
    {
        /// <summary>
        /// Symmetric shadowcasting: of two open cells each sees the other, or neither.
        /// </summary>
        Symmetric = 0,

        /// <summary>Recursive shadowcasting: from a point to whole cells.</summary>
        Shadowcast = 1,

        /// <summary>A straight line to every cell within the radius.</summary>
        Raycast = 2,
    }
}
