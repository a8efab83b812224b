using System;
using System.Collections.Generic;
using System.Globalization;
using System.Reflection;
using UnityEngine;

namespace LevelExporter.Editing
{
    /// <summary>
    /// Sets fields of components from properties of the same name: fields that Unity serialises, so
    /// public ones and those with [SerializeField].
    /// </summary>
    internal static class ComponentFields
    {
        private const BindingFlags Own = BindingFlags.Instance | BindingFlags.Public
            | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

        /// <summary>
        /// Sets the fields of a component that have the name of a property, and reports fields of
        /// another type: they stay as they are, as do fields whose property is null.
        /// </summary>
        public static List<string> Fill(
            object component, IReadOnlyDictionary<string, object> properties)
        {
            var problems = new List<string>();
            foreach (KeyValuePair<string, object> property in properties)
            {
                FieldInfo field = Find(component.GetType(), property.Key);
                if (field == null || property.Value == null)
                {
                    continue;
                }
                object value = Converted(property.Value, field.FieldType);
                if (value != null)
                {
                    field.SetValue(component, value);
                    continue;
                }
                problems.Add(
                    field.DeclaringType.Name + "." + field.Name + " is of the type "
                    + field.FieldType.Name + ", which cannot hold " + Describe(property.Value));
            }
            return problems;
        }

        // Private fields of base classes are not among the members of a class.
        private static FieldInfo Find(Type type, string name)
        {
            for (Type owner = type; owner != null && owner != typeof(MonoBehaviour); owner = owner.BaseType)
            {
                FieldInfo field = owner.GetField(name, Own);
                if (field != null && IsSerialized(field))
                {
                    return field;
                }
            }
            return null;
        }

        private static bool IsSerialized(FieldInfo field)
        {
            return !field.IsInitOnly && !field.IsNotSerialized
                && (field.IsPublic || field.IsDefined(typeof(SerializeField), false));
        }

        // The value as a field of a type holds it; null if it cannot.
        private static object Converted(object value, Type type)
        {
            var map = value as Dictionary<string, object>;
            if (map != null)
            {
                foreach (KeyValuePair<string, object> typed in map)
                {
                    return Typed(typed.Key, typed.Value, type);
                }
            }
            var list = value as List<object>;
            if (list != null)
            {
                return Listed(list, type);
            }
            if (type == value.GetType())
            {
                return value;
            }
            if (type.IsEnum)
            {
                return value is string && Enum.IsDefined(type, value)
                    ? Enum.Parse(type, (string)value)
                    : null;
            }
            if (type == typeof(float) || type == typeof(double))
            {
                return value is long || value is double ? Real(value, type) : null;
            }
            if (!(value is long) || !type.IsPrimitive || type == typeof(bool) || type == typeof(char))
            {
                return null;
            }
            try
            {
                return Convert.ChangeType(value, type, CultureInfo.InvariantCulture);
            }
            catch (OverflowException)
            {
                return null;
            }
        }

        // A colour or a vector; of resources and objects, fields of text have the path or the name.
        private static object Typed(string kind, object content, Type type)
        {
            if (kind == "color" && (type == typeof(Color) || type == typeof(Color32)))
            {
                string text = ((string)content).PadRight(9, 'f');
                var parts = new byte[4];
                for (int index = 0; index < 4; index++)
                {
                    if (!byte.TryParse(
                        text.Substring(1 + 2 * index, 2), NumberStyles.HexNumber,
                        CultureInfo.InvariantCulture, out parts[index]))
                    {
                        return null;
                    }
                }
                return type == typeof(Color32)
                    ? (object)new Color32(parts[0], parts[1], parts[2], parts[3])
                    : new Color(parts[0] / 255f, parts[1] / 255f, parts[2] / 255f, parts[3] / 255f);
            }
            var numbers = content as List<object>;
            if (numbers == null)
            {
                return type == typeof(string) ? content : null;
            }
            double[] values = numbers.ConvertAll(
                number => Convert.ToDouble(number, CultureInfo.InvariantCulture)).ToArray();
            if (values.Length == 2 && type == typeof(Vector2))
            {
                return new Vector2((float)values[0], (float)values[1]);
            }
            if (values.Length == 3 && type == typeof(Vector3))
            {
                return new Vector3((float)values[0], (float)values[1], (float)values[2]);
            }
            if (!Array.TrueForAll(values, number => number == (int)number))
            {
                return null;
            }
            return values.Length == 2 && type == typeof(Vector2Int)
                ? (object)new Vector2Int((int)values[0], (int)values[1])
                : values.Length == 3 && type == typeof(Vector3Int)
                    ? (object)new Vector3Int((int)values[0], (int)values[1], (int)values[2])
                    : null;
        }

        private static object Listed(List<object> list, Type type)
        {
            bool grows = type.IsGenericType && type.GetGenericTypeDefinition() == typeof(List<>);
            Type entry = grows ? type.GetGenericArguments()[0]
                : type.IsArray && type.GetArrayRank() == 1 ? type.GetElementType() : null;
            if (entry == null)
            {
                return null;
            }
            Array values = Array.CreateInstance(entry, list.Count);
            for (int index = 0; index < list.Count; index++)
            {
                object value = list[index] == null ? null : Converted(list[index], entry);
                if (value == null)
                {
                    return null;
                }
                values.SetValue(value, index);
            }
            return grows ? Activator.CreateInstance(type, values) : values;
        }

        private static object Real(object value, Type type)
        {
            double number = Convert.ToDouble(value, CultureInfo.InvariantCulture);
            if (type == typeof(double))
            {
                return number;
            }
            return float.IsInfinity((float)number) ? null : (object)(float)number;
        }

        private static string Describe(object value)
        {
            string text = Scenes.ExportedObject.TextOf(value);
            return value is string ? "the text \"" + text + "\""
                : text;
        }
    }
}
