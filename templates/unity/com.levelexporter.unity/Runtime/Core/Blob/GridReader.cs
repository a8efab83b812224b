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

        // The last chunk used as a prior, its model, and its cells. Only one is kept: a hostile
        // file has many, and each takes megabytes.
        private int known = BlobChunk.None;
        private PartModel knownModel;
        private int[] knownCells;

        /// <summary>Finds the chunks of a grid and checks that they fit together.</summary>
        /// <param name="container">The file.</param>
        /// <param name="type">The type of the chunks.</param>
        /// <param name="level">The level of a pack.</param>
        /// <param name="item">The layer.</param>
        /// <param name="width">Cells in a row.</param>
        /// <param name="height">Rows.</param>
        /// <param name="limits">The limits of a level.</param>
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
                grid.Location(ReadPart(part), bounds.X, bounds.Y, bounds.Width, bounds.Height);
            }
            return grid;
        }

        /// <summary>The cells of one part; at most one other is decoded for it.</summary>
        /// <exception cref="LevelBlobException">It is damaged.</exception>
        public int[] ReadPart(int part)
        {
            if (part == known)
            {
                return knownCells;
            }
            BlobChunk chunk = chunks[part];
            if (chunk.Prior == BlobChunk.None)
            {
                return Decode(chunk, part, null, null);
            }
            if (chunk.Prior != known)
            {
                BlobChunk prior = Prior(chunk);
                var model = new PartModel();
                knownCells = Decode(prior, chunk.Prior, null, model);
                knownModel = model;
                known = chunk.Prior;
            }
            return Decode(chunk, part, knownModel, null);
        }

        private void Check(BlobChunk chunk, int part)
        {
            GridView bounds = parts[part];
            if (chunk.Part != part || chunk.Width != bounds.Width || chunk.Height != bounds.Height
                || chunk.Element != Element || Element > PartShape.Signed)
            {
                throw new LevelBlobException("the parts of " + type + " do not fit together");
            }
            bool isNothing = chunk.Codec == 0 && chunk.Length == 0 && chunk.Side == BlobChunk.None
                && chunk.Prior == BlobChunk.None;
            if (bounds.Width * bounds.Height == 0 && !isNothing)
            {
                throw new LevelBlobException(
                    "a part of " + type + " holds something and has no cells");
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
