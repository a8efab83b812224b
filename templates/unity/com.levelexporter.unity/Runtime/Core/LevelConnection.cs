namespace LevelExporter
{
    /// <summary>A way from one room of a layer to another.</summary>
    public sealed class LevelConnection
    {
        /// <summary>One room, by its place in the layer's `rooms`.</summary>
        public int FirstRoom { get; internal set; }

        /// <summary>The other room.</summary>
        public int SecondRoom { get; internal set; }

        /// <summary>Where they meet.</summary>
        public GridCell Cell { get; internal set; }

        /// <summary>Whether a door is there; otherwise it is an opening.</summary>
        public bool IsDoor { get; internal set; }
    }
}
