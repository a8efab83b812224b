// Unity's JSON reader, see UnityEngine.cs: public fields of plain classes, arrays, numbers, texts.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.Reflection;
using System.Text;

namespace UnityEngine
{
    public static class JsonUtility
    {
        public static T FromJson<T>(string json)
        {
            object document = new JsonParser(json).Document();
            if (!(document is Dictionary<string, object>))
            {
                throw new ArgumentException("JSON must represent an object type.");
            }
            return (T)Fill(typeof(T), document);
        }

        private static object Fill(Type type, object value)
        {
            if (value == null)
            {
                return null;
            }
            if (type.IsArray)
            {
                var list = (List<object>)value;
                Array array = Array.CreateInstance(type.GetElementType(), list.Count);
                for (int index = 0; index < list.Count; index++)
                {
                    array.SetValue(Fill(type.GetElementType(), list[index]), index);
                }
                return array;
            }
            if (type.IsPrimitive)
            {
                return Convert.ChangeType(value, type, CultureInfo.InvariantCulture);
            }
            if (type == typeof(string))
            {
                return value;
            }
            object filled = Activator.CreateInstance(type);
            foreach (KeyValuePair<string, object> pair in (Dictionary<string, object>)value)
            {
                FieldInfo field = type.GetField(pair.Key);
                if (field != null)
                {
                    field.SetValue(filled, Fill(field.FieldType, pair.Value));
                }
            }
            return filled;
        }

        private sealed class JsonParser
        {
            private readonly string text;
            private int at;

            public JsonParser(string text)
            {
                this.text = text;
            }

            public object Document()
            {
                object value = Value();
                Space();
                if (at != text.Length)
                {
                    throw new ArgumentException("JSON parse error");
                }
                return value;
            }

            private object Value()
            {
                Space();
                char first = Peek();
                if (first == '{')
                {
                    var map = new Dictionary<string, object>();
                    Each('}', () =>
                    {
                        string key = Text();
                        Expect(':');
                        map[key] = Value();
                    });
                    return map;
                }
                if (first == '[')
                {
                    var list = new List<object>();
                    Each(']', () => list.Add(Value()));
                    return list;
                }
                if (first == '"')
                {
                    return Text();
                }
                int start = at;
                while (at < text.Length && (char.IsLetterOrDigit(text[at]) || "+-.".IndexOf(text[at]) >= 0))
                {
                    at++;
                }
                string word = text.Substring(start, at - start);
                if (word == "true" || word == "false")
                {
                    return word == "true";
                }
                if (word == "null")
                {
                    return null;
                }
                double number;
                if (!double.TryParse(word, NumberStyles.Float, CultureInfo.InvariantCulture, out number))
                {
                    throw new ArgumentException("JSON parse error");
                }
                return number;
            }

            private void Each(char end, Action read)
            {
                at++;
                Space();
                while (Peek() != end)
                {
                    read();
                    Space();
                    if (Peek() != end)
                    {
                        Expect(',');
                        Space();
                    }
                }
                at++;
            }

            private string Text()
            {
                Space();
                Expect('"');
                var value = new StringBuilder();
                while (Peek() != '"')
                {
                    char letter = text[at++];
                    if (letter == '\\')
                    {
                        letter = text[at++];
                        if (letter == 'u')
                        {
                            letter = (char)Convert.ToInt32(text.Substring(at, 4), 16);
                            at += 4;
                        }
                        else
                        {
                            letter = letter == 'n' ? '\n' : letter == 't' ? '\t' : letter;
                        }
                    }
                    value.Append(letter);
                }
                at++;
                return value.ToString();
            }

            private void Expect(char letter)
            {
                Space();
                if (Peek() != letter)
                {
                    throw new ArgumentException("JSON parse error");
                }
                at++;
            }

            private char Peek()
            {
                if (at >= text.Length)
                {
                    throw new ArgumentException("JSON parse error");
                }
                return text[at];
            }

            private void Space()
            {
                while (at < text.Length && char.IsWhiteSpace(text[at]))
                {
                    at++;
                }
            }
        }
    }
}
