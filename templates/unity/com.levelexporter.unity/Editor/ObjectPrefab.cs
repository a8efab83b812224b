using System;
using UnityEngine;

namespace LevelExporter.Editing
{
    /// <summary>The prefab for the objects of a name.</summary>
    [Serializable]
    public sealed class ObjectPrefab
    {
        /// <summary>The objects' name in the level's spec.</summary>
        public string name = "";

        /// <summary>The prefab.</summary>
        public GameObject prefab;
    }
}
