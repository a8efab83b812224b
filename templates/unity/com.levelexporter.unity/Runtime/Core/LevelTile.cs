namespace LevelExporter
{
    /// <summary>What a tile id means in a layer.</summary>
    public sealed class LevelTile
    {
        /// <summary>The id in the layer's cells, 0 to 65535.</summary>
        public int Id { get; internal set; }

        /// <summary>The name, as in the level's spec.</summary>
        public string Name { get; internal set; }

        /// <summary>Whether things can walk there.</summary>
        public bool IsWalkable { get; internal set; }

        /// <summary>Whether it blocks sight.</summary>
        public bool IsOpaque { get; internal set; }

        /// <summary>Its colour: `#rrggbb` or `#rrggbbaa`.</summary>
        public string Color { get; internal set; }
    }
}
