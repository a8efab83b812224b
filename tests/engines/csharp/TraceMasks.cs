using System;
using System.Collections.Generic;
using System.Linq;
using LevelExporter;
using LevelExporter.Importing;

/// <summary>
/// Prints the outlines of masks as JSON, a line for each line of the input: the width and height of
/// the map, x, y, width and height of the part, and the map's cells as `0` and `1`.
/// </summary>
public static class TraceMasks
{
    public static void Main()
    {
        string line;
        while ((line = Console.In.ReadLine()) != null)
        {
            string[] words = line.Split(' ');
            int[] sizes = words.Take(6).Select(int.Parse).ToArray();
            bool[] mask = words[6].Select(cell => cell == '1').ToArray();
            var part = new GridView(sizes[2], sizes[3], sizes[4], sizes[5]);
            List<GridCell[][]> result = MaskOutlines.Of(mask, sizes[0], part);
            Console.WriteLine(
                JsonText.Of(result.Select(rings => rings.Select(Points).ToList()).ToList()));
        }
    }

    private static List<object> Points(GridCell[] ring)
    {
        return ring.Select(point => (object)new List<object> { point.X, point.Y }).ToList();
    }
}
