using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using LevelExporter;
using LevelExporter.Editing;
using LevelExporter.Importing;
using LevelExporter.Scenes;
using UnityEditor;
using UnityEditor.AssetImporters;
using UnityEngine;
using UnityEngine.Tilemaps;
using Object = UnityEngine.Object;

/// <summary>
/// Runs the package's importer, or its texture settings, on a file with stand-ins for Unity, and
/// prints as JSON what it built. Arguments: `level PATH`, `picture PATH [user data]`, or
/// `turn FLAGS` for the matrix of a turned tile.
/// </summary>
public static class RunImporter
{
    public static void Main(string[] arguments)
    {
        object told = arguments[0] == "level" ? Level(arguments[1])
            : arguments[0] == "turn" ? Turn(uint.Parse(arguments[1]))
            : Picture(arguments[1], arguments.Length > 2 ? arguments[2] : "");
        Console.WriteLine(JsonText.Of(told));
    }

    private static object Level(string path)
    {
        // A prefab for chests, by the list; one for stairs, by the folder.
        string folder = Path.GetDirectoryName(path);
        var chest = new GameObject("chest.prefab");
        AssetDatabase.Prefabs["chest.prefab"] = chest;
        AssetDatabase.Prefabs[folder + "/stairs_up.prefab"] = new GameObject("stairs_up");
        var context = new AssetImportContext { assetPath = path };
        var importer = new LevelImporter
        {
            assetPath = path,
            prefabs = new[] { new ObjectPrefab { name = "chest", prefab = chest } },
            prefabFolder = folder,
        };
        importer.OnImportAsset(context);
        var root = (GameObject)context.mainObject;
        return new Dictionary<string, object>
        {
            { "identifiers", context.Identifiers },
            { "messages", context.Messages },
            { "sources", context.Sources },
            { "problem", root.GetComponent<ExportedLevel>().Problem },
            { "children", root.transform.Children.Select(child => Child(child.gameObject)).ToList() },
            { "sprites", context.Assets.OfType<Sprite>().Select(Sprite).ToList() },
            { "terrains", context.Assets.OfType<TerrainData>().Select(Terrain).ToList() },
            { "back", Back(root.GetComponent<ExportedLevel>()) },
        };
    }

    private static object Child(GameObject child)
    {
        var tilemap = child.GetComponent<Tilemap>();
        return new Dictionary<string, object>
        {
            { "name", child.name },
            { "components", child.Components.Select(one => one.GetType().Name).ToList() },
            { "cells", tilemap == null ? null : tilemap.Tiles.Select(Cell).ToList() },
            { "objects", child.transform.Children.Select(one => Thing(one.gameObject)).ToList() },
        };
    }

    // Name, left and bottom pixel of the sprite, and whether it collides.
    private static object Cell(TileBase cell)
    {
        var tile = cell as Tile;
        return tile == null
            ? null
            : new List<object>
            {
                tile.name, (int)tile.sprite.rect.x, (int)tile.sprite.rect.y,
                tile.colliderType == Tile.ColliderType.Grid,
            };
    }

    private static object Thing(GameObject thing)
    {
        var told = thing.GetComponent<ExportedObject>();
        Vector3 position = thing.transform.localPosition;
        return new Dictionary<string, object>
        {
            { "name", thing.name },
            { "prefab", thing.GetComponent<PrefabInstance>() != null },
            { "at", new List<object> { (double)position.x, (double)position.y } },
            { "id", told.Id },
            { "kind", told.Kind },
            { "cell", new List<object> { told.Cell.X, told.Cell.Y } },
            {
                "properties",
                told.PropertyNames.ToDictionary(one => one, one => (object)told.PropertyText(one))
            },
        };
    }

    private static object Sprite(Sprite sprite)
    {
        return new List<object> { sprite.name, (int)sprite.rect.width, (double)sprite.pixelsPerUnit };
    }

    private static object Terrain(TerrainData data)
    {
        return new Dictionary<string, object>
        {
            { "name", data.name },
            { "resolution", data.heightmapResolution },
            { "size", new List<object> { (double)data.size.x, (double)data.size.y, (double)data.size.z } },
            { "heights", data.Heights.Cast<float>().Select(one => (double)one).ToList() },
        };
    }

    // Whether cells and points of the root's space translate into each other.
    private static object Back(ExportedLevel level)
    {
        if (level.Asset == null)
        {
            return null;
        }
        var cells = new List<GridCell>
        {
            new GridCell(0, 0), new GridCell(level.Level.Width - 1, level.Level.Height - 1),
        };
        return cells.All(cell => level.CellAt(level.CenterOf(cell)).Equals(cell));
    }

    private static object Turn(uint flags)
    {
        Matrix4x4 matrix = TileFlip.Of(flags).ToMatrix();
        return new List<object>
        {
            (int)matrix.m00, (int)matrix.m01, (int)matrix.m10, (int)matrix.m11,
        };
    }

    private static object Picture(string path, string userData)
    {
        Type type = typeof(LevelImporter).Assembly.GetType("LevelExporter.Editing.LevelPictures");
        var processor = (AssetPostprocessor)Activator.CreateInstance(type, true);
        var importer = new TextureImporter { assetPath = path, userData = userData };
        processor.assetPath = path;
        processor.assetImporter = importer;
        // Unity finds this method by its name.
        type.GetMethod("OnPreprocessTexture", BindingFlags.NonPublic | BindingFlags.Instance)
            .Invoke(processor, null);
        return new Dictionary<string, object>
        {
            { "point", importer.filterMode == FilterMode.Point },
            { "mipmaps", importer.mipmapEnabled },
            { "largest", importer.maxTextureSize },
            { "compressed", importer.textureCompression != TextureImporterCompression.Uncompressed },
            { "scaled", importer.npotScale != TextureImporterNPOTScale.None },
            { "srgb", importer.sRGBTexture },
            { "pixels_per_unit", (double)importer.spritePixelsPerUnit },
        };
    }
}
