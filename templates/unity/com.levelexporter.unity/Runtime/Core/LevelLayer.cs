using System.Collections.Generic;

namespace LevelExporter
{
    /// <summary>The description of a layer, without its cells.</summary>
    public sealed class LevelLayer
    {
        /// <summary>The name, as in the level's spec.</summary>
        public string Name { get; internal set; }

        /// <summary>Whether its cells are height samples; otherwise they are tile ids.</summary>
        public bool IsHeights { get; internal set; }

        /// <summary>Cells in a row.</summary>
        public int Width { get; internal set; }

        /// <summary>Rows.</summary>
        public int Height { get; internal set; }

        /// <summary>The legend: the meaning of the tile ids.</summary>
        public IReadOnlyList<LevelTile> Tiles { get; internal set; }

        /// <summary>The heights of the samples; null for tiles.</summary>
        public LevelHeightRange HeightRange { get; internal set; }

        /// <summary>
        /// Its role: `play` (seen and walked on), `picture` (only seen), `data` (for programs) or
        /// `none` (only for other layers).
        /// </summary>
        public string Role { get; internal set; }

        /// <summary>
        /// Whether a cell of the layer is a cell of the level; otherwise the layer spans the same area
        /// with larger or smaller cells.
        /// </summary>
        public bool IsGridAligned { get; internal set; }

        /// <summary>Its rooms: areas that a generator built, or that were drawn by hand.</summary>
        public IReadOnlyList<LevelRoom> Rooms { get; internal set; }

        /// <summary>The ways between its rooms; two rooms can have several.</summary>
        public IReadOnlyList<LevelConnection> Connections { get; internal set; }

        /// <summary>The names of its masks; see <see cref="LevelBlob.Mask"/>.</summary>
        public IReadOnlyList<string> Masks { get; internal set; }

        /// <summary>
        /// Everything the file says of the layer, by the keys of the blob's specification: also
        /// `generator`, `certificate`, `report` and others.
        /// </summary>
        public IReadOnlyDictionary<string, object> Description { get; internal set; }

        /// <summary>
        /// The rooms that one is connected to, in ascending order, each once. Rooms are numbered by
        /// their places in <see cref="Rooms"/>.
        /// </summary>
        public IReadOnlyList<int> NeighboursOf(int room)
        {
            var neighbours = new SortedSet<int>();
            foreach (LevelConnection connection in Connections)
            {
                if (connection.FirstRoom == room && connection.SecondRoom != room)
                {
                    neighbours.Add(connection.SecondRoom);
                }
                if (connection.SecondRoom == room && connection.FirstRoom != room)
                {
                    neighbours.Add(connection.FirstRoom);
                }
            }
            return new List<int>(neighbours);
        }

        // How to recognise walkable cells: null, "legend", "chunk" or a number (at least that).
        internal object WalkableRule { get; set; }

        internal int Item { get; set; }

        // The number of the chunks of its first mask.
        internal int FirstMask { get; set; }
    }
}
