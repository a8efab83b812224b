using System.Collections.Generic;

namespace LevelExporter.Importing
{
    /// <summary>
    /// Names for things that may share one: the first keeps it, later ones get a number. A new
    /// thing at the end changes no other's name, so what refers to them by name stays right.
    /// </summary>
    public sealed class UniqueNames
    {
        private readonly HashSet<string> taken = new HashSet<string>();
        private readonly Dictionary<string, int> last = new Dictionary<string, int>();

        /// <summary>The name, or the name with the first free number from 2 up.</summary>
        public string Next(string name)
        {
            // A slash would be a path in Unity's hierarchy.
            string plain = name.Replace('/', '-');
            string unique = plain;
            int number;
            last.TryGetValue(plain, out number);
            while (!taken.Add(unique))
            {
                number = number == 0 ? 2 : number + 1;
                unique = plain + " " + number;
            }
            last[plain] = number;
            return unique;
        }
    }
}
