using System.Collections.Generic;

namespace LevelExporter.Worlds
{
    /// <summary>
    /// Which parts of a world are kept around a point that moves: those within a radius are loaded, the
    /// nearest first and a few at a time, and left when they are farther away than the radius and a
    /// margin. Without the margin a step forth and back at a border would load a part again and again.
    /// </summary>
    public sealed class WorldPlan
    {
        private readonly WorldGrid grid;
        private readonly HashSet<GridCell> loading = new HashSet<GridCell>();
        private readonly HashSet<GridCell> loaded = new HashSet<GridCell>();

        /// <summary>A plan without any part.</summary>
        public WorldPlan(WorldGrid grid)
        {
            this.grid = grid;
        }

        /// <summary>How far away parts are loaded, in cells.</summary>
        public double Radius { get; set; } = 64;

        /// <summary>How much farther away parts stay, in cells.</summary>
        public double Margin { get; set; } = 32;

        /// <summary>How many parts are loaded at a time.</summary>
        public int AtOnce { get; set; } = 1;

        /// <summary>The parts to load now; from here on they count as being loaded.</summary>
        public List<GridCell> Begin(double x, double y)
        {
            var begun = new List<GridCell>();
            foreach (GridCell part in grid.Near(x, y, Radius))
            {
                if (loading.Count >= AtOnce)
                {
                    break;
                }
                if (!loaded.Contains(part) && loading.Add(part))
                {
                    begun.Add(part);
                }
            }
            return begun;
        }

        /// <summary>
        /// Records that a part was loaded; returns whether the point still needs it. If not it counts
        /// as left.
        /// </summary>
        public bool End(GridCell part, double x, double y)
        {
            loading.Remove(part);
            return !IsFar(part, x, y) && loaded.Add(part);
        }

        /// <summary>The parts to unload now; from here on they count as unloaded.</summary>
        public List<GridCell> Leave(double x, double y)
        {
            var left = new List<GridCell>();
            foreach (GridCell part in loaded)
            {
                if (IsFar(part, x, y))
                {
                    left.Add(part);
                }
            }
            loaded.ExceptWith(left);
            return left;
        }

        private bool IsFar(GridCell part, double x, double y)
        {
            return grid.Distance(part, x, y) > Radius + Margin;
        }
    }
}
