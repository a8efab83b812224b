using System;
using System.IO;
using LevelExporter.Scenes;
using UnityEditor.AssetImporters;

namespace LevelExporter.Editing
{
    /// <summary>
    /// Imports a `.lvp` file as a <see cref="PackAsset"/>. One that cannot be read becomes an asset
    /// whose pack says why, so that references to it live.
    /// </summary>
    // Before prefabs and scenes, which refer to it.
    [ScriptedImporter(1, "lvp", 100)]
    public sealed class PackImporter : ScriptedImporter
    {
        /// <inheritdoc/>
        public override void OnImportAsset(AssetImportContext ctx)
        {
            byte[] bytes = new byte[0];
            string problem = "";
            try
            {
                bytes = File.ReadAllBytes(ctx.assetPath);
                LevelPack.Open(bytes);
            }
            catch (Exception error) when (error is LevelBlobException || error is IOException)
            {
                problem = ctx.assetPath + ": " + error.Message;
            }
            PackAsset asset = PackAsset.Of(Path.GetFileNameWithoutExtension(ctx.assetPath), bytes);
            ctx.AddObjectToAsset("pack", asset);
            ctx.SetMainObject(asset);
            if (problem.Length > 0)
            {
                ctx.LogImportError(problem, asset);
            }
        }
    }
}
