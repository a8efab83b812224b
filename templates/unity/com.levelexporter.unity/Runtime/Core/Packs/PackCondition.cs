using System;
using System.Collections.Generic;
using System.Text.RegularExpressions;
using LevelExporter.Blob;

namespace LevelExporter.Packs
{
    /// <summary>
    /// A condition over measures, such as `farthest >= 60 and dead_ends &lt;= 6`: numbers, names,
    /// calculations, comparisons, and, or, not and parentheses.
    /// </summary>
    internal sealed class PackCondition
    {
        private const int Longest = 2000;
        private const int Deepest = 50;
        private const int MostDigits = 18;

        private static readonly string[] Comparisons = { "<", "<=", ">", ">=", "==", "!=" };
        private static readonly string[] Words = { "and", "or", "not" };

        private static readonly Regex Token = new Regex(
            @"\G\s*(?:(?<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)"
            + @"|(?<name>[A-Za-z_][A-Za-z0-9_]*(?:\.(?:[A-Za-z_][A-Za-z0-9_]*|[0-9]+|'[^'\n]*'))*)"
            + @"|(?<sign><=|>=|==|!=|<|>|[-+*/()]))",
            RegexOptions.CultureInvariant);

        private static readonly Regex Quoted = new Regex(
            @"\.'([A-Za-z_][A-Za-z0-9_]*|[0-9]+)'", RegexOptions.CultureInvariant);

        private readonly List<Match> tokens = new List<Match>();
        private readonly Term whole;
        private int at;
        private int depth;

        /// <summary>Reads a text.</summary>
        /// <exception cref="FormatException">It is no condition.</exception>
        public PackCondition(string text)
        {
            Names = new List<string>();
            if (text.Length > Longest)
            {
                throw new FormatException("the condition is too long");
            }
            for (int start = 0; text.Substring(start).Trim().Length > 0;)
            {
                Match match = Token.Match(text, start);
                if (!match.Success)
                {
                    throw new FormatException(
                        "the condition is not understood at: " + text.Substring(start));
                }
                tokens.Add(match);
                start = match.Index + match.Length;
            }
            whole = Condition(Either());
            if (at < tokens.Count)
            {
                throw new FormatException(Current() + " is not expected here");
            }
        }

        /// <summary>The measures in it, each once, in the order of the values.</summary>
        public List<string> Names { get; private set; }

        /// <summary>Whether a level meets it; one for which it has no value does not.</summary>
        public bool Holds(double[] values)
        {
            try
            {
                return whole.Holds(values);
            }
            catch (NotFiniteNumberException)
            {
                return false;
            }
        }

        private string Current()
        {
            return at < tokens.Count ? tokens[at].Value.Trim() : "";
        }

        private string Taken(params string[] texts)
        {
            string text = Current();
            bool isTaken = text.Length > 0 && Array.IndexOf(texts, text) >= 0;
            at += isTaken ? 1 : 0;
            return isTaken ? text : "";
        }

        private static Term Number(Term term)
        {
            if (term.Number == null)
            {
                throw new FormatException("a condition is where a number is expected");
            }
            return term;
        }

        private static Term Condition(Term term)
        {
            if (term.Holds == null)
            {
                throw new FormatException("a number is where a condition is expected");
            }
            return term;
        }

        private Term Deeper(Func<Term> inner)
        {
            CheckDepth(++depth);
            Term term = inner();
            depth--;
            return term;
        }

        private static void CheckDepth(int depth)
        {
            if (depth > Deepest)
            {
                throw new FormatException("the condition is nested too deeply");
            }
        }

        private Term Either()
        {
            return Joined("or", () => Joined("and", Negated));
        }

        private Term Joined(string word, Func<Term> inner)
        {
            Term first = inner();
            if (Current() != word)
            {
                return first;
            }
            var parts = new List<Term> { Condition(first) };
            while (Taken(word).Length > 0)
            {
                parts.Add(Condition(inner()));
            }
            return word == "and"
                ? new Term { Holds = values => parts.TrueForAll(part => part.Holds(values)) }
                : new Term { Holds = values => parts.Exists(part => part.Holds(values)) };
        }

        private Term Negated()
        {
            if (Taken("not").Length == 0)
            {
                return Comparison();
            }
            Term inner = Condition(Deeper(Negated));
            return new Term { Holds = values => !inner.Holds(values) };
        }

        private Term Comparison()
        {
            Term left = Sum();
            var parts = new List<Term>();
            for (string sign = Taken(Comparisons); sign.Length > 0; sign = Taken(Comparisons))
            {
                Term before = Number(left);
                Term behind = Number(Sum());
                string kind = sign;
                parts.Add(
                    new Term { Holds = values => Compared(kind, before.Number(values), behind.Number(values)) });
                left = behind;
            }
            return parts.Count == 0
                ? left
                : new Term { Holds = values => parts.TrueForAll(part => part.Holds(values)) };
        }

        private Term Sum()
        {
            return Calculation(() => Calculation(Factor, "*", "/"), "+", "-");
        }

        private Term Calculation(Func<Term> inner, params string[] signs)
        {
            Term left = inner();
            int count = 0;
            for (string sign = Taken(signs); sign.Length > 0; sign = Taken(signs))
            {
                CheckDepth(depth + ++count);
                Term before = Number(left);
                Term behind = Number(inner());
                string kind = sign;
                left = new Term
                {
                    Number = values => Calculated(kind, before.Number(values), behind.Number(values)),
                };
            }
            return left;
        }

        private Term Factor()
        {
            string sign = Taken("-", "+");
            if (sign.Length > 0)
            {
                Term inner = Number(Deeper(Factor));
                return sign == "-" ? new Term { Number = values => -inner.Number(values) } : inner;
            }
            if (Taken("(").Length > 0)
            {
                Term inner = Deeper(Either);
                if (Taken(")").Length == 0)
                {
                    throw new FormatException("a parenthesis is not closed");
                }
                return inner;
            }
            string text = Current();
            bool isNumber = text.Length > 0 && tokens[at].Groups["number"].Success;
            bool isName = text.Length > 0 && tokens[at].Groups["name"].Success;
            if (!isNumber && (!isName || Array.IndexOf(Words, text) >= 0))
            {
                throw new FormatException("a number or a measure is expected");
            }
            at++;
            if (isNumber)
            {
                double value = Decimal(text.ToLowerInvariant());
                return new Term { Number = values => value };
            }
            string name = Quoted.Replace(text, ".$1");
            if (!Names.Contains(name))
            {
                Names.Add(name);
            }
            int place = Names.IndexOf(name);
            return new Term { Number = values => values[place] };
        }

        // The nearest double; digits behind the 18th decide nothing in a condition.
        private static double Decimal(string text)
        {
            string[] parts = text.Split('e');
            int exponent = parts.Length == 2 ? Exponent(parts[1]) : 0;
            int point = parts[0].IndexOf('.');
            exponent -= point >= 0 ? parts[0].Length - point - 1 : 0;
            string digits = parts[0].Replace(".", "").TrimStart('0');
            if (digits.Length > MostDigits)
            {
                exponent += digits.Length - MostDigits;
                digits = digits.Substring(0, MostDigits);
            }
            string written = (digits.Length > 0 ? digits : "0") + "e" + exponent;
            try
            {
                return JsonNumber.Decimal(written, written.IndexOf('e'));
            }
            catch (LevelBlobException)
            {
                throw new FormatException("a number is too large");
            }
        }

        // Larger exponents make no difference: the number is 0 or infinite.
        private static int Exponent(string text)
        {
            int value;
            return int.TryParse(text.TrimStart('+', '-'), out value) && value < 9999
                ? (text[0] == '-' ? -value : value)
                : (text[0] == '-' ? -9999 : 9999);
        }

        private static bool Compared(string sign, double left, double right)
        {
            switch (sign)
            {
                case "<": return left < right;
                case "<=": return left <= right;
                case ">": return left > right;
                case ">=": return left >= right;
                case "==": return left == right;
                default: return left != right;
            }
        }

        private static double Calculated(string sign, double left, double right)
        {
            double value = sign == "+" ? left + right
                : sign == "-" ? left - right
                : sign == "*" ? left * right
                : left / right;
            if (double.IsNaN(value) || double.IsInfinity(value))
            {
                throw new NotFiniteNumberException();
            }
            return value;
        }

        // A number or a condition: one of the two functions is there.
        private sealed class Term
        {
            public Func<double[], double> Number;
            public Predicate<double[]> Holds;
        }
    }
}
