using System;
using System.IO;
using LevelExporter.Scenes;
using LevelExporter.Worlds;
using UnityEditor.AssetImporters;
using UnityEngine;

namespace LevelExporter.Editing
{
    /// <summary>
    /// Imports a `.lvworld` file as a prefab: a <see cref="WorldLoader"/> that keeps the world's parts around
    /// an object, or the terrains of all parts, with their neighbours.
    /// </summary>
    // After the parts, which are `.lvb` files.
    [ScriptedImporter(2, "lvworld", 101)]
    public sealed class WorldImporter : ScriptedImporter
    {
        private const string ResourceFolder = "/Resources/";

        /// <summary>Units of the world that a cell is wide and high, as the parts have it.</summary>
        public float cellSize = 1;

        /// <summary>The layer of heights of which terrains are made; empty for a loader of parts.</summary>
        public string terrain = "";

        /// <summary>Units of the world that one unit of heights is.</summary>
        public float unitsPerHeight = 1;

        /// <summary>The most terrains that one prefab holds: all of them are in memory.</summary>
        public int mostTerrains = 256;

        /// <inheritdoc/>
        public override void OnImportAsset(AssetImportContext ctx)
        {
            string name = Path.GetFileNameWithoutExtension(ctx.assetPath);
            var root = new GameObject(name);
            ctx.AddObjectToAsset("root", root);
            ctx.SetMainObject(root);
            try
            {
                var description = JsonUtility.FromJson<WorldDescription>(File.ReadAllText(ctx.assetPath));
                string problem = description == null ? "it is empty" : description.Problem() ?? Build(ctx, root, description);
                if (problem != null)
                {
                    ctx.LogImportError(ctx.assetPath + ": " + problem, root);
                }
            }
            catch (Exception error) when (error is ArgumentException || error is IOException)
            {
                ctx.LogImportError(ctx.assetPath + ": " + error.Message, root);
            }
        }

        // Returns the error, or null.
        private string Build(AssetImportContext context, GameObject root, WorldDescription world)
        {
            if (terrain.Length > 0)
            {
                return new WorldTerrainPrefab(this, context, root, world).Build();
            }
            string folder = FolderInResources(context.assetPath);
            string parts = folder == null ? "" : folder + world.parts;
            root.AddComponent<WorldLoader>().Setup(
                world.size[0],
                world.size[1],
                world.chunk,
                cellSize,
                parts,
                world.visibility ?? new WorldSightRule());
            return null;
        }

        // The folder of an asset as Resources.Load wants it, with a slash behind it; null outside.
        private static string FolderInResources(string path)
        {
            string asset = path.Replace('\\', '/');
            int description = asset.LastIndexOf(ResourceFolder, StringComparison.Ordinal);
            if (description < 0)
            {
                return null;
            }
            int begin = description + ResourceFolder.Length;
            return asset.Substring(begin, asset.LastIndexOf('/') + 1 - begin);
        }
    }
}
