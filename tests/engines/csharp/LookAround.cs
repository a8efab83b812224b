using System;
using System.Collections.Generic;
using System.Linq;
using LevelExporter;

/// <summary>
/// Answers questions about sight and geometry, a line each:
/// `see width height radius rule see_walls x y map`, `line ax ay bx by`,
/// `view x y view_width view_height map_width map_height`. Maps and answers are of 0 and 1.
/// </summary>
public static class LookAround
{
    public static void Main()
    {
        string line;
        while ((line = Console.In.ReadLine()) != null)
        {
            string[] words = line.Split(' ');
            int[] numbers = words.Skip(1).Take(7).Select(int.Parse).ToArray();
            Console.WriteLine(
                words[0] == "see" ? See(numbers, words[8])
                : words[0] == "line" ? Line(numbers)
                : View(numbers));
        }
    }

    private static string See(int[] numbers, string map)
    {
        bool[] opaque = map.Select(cell => cell == '1').ToArray();
        var seen = new bool[opaque.Length];
        FieldOfView.Compute(
            opaque, numbers[0], numbers[1], numbers[5], numbers[6], numbers[2],
            (SightRule)numbers[3], numbers[4] == 1, seen);
        return string.Concat(seen.Select(cell => cell ? "1" : "0"));
    }

    private static string Line(int[] ends)
    {
        List<GridCell> cells = LevelGeometry.Line(
            new GridCell(ends[0], ends[1]), new GridCell(ends[2], ends[3]));
        return string.Join(" ", cells.Select(cell => cell.X + "," + cell.Y));
    }

    private static string View(int[] sizes)
    {
        GridView view = LevelGeometry.GameView(
            new GridCell(sizes[0], sizes[1]), sizes[2], sizes[3], sizes[4], sizes[5]);
        return view.X + " " + view.Y + " " + view.Width + " " + view.Height;
    }
}
