using System.Collections.Generic;

namespace LevelExporter.Blob
{
    /// <summary>
    /// Counts down the bytes and steps that a level may use. Every operation has its price, listed
    /// in the blob's specification, and is charged before it runs.
    /// </summary>
    internal sealed class BlobBudget
    {
        // By the codec.
        private static readonly Dictionary<int, int> StepsOfACell = new Dictionary<int, int>
        {
            { 0, 1 }, { 1, 2 }, { 2, 4 }, { 16, 6 }, { 18, 16 }, { 17, 24 },
        };

        private const int StepsOfAPart = 4096;
        private const int StepsOfAValue = 16;
        private const int StepsOfAPoint = 64;
        private const int StepsOfAnExponent = 8192;
        private const int BytesOfAScalar = 32;
        private const int BytesOfAList = 128;
        private const int BytesOfAMap = 384;
        private const int BytesOfATextByte = 8;

        private readonly BlobLimits limits;
        private long bytes;
        private long steps;

        public BlobBudget(BlobLimits limits)
        {
            this.limits = limits;
            bytes = limits.MostBytes;
            steps = limits.MostSteps;
        }

        /// <summary>The limits of single things.</summary>
        public BlobLimits Limits
        {
            get { return limits; }
        }

        /// <summary>Charges a price.</summary>
        /// <exception cref="LevelBlobException">The price exceeds the budget.</exception>
        public void Charge(string what, long size, long work)
        {
            bytes -= size;
            steps -= work;
            if (bytes < 0)
            {
                throw new LevelBlobException(what + " is over the limit of bytes");
            }
            if (steps < 0)
            {
                throw new LevelBlobException(what + " is over the limit of steps");
            }
        }

        /// <summary>Charges all parts of all grids of a level, as the directory says.</summary>
        public void ChargeGrids(BlobContainer container, int level)
        {
            var learned = new Dictionary<string, int>();
            foreach (BlobChunk chunk in container.ChunksOf(level))
            {
                if (!IsGrid(chunk.Type))
                {
                    continue;
                }
                long cells = (long)chunk.Width * chunk.Height;
                Charge("the level", cells * SizeOf(chunk.Element), StepsOf(chunk));
                // Readers keep the model of a grid's last prior, as most chunks share it.
                string grid = chunk.Type + chunk.Item;
                int last;
                if (chunk.Prior == BlobChunk.None
                    || (learned.TryGetValue(grid, out last) && last == chunk.Prior))
                {
                    continue;
                }
                learned[grid] = chunk.Prior;
                List<BlobChunk> parts = container.ChunksOf(chunk.Type, level, chunk.Item);
                if (chunk.Prior < parts.Count)
                {
                    Charge("the level", 0, StepsOf(parts[chunk.Prior]));
                }
            }
        }

        /// <summary>Charges walkable cells that follow from the cells of a layer.</summary>
        public void ChargeWalkable(LevelLayer layer)
        {
            object rule = layer.WalkableRule;
            if (rule != null && (rule as string) != "chunk")
            {
                long cells = (long)layer.Width * layer.Height;
                Charge("the walkable cells of " + layer.Name, cells, cells);
            }
        }

        /// <summary>Charges a tree of values whose text is inflated already.</summary>
        public void ChargeValues(long text, JsonCount count)
        {
            long size = BytesOfATextByte * text + (long)BytesOfAList * count.Lists
                + (long)BytesOfAMap * count.Maps + (long)BytesOfAScalar * count.Scalars;
            long values = (long)count.Lists + count.Maps + count.Scalars;
            long work = text + StepsOfAValue * values + (long)StepsOfAPoint * count.Points
                + (long)StepsOfAnExponent * count.Exponents;
            Charge("a chunk of values", size, work);
        }

        private static bool IsGrid(string type)
        {
            return type == "CELL" || type == "WALK" || type == "mask" || type == "OPAQ";
        }

        // An unknown element type is refused when the grid is read.
        private static int SizeOf(int element)
        {
            return element > Codecs.PartShape.Signed ? 0 : Codecs.PartShape.SizeOf(element);
        }

        private static long StepsOf(BlobChunk chunk)
        {
            return StepsOfAPart + StepsOf(chunk.Codec) * chunk.Width * chunk.Height;
        }

        // A codec that is not known is refused when the part is read.
        private static long StepsOf(int codec)
        {
            int steps;
            return StepsOfACell.TryGetValue(codec, out steps) ? steps : 0;
        }
    }
}
