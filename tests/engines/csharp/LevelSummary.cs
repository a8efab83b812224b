using System.Collections.Generic;
using System.Linq;
using System.Security.Cryptography;
using LevelExporter;

/// <summary>Everything a level holds in the form of the shared vectors' manifest.</summary>
public static class LevelSummary
{
    /// <summary>Every level of a file.</summary>
    public static List<object> OfFile(byte[] bytes, IReadOnlyList<int> viewers)
    {
        LevelBlob blob = LevelBlob.FromBytes(bytes);
        var levels = new List<object>();
        for (int number = 0; number < blob.LevelCount; number++)
        {
            blob.Select(number);
            levels.Add(Of(blob, viewers));
        }
        return levels;
    }

    /// <summary>The selected level; viewers are x and y in turn.</summary>
    public static Dictionary<string, object> Of(LevelBlob blob, IReadOnlyList<int> viewers)
    {
        // Parts that no viewer requests may be broken too.
        blob.Verify();
        return new Dictionary<string, object>
        {
            { "name", blob.Name },
            { "width", blob.Width },
            { "height", blob.Height },
            { "seed", blob.Seed },
            { "rng", blob.Description["rng"] },
            { "properties", blob.Properties },
            { "visibility_layer", blob.Description["visibility_layer"] },
            { "layers", blob.Layers.Select(layer => Layer(blob, layer)).ToList() },
            { "visibility", Visibility(blob, viewers) },
            { "objects", blob.Objects.Select(Object).ToList() },
            { "tables", blob.Tables.Select(Table).ToList() },
            { "puzzles", blob.Puzzles.Select(Puzzle).ToList() },
        };
    }

    public static string Digest(byte[] bytes)
    {
        using (SHA256 hash = SHA256.Create())
        {
            return string.Concat(hash.ComputeHash(bytes).Select(part => part.ToString("x2")));
        }
    }

    public static string Digest(bool[] truth)
    {
        return truth == null ? null : Digest(truth.Select(item => (byte)(item ? 1 : 0)).ToArray());
    }

    private static Dictionary<string, object> Layer(LevelBlob blob, LevelLayer layer)
    {
        byte[] bytes = blob.CellBytes(layer.Name);
        int[] cells = blob.Cells(layer.Name);
        LevelHeightRange heights = layer.HeightRange;
        return new Dictionary<string, object>
        {
            { "name", layer.Name },
            { "kind", layer.IsHeights ? "heights" : "tiles" },
            { "width", layer.Width },
            { "height", layer.Height },
            { "element", bytes.Length > cells.Length ? "uint16" : "uint8" },
            { "cells", Digest(bytes) },
            { "walkable", Digest(blob.Walkable(layer.Name)) },
            { "opaque", Digest(blob.Opaque(layer.Name)) },
            { "tiles", layer.Tiles.Select(Tile).ToList() },
            {
                "heights",
                heights == null
                    ? null
                    : new List<object> { heights.Minimum, heights.Maximum, heights.Units }
            },
            { "role", layer.Role },
            { "connections", layer.Connections.Select(Connection).ToList() },
            {
                "masks",
                layer.Masks.ToDictionary(
                    name => name, name => (object)Digest(blob.Mask(layer.Name, name)))
            },
            { "first_cells", cells.Take(8).ToList() },
        };
    }

    private static object Connection(LevelConnection connection)
    {
        return new List<object>
        {
            connection.FirstRoom,
            connection.SecondRoom,
            connection.Cell.X,
            connection.Cell.Y,
            connection.IsDoor ? "door" : "opening",
        };
    }

    private static object Tile(LevelTile tile)
    {
        return new Dictionary<string, object>
        {
            { "id", tile.Id },
            { "name", tile.Name },
            { "walkable", tile.IsWalkable },
            { "opaque", tile.IsOpaque },
            { "color", tile.Color },
        };
    }

    private static object Object(LevelObject thing)
    {
        return new Dictionary<string, object>
        {
            { "id", thing.Id },
            { "name", thing.Name },
            { "x", thing.Cell.X },
            { "y", thing.Cell.Y },
            { "properties", thing.Properties },
        };
    }

    private static object Table(LevelTable table)
    {
        return new Dictionary<string, object>
        {
            { "name", table.Name },
            { "columns", table.Columns.Select(Column).ToList() },
            { "rows", table.Rows },
        };
    }

    private static object Column(LevelColumn column)
    {
        return new Dictionary<string, object>
        {
            { "name", column.Name }, { "type", column.Type }, { "nullable", column.IsNullable },
        };
    }

    private static object Puzzle(LevelPuzzle puzzle)
    {
        return new Dictionary<string, object>
        {
            { "name", puzzle.Name }, { "kind", puzzle.Kind }, { "data", puzzle.Data },
        };
    }

    private static object Visibility(LevelBlob blob, IReadOnlyList<int> viewers)
    {
        if (!blob.HasVisibility)
        {
            return null;
        }
        var seen = new List<object>();
        var pairs = new List<object>();
        for (int index = 0; index < viewers.Count; index += 2)
        {
            int x = viewers[index];
            int y = viewers[index + 1];
            if (x >= blob.Width || y >= blob.Height)
            {
                continue;
            }
            bool[] from = blob.VisibleFrom(x, y);
            seen.Add(
                new Dictionary<string, object>
                {
                    { "x", x },
                    { "y", y },
                    { "count", from.Count(item => item) },
                    { "cells", Digest(from) },
                });
            foreach (int[] step in new[] { new[] { 3, 1 }, new[] { -2, 5 }, new[] { 0, -4 } })
            {
                int toX = x + step[0];
                int toY = y + step[1];
                if (toX >= 0 && toY >= 0 && toX < blob.Width && toY < blob.Height)
                {
                    pairs.Add(new List<object> { x, y, toX, toY, blob.CanSee(x, y, toX, toY) });
                }
            }
        }
        return new Dictionary<string, object> { { "visible_from", seen }, { "can_see", pairs } };
    }
}
