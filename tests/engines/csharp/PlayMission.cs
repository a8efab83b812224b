using System;
using System.Collections.Generic;
using System.Linq;
using LevelExporter;

/// <summary>
/// Plays the mission of the blob that the first line names, a step each further line; prints the
/// answer of each as JSON.
/// </summary>
public static class PlayMission
{
    private static readonly List<string> events = new List<string>();

    public static void Main()
    {
        string file = Console.In.ReadLine();
        LevelMission mission = Begin(file);
        string line;
        while ((line = Console.In.ReadLine()) != null)
        {
            string[] words = line.Split(' ');
            if (words[0] == "restored")
            {
                Dictionary<string, object> saved = mission.Save();
                mission = Begin(file);
                mission.Restore(saved);
                var keys = (Dictionary<string, int>)mission.Save()["keys"];
                var open = (List<int>)mission.Save()["open"];
                Console.WriteLine(
                    "{\"keys\": {" + string.Join(", ", keys.Select(key => $"\"{key.Key}\": {key.Value}"))
                    + "}, \"open\": [" + string.Join(", ", open) + "]}");
                continue;
            }
            Console.WriteLine(Answer(mission, words));
        }
    }

    private static LevelMission Begin(string file)
    {
        LevelMission mission = LevelBlob.FromBytes(System.IO.File.ReadAllBytes(file)).Mission;
        mission.Used += name => events.Add("\"taken " + name + "\"");
        mission.Opened += index => events.Add("\"opened " + index + "\"");
        return mission;
    }

    private static string Answer(LevelMission mission, string[] words)
    {
        if (words[0] == "events")
        {
            return "[" + string.Join(", ", events) + "]";
        }
        if (words[0] == "take")
        {
            mission.Take(words[1]);
            return "[\"taken\", \"" + words[1] + "\"]";
        }
        if (words[0] == "keys")
        {
            return mission.Keys(words[1]).ToString();
        }
        int[] numbers = words.Skip(1).Select(int.Parse).ToArray();
        if (words[0] == "lock_at")
        {
            return mission.LockAt(new GridCell(numbers[0], numbers[1])).ToString();
        }
        bool answer = words[0] == "can_open"
            ? mission.CanOpen(numbers[0], new GridCell(numbers[1], numbers[2]))
            : words[0] == "open"
            ? mission.Open(numbers[0], new GridCell(numbers[1], numbers[2]))
            : mission.CanStep(
                new GridCell(numbers[0], numbers[1]), new GridCell(numbers[2], numbers[3]));
        return answer ? "true" : "false";
    }
}
