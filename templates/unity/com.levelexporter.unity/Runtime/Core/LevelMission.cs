using System;
using System.Collections.Generic;

namespace LevelExporter
{
    /// <summary>
    /// The locks and keys of a level while it is played: which locks are open, which keys are held.
    /// Tell it what the player takes and opens, and let it decide what can be opened.
    /// </summary>
    public sealed class LevelMission
    {
        private readonly Dictionary<string, int> keys = new Dictionary<string, int>();
        private readonly HashSet<int> open = new HashSet<int>();

        /// <summary>A key was taken: the name of its locks.</summary>
        public event Action<string> Used;

        /// <summary>A lock was opened: its place in `Locks`.</summary>
        public event Action<int> Opened;

        /// <summary>The object on which the player starts.</summary>
        public string Start { get; internal set; }

        /// <summary>The object at which she wins.</summary>
        public string Goal { get; internal set; }

        /// <summary>The locks.</summary>
        public IReadOnlyList<LevelLock> Locks { get; internal set; }

        /// <summary>A shortest complete walk, one text for each thing to do.</summary>
        public IReadOnlyList<string> Walkthrough { get; internal set; }

        /// <summary>Takes a key, whose object has the property `opens`.</summary>
        public void Take(string name)
        {
            keys[name] = Keys(name) + 1;
            Used?.Invoke(name);
        }

        /// <summary>How many keys of a name were taken and not used up.</summary>
        public int Keys(string name)
        {
            int count;
            return keys.TryGetValue(name, out count) ? count : 0;
        }

        /// <summary>
        /// The lock that closes a cell, as its place in `Locks`; -1 if nothing does. One-ways close
        /// nothing: see `CanStep`.
        /// </summary>
        public int LockAt(GridCell cell)
        {
            for (int index = 0; index < Locks.Count; index++)
            {
                if (!IsOpen(index) && Has(Locks[index].Cells, cell))
                {
                    return index;
                }
            }
            return -1;
        }

        /// <summary>Whether a lock is open; a one-way always is.</summary>
        public bool IsOpen(int index)
        {
            return Locks[index].Kind == "one_way" || open.Contains(index);
        }

        /// <summary>
        /// Whether a player in a cell can open a lock now: she is beside it, and has a key or
        /// is on the side from which it opens.
        /// </summary>
        public bool CanOpen(int index, GridCell from)
        {
            LevelLock closed = Locks[index];
            if (IsOpen(index) || !IsBeside(closed, from))
            {
                return false;
            }
            return closed.Kind == "shortcut" ? Has(closed.OpenedFrom, from) : Keys(closed.Name) > 0;
        }

        /// <summary>
        /// Opens a lock if the player can, and uses up a small key. Whether it was opened.
        /// </summary>
        public bool Open(int index, GridCell from)
        {
            if (!CanOpen(index, from))
            {
                return false;
            }
            if (Locks[index].Kind == "small_key")
            {
                keys[Locks[index].Name]--;
            }
            open.Add(index);
            Opened?.Invoke(index);
            return true;
        }

        /// <summary>
        /// Whether locks and one-ways let a player step from a cell to one beside it.
        /// </summary>
        public bool CanStep(GridCell from, GridCell to)
        {
            foreach (LevelLock oneWay in Locks)
            {
                if (oneWay.Kind != "one_way")
                {
                    continue;
                }
                bool inside = Has(oneWay.Cells, from);
                if (Has(oneWay.Cells, to) && !inside && !Has(oneWay.OpenedFrom, from))
                {
                    return false;
                }
                if (inside && Has(oneWay.OpenedFrom, to))
                {
                    return false;
                }
            }
            return LockAt(to) < 0;
        }

        /// <summary>What a saved game keeps: the keys that are held, and the open locks.</summary>
        public Dictionary<string, object> Save()
        {
            return new Dictionary<string, object>
            {
                { "keys", new Dictionary<string, int>(keys) },
                { "open", new List<int>(open) },
            };
        }

        /// <summary>Goes back to what `Save` returned, without events.</summary>
        public void Restore(Dictionary<string, object> saved)
        {
            keys.Clear();
            open.Clear();
            foreach (KeyValuePair<string, int> item in (Dictionary<string, int>)saved["keys"])
            {
                keys[item.Key] = item.Value;
            }
            open.UnionWith((List<int>)saved["open"]);
        }

        private static bool IsBeside(LevelLock closed, GridCell from)
        {
            foreach (GridCell cell in closed.Cells)
            {
                if (Math.Abs(cell.X - from.X) + Math.Abs(cell.Y - from.Y) == 1)
                {
                    return true;
                }
            }
            return false;
        }

        private static bool Has(IReadOnlyList<GridCell> cells, GridCell expected)
        {
            foreach (GridCell cell in cells)
            {
                if (cell.X == expected.X && cell.Y == expected.Y)
                {
                    return true;
                }
            }
            return false;
        }
    }
}
