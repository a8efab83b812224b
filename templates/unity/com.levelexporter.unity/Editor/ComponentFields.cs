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
            string text = Convert.ToString(value, CultureInfo.InvariantCulture);
            return value is string ? "the text \"" + text + "\""
                : value is bool ? text.ToLowerInvariant()
                : text;
        }
    }
}
