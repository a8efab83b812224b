using System.Collections.Generic;

namespace LevelExporter.Blob
{
    /// <summary>
    /// Makes layers, objects, tables and puzzles of the values that describe them.
    /// </summary>
    internal static class LevelDescriptions
    {
        private const int MostSeedDigits = 4096;

        private static readonly string[] LockKinds = { "key", "small_key", "one_way", "shortcut" };

        private static readonly string[] ColumnTypes = { "text", "integer", "number", "boolean" };

        private static readonly string[] Roles = { "play", "picture", "data", "none" };

        public static LevelLayer Layer(object value, int item, int firstMask)
        {
            Dictionary<string, object> map = ValueFields.Map(value);
            string kind = ValueFields.Text(map, "kind");
            if (kind != "tiles" && kind != "heights")
            {
                throw new LevelBlobException("a layer of kind " + kind + " is not known here");
            }
            LayerChecks.Check(map);
            List<object> size = ValueFields.List(ValueFields.Field(map, "size"));
            if (size.Count != 2)
            {
                throw new LevelBlobException("broken level data: the size of a layer");
            }
            return new LevelLayer
            {
                Name = ValueFields.Text(map, "name"),
                IsHeights = kind == "heights",
                Width = ValueFields.Side(size[0]),
                Height = ValueFields.Side(size[1]),
                Tiles = Tiles(ValueFields.List(ValueFields.Field(map, "tiles"))),
                HeightRange = Heights(ValueFields.Field(map, "heights")),
                WalkableRule = WalkableRule(ValueFields.Field(map, "walkable")),
                Role = Role(ValueFields.Text(map, "role")),
                IsGridAligned = ValueFields.Truth(map, "grid_aligned"),
                Rooms = Rooms(ValueFields.List(ValueFields.Field(map, "rooms"))),
                Connections = Connections(map),
                Masks = Masks(ValueFields.List(ValueFields.Field(map, "masks"))),
                Description = map,
                Item = item,
                FirstMask = firstMask,
            };
        }

        public static object Seed(object value)
        {
            var map = value as Dictionary<string, object>;
            object seed = map == null ? value : ValueFields.Text(map, "integer");
            bool isSeed = map == null ? seed is long || seed is string : IsInteger((string)seed);
            if (!isSeed)
            {
                throw new LevelBlobException("broken level data: the seed");
            }
            return seed;
        }

        private static bool IsInteger(string digits)
        {
            int first = digits.StartsWith("-", System.StringComparison.Ordinal) ? 1 : 0;
            for (int index = first; index < digits.Length; index++)
            {
                if (digits[index] < '0' || digits[index] > '9')
                {
                    return false;
                }
            }
            return digits.Length > first && digits.Length - first <= MostSeedDigits;
        }

        public static LevelObject Object(object value)
        {
            Dictionary<string, object> map = ValueFields.Map(value);
            return new LevelObject
            {
                Id = ValueFields.Whole(ValueFields.Field(map, "id")),
                Name = ValueFields.Text(map, "name"),
                Cell = new GridCell(
                    ValueFields.Whole(ValueFields.Field(map, "x")),
                    ValueFields.Whole(ValueFields.Field(map, "y"))),
                Properties = ValueFields.Properties(ValueFields.Field(map, "properties")),
            };
        }

        public static LevelTable Table(object value)
        {
            Dictionary<string, object> map = ValueFields.Map(value);
            var columns = new List<LevelColumn>();
            foreach (object column in ValueFields.List(ValueFields.Field(map, "columns")))
            {
                Dictionary<string, object> fields = ValueFields.Map(column);
                string type = ValueFields.Text(fields, "type");
                if (System.Array.IndexOf(ColumnTypes, type) < 0)
                {
                    throw new LevelBlobException("a column of type " + type + " is not known here");
                }
                columns.Add(
                    new LevelColumn
                    {
                        Name = ValueFields.Text(fields, "name"),
                        Type = type,
                        IsNullable = ValueFields.Truth(fields, "nullable"),
                    });
            }
            var rows = new List<IReadOnlyList<object>>();
            foreach (object row in ValueFields.List(ValueFields.Field(map, "rows")))
            {
                List<object> fields = ValueFields.List(row);
                if (fields.Count != columns.Count)
                {
                    throw new LevelBlobException("broken level data: a row has other columns");
                }
                fields.ForEach(ValueFields.CheckScalar);
                rows.Add(fields);
            }
            return new LevelTable
            {
                Name = ValueFields.Text(map, "name"),
                Columns = columns,
                Rows = rows,
            };
        }

        public static LevelPuzzle Puzzle(object value)
        {
            Dictionary<string, object> map = ValueFields.Map(value);
            return new LevelPuzzle
            {
                Name = ValueFields.Text(map, "name"),
                Kind = ValueFields.Text(map, "kind"),
                Data = ValueFields.Map(ValueFields.Field(map, "data")),
            };
        }

        private static string Role(string role)
        {
            if (System.Array.IndexOf(Roles, role) < 0)
            {
                throw new LevelBlobException("the role " + role + " is not known here");
            }
            return role;
        }

        private static List<LevelRoom> Rooms(List<object> described)
        {
            var rooms = new List<LevelRoom>();
            foreach (object value in described)
            {
                Dictionary<string, object> map = ValueFields.Map(value);
                rooms.Add(
                    new LevelRoom
                    {
                        Name = ValueFields.Text(map, "name"),
                        Corner = new GridCell(
                            ValueFields.Whole(ValueFields.Field(map, "x")),
                            ValueFields.Whole(ValueFields.Field(map, "y"))),
                        Width = ValueFields.Whole(ValueFields.Field(map, "width")),
                        Height = ValueFields.Whole(ValueFields.Field(map, "height")),
                        Center = ValueFields.Cell(ValueFields.Field(map, "center")),
                    });
            }
            return rooms;
        }

        private static List<LevelConnection> Connections(Dictionary<string, object> layer)
        {
            int rooms = ValueFields.List(ValueFields.Field(layer, "rooms")).Count;
            var connections = new List<LevelConnection>();
            foreach (object value in ValueFields.List(ValueFields.Field(layer, "connections")))
            {
                Dictionary<string, object> map = ValueFields.Map(value);
                List<object> pair = ValueFields.List(ValueFields.Field(map, "rooms"));
                string kind = ValueFields.Text(map, "kind");
                if (pair.Count != 2 || (kind != "door" && kind != "opening"))
                {
                    throw new LevelBlobException("broken level data: a connection of rooms");
                }
                connections.Add(
                    new LevelConnection
                    {
                        FirstRoom = RoomOf(pair[0], rooms),
                        SecondRoom = RoomOf(pair[1], rooms),
                        Cell = new GridCell(
                            ValueFields.Whole(ValueFields.Field(map, "x")),
                            ValueFields.Whole(ValueFields.Field(map, "y"))),
                        IsDoor = kind == "door",
                    });
            }
            return connections;
        }

        /// <summary>The mission of a level; null without one.</summary>
        public static LevelMission Mission(Dictionary<string, object> level)
        {
            object value;
            if (!level.TryGetValue("mission", out value) || value == null)
            {
                return null;
            }
            Dictionary<string, object> map = ValueFields.Map(value);
            var locks = new List<LevelLock>();
            foreach (object entry in ValueFields.List(ValueFields.Field(map, "locks")))
            {
                locks.Add(Lock(ValueFields.Map(entry)));
            }
            var walkthrough = new List<string>();
            foreach (object text in ValueFields.List(ValueFields.Field(map, "walkthrough")))
            {
                walkthrough.Add(
                    text as string
                        ?? throw new LevelBlobException("broken level data: a walkthrough"));
            }
            ValueFields.Whole(ValueFields.Field(map, "states"));
            ValueFields.Whole(ValueFields.Field(map, "stranded"));
            return new LevelMission
            {
                Start = ValueFields.Text(map, "start"),
                Goal = ValueFields.Text(map, "goal"),
                Locks = locks,
                Walkthrough = walkthrough,
            };
        }

        private static LevelLock Lock(Dictionary<string, object> map)
        {
            string kind = ValueFields.Text(map, "kind");
            if (System.Array.IndexOf(LockKinds, kind) < 0)
            {
                throw new LevelBlobException("a lock of the kind " + kind + " is not known here");
            }
            return new LevelLock
            {
                Name = ValueFields.Text(map, "name"),
                Kind = kind,
                Cells = Cells(map, "cells"),
                OpenedFrom = Cells(map, "opened_from"),
            };
        }

        private static List<GridCell> Cells(Dictionary<string, object> map, string key)
        {
            var cells = new List<GridCell>();
            foreach (object cell in ValueFields.List(ValueFields.Field(map, key)))
            {
                cells.Add(ValueFields.Cell(cell));
            }
            return cells;
        }

        private static int RoomOf(object value, int rooms)
        {
            int room = ValueFields.Whole(value);
            if (room < 0 || room >= rooms)
            {
                throw new LevelBlobException("broken level data: there is no room " + room);
            }
            return room;
        }

        private static List<string> Masks(List<object> values)
        {
            var names = new List<string>();
            var known = new HashSet<string>();
            foreach (object value in values)
            {
                var name = value as string;
                if (name == null || !known.Add(name))
                {
                    throw new LevelBlobException("broken level data: the names of masks");
                }
                names.Add(name);
            }
            return names;
        }

        private static List<LevelTile> Tiles(List<object> values)
        {
            var tiles = new List<LevelTile>();
            foreach (object value in values)
            {
                Dictionary<string, object> map = ValueFields.Map(value);
                int id = ValueFields.Whole(ValueFields.Field(map, "id"));
                if (id < 0 || id > ushort.MaxValue)
                {
                    throw new LevelBlobException("tile id " + id + " is out of range");
                }
                tiles.Add(
                    new LevelTile
                    {
                        Id = id,
                        Name = ValueFields.Text(map, "name"),
                        IsWalkable = ValueFields.Truth(map, "walkable"),
                        IsOpaque = ValueFields.Truth(map, "opaque"),
                        Color = ValueFields.Text(map, "color"),
                    });
            }
            return tiles;
        }

        private static LevelHeightRange Heights(object value)
        {
            if (value == null)
            {
                return null;
            }
            Dictionary<string, object> map = ValueFields.Map(value);
            return new LevelHeightRange
            {
                Minimum = ValueFields.Number(ValueFields.Field(map, "minimum")),
                Maximum = ValueFields.Number(ValueFields.Field(map, "maximum")),
                Units = ValueFields.Text(map, "units"),
            };
        }

        private static object WalkableRule(object rule)
        {
            if (rule == null || rule is long || (rule as string) == "legend"
                || (rule as string) == "chunk")
            {
                return rule;
            }
            throw new LevelBlobException("the rule for walkable cells is not known here");
        }
    }
}
