using System;
using System.Collections.Generic;
using System.Linq;
using LevelExporter;

/// <summary>Prints the rooms of the layers of a level as JSON, with their connections.</summary>
public static class TellRooms
{
    public static void Main(string[] files)
    {
        LevelBlob blob = LevelBlob.Open(files[0]);
        Console.WriteLine(JsonText.Of(blob.Layers.ToDictionary(layer => layer.Name, Layer)));
    }

    private static object Layer(LevelLayer layer)
    {
        return new Dictionary<string, object>
        {
            { "rooms", layer.Rooms.Select((room, place) => Room(layer, room, place)).ToList() },
            {
                "connections",
                layer.Connections
                    .Select(
                        one => (object)new List<object>
                        {
                            one.FirstRoom, one.SecondRoom, one.Cell.X, one.Cell.Y, one.IsDoor,
                        })
                    .ToList()
            },
        };
    }

    private static object Room(LevelLayer layer, LevelRoom room, int place)
    {
        var corners = new[]
        {
            room.Corner,
            new GridCell(room.Corner.X + room.Width - 1, room.Corner.Y + room.Height - 1),
            new GridCell(room.Corner.X + room.Width, room.Corner.Y),
            new GridCell(room.Corner.X, room.Corner.Y - 1),
        };
        return new Dictionary<string, object>
        {
            { "name", room.Name },
            { "rectangle", new List<object> { room.Corner.X, room.Corner.Y, room.Width, room.Height } },
            { "center", new List<object> { room.Center.X, room.Center.Y } },
            { "neighbours", layer.NeighboursOf(place).Select(one => (object)one).ToList() },
            { "contains", corners.Select(cell => (object)room.Contains(cell)).ToList() },
        };
    }
}
