using System;
using System.Globalization;

namespace LevelExporter.Importing
{
    /// <summary>
    /// Numbers as the file has them where there are many: how many there are of one, and the number,
    /// with spaces between them.
    /// </summary>
    internal static class TileSheetRuns
    {
        /// <summary>The same as numbers; null for a text that is no such list.</summary>
        public static int[] Numbers(string runs)
        {
            string[] parts = runs.Split(new[] { ' ' }, StringSplitOptions.RemoveEmptyEntries);
            var numbers = new int[parts.Length];
            for (int index = 0; index < parts.Length; index++)
            {
                if (!int.TryParse(
                    parts[index], NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out numbers[index]))
                {
                    return null;
                }
            }
            return numbers.Length % 2 == 0 ? numbers : null;
        }
    }
}
