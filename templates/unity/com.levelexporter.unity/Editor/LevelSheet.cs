using System;
using System.IO;
using LevelExporter.Importing;
using UnityEditor;
using UnityEditor.AssetImporters;
using UnityEngine;

namespace LevelExporter.Editing
{
    /// <summary>
    /// The tileset that was exported beside a level, and its description of the level's colliders
    /// and of prefabs for its objects.
    /// </summary>
    internal sealed class LevelSheet
    {
        public LevelSheet(AssetImportContext context)
        {
            string stem = Path.ChangeExtension(context.assetPath, null).Replace('\\', '/');
            string path = stem + ".tileset.json";
            string picturePath = stem + ".tileset.png";
            // Also while they do not exist: the level is imported again when they appear.
            context.DependsOnSourceAsset(path);
            context.DependsOnSourceAsset(picturePath);
            Collision = LevelCollision.Merged;
            Scenes = new TileSheetScene[0];
            if (!File.Exists(path))
            {
                return;
            }
            try
            {
                var description = JsonUtility.FromJson<TileSheetDescription>(File.ReadAllText(path));
                Scenes = description == null ? Scenes : description.scenes;
                string problem = ReadCollision(description) ?? ReadPicture(context, description, picturePath);
                if (problem != null)
                {
                    context.LogImportWarning(path + ": " + problem);
                }
            }
            catch (ArgumentException error)
            {
                context.LogImportWarning(path + ": " + error.Message);
            }
        }

        /// <summary>The meaning of the tiles; null without a usable tileset.</summary>
        public TileSheetDescription Description { get; private set; }

        /// <summary>The tiles' picture; null without a usable tileset.</summary>
        public Texture2D Picture { get; private set; }

        /// <summary>Which colliders the export requests.</summary>
        public LevelCollision Collision { get; private set; }

        /// <summary>The prefabs that the export names for objects.</summary>
        public TileSheetScene[] Scenes { get; private set; }

        // Both return the error, or null.
        private string ReadCollision(TileSheetDescription description)
        {
            switch (description == null ? "merged" : description.collision)
            {
                case "merged":
                    return null;
                case "tiles":
                    Collision = LevelCollision.Tiles;
                    return null;
                case "none":
                    Collision = LevelCollision.None;
                    return null;
                default:
                    return "the collision " + description.collision
                        + " is not known here: update the package";
            }
        }

        private string ReadPicture(
            AssetImportContext context, TileSheetDescription description, string path)
        {
            if (!File.Exists(path))
            {
                return null;
            }
            context.DependsOnArtifact(path);
            Texture2D texture = AssetDatabase.LoadAssetAtPath<Texture2D>(path);
            if (texture == null)
            {
                return null;
            }
            string problem = TileSheet.Problem(description, texture.width, texture.height);
            if (problem == null)
            {
                Description = description;
                Picture = texture;
            }
            return problem;
        }
    }
}
