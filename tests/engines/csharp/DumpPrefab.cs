using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using LevelExporter;
using LevelExporter.Importing;
using UnityEngine;

/// <summary>
/// Prints as JSON the prefab that a level becomes, node by node, without anything of Unity. Takes
/// paths of `.lvb` files; the description of the tileset lies beside each.
/// </summary>
public static class DumpPrefab
{
    public static void Main(string[] paths)
    {
        Console.WriteLine(JsonText.Of(paths.ToDictionary(path => path, path => Level(path))));
    }

    private static object Level(string path)
    {
        LevelBlob level = LevelBlob.Open(path);
        string described = Path.ChangeExtension(path, null) + ".tileset.json";
        TileSheetDescription sheet = File.Exists(described)
            ? JsonUtility.FromJson<TileSheetDescription>(File.ReadAllText(described))
            : PlainSheet.Describe(level);
        var parts = new PrefabParts { Outlines = sheet.collision == "merged" };
        PrefabNode root = PrefabModel.Of(level, sheet, parts);
        return new Dictionary<string, object>
        {
            { "level", level.Name },
            { "seed", level.Seed },
            { "rng", level.Description["rng"] },
            { "size", new List<object> { level.Width, level.Height } },
            { "properties", level.Properties.ToDictionary(item => item.Key, item => item.Value) },
            { "root", Node(root) },
        };
    }

    private static object Node(PrefabNode node)
    {
        return new Dictionary<string, object>
        {
            { "name", node.Name },
            { "body", node.IsBody },
            { "tiles", node.Tiles == null ? null : Tiles(node.Tiles) },
            { "outlines", node.Outlines == null ? null : node.Outlines.Select(Ring).ToList() },
            { "object", node.Object == null ? null : Thing(node.Object) },
            { "children", node.Children.Select(Node).ToList() },
        };
    }

    private static object Tiles(PrefabTiles tiles)
    {
        return new Dictionary<string, object>
        {
            { "layer", tiles.Layer.Name },
            { "generator", tiles.Layer.Description["generator"] },
            { "role", tiles.Layer.Role },
            { "tile", tiles.Tile },
            { "between", tiles.BetweenCells },
            { "size", new List<object> { tiles.Width, tiles.Height } },
            { "numbers", tiles.Numbers.Cast<object>().ToList() },
            { "assets", tiles.Assets == null ? null : tiles.Assets.Cast<object>().ToList() },
            { "blocks", tiles.Blocks },
        };
    }

    private static object Ring(GridCell[] ring)
    {
        return ring.Select(point => new List<object> { point.X, point.Y }).ToList();
    }

    private static object Thing(LevelObject thing)
    {
        return new Dictionary<string, object>
        {
            { "id", thing.Id },
            { "name", thing.Name },
            { "cell", new List<object> { thing.Cell.X, thing.Cell.Y } },
            { "properties", thing.Properties.ToDictionary(item => item.Key, item => item.Value) },
        };
    }
}
