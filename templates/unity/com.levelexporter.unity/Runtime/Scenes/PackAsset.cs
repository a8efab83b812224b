using UnityEngine;

namespace LevelExporter.Scenes
{
    /// <summary>
    /// A whole `.lvp` file as an asset: thousands of levels, each read on demand.
    /// <code>
    /// [SerializeField] private PackAsset crypt;
    /// LevelBlob today = crypt.Pack.Level(crypt.Pack.Daily("2026-12-24"));
    /// </code>
    /// </summary>
    public sealed class PackAsset : ScriptableObject
    {
        [SerializeField, HideInInspector]
        private byte[] bytes = new byte[0];

        private LevelPack pack;

        /// <summary>The pack, opened on first use.</summary>
        /// <exception cref="LevelBlobException">The file was no pack when it was imported.</exception>
        public LevelPack Pack
        {
            get { return pack ?? (pack = LevelPack.Open(bytes)); }
        }

        /// <summary>An asset with the bytes of a file.</summary>
        public static PackAsset Of(string name, byte[] bytes)
        {
            PackAsset asset = CreateInstance<PackAsset>();
            asset.name = name;
            asset.bytes = bytes;
            return asset;
        }
    }
}
