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
