using System;
using System.IO;
using LevelExporter.Scenes;
using UnityEditor;
using UnityEditor.AssetImporters;
using UnityEngine;

namespace LevelExporter.Editing
{
    /// <summary>
    /// Imports a `.lvb` file as a prefab: an <see cref="ExportedLevel"/> with a tilemap for each tile
    /// layer that is seen, colliders and a child for each object, and the file itself as a <see cref="LevelAsset"/>.
    /// A file that cannot be read becomes an object that says why, so that references to it live.
    /// </summary>
    // After textures, which it cuts, and before prefabs and scenes, which refer to it.
    [ScriptedImporter(3, "lvb", 100)]
    public sealed class LevelImporter : ScriptedImporter
    {
        /// <summary>Units of the world that a cell is wide and high.</summary>
        public float cellSize = 1;

        /// <summary>How cells that cannot be walked on get colliders.</summary>
        public LevelCollision collision = LevelCollision.AsExported;

        /// <summary>Whether tilemaps are made.</summary>
        public bool tilemaps = true;

        /// <summary>The sorting layer of all tilemaps.</summary>
        public string sortingLayer = "Default";

        /// <summary>The order of the lowest tilemap in its sorting layer; the next ones follow.</summary>
        public int sortingOrder = 0;

        /// <summary>Whether objects are made.</summary>
        public bool objects = true;

        /// <summary>Whether layers of heights become terrain data.</summary>
        public bool terrains = true;

        /// <summary>Units of the world that one unit of heights is.</summary>
        public float unitsPerHeight = 1;

        /// <summary>Prefabs that stand for objects, by the objects' names.</summary>
        public ObjectPrefab[] prefabs = new ObjectPrefab[0];

        /// <summary>
        /// A folder with prefabs named as objects, for objects that the list above does not name.
        /// </summary>
        public string prefabFolder = "";

        /// <summary>The game's step at the end of the import; null for none.</summary>
        public AfterExport afterExport;

        /// <inheritdoc/>
        public override void OnImportAsset(AssetImportContext ctx)
        {
            string name = Path.GetFileNameWithoutExtension(ctx.assetPath);
            var root = new GameObject(name);
            var component = root.AddComponent<ExportedLevel>();
            ctx.AddObjectToAsset("root", root);
            ctx.SetMainObject(root);
            try
            {
                byte[] bytes = File.ReadAllBytes(ctx.assetPath);
                LevelBlob level = LevelBlob.FromBytes(bytes);
                level.Verify();
                LevelAsset asset = LevelAsset.Of(name + " data", bytes);
                ctx.AddObjectToAsset("level", asset);
                component.Setup(asset, level.Height, cellSize, "");
                new LevelPrefab(this, ctx, root, component, level).Build();
                if (afterExport != null)
                {
                    ctx.DependsOnSourceAsset(AssetDatabase.GetAssetPath(afterExport));
                    afterExport.Run(root);
                }
            }
            catch (Exception error) when (error is LevelBlobException || error is IOException)
            {
                component.Setup(null, 0, cellSize, error.Message);
                ctx.LogImportError(ctx.assetPath + ": " + error.Message, root);
            }
        }
    }
}
