using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using LevelExporter;
using LevelExporter.Editing;
using LevelExporter.Importing;
using LevelExporter.Scenes;
using LevelExporter.Worlds;
using UnityEngine;

/// <summary>
/// Imports a world with stand-ins for Unity, and walks through one. Prints JSON. Arguments:
/// `near WIDTH HEIGHT CHUNK X Y RADIUS`, `raw BYTES SIDE`, `import PATH [SETTING=VALUE ...]`, or
/// `walk PATH RADIUS MARGIN ATONCE [X,Y ...]` in units of the world, `wait` to finish loading,
/// or `sight PATH RADIUS X,Y`, which prints the cells seen from cells `X Y`, a line of the input
/// each, after the parts within the radius have been loaded; at `walk X,Y` the parts around another
/// point are.
/// </summary>
public static class RunWorlds
{
    public static void Main(string[] arguments)
    {
        string[] rest = arguments.Skip(1).ToArray();
        object reported = arguments[0] == "near" ? Near(rest)
            : arguments[0] == "raw" ? Raw(int.Parse(rest[0]), int.Parse(rest[1]))
            : arguments[0] == "import" ? Import(rest[0], rest.Skip(1))
            : arguments[0] == "sight" ? Sight(rest)
            : Walk(rest);
        Console.WriteLine(JsonText.Of(reported));
    }

    private static double Number(string text)
    {
        return double.Parse(text, CultureInfo.InvariantCulture);
    }

    // A refusal becomes its message.
    private static object Raw(int bytes, int side)
    {
        try
        {
            return TerrainHeights.OfRaw(new byte[bytes], side).Length;
        }
        catch (ArgumentException error)
        {
            return error.Message;
        }
    }

    private static object Near(string[] reported)
    {
        WorldGrid grid;
        try
        {
            grid = new WorldGrid(int.Parse(reported[0]), int.Parse(reported[1]), int.Parse(reported[2]));
        }
        catch (ArgumentException error)
        {
            return error.Message;
        }
        return grid.Near(Number(reported[3]), Number(reported[4]), Number(reported[5])).ConvertAll(Part);
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
            { "samples", data.Heights.Cast<float>().Select(item => (int)Math.Round(item * 65535.0)).ToList() },
            { "neighbours", terrain.Neighbours.Select(item => item == null ? null : item.name).ToList() },
        };
    }

    // A loader of the parts beside a world, with its player.
    private static WorldLoader Loader(string path, string radius, string margin, string atOnce)
    {
        var context = new UnityEditor.AssetImporters.AssetImportContext { assetPath = path };
        GameObject root = Prefab(path, new string[0], context);
        var loader = root.GetComponent<WorldLoader>();
        loader.radius = (float)Number(radius);
        loader.margin = (float)Number(margin);
        loader.atOnce = int.Parse(atOnce);
        foreach (string file in Directory.GetFiles(Path.GetDirectoryName(path), "*.lvb", SearchOption.AllDirectories))
        {
            var prefab = new GameObject(Path.GetFileNameWithoutExtension(file));
            LevelAsset asset = LevelAsset.Of(prefab.name, File.ReadAllBytes(file));
            prefab.AddComponent<ExportedLevel>().Setup(asset, 0, 1, "");
            Resources.Prefabs["Levels/w.world/" + prefab.name] = prefab;
        }
        loader.target = new GameObject("player").transform;
        Application.isPlaying = true;
        Application.Send(loader, "Awake");
        return loader;
    }

    private static void MoveTo(WorldLoader loader, string coordinates)
    {
        string[] point = coordinates.Split(',');
        loader.target.position = new Vector3((float)Number(point[0]), (float)Number(point[1]), 0);
    }

    private static object Sight(string[] reported)
    {
        WorldLoader loader = Loader(reported[0], reported[1], "0", "100");
        var answers = new List<object>();
        string line = "walk " + reported[2];
        do
        {
            string[] words = line.Split(' ');
            if (words[0] == "walk")
            {
                MoveTo(loader, words[1]);
                Application.Send(loader, "Update");
                Resources.Finish();
            }
            else
            {
                answers.Add(View(loader, int.Parse(words[0]), int.Parse(words[1])));
            }
        }
        while ((line = Console.In.ReadLine()) != null);
        return new Dictionary<string, object>
        {
            { "has", loader.HasVisibility }, { "radius", loader.SightRadius }, { "answers", answers },
        };
    }

    // A refusal becomes its message.
    private static object View(WorldLoader loader, int x, int y)
    {
        try
        {
            // Changes to one answer affect no other.
            Array.Clear(loader.VisibleFrom(x, y), 0, 1);
            var near = new List<bool>();
            for (int index = 0; index < 81; index++)
            {
                near.Add(loader.CanSee(x, y, x - 4 + index % 9, y - 4 + index / 9));
            }
            return new Dictionary<string, object>
            {
                { "seen", Digits(loader.VisibleFrom(x, y)) },
                { "opaque", Digits(loader.OpaqueAround(x, y)) },
                { "near", Digits(near) },
            };
        }
        catch (Exception error) when (error is ArgumentException || error is LevelBlobException)
        {
            return error.Message;
        }
    }

    private static string Digits(IEnumerable<bool> values)
    {
        return string.Concat(values.Select(item => item ? "1" : "0"));
    }

    private static object Walk(string[] reported)
    {
        WorldLoader loader = Loader(reported[0], reported[1], reported[2], reported[3]);
        GameObject root = loader.gameObject;
        var steps = new List<object>();
        foreach (string step in reported.Skip(4))
        {
            List<string> ended = step == "wait" ? Resources.Finish() : new List<string>();
            if (step != "wait")
            {
                MoveTo(loader, step);
            }
            Application.Send(loader, "Update");
            steps.Add(new Dictionary<string, object>
            {
                { "ended", ended },
                { "shown", loader.LoadedParts.Keys.OrderBy(item => item.Y).ThenBy(item => item.X).Select(Part).ToList() },
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
