using System;
using System.Collections.Generic;
using System.Globalization;
using UnityEngine;

namespace LevelExporter.Scenes
{
    /// <summary>
    /// The level's data of an object: beside the prefab for it, so that replacing a marker by a
    /// prefab loses nothing.
    /// </summary>
    public sealed class ExportedObject : MonoBehaviour
    {
        [SerializeField]
        private int id = 0;

        [SerializeField]
        private string kind = "";

        [SerializeField]
        private int x = 0;

        [SerializeField]
        private int y = 0;

        [SerializeField]
        private string[] keys = new string[0];

        [SerializeField]
        private string[] values = new string[0];

        /// <summary>The object's number in the level, from 1.</summary>
        public int Id
        {
            get { return id; }
        }

        /// <summary>The object's name in the level's spec.</summary>
        public string Kind
        {
            get { return kind; }
        }

        /// <summary>Its cell; the level's y points down.</summary>
        public GridCell Cell
        {
            get { return new GridCell(x, y); }
        }

        /// <summary>The names of the object's properties.</summary>
        public IReadOnlyList<string> PropertyNames
        {
            get { return keys; }
        }

        /// <summary>
        /// A property as text: numbers with a decimal point, `true` and `false`, empty for null, a
        /// colour as `#rrggbb`, the path of a resource, the name of an object, and numbers of a
        /// vector and entries of a list after each other; null if there is no such property.
        /// </summary>
        public string PropertyText(string name)
        {
            int index = Array.IndexOf(keys, name);
            return index < 0 ? null : values[index];
        }

        /// <summary>Filled in by the importer.</summary>
        public void Setup(LevelObject thing)
        {
            id = thing.Id;
            kind = thing.Name;
            x = thing.Cell.X;
            y = thing.Cell.Y;
            var names = new List<string>();
            var texts = new List<string>();
            foreach (KeyValuePair<string, object> property in thing.Properties)
            {
                names.Add(property.Key);
                texts.Add(TextOf(property.Value));
            }
            keys = names.ToArray();
            values = texts.ToArray();
        }

        /// <summary>A value of a property as text.</summary>
        public static string TextOf(object value)
        {
            var map = value as Dictionary<string, object>;
            if (map != null)
            {
                foreach (object content in map.Values)
                {
                    return TextOf(content);
                }
            }
            var list = value as List<object>;
            if (list != null)
            {
                return string.Join(", ", list.ConvertAll(TextOf).ToArray());
            }
            if (value is bool)
            {
                return (bool)value ? "true" : "false";
            }
            if (value is double)
            {
                return ((double)value).ToString("R", CultureInfo.InvariantCulture);
            }
            return Convert.ToString(value, CultureInfo.InvariantCulture) ?? "";
        }
    }
}
