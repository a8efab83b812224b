using System;
using System.Collections.Generic;
using LevelExporter.Codecs;

namespace LevelExporter.Blob
{
    /// <summary>Reads one grid of a level: all of it, or a part alone.</summary>
    internal sealed class GridReader
    {
        private readonly BlobContainer container;
        private readonly string type;
        private readonly List<BlobChunk> chunks;
        private readonly GridParts parts;
        private readonly int width;
        private readonly int height;
        private readonly Func<int, CellGrid> earlier;

        // What parts that others go on from have taught, and their cells.
        private readonly Dictionary<int, PartModel> models = new Dictionary<int, PartModel>();
        private readonly Dictionary<int, int[]> cells = new Dictionary<int, int[]>();

        /// <summary>Finds the chunks of a grid and checks that they fit together.</summary>
        /// <param name="container">The file.</param>
        /// <param name="type">The type of the chunks.</param>
        /// <param name="level">The level of a pack.</param>
        /// <param name="item">The layer.</param>
        /// <param name="width">Cells in a row.</param>
        /// <param name="height">Rows.</param>
        /// <param name="limits">What may be asked for.</param>
        /// <param name="earlier">Gives the cells of a layer by number, or null where it cannot.</param>
        public GridReader(
            BlobContainer container,
            string type,
            int level,
            int item,
            int width,
            int height,
            BlobLimits limits,
            Func<int, CellGrid> earlier)
        {
            this.container = container;
            this.type = type;
            this.width = width;
            this.height = height;
            this.earlier = earlier;
            if ((long)width * height > limits.MostCells)
            {
                throw new LevelBlobException(
                    "a layer of " + width + " x " + height + " cells is over the limit");
            }
            chunks = container.ChunksOf(type, level, item);
            parts = new GridParts(width, height);
            if (chunks.Count != (long)parts.Columns * parts.Rows)
            {
                throw new LevelBlobException("parts of " + type + " " + item + " are missing");
            }
            for (int part = 0; part < chunks.Count; part++)
            {
                Check(chunks[part], part);
            }
        }

        /// <summary>The element type of all parts.</summary>
        public int Element
        {
            get { return chunks[0].Element; }
        }

        /// <summary>How many parts there are.</summary>
        public int Count
        {
            get { return chunks.Count; }
        }

        /// <summary>The cells a part has.</summary>
        public GridView Bounds(int part)
        {
            return parts[part];
        }

        /// <summary>The whole grid.</summary>
        public CellGrid ReadAll()
        {
            var grid = new CellGrid(width, height, Element);
            for (int part = 0; part < chunks.Count; part++)
            {
                GridView bounds = parts[part];
                grid.Place(ReadPart(part), bounds.X, bounds.Y, bounds.Width, bounds.Height);
            }
            return grid;
        }

        /// <summary>The cells of one part; at most one other is decoded for it.</summary>
        /// <exception cref="LevelBlobException">It is damaged.</exception>
        public int[] ReadPart(int part)
        {
            int[] known;
            if (cells.TryGetValue(part, out known))
            {
                return known;
            }
            BlobChunk chunk = chunks[part];
            PartModel prior = null;
            if (chunk.Prior != BlobChunk.None && !models.TryGetValue(chunk.Prior, out prior))
            {
                prior = new PartModel();
                cells[chunk.Prior] = Decode(Prior(chunk), chunk.Prior, null, prior);
                models[chunk.Prior] = prior;
            }
            return Decode(chunk, part, prior, null);
        }

        private void Check(BlobChunk chunk, int part)
        {
            GridView bounds = parts[part];
            if (chunk.Part != part || chunk.Width != bounds.Width || chunk.Height != bounds.Height
                || chunk.Element != Element || Element > PartShape.Signed)
            {
                throw new LevelBlobException("the parts of " + type + " do not fit together");
            }
        }

        private BlobChunk Prior(BlobChunk chunk)
        {
            if (chunk.Prior >= chunks.Count || chunk.Prior == chunk.Part)
            {
                throw new LevelBlobException(
                    "chunk " + type + " goes on from a part that does not exist");
            }
            BlobChunk prior = chunks[chunk.Prior];
            if (prior.Prior != BlobChunk.None || prior.Side != BlobChunk.None
                || prior.Codec != chunk.Codec || !GridCodecs.Continues(chunk.Codec))
            {
                throw new LevelBlobException(
                    "chunk " + type + " goes on from a part it cannot go on from");
            }
            return prior;
        }

        private int[] Decode(BlobChunk chunk, int part, PartModel prior, PartModel taught)
        {
            byte[] payload = container.Load(chunk);
            var shape = new PartShape(chunk.Width, chunk.Height, chunk.Element);
            try
            {
                return GridCodecs.Decode(
                    chunk.Codec, payload, shape, SideOf(chunk, part), prior, taught);
            }
            catch (Exception cause) when (LevelBlobException.IsDamage(cause))
            {
                throw new LevelBlobException("damaged chunk " + type, cause);
            }
        }

        // The same part of the layer that a chunk depends on.
        private int[] SideOf(BlobChunk chunk, int part)
        {
            if (chunk.Side == BlobChunk.None)
            {
                return null;
            }
            // Only a layer before this one can be depended on, so this ends.
            CellGrid side = chunk.Side < chunk.Item && earlier != null ? earlier(chunk.Side) : null;
            if (side == null || side.Width != width || side.Height != height)
            {
                throw new LevelBlobException(
                    "chunk " + type + " depends on a layer that does not come before it");
            }
            return side.ToNumbers(parts[part]);
        }
    }
}
