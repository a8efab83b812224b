using UnityEngine;

namespace LevelExporter.Scenes
{
    /// <summary>
    /// The whole `.lvb` file as an asset: cells, heights, visibility, objects, tables and puzzles,
    /// for scenes and scripts that want the data without the tilemaps. No TextAsset is needed.
    /// </summary>
    public sealed class LevelAsset : ScriptableObject
    {
        [SerializeField, HideInInspector]
        private byte[] bytes = new byte[0];

        private LevelBlob level;

        /// <summary>The level, read on first use.</summary>
        /// <exception cref="LevelBlobException">The file was no level when it was imported.</exception>
        public LevelBlob Level
        {
            get { return level ?? (level = LevelBlob.FromBytes(bytes)); }
        }

        /// <summary>An asset with the bytes of a file.</summary>
        public static LevelAsset Of(string name, byte[] bytes)
        {
            LevelAsset asset = CreateInstance<LevelAsset>();
            asset.name = name;
            asset.bytes = bytes;
            return asset;
        }
    }
}
