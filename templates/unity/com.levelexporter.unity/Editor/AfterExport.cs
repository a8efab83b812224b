using UnityEngine;

namespace LevelExporter.Editing
{
    /// <summary>
    /// A step that the game adds at the end of a level's import. Derive from it, make an asset of the
    /// class, and name that asset in the import settings of the `.lvb` file.
    /// </summary>
    public abstract class AfterExport : ScriptableObject
    {
        /// <summary>Changes a level before it becomes a prefab.</summary>
        public abstract void Run(GameObject root);
    }
}
