using System.Collections.Generic;

namespace LevelExporter.Blob
{
    /// <summary>
    /// Takes typed fields from a map of values; unknown keys are never looked at.
    /// </summary>
    internal static class ValueFields
    {
        public static Dictionary<string, object> Map(object value)
        {
            return As<Dictionary<string, object>>(value, "a map");
        }

        public static List<object> List(object value)
        {
            return As<List<object>>(value, "a list");
        }

        public static object Field(Dictionary<string, object> map, string key)
        {
            object value;
            if (!map.TryGetValue(key, out value))
            {
                throw new LevelBlobException("broken level data: " + key + " is missing");
            }
            return value;
        }

        public static string Text(Dictionary<string, object> map, string key)
        {
            return As<string>(Field(map, key), "a text (" + key + ")");
        }

        public static int Whole(object value)
        {
            if (!(value is long) || (long)value < int.MinValue || (long)value > int.MaxValue)
            {
                throw new LevelBlobException("broken level data: a number is missing");
            }
            return (int)(long)value;
        }

        /// <summary>Cells of a side: longer ones are refused before they are multiplied.</summary>
        public static int Side(object value)
        {
            int side = Whole(value);
            if (side < 0 || side >= 1 << 24)
            {
                throw new LevelBlobException("broken level data: a side of " + side + " cells");
            }
            return side;
        }

        /// <summary>A list of two whole numbers.</summary>
        public static GridCell Cell(object value)
        {
            List<object> pair = List(value);
            if (pair.Count != 2)
            {
                throw new LevelBlobException("broken level data: a cell is no pair of numbers");
            }
            return new GridCell(Whole(pair[0]), Whole(pair[1]));
        }

        // Of a list that is a property.
        private const int MostEntries = 1024;

        /// <summary>A map of single values, lists of them, and maps with one key: a type.</summary>
        public static Dictionary<string, object> Properties(object value)
        {
            Dictionary<string, object> map = Map(value);
            foreach (object entry in map.Values)
            {
                var entries = entry as List<object>;
                if (entries != null ? entries.Count > MostEntries || !entries.TrueForAll(IsSingle)
                    : !IsSingle(entry))
                {
                    throw new LevelBlobException("broken level data: no value of a property");
                }
            }
            return map;
        }

        private static bool IsSingle(object value)
        {
            var map = value as Dictionary<string, object>;
            if (map == null)
            {
                return !(value is List<object>);
            }
            object content;
            if (map.Count == 1 && map.TryGetValue("vector", out content))
            {
                var numbers = content as List<object>;
                return numbers != null && (numbers.Count == 2 || numbers.Count == 3)
                    && numbers.TrueForAll(number => number is long || number is double);
            }
            return map.Count == 1
                && (map.TryGetValue("color", out content) || map.TryGetValue("resource", out content)
                    || map.TryGetValue("object", out content))
                && content is string;
        }

        /// <summary>Refuses lists and maps.</summary>
        public static void CheckScalar(object value)
        {
            if (value is List<object> || value is Dictionary<string, object>)
            {
                throw new LevelBlobException("broken level data: a list or map as a single value");
            }
        }

        public static double Number(object value)
        {
            if (value is long)
            {
                return (long)value;
            }
            if (value is double)
            {
                return (double)value;
            }
            throw new LevelBlobException("broken level data: a number is missing");
        }

        public static bool Truth(Dictionary<string, object> map, string key)
        {
            object value = Field(map, key);
            if (!(value is bool))
            {
                throw new LevelBlobException("broken level data: " + key + " is no truth value");
            }
            return (bool)value;
        }

        private static T As<T>(object value, string what)
            where T : class
        {
            var typed = value as T;
            if (typed == null)
            {
                throw new LevelBlobException("broken level data: " + what + " is missing");
            }
            return typed;
        }
    }
}
