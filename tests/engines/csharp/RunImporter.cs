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
/// prints the result as JSON. Arguments: `level PATH [SETTING=VALUE ...]`, `pack PATH`, `picture PATH
/// [user data]`, or `turn FLAGS` for the matrix of a turned tile.
/// </summary>
public static class RunImporter
{
    public static void Main(string[] arguments)
    {
        object exported = arguments[0] == "level" ? Level(arguments[1], arguments.Skip(2))
            : arguments[0] == "pack" ? Pack(arguments[1])
            : arguments[0] == "turn" ? Turn(uint.Parse(arguments[1]))
            : Picture(arguments[1], arguments.Length > 2 ? arguments[2] : "");
        Console.WriteLine(JsonText.Of(exported));
    }

    private static object Level(string path, IEnumerable<string> settings)
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
        foreach (string setting in settings)
        {
            string[] parts = setting.Split('=');
            if (parts[0] == "project")
            {
                Enter(parts[1]);
                continue;
            }
            FieldInfo field = typeof(LevelImporter).GetField(parts[0]);
            field.SetValue(
                importer,
                field.FieldType == typeof(AfterExport) ? new Marks { name = parts[1] }
                : field.FieldType.IsEnum
                    ? Enum.Parse(field.FieldType, parts[1])
                    : Convert.ChangeType(parts[1], field.FieldType));
        }
        importer.OnImportAsset(context);
        var root = (GameObject)context.mainObject;
        return new Dictionary<string, object>
        {
            { "identifiers", context.Identifiers },
            { "messages", context.Messages },
            { "sources", context.Sources },
            { "problem", root.GetComponent<ExportedLevel>().Problem },
            { "components", Components(root) },
            { "children", root.transform.Children.Select(child => Child(child.gameObject)).ToList() },
            { "sprites", context.Assets.OfType<Sprite>().Select(Sprite).ToList() },
            { "animated", context.Assets.OfType<AnimatedLevelTile>().Select(Animated).ToList() },
            { "terrains", context.Assets.OfType<TerrainData>().Select(Terrain).ToList() },
            { "back", Back(root.GetComponent<ExportedLevel>()) },
            { "layout", Layout(root.GetComponent<Grid>()) },
        };
    }

    private static object Pack(string path)
    {
        var context = new AssetImportContext { assetPath = path };
        new PackImporter { assetPath = path }.OnImportAsset(context);
        var asset = (PackAsset)context.mainObject;
        var seeds = new List<object>();
        try
        {
            seeds.AddRange(asset.Pack.Values("seed"));
        }
        catch (LevelBlobException error)
        {
            seeds.Add(error.Message);
        }
        return new Dictionary<string, object>
        {
            { "name", asset.name }, { "seeds", seeds }, { "messages", context.Messages },
        };
    }

    // The name of a tile, its pictures in a second, and their left and bottom pixels.
    private static object Animated(AnimatedLevelTile tile)
    {
        var data = new TileAnimationData();
        tile.GetTileAnimationData(new Vector3Int(0, 0, 0), null, ref data);
        return new List<object>
        {
            tile.name,
            (double)data.animationSpeed,
            data.animatedSprites.Select(
                sprite => new List<object> { (int)sprite.rect.x, (int)sprite.rect.y }).ToList(),
        };
    }

    // The shape of cells, and their width and height.
    private static object Layout(Grid grid)
    {
        return grid == null
            ? null
            : new List<object>
            {
                grid.cellLayout.ToString(), (double)grid.cellSize.x, (double)grid.cellSize.y,
            };
    }

    // The project's folder is the working directory; `.asset` files are tiles.
    private static void Enter(string folder)
    {
        Environment.CurrentDirectory = folder;
        foreach (string file in Directory.GetFiles("Assets", "*", SearchOption.AllDirectories))
        {
            string path = file.Replace('\\', '/');
            if (path.EndsWith(".asset"))
            {
                AssetDatabase.Tiles[path] = new GameTile { name = path };
            }
            else if (path.EndsWith(".prefab"))
            {
                var prefab = new GameObject(path);
                prefab.AddComponent<ChestScript>();
                AssetDatabase.Prefabs[path] = prefab;
            }
        }
    }

    private static object Child(GameObject child)
    {
        var tilemap = child.GetComponent<Tilemap>();
        var body = child.GetComponent<Rigidbody2D>();
        var polygon = child.GetComponent<PolygonCollider2D>();
        var things = child.transform.Children.Select(item => item.gameObject).ToLookup(
            item => item.GetComponent<ExportedObject>() != null);
        Vector3 position = child.transform.localPosition;
        return new Dictionary<string, object>
        {
            { "name", child.name },
            { "components", Components(child) },
            { "cells", tilemap == null ? null : tilemap.Tiles.Select(Cell).ToList() },
            { "body", body == null ? null : body.bodyType.ToString() },
            { "joined", IsJoined(child.GetComponent<TilemapCollider2D>()) },
            { "paths", polygon == null ? null : polygon.Paths.Select(Points).ToList() },
            { "at", new List<object> { (double)position.x, (double)position.y } },
            { "order", Order(child.GetComponent<TilemapRenderer>()) },
            { "moved", position.x != 0 || position.y != 0 || position.z != 0 },
            { "objects", things[true].Select(Thing).ToList() },
            { "children", things[false].Select(Child).ToList() },
        };
    }

    private static object Order(TilemapRenderer renderer)
    {
        return renderer == null ? null : (object)renderer.sortingOrder;
    }

    // What a game may do with a level that was imported.
    private sealed class Marks : AfterExport
    {
        public override void Run(GameObject root)
        {
            IEnumerable<GameObject> children = root.transform.Children.Select(item => item.gameObject);
            TilemapRenderer first = children.Select(item => item.GetComponent<TilemapRenderer>())
                .First(item => item != null);
            new GameObject(first.sortingLayerName).transform.SetParent(root.transform, false);
        }
    }

    // Whether the colliders of tiles become outlines.
    private static bool IsJoined(TilemapCollider2D collider)
    {
#if UNITY_2023_1_OR_NEWER
        return collider != null
            && collider.compositeOperation == Collider2D.CompositeOperation.Merge;
#else
        return collider != null && collider.usedByComposite;
#endif
    }

    private static List<string> Components(GameObject thing)
    {
        return thing.Components.Select(item => item.GetType().Name).ToList();
    }

    private static object Points(Vector2[] path)
    {
        return path.Select(point => new List<object> { (double)point.x, (double)point.y }).ToList();
    }

    // Name, left and bottom pixel of the sprite, and whether it collides.
    private static object Cell(TileBase cell)
    {
        var tile = cell as Tile;
        return tile == null
            ? cell == null ? null : (object)cell.name
            : new List<object>
            {
                tile.name, (int)tile.sprite.rect.x, (int)tile.sprite.rect.y,
                tile.colliderType == Tile.ColliderType.Grid,
            };
    }

    private static object Thing(GameObject thing)
    {
        var exported = thing.GetComponent<ExportedObject>();
        Vector3 position = thing.transform.localPosition;
        return new Dictionary<string, object>
        {
            { "name", thing.name },
            { "prefab", thing.GetComponent<PrefabInstance>() != null },
            { "fields", Fields(thing) },
            { "at", new List<object> { (double)position.x, (double)position.y } },
            { "id", exported.Id },
            { "kind", exported.Kind },
            { "cell", new List<object> { exported.Cell.X, exported.Cell.Y } },
            {
                "properties",
                exported.PropertyNames.ToDictionary(item => item, item => (object)exported.PropertyText(item))
            },
        };
    }

    // The prefab, the values of its fields, and the number of recorded components.
    private static object Fields(GameObject thing)
    {
        var script = thing.GetComponent<ChestScript>();
        return script == null
            ? null
            : new List<object> { script.Told(), thing.GetComponent<PrefabInstance>().Recorded };
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
            { "heights", data.Heights.Cast<float>().Select(item => (double)item).ToList() },
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
