using System;
using System.Collections.Generic;
using LevelExporter.Codecs;

namespace LevelExporter.Blob
{
    /// <summary>
    /// The decoded grids of a level, and values derived from them by its legends.
    /// </summary>
    internal sealed class LevelGrids
    {
        private readonly BlobContainer container;
        private readonly BlobLimits limits;
        private readonly int level;
        private readonly IReadOnlyList<LevelLayer> layers;
        private readonly Dictionary<string, CellGrid> cache = new Dictionary<string, CellGrid>();

        public LevelGrids(
            BlobContainer container, BlobLimits limits, int level, IReadOnlyList<LevelLayer> layers)
        {
            this.container = container;
            this.limits = limits;
            this.level = level;
            this.layers = layers;
        }

        public void Forget()
        {
            cache.Clear();
        }

        /// <summary>The cells of a layer.</summary>
        public CellGrid CellsOf(LevelLayer layer)
        {
            // Layers that others follow from are read first, and not one inside the other: a
            // hostile file has chains of them that are longer than the stack is deep.
            foreach (int item in LayersBehind(layer.Item))
            {
                Read("CELL", item, layers[item].Width, layers[item].Height);
            }
            return Read("CELL", layer.Item, layer.Width, layer.Height);
        }

        // The layers that the cells of a layer follow from, in order.
        private SortedSet<int> LayersBehind(int item)
        {
            var behind = new SortedSet<int>();
            var open = new Stack<int>();
            open.Push(item);
            while (open.Count > 0)
            {
                int next = open.Pop();
                if (cache.ContainsKey("CELL" + next))
                {
                    continue;
                }
                foreach (BlobChunk chunk in container.ChunksOf("CELL", level, next))
                {
                    if (chunk.Side < next && behind.Add(chunk.Side))
                    {
                        open.Push(chunk.Side);
                    }
                }
            }
            return behind;
        }

        /// <summary>Returns the reader of a layer's chunks.</summary>
        public GridReader Reader(string type, LevelLayer layer)
        {
            return Reader(type, layer.Item, layer.Width, layer.Height);
        }

        private GridReader Reader(string type, int item, int width, int height)
        {
            Func<int, CellGrid> earlier = null;
            if (type == "CELL")
            {
                earlier = side => CellsOf(layers[side]);
            }
            var grid = new GridReader(
                container, type, level, item, width, height, limits, earlier);
            bool isTruth = grid.Element == PartShape.Truth;
            if (type == "CELL" ? isTruth || grid.Element == PartShape.Signed : !isTruth)
            {
                throw new LevelBlobException("chunk " + type + " has cells of another type");
            }
            return grid;
        }

        /// <summary>A whole grid; it is kept.</summary>
        public CellGrid Read(string type, int item, int width, int height)
        {
            string key = type + item;
            CellGrid cells;
            if (!cache.TryGetValue(key, out cells))
            {
                cells = Reader(type, item, width, height).ReadAll();
                cache[key] = cells;
            }
            return cells;
        }

        /// <summary>Where things can walk; null for a layer that does not tell.</summary>
        public bool[] Walkable(LevelLayer layer)
        {
            object rule = layer.WalkableRule;
            if (rule == null)
            {
                return null;
            }
            if (rule is long)
            {
                return Compared(CellsOf(layer).ToNumbers(), (long)rule);
            }
            return (string)rule == "legend"
                ? ByLegend(layer, tile => tile.IsWalkable)
                : Read("WALK", layer.Item, layer.Width, layer.Height).ToTruth();
        }

        /// <summary>One of a layer's masks.</summary>
        public bool[] Mask(LevelLayer layer, string name)
        {
            for (int position = 0; position < layer.Masks.Count; position++)
            {
                if (layer.Masks[position] == name)
                {
                    return MaskCells(layer, position).ToTruth();
                }
            }
            throw new LevelBlobException("layer " + layer.Name + " has no mask " + name);
        }

        /// <summary>The cells of a layer's mask by its place in the list of masks.</summary>
        public CellGrid MaskCells(LevelLayer layer, int position)
        {
            return Read("mask", layer.FirstMask + position, layer.Width, layer.Height);
        }

        /// <summary>Where sight is blocked.</summary>
        public bool[] Opaque(LevelLayer layer)
        {
            if (!layer.IsHeights)
            {
                return ByLegend(layer, tile => tile.IsOpaque);
            }
            bool[] blocked = Walkable(layer) ?? new bool[layer.Width * layer.Height];
            for (int index = 0; index < blocked.Length && layer.WalkableRule != null; index++)
            {
                blocked[index] = !blocked[index];
            }
            return blocked;
        }

        /// <summary>
        /// Returns the legend's value for each cell's tile; ids without a tile count as no.
        /// </summary>
        public bool[] ByLegend(LevelLayer layer, Predicate<LevelTile> says)
        {
            var table = new bool[ushort.MaxValue + 1];
            foreach (LevelTile tile in layer.Tiles)
            {
                table[tile.Id] = says(tile);
            }
            int[] cells = CellsOf(layer).ToNumbers();
            var truth = new bool[cells.Length];
            for (int index = 0; index < truth.Length; index++)
            {
                truth[index] = table[cells[index]];
            }
            return truth;
        }

        private static bool[] Compared(int[] cells, long least)
        {
            var truth = new bool[cells.Length];
            for (int index = 0; index < truth.Length; index++)
            {
                truth[index] = cells[index] >= least;
            }
            return truth;
        }
    }
}
