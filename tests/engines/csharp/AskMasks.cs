using System;
using System.Collections.Generic;
using System.Linq;
using LevelExporter;

/// <summary>
/// Prints a line of JSON for each path of the input, about the level as a whole: its play layers
/// and visible layers, and the cells that can be walked on and seen through.
/// </summary>
public static class AskMasks
{
    public static void Main()
    {
        string path;
        while ((path = Console.In.ReadLine()) != null)
        {
            Console.WriteLine(JsonText.Of(Answer(LevelBlob.Open(path))));
        }
    }

    private static Dictionary<string, object> Answer(LevelBlob level)
    {
        return new Dictionary<string, object>
        {
            { "roles", level.Layers.Select(layer => (object)layer.Role).ToList() },
            { "aligned", level.Layers.Select(layer => (object)layer.IsGridAligned).ToList() },
            { "play", level.PlayLayers.Select(layer => (object)layer.Name).ToList() },
            { "seen", level.SeenLayers.Select(layer => (object)layer.Name).ToList() },
            { "walkable", Text(level.Walkable()) },
            { "opaque", Text(level.Opaque()) },
        };
    }

    private static string Text(bool[] mask)
    {
        return string.Concat(mask.Select(item => item ? '1' : '0'));
    }
}
