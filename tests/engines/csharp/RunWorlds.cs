using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using LevelExporter;
using LevelExporter.Editing;
using LevelExporter.Scenes;
using LevelExporter.Worlds;
using UnityEngine;

/// <summary>
/// Imports a world with stand-ins for Unity, and walks through one. Prints JSON. Arguments:
/// `near WIDTH HEIGHT CHUNK X Y RADIUS`, `import PATH [SETTING=VALUE ...]`, or
/// `walk PATH RADIUS MARGIN ATONCE [X,Y ...]` in units of the world, `wait` to end what is being loaded.
/// </summary>
public static class RunWorlds
{
    public static void Main(string[] arguments)
    {
        string[] rest = arguments.Skip(1).ToArray();
        object told = arguments[0] == "near" ? Near(rest)
            : arguments[0] == "import" ? Import(rest[0], rest.Skip(1))
            : Walk(rest);
        Console.WriteLine(JsonText.Of(told));
    }

    private static double Number(string text)
    {
        return double.Parse(text, CultureInfo.InvariantCulture);
    }

    private static object Near(string[] told)
    {
        var grid = new WorldGrid(int.Parse(told[0]), int.Parse(told[1]), int.Parse(told[2]));
        return grid.Near(Number(told[3]), Number(told[4]), Number(told[5])).ConvertAll(Part);
    }

    private static object Part(GridCell part)
    {
        return new List<object> { part.X, part.Y };
    }

    private static GameObject Prefab(
        string path, IEnumerable<string> settings, UnityEditor.AssetImporters.AssetImportContext context)
    {
        var importer = new WorldImporter { assetPath = path };
        foreach (string setting in settings)
        {
            string[] parts = setting.Split('=');
            var field = typeof(WorldImporter).GetField(parts[0]);
            field.SetValue(
                importer, Convert.ChangeType(parts[1], field.FieldType, CultureInfo.InvariantCulture));
        }
        importer.OnImportAsset(context);
        return (GameObject)context.mainObject;
    }

    private static object Import(string path, IEnumerable<string> settings)
    {
        var context = new UnityEditor.AssetImporters.AssetImportContext { assetPath = path };
        GameObject root = Prefab(path, settings, context);
        var loader = root.GetComponent<WorldLoader>();
        var terrains = root.GetComponent<WorldTerrains>();
        return new Dictionary<string, object>
        {
            { "messages", context.Messages },
            { "sources", context.Sources.Select(Path.GetFileName).ToList() },
            { "identifiers", context.Identifiers },
            { "parts", loader == null ? null : loader.Parts },
            { "size", loader == null ? null : Part(new GridCell(loader.Width, loader.Height)) },
            { "terrains", terrains == null ? null : terrains.Terrains.Select(Told).ToList() },
        };
    }

    private static object Told(Terrain terrain)
    {
        if (terrain == null)
        {
            return null;
        }
        Vector3 at = terrain.transform.localPosition;
        TerrainData data = terrain.terrainData;
        return new Dictionary<string, object>
        {
            { "name", terrain.name },
            { "at", new List<object> { (double)at.x, (double)at.y, (double)at.z } },
            { "size", new List<object> { (double)data.size.x, (double)data.size.y, (double)data.size.z } },
            { "resolution", data.heightmapResolution },
            { "samples", data.Heights.Cast<float>().Select(one => (int)Math.Round(one * 65535.0)).ToList() },
            { "neighbours", terrain.Neighbours.Select(one => one == null ? null : one.name).ToList() },
        };
    }

    private static object Walk(string[] told)
    {
        var context = new UnityEditor.AssetImporters.AssetImportContext { assetPath = told[0] };
        GameObject root = Prefab(told[0], new string[0], context);
        var loader = root.GetComponent<WorldLoader>();
        loader.radius = (float)Number(told[1]);
        loader.margin = (float)Number(told[2]);
        loader.atOnce = int.Parse(told[3]);
        foreach (string file in Directory.GetFiles(Path.GetDirectoryName(told[0]), "*.lvb", SearchOption.AllDirectories))
        {
            var prefab = new GameObject(Path.GetFileNameWithoutExtension(file));
            prefab.AddComponent<ExportedLevel>();
            Resources.Prefabs["Levels/w.world/" + prefab.name] = prefab;
        }
        loader.target = new GameObject("player").transform;
        Application.isPlaying = true;
        Application.Send(loader, "Awake");
        var steps = new List<object>();
        foreach (string step in told.Skip(4))
        {
            List<string> ended = step == "wait" ? Resources.Finish() : new List<string>();
            if (step != "wait")
            {
                string[] point = step.Split(',');
                loader.target.position = new Vector3((float)Number(point[0]), (float)Number(point[1]), 0);
            }
            Application.Send(loader, "Update");
            steps.Add(new Dictionary<string, object>
            {
                { "ended", ended },
                { "shown", loader.Shown.Keys.OrderBy(one => one.Y).ThenBy(one => one.X).Select(Part).ToList() },
                { "children", root.transform.Children.Select(Child).ToList() },
                { "here", loader.PartAt(new GridCell(0, 0)) != null },
            });
        }
        return new Dictionary<string, object> { { "steps", steps }, { "errors", Debug.Errors } };
    }

    private static object Child(Transform child)
    {
        return new List<object>
        {
            child.name, (double)child.localPosition.x, (double)child.localPosition.y,
        };
    }
}
