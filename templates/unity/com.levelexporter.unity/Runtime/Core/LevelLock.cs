using System.Collections.Generic;

namespace LevelExporter
{
    /// <summary>What closes a way through a level until it is opened.</summary>
    public sealed class LevelLock
    {
        /// <summary>
        /// Objects with the property `opens` of this name are its keys; small locks share it.
        /// </summary>
        public string Name { get; internal set; }

        /// <summary>`key`, `small_key`, `one_way` or `shortcut`.</summary>
        public string Kind { get; internal set; }

        /// <summary>The cells that are closed.</summary>
        public IReadOnlyList<GridCell> Cells { get; internal set; }

        /// <summary>
        /// The cells from which a one-way is entered, or a shortcut is opened.
        /// </summary>
        public IReadOnlyList<GridCell> OpenedFrom { get; internal set; }
    }
}
