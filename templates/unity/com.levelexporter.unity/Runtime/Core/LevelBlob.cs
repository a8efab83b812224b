using System;
using System.Collections.Generic;
using System.IO;
using LevelExporter.Blob;

namespace LevelExporter
{
    /// <summary>
    /// Reads a level from a `.lvb` file: layers, heights, visibility, objects, tables, puzzles.
    /// <code>
    /// LevelBlob level = LevelBlob.Open("crypt.lvb");
    /// int[] ids = level.Cells("ground");          // ids[y * level.Width + x]
    /// bool[] lit = level.VisibleFrom(playerX, playerY);
    /// </code>
    /// Values are decoded on first use and kept. Damaged, cut off
    /// or hostile data always ends in a <see cref="LevelBlobException"/>. Not for several threads
    /// at once.
    /// </summary>
    public sealed class LevelBlob
    {
        // Full scale of a 16-bit height sample.
        private const double FullScale = 65535;

        private static readonly HashSet<string> KnownTypes = new HashSet<string>
        {
            "LEVL", "CELL", "WALK", "mask", "VISI", "OPAQ", "OBJS", "TABL", "PUZZ",
        };

        private readonly BlobContainer container;
        private readonly BlobLimits limits;
        private readonly List<LevelLayer> layers = new List<LevelLayer>();
        private int level;
        private BlobBudget budget;
        private LevelGrids grids;
        private LevelSight sight;
        private List<LevelObject> objects;
        private List<LevelTable> tables;
        private List<LevelPuzzle> puzzles;
        private bool[] lastSeen;
        private GridCell lastViewer;

        private LevelBlob(byte[] bytes, BlobLimits limits)
        {
            this.limits = limits;
            container = new BlobContainer(bytes, limits);
            foreach (BlobChunk chunk in container.Chunks)
            {
                if (!chunk.IsAncillary && !KnownTypes.Contains(chunk.Type))
                {
                    throw new LevelBlobException(
                        "chunk " + chunk.Type + " is not known here: the blob is too new");
                }
                LevelCount = Math.Max(LevelCount, chunk.Level + 1);
            }
            Select(0);
        }

        /// <summary>How many levels the file holds: 1, or more in a pack.</summary>
        public int LevelCount { get; private set; }

        /// <summary>The level's name, which its files begin with.</summary>
        public string Name { get; private set; }

        /// <summary>Cells in a row of the level.</summary>
        public int Width { get; private set; }

        /// <summary>Rows of the level.</summary>
        public int Height { get; private set; }

        /// <summary>
        /// The seed: a long, or a string. An integer beyond 64 bits is the string of its digits.
        /// </summary>
        public object Seed { get; private set; }

        /// <summary>
        /// The free values of the level's spec: null, bool, long, double and string.
        /// </summary>
        public IReadOnlyDictionary<string, object> Properties { get; private set; }

        /// <summary>Locks, start and goal; null in a level without a mission.</summary>
        public LevelMission Mission { get; private set; }

        /// <summary>
        /// Everything the file says of the level that has no member of its own here, by the keys
        /// of the blob's specification.
        /// </summary>
        public IReadOnlyDictionary<string, object> Description { get; private set; }

        /// <summary>The layers, in the order of the level's spec.</summary>
        public IReadOnlyList<LevelLayer> Layers
        {
            get { return layers; }
        }

        /// <summary>
        /// The tile layers a game is played on: seen, and deciding what can be walked.
        /// </summary>
        public IReadOnlyList<LevelLayer> PlayLayers
        {
            get { return layers.FindAll(layer => IsTileGrid(layer) && layer.Role == "play"); }
        }

        /// <summary>
        /// The tile layers that are drawn: those of the roles `play` and `picture`.
        /// </summary>
        public IReadOnlyList<LevelLayer> SeenLayers
        {
            get
            {
                return layers.FindAll(
                    layer => IsTileGrid(layer) && (layer.Role == "play" || layer.Role == "picture"));
            }
        }

        /// <summary>Reads a file.</summary>
        /// <exception cref="LevelBlobException">It is no level.</exception>
        /// <exception cref="IOException">It cannot be read.</exception>
        public static LevelBlob Open(string path)
        {
            return FromBytes(File.ReadAllBytes(path));
        }

        /// <summary>Reads the bytes of a file, which must not change afterwards.</summary>
        /// <exception cref="LevelBlobException">They are no level.</exception>
        public static LevelBlob FromBytes(byte[] bytes)
        {
            return FromBytes(bytes, new BlobLimits());
        }

        /// <summary>Reads the bytes of a file within limits.</summary>
        /// <exception cref="LevelBlobException">They are no level, or over a limit.</exception>
        public static LevelBlob FromBytes(byte[] bytes, BlobLimits limits)
        {
            if (bytes == null)
            {
                throw new ArgumentNullException("bytes");
            }
            return new LevelBlob(bytes, limits);
        }

        /// <summary>Turns to another level of a pack.</summary>
        /// <exception cref="LevelBlobException">The level is missing or damaged.</exception>
        public void Select(int number)
        {
            level = number;
            layers.Clear();
            grids = new LevelGrids(container, limits, level, layers);
            lastSeen = null;
            sight = null;
            objects = null;
            tables = null;
            puzzles = null;
            budget = new BlobBudget(limits);
            budget.ChargeGrids(container, level);
            Dictionary<string, object> fields = ValueFields.Map(ReadValues("LEVL"));
            Name = ValueFields.Text(fields, "name");
            Width = ValueFields.Side(ValueFields.Field(fields, "width"));
            Height = ValueFields.Side(ValueFields.Field(fields, "height"));
            Seed = LevelDescriptions.Seed(ValueFields.Field(fields, "seed"));
            Properties = ValueFields.Properties(ValueFields.Field(fields, "properties"));
            Mission = LevelDescriptions.Mission(fields);
            ValueFields.Text(fields, "rng");
            if (ValueFields.Field(fields, "visibility_layer") != null)
            {
                ValueFields.Text(fields, "visibility_layer");
            }
            Description = fields;
            int masks = 0;
            var names = new HashSet<string>();
            foreach (object value in ValueFields.List(ValueFields.Field(fields, "layers")))
            {
                LevelLayer layer = LevelDescriptions.Layer(value, layers.Count, masks);
                if (!names.Add(layer.Name))
                {
                    throw new LevelBlobException(
                        "broken level data: there are two layers " + layer.Name);
                }
                budget.ChargeWalkable(layer);
                layers.Add(layer);
                masks += layer.Masks.Count;
            }
        }

        /// <summary>Returns a layer by its name.</summary>
        /// <exception cref="LevelBlobException">No layer has this name.</exception>
        public LevelLayer Layer(string name)
        {
            foreach (LevelLayer layer in layers)
            {
                if (layer.Name == name)
                {
                    return layer;
                }
            }
            throw new LevelBlobException("there is no layer " + name);
        }

        /// <summary>
        /// The cells of a layer, row after row: tile ids, or height samples from 0 to 65535.
        /// </summary>
        public int[] Cells(string layer)
        {
            return grids.CellsOf(Layer(layer)).ToNumbers();
        }

        /// <summary>The cells of a layer as stored: one or two little-endian bytes each.</summary>
        public byte[] CellBytes(string layer)
        {
            return (byte[])grids.CellsOf(Layer(layer)).Bytes.Clone();
        }

        /// <summary>One cell of a layer.</summary>
        /// <exception cref="ArgumentOutOfRangeException">It lies outside the layer.</exception>
        public int CellAt(string layer, int x, int y)
        {
            CellGrid grid = grids.CellsOf(Layer(layer));
            if (x < 0 || y < 0 || x >= grid.Width || y >= grid.Height)
            {
                throw new ArgumentOutOfRangeException("x", "(" + x + ", " + y + ") is no cell");
            }
            return grid.ToNumbers(new GridView(x, y, 1, 1))[0];
        }

        /// <summary>How many parts a layer is stored in; worlds are read part by part.</summary>
        public int PartCount(string layer)
        {
            return grids.Reader("CELL", Layer(layer)).Count;
        }

        /// <summary>
        /// The cells that a part of a layer has; parts are numbered row by row from 0.
        /// </summary>
        public GridView PartBounds(string layer, int part)
        {
            return grids.Reader("CELL", Layer(layer)).Bounds(part);
        }

        /// <summary>
        /// The cells of one part of a layer, row after row. Only that part is decoded, with at
        /// most one other and the layer it follows from, and it is not kept.
        /// </summary>
        public int[] PartCells(string layer, int part)
        {
            GridReader grid = grids.Reader("CELL", Layer(layer));
            if (part < 0 || part >= grid.Count)
            {
                throw new ArgumentOutOfRangeException("part");
            }
            return grid.ReadPart(part);
        }

        /// <summary>
        /// Which cells of the level can be walked on, row after row: a cell in which some play layer has
        /// a walkable tile, and none has a tile that is neither walkable nor empty.
        /// </summary>
        /// <exception cref="LevelBlobException">A layer is damaged, or over a limit.</exception>
        public bool[] Walkable()
        {
            return LevelMasks.Walkable(PlayLayers, grids, CellCount());
        }

        /// <summary>
        /// Returns the cells in which some play layer blocks sight, row after row. (Visibility uses
        /// the level's sight layer alone.)
        /// </summary>
        /// <exception cref="LevelBlobException">A layer is damaged, or over a limit.</exception>
        public bool[] Opaque()
        {
            return LevelMasks.Opaque(PlayLayers, grids, CellCount());
        }

        /// <summary>
        /// Where things can walk in a layer; null for a layer that does not tell.
        /// </summary>
        public bool[] Walkable(string layer)
        {
            return grids.Walkable(Layer(layer));
        }

        /// <summary>Where sight is blocked in a layer.</summary>
        public bool[] Opaque(string name)
        {
            return grids.Opaque(Layer(name));
        }

        /// <summary>The cells of one of a layer's masks, row after row.</summary>
        /// <exception cref="LevelBlobException">No mask has this name.</exception>
        public bool[] Mask(string layer, string mask)
        {
            return grids.Mask(Layer(layer), mask);
        }

        /// <summary>
        /// The real heights of a layer, row after row from the top, in its units.
        /// </summary>
        public float[] Heights(string name)
        {
            LevelLayer layer = Layer(name);
            int[] samples = grids.CellsOf(layer).ToNumbers();
            LevelHeightRange range = layer.HeightRange;
            double minimum = range == null ? 0 : range.Minimum;
            double span = range == null ? 1 : range.Maximum - range.Minimum;
            var heights = new float[samples.Length];
            for (int index = 0; index < heights.Length; index++)
            {
                heights[index] = (float)(minimum + samples[index] * span / FullScale);
            }
            return heights;
        }

        /// <summary>Whether the level says who sees whom.</summary>
        public bool HasVisibility
        {
            get { return Find("VISI") != null; }
        }

        /// <summary>
        /// Returns the cells seen from a cell: one truth value for each cell of the map, row after
        /// row. The last answer is kept, so another call for the same cell only copies it.
        /// </summary>
        /// <exception cref="LevelBlobException">The level has no visibility.</exception>
        public bool[] VisibleFrom(int x, int y)
        {
            return (bool[])Seen(x, y).Clone();
        }

        /// <summary>
        /// Whether one cell is seen from another; cells outside the map see nothing.
        /// </summary>
        public bool CanSee(int x, int y, int targetX, int targetY)
        {
            bool[] seen = Seen(x, y);
            return targetX >= 0 && targetY >= 0 && targetX < sight.Width && targetY < sight.Height
                && seen[targetY * sight.Width + targetX];
        }

        /// <summary>The placed objects, in order.</summary>
        public IReadOnlyList<LevelObject> Objects
        {
            get
            {
                return objects ?? (objects = ReadList("OBJS", LevelDescriptions.Object, null));
            }
        }

        /// <summary>The tables, in order.</summary>
        public IReadOnlyList<LevelTable> Tables
        {
            get
            {
                return tables
                    ?? (tables = ReadList("TABL", LevelDescriptions.Table, table => table.Name));
            }
        }

        /// <summary>The puzzles, in order.</summary>
        public IReadOnlyList<LevelPuzzle> Puzzles
        {
            get
            {
                return puzzles
                    ?? (puzzles = ReadList("PUZZ", LevelDescriptions.Puzzle, puzzle => puzzle.Name));
            }
        }

        /// <summary>Returns a table by its name.</summary>
        /// <exception cref="LevelBlobException">No table has this name.</exception>
        public LevelTable Table(string name)
        {
            foreach (LevelTable table in Tables)
            {
                if (table.Name == name)
                {
                    return table;
                }
            }
            throw new LevelBlobException("there is no table " + name);
        }

        /// <summary>Returns a puzzle by its name.</summary>
        /// <exception cref="LevelBlobException">No puzzle has this name.</exception>
        public LevelPuzzle Puzzle(string name)
        {
            foreach (LevelPuzzle puzzle in Puzzles)
            {
                if (puzzle.Name == name)
                {
                    return puzzle;
                }
            }
            throw new LevelBlobException("there is no puzzle " + name);
        }

        /// <summary>
        /// The part of the level that a camera of so many cells shows around the player.
        /// </summary>
        public GridView GameView(GridCell player, int viewWidth, int viewHeight)
        {
            return LevelGeometry.GameView(player, viewWidth, viewHeight, Width, Height);
        }

        /// <summary>Every cell of the line between two cells, both included.</summary>
        public List<GridCell> Line(GridCell from, GridCell to)
        {
            return LevelGeometry.Line(from, to);
        }

        /// <summary>
        /// The cells of a line before the first that blocks sight or lies outside.
        /// </summary>
        public List<GridCell> LineUntil(GridCell from, GridCell to)
        {
            LevelSight map = Sight();
            return LevelGeometry.LineUntil(
                from,
                to,
                cell => cell.X < 0 || cell.Y < 0 || cell.X >= map.Width || cell.Y >= map.Height
                    || map.Opaque[cell.Y * map.Width + cell.X]);
        }

        /// <summary>Decodes everything the level holds.</summary>
        /// <exception cref="LevelBlobException">Something is damaged.</exception>
        public void Verify()
        {
            foreach (LevelLayer layer in layers)
            {
                grids.CellsOf(layer);
                grids.Walkable(layer);
                for (int position = 0; position < layer.Masks.Count; position++)
                {
                    grids.MaskCells(layer, position);
                }
            }
            bool read = Objects != null && Tables != null && Puzzles != null;
            if (read && HasVisibility)
            {
                Sight();
            }
        }

        /// <summary>Lets go of all decoded cells; they are decoded again on the next use.</summary>
        public void Forget()
        {
            grids.Forget();
            sight = null;
            lastSeen = null;
        }

        private bool IsTileGrid(LevelLayer layer)
        {
            return !layer.IsHeights && layer.IsGridAligned
                && layer.Width == Width && layer.Height == Height;
        }

        // A file can say any size, also without a layer that has it.
        private int CellCount()
        {
            long cells = (long)Width * Height;
            if (cells > limits.MostCells)
            {
                throw new LevelBlobException(
                    "a level of " + Width + " x " + Height + " cells is over the limit");
            }
            return (int)cells;
        }

        private BlobChunk Find(string type)
        {
            List<BlobChunk> chunks = container.ChunksOf(type, level, 0);
            return chunks.Count > 0 ? chunks[0] : null;
        }

        private object ReadValues(string type)
        {
            BlobChunk chunk = Find(type);
            if (chunk == null)
            {
                throw new LevelBlobException("the blob has no " + type + " for level " + level);
            }
            try
            {
                return JsonReader.Read(chunk.Codec, container.Load(chunk), budget);
            }
            catch (Exception cause) when (LevelBlobException.IsDamage(cause))
            {
                throw new LevelBlobException("damaged chunk " + type, cause);
            }
        }

        // The entries of a chunk, which must have different names where they have any.
        private List<T> ReadList<T>(string type, Func<object, T> read, Func<T, string> nameOf)
        {
            var list = new List<T>();
            var names = new HashSet<string>();
            if (Find(type) != null)
            {
                foreach (object value in ValueFields.List(ReadValues(type)))
                {
                    T entry = read(value);
                    if (nameOf != null && !names.Add(nameOf(entry)))
                    {
                        throw new LevelBlobException(
                            "broken level data: there are two " + nameOf(entry) + " in " + type);
                    }
                    list.Add(entry);
                }
            }
            return list;
        }

        private LevelSight Sight()
        {
            if (sight != null)
            {
                return sight;
            }
            BlobChunk chunk = Find("VISI");
            if (chunk == null)
            {
                throw new LevelBlobException("the level has no visibility");
            }
            LevelSight chunks = LevelSight.Read(chunk, container.Load(chunk), limits);
            if (chunk.Side == BlobChunk.None)
            {
                chunks.Opaque = grids.Read("OPAQ", 0, chunks.Width, chunks.Height).ToTruth();
            }
            else if (chunk.Side < layers.Count && layers[chunk.Side].Width == chunks.Width
                && layers[chunk.Side].Height == chunks.Height)
            {
                chunks.Opaque = grids.Opaque(layers[chunk.Side]);
            }
            else
            {
                throw new LevelBlobException("the visibility's layer is missing or of another size");
            }
            sight = chunks;
            return sight;
        }

        private bool[] Seen(int x, int y)
        {
            LevelSight map = Sight();
            var viewer = new GridCell(x, y);
            if (lastSeen == null || !lastViewer.Equals(viewer))
            {
                lastSeen = lastSeen ?? new bool[map.Opaque.Length];
                lastViewer = viewer;
                FieldOfView.Compute(
                    map.Opaque, map.Width, map.Height, x, y, map.Radius, map.Rule, map.SeeWalls,
                    lastSeen);
            }
            return lastSeen;
        }
    }
}
