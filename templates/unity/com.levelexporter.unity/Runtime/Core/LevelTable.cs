using System.Collections.Generic;

namespace LevelExporter
{
    /// <summary>A table of data: rows of null, bool, long, double and string.</summary>
    public sealed class LevelTable
    {
        /// <summary>The name, as in the level's spec.</summary>
        public string Name { get; internal set; }

        /// <summary>The columns, in order.</summary>
        public IReadOnlyList<LevelColumn> Columns { get; internal set; }

        /// <summary>The rows; each has one value for each column.</summary>
        public IReadOnlyList<IReadOnlyList<object>> Rows { get; internal set; }

        /// <summary>The index of a column, -1 if no column has this name.</summary>
        public int IndexOf(string column)
        {
            for (int index = 0; index < Columns.Count; index++)
            {
                if (Columns[index].Name == column)
                {
                    return index;
                }
            }
            return -1;
        }
    }
}
