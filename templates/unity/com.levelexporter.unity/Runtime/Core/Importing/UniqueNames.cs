using System.Collections.Generic;
using System.Text;

namespace LevelExporter.Importing
{
    /// <summary>
    /// Names of siblings, by the rules of the scenes for Godot: the first keeps its name, later ones
    /// get a number. A new sibling at the end changes no other's name, so references by name stay
    /// right.
    /// </summary>
    public sealed class UniqueNames
    {
        private readonly HashSet<string> used = new HashSet<string>();
        private readonly Dictionary<string, int> last = new Dictionary<string, int>();

        /// <summary>
        /// A text without the characters that mean something in a node's path, in Unity or Godot.
        /// </summary>
        public static string Plain(string text)
        {
            var plain = new StringBuilder(text);
            for (int index = 0; index < plain.Length; index++)
            {
                if (plain[index] < ' ' || ".:@/\"%".IndexOf(plain[index]) >= 0)
                {
                    plain[index] = '_';
                }
            }
            return plain.Length == 0 ? "_" : plain.ToString();
        }

        /// <summary>
        /// The plain form of a name, with the first free number from 2 up if it is taken.
        /// </summary>
        public string Next(string name)
        {
            string plain = Plain(name);
            string unique = plain;
            int number;
            last.TryGetValue(plain, out number);
            while (!used.Add(unique))
            {
                number = number == 0 ? 2 : number + 1;
                unique = plain + "_" + number;
            }
            last[plain] = number;
            return unique;
        }
    }
}
