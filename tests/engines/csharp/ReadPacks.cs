using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using LevelExporter;

/// <summary>
/// Reads packs and answers questions about them, as tests/vectors/manifest.json has them. Each line
/// of the input is `path|metrics|conditions|dates|seeds`, items joined by `;`; each of the output a
/// JSON document.
/// </summary>
public static class ReadPacks
{
    public static void Main()
    {
        // A locale in which numbers have decimal commas must make no difference.
        System.Threading.Thread.CurrentThread.CurrentCulture =
            System.Globalization.CultureInfo.GetCultureInfo("de-DE");
        string line;
        while ((line = Console.In.ReadLine()) != null)
        {
            string[][] asked = line.Split('|').Select(part => part.Split(';')).ToArray();
            Console.WriteLine(JsonText.Of(Answer(asked)));
        }
    }

    private static Dictionary<string, object> Answer(string[][] asked)
    {
        var levels = new List<object>();
        try
        {
            LevelPack pack = LevelPack.Open(File.ReadAllBytes(asked[0][0]));
            for (int index = 0; index < pack.Count; index++)
            {
                levels.Add(Level(pack.Level(index)));
            }
            return new Dictionary<string, object>
            {
                { "error", "" },
                { "is_same", true },
                { "levels", levels },
                { "name", pack.Name },
                { "seeds", pack.Values("seed").ToList() },
                { "metrics", asked[1].ToDictionary(name => name, name => (object)Bits(pack.Values(name))) },
                { "find", asked[2].Select(text => (object)List(pack.Find(text))).ToList() },
                { "daily", asked[3].Select(date => (object)pack.Daily(date)).ToList() },
                { "shuffled", asked[4].Select(seed => (object)List(pack.Shuffled(long.Parse(seed)))).ToList() },
            };
        }
        catch (LevelBlobException error)
        {
            return new Dictionary<string, object> { { "error", error.Message }, { "levels", levels } };
        }
    }

    private static List<object> List(IEnumerable<int> numbers)
    {
        return numbers.Select(number => (object)number).ToList();
    }

    private static string Bits(IEnumerable<object> values)
    {
        return string.Concat(
            values.SelectMany(value => BitConverter.GetBytes(Convert.ToDouble(value)))
                .Select(item => item.ToString("x2")));
    }

    private static Dictionary<string, object> Level(LevelBlob level)
    {
        byte[] cells = level.Cells("ground").Select(cell => (byte)cell).ToArray();
        return new Dictionary<string, object>
        {
            { "cells", string.Concat(SHA256.Create().ComputeHash(cells).Select(item => item.ToString("x2"))) },
            {
                "objects",
                level.Objects.Select(item => (object)new List<object> { item.Id, item.Name, item.Cell.X, item.Cell.Y })
                    .ToList()
            },
        };
    }
}
