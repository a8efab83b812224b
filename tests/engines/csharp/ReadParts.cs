using System;
using System.Linq;
using LevelExporter;

/// <summary>
/// Reads each layer of a file whole and part by part, with a reader of its own for each part, and
/// prints for each layer how many parts it has and whether they make the whole.
/// </summary>
public static class ReadParts
{
    public static void Main(string[] arguments)
    {
        LevelBlob whole = LevelBlob.Open(arguments[0]);
        foreach (LevelLayer layer in whole.Layers)
        {
            int count = whole.PartCount(layer.Name);
            bool same = Enumerable.Range(0, count)
                .All(part => IsSame(whole, LevelBlob.Open(arguments[0]), layer.Name, part));
            Console.WriteLine(layer.Name + " " + count + " " + same);
        }
    }

    private static bool IsSame(LevelBlob whole, LevelBlob fresh, string layer, int part)
    {
        GridView bounds = fresh.PartBounds(layer, part);
        int[] cells = fresh.PartCells(layer, part);
        for (int index = 0; index < cells.Length; index++)
        {
            int x = bounds.X + index % bounds.Width;
            int y = bounds.Y + index / bounds.Width;
            if (cells[index] != whole.CellAt(layer, x, y))
            {
                return false;
            }
        }
        return cells.Length == bounds.Width * bounds.Height;
    }
}
