using System;
using System.Collections;
using System.Collections.Generic;
using System.Text;

/// <summary>Writes values as JSON that loses nothing: decimals as {"bits": hexadecimal}.</summary>
public static class JsonText
{
    public static string Of(object value)
    {
        var text = new StringBuilder();
        Append(text, value);
        return text.ToString();
    }

    private static void Append(StringBuilder text, object value)
    {
        if (value == null)
        {
            text.Append("null");
        }
        else if (value is bool)
        {
            text.Append((bool)value ? "true" : "false");
        }
        else if (value is int || value is long)
        {
            text.Append(Convert.ToInt64(value));
        }
        else if (value is double)
        {
            long bits = BitConverter.DoubleToInt64Bits((double)value);
            text.Append("{\"bits\": \"" + bits.ToString("x16") + "\"}");
        }
        else if (value is string)
        {
            AppendText(text, (string)value);
        }
        else if (value is IReadOnlyDictionary<string, object>)
        {
            text.Append('{');
            foreach (KeyValuePair<string, object> pair in (IReadOnlyDictionary<string, object>)value)
            {
                text.Append(text[text.Length - 1] == '{' ? "" : ", ");
                AppendText(text, pair.Key);
                text.Append(": ");
                Append(text, pair.Value);
            }
            text.Append('}');
        }
        else
        {
            text.Append('[');
            foreach (object part in (IEnumerable)value)
            {
                text.Append(text[text.Length - 1] == '[' ? "" : ", ");
                Append(text, part);
            }
            text.Append(']');
        }
    }

    private static void AppendText(StringBuilder text, string value)
    {
        text.Append('"');
        foreach (char letter in value)
        {
            bool plain = letter >= 32 && letter < 127 && letter != '"' && letter != '\\';
            text.Append(plain ? letter.ToString() : "\\u" + ((int)letter).ToString("x4"));
        }
        text.Append('"');
    }
}
