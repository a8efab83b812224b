using System.IO;
using UnityEditor;
using UnityEngine;

namespace LevelExporter.Editing
{
    /// <summary>
    /// Keeps exported pictures sharp and whole, regardless of their import settings: point filter,
    /// not compressed, no mipmaps, not scaled down. Type, pixels per unit and pivot stay as they
    /// are set. Asset user data that says `level-exporter: off` leaves a picture alone.
    /// </summary>
    internal sealed class LevelPictures : AssetPostprocessor
    {
        private const string Off = "level-exporter: off";
        private const int LargestSide = 16384;

        /// <inheritdoc/>
        public override uint GetVersion()
        {
            return 1;
        }

        private void OnPreprocessTexture()
        {
            var importer = assetImporter as TextureImporter;
            if (importer == null || (importer.userData ?? "").Contains(Off) || !IsExported(assetPath))
            {
                return;
            }
            importer.filterMode = FilterMode.Point;
            importer.mipmapEnabled = false;
            importer.npotScale = TextureImporterNPOTScale.None;
            importer.textureCompression = TextureImporterCompression.Uncompressed;
            importer.maxTextureSize = LargestSide;
            if (File.Exists(Path.ChangeExtension(assetPath, null) + ".height.json"))
            {
                // Samples are numbers, not colours.
                importer.sRGBTexture = false;
                importer.alphaIsTransparency = false;
            }
        }

        // `crypt.ground.png` and `crypt.tileset.png` belong to the level beside them, `crypt.lvb`.
        private static bool IsExported(string path)
        {
            if (Path.GetExtension(path) != ".png")
            {
                return false;
            }
            string stem = Path.ChangeExtension(path, null);
            while (Path.HasExtension(stem))
            {
                stem = Path.ChangeExtension(stem, null);
                if (File.Exists(stem + ".lvb"))
                {
                    return true;
                }
            }
            return false;
        }
    }
}
