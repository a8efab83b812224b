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
            { "rooms", layer.Rooms.Select((room, number) => Room(layer, room, number)).ToList() },
            {
                "connections",
                layer.Connections
                    .Select(
                        item => (object)new List<object>
                        {
                            item.FirstRoom, item.SecondRoom, item.Cell.X, item.Cell.Y, item.IsDoor,
                        })
                    .ToList()
            },
        };
    }

    private static object Room(LevelLayer layer, LevelRoom room, int number)
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
            { "neighbours", layer.NeighboursOf(number).Select(item => (object)item).ToList() },
            { "contains", corners.Select(cell => (object)room.Contains(cell)).ToList() },
        };
    }
}
