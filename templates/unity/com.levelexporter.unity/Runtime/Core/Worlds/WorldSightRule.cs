using System;

namespace LevelExporter.Worlds
{
    /// <summary>
    /// The rule that computes a world's field of view; fields are named as in the file. A world
    /// without one has no layer here.
    /// </summary>
    [Serializable]
    public sealed class WorldSightRule
    {
        private const int LargestRadius = 64;
        private static readonly string[] Names = { "symmetric", "shadowcast", "raycast" };

        /// <summary>The layer whose cells block sight.</summary>
        public string layer = "";

        /// <summary>The name of the rule.</summary>
        public string algorithm = "";

        /// <summary>How far sight goes, in cells.</summary>
        public int radius = 0;

        /// <summary>Whether the opaque cells at the ends of rays are seen too.</summary>
        public bool see_walls = false;

        /// <summary>Whether the world has a field of view, by whatever rule.</summary>
        public bool IsThere
        {
            get { return !string.IsNullOrEmpty(layer); }
        }

        /// <summary>
        /// Whether this reader can compute it: third-party packages can add rules.
        /// </summary>
        public bool IsKnown
        {
            get { return IsThere && HasRadius && Array.IndexOf(Names, algorithm) >= 0; }
        }

        /// <summary>The rule; the first one if it is not known.</summary>
        public SightRule Rule
        {
            get { return (SightRule)Math.Max(0, Array.IndexOf(Names, algorithm)); }
        }

        /// <summary>Whether a file may say this in a world of such layers.</summary>
        public bool IsSound(WorldLayer[] layers)
        {
            return !IsThere || (HasRadius && Array.Exists(layers, item => item.name == layer));
        }

        private bool HasRadius
        {
            get { return radius >= 1 && radius <= LargestRadius; }
        }
    }
}
