namespace LevelExporter
{
    /// <summary>A column of a table.</summary>
    public sealed class LevelColumn
    {
        /// <summary>The name.</summary>
        public string Name { get; internal set; }

        /// <summary>The type of its values: `text`, `integer`, `number` or `boolean`.</summary>
        public string Type { get; internal set; }

        /// <summary>Whether values may be null.</summary>
        public bool IsNullable { get; internal set; }
    }
}
