using System;

namespace LevelExporter.Codecs
{
    /// <summary>
    /// Reads the cells of a tile grid. A context (a set of neighbours, and the classes of the nine
    /// cells around where a class layer is known) keeps up to six candidates; a decision for each
    /// says whether it comes next, and a tree of decisions gives any other id.
    /// </summary>
    internal sealed class TilesStream
    {
        private const uint MaskFactor = 0xFD7046C5;
        private const uint WestFactor = 0x9E3779B1;
        private const uint NorthFactor = 0x85EBCA77;
        private const uint NorthWestFactor = 0xC2B2AE3D;
        private const uint NorthEastFactor = 0x27D4EB2F;
        private const uint FarWestFactor = 0x165667B1;
        private const uint FarNorthFactor = 0xD3A2646D;
        private const int Slots = TilesModel.Slots;

        // Met so often, a context no longer teaches its parent.
        private const int Grown = 8;

        private readonly RangeDecoder stream;
        private readonly TilesModel model;
        private readonly int width;
        private readonly NineClasses classes;
        private readonly byte[] candidates;
        private readonly uint[] states;
        private readonly byte[] lengths;
        private readonly byte[] seen;
        private readonly uint[] rates = AdaptiveState.Rates;

        // States of a context's candidates before this cell.
        private readonly uint[] retained = new uint[Slots];

        // Whether the coarsest level has neighbours in its key, and how many levels are finer.
        private readonly bool coarseHasKey;
        private readonly int finer;
        private readonly int shift;
        private readonly int second;
        private readonly int third;
        private readonly int depth;

        // Ids + 1 of the two rows above and this one, framed by two zeros on either side.
        private int[] above2;
        private int[] above;
        private int[] here;

        // The cell's contexts, coarse to fine; of fewer levels the last ones are the same.
        private int coarse;
        private int middle;
        private int fine;

        private TilesStream(
            RangeDecoder stream, int width, int height, byte[] classLayer, TilesModel model)
        {
            this.stream = stream;
            this.model = model;
            this.width = width;
            candidates = model.Candidates;
            states = model.States;
            lengths = model.Lengths;
            seen = model.Seen;
            coarseHasKey = model.Levels[0] != 0;
            finer = model.Levels.Length - 1;
            shift = 32 - model.IndexBits;
            second = model.Coarsest;
            third = second + (1 << model.IndexBits);
            depth = BitLength(model.Ids.Length - 1);
            above2 = new int[width + 4];
            above = new int[width + 4];
            here = new int[width + 4];
            if (classLayer != null)
            {
                classes = new NineClasses(classLayer, width, height, model.Layer.Edge);
            }
        }

        /// <summary>
        /// The ids of all cells as places in the model's table, or beyond it if broken.
        /// </summary>
        public static int[] Read(
            RangeDecoder stream, int width, int height, byte[] classLayer, TilesModel model)
        {
            var tiles = new TilesStream(stream, width, height, classLayer, model);
            var cells = new int[width * height];
            for (int y = 0; y < height; y++)
            {
                tiles.ReadRow(y, cells);
            }
            return cells;
        }

        private void ReadRow(int y, int[] cells)
        {
            byte[] columns = classes == null ? null : classes.Row(y);
            int mask = classes == null ? 0 : columns[0] << 1 | columns[1];
            int farWest = 0;
            int west = 0;
            int north = 0;
            int northEast = above[2];
            int at = y * width;
            for (int x = 0; x < width; x++)
            {
                int northWest = north;
                north = northEast;
                northEast = above[x + 3];
                int id;
                if (columns == null)
                {
                    FindContexts(0, x, farWest, west, northWest, north, northEast);
                    id = ReadKnown(0);
                }
                else
                {
                    mask = (mask << 1 & 0x1B6) | columns[x + 2];
                    if (HasOneId(mask))
                    {
                        id = candidates[mask * Slots];
                    }
                    else
                    {
                        bool isNew = lengths[mask] == 0;
                        bool forever = isNew && stream.Decide(model.FlagStates, Own(mask)) != 0;
                        FindContexts(mask, x, farWest, west, northWest, north, northEast);
                        id = isNew ? ReadNew(mask, forever) : ReadKnown(Own(mask));
                    }
                }
                cells[at++] = id;
                farWest = west;
                west = id + 1;
                here[x + 2] = west;
            }
            int[] spare = above2;
            above2 = above;
            above = here;
            here = spare;
        }

        // The class of the cell itself.
        private static int Own(int mask)
        {
            return mask >> 4 & 1;
        }

        // Whether a mask always has the same id. Where only a prior said so, a decision says
        // whether that continues.
        private bool HasOneId(int mask)
        {
            if (lengths[mask] == TilesModel.Once)
            {
                bool goesOn = stream.Decide(model.FlagStates, Own(mask)) != 0;
                lengths[mask] = goesOn ? TilesModel.Forever : (byte)1;
                states[mask * Slots] = AdaptiveState.Update(
                    AdaptiveState.Fresh, 0, AdaptiveState.Limit);
            }
            return lengths[mask] == TilesModel.Forever;
        }

        // Finds the cell's contexts; one never met takes over its parent's candidates.
        private void FindContexts(
            int mask, int x, int farWest, int west, int northWest, int north, int northEast)
        {
            coarse = middle = fine = mask;
            if (finer == 0)
            {
                return;
            }
            uint key = unchecked(
                (uint)mask * MaskFactor + (uint)west * WestFactor + (uint)north * NorthFactor);
            uint corners = unchecked(
                (uint)northWest * NorthWestFactor + (uint)northEast * NorthEastFactor);
            if (coarseHasKey)
            {
                coarse = (int)(key >> shift);
                key = unchecked(key + corners);
                corners = unchecked(
                    (uint)farWest * FarWestFactor + (uint)above2[x + 2] * FarNorthFactor);
            }
            fine = second + (int)(key >> shift);
            if (lengths[fine] == 0)
            {
                Inherit(fine, coarse);
            }
            if (finer == 2)
            {
                middle = fine;
                fine = third + (int)(unchecked(key + corners) >> shift);
                if (lengths[fine] == 0)
                {
                    Inherit(fine, middle);
                }
            }
        }

        // An id that may be among the candidates.
        private int ReadKnown(int own)
        {
            int id = ReadCandidate();
            if (id < 0)
            {
                id = ReadLiteral(own);
                // Had it been known which it is, the states would not have moved one by one.
                Array.Copy(retained, 0, states, fine * Slots, lengths[fine]);
                Learn(fine, id);
            }
            TeachParents(id);
            return id;
        }

        // The first id of a mask: perhaps the only one it will ever have.
        private int ReadNew(int mask, bool forever)
        {
            int id = ReadLiteral(Own(mask));
            if (forever)
            {
                candidates[mask * Slots] = (byte)id;
                lengths[mask] = TilesModel.Forever;
                return id;
            }
            Learn(fine, id);
            TeachParents(id);
            return id;
        }

        // The candidate that comes, or -1 for none of them. The states learn on the way.
        private int ReadCandidate()
        {
            int first = fine * Slots;
            int length = lengths[fine];
            uint range = stream.Range;
            uint code = stream.Code;
            int id = -1;
            for (int slot = 0; slot < length && id < 0; slot++)
            {
                uint state = states[first + slot];
                uint bound = (range >> 16) * (state >> 16 | 1);
                uint count = state & 1023;
                uint probability = state >> 10;
                retained[slot] = state;
                if (code < bound)
                {
                    range = bound;
                    probability += (uint)((ulong)(4194304 - probability) * rates[count] >> 16);
                    id = candidates[first + slot];
                }
                else
                {
                    code -= bound;
                    range -= bound;
                    probability -= (uint)((ulong)probability * rates[count] >> 16);
                }
                states[first + slot] =
                    probability << 10 | (count < AdaptiveState.Limit ? count + 1 : count);
                while (range < 0x1000000)
                {
                    range <<= 8;
                    code = code << 8 | stream.Next();
                }
            }
            stream.Range = range;
            stream.Code = code;
            return id;
        }

        // An id coded bit by bit.
        private int ReadLiteral(int own)
        {
            int node = 1;
            for (int bit = 0; bit < depth; bit++)
            {
                node = node << 1 | stream.Decide(model.Literals, (own << 8) + node);
            }
            return node - (1 << depth);
        }

        // The finest context has learned; coarser ones learn along until it has been met often.
        private void TeachParents(int id)
        {
            if (seen[fine] >= Grown)
            {
                return;
            }
            seen[fine]++;
            if (finer == 2)
            {
                Learn(middle, id);
                if (seen[middle] >= Grown)
                {
                    return;
                }
                seen[middle]++;
            }
            if (finer > 0)
            {
                Learn(coarse, id);
                if (seen[coarse] < Grown)
                {
                    seen[coarse]++;
                }
            }
        }

        // A context never met starts with its parent's candidates, as if met at most twice.
        private void Inherit(int child, int parent)
        {
            int length = lengths[parent];
            lengths[child] = (byte)length;
            for (int slot = 0; slot < length; slot++)
            {
                candidates[child * Slots + slot] = candidates[parent * Slots + slot];
                states[child * Slots + slot] = AdaptiveState.Aged(states[parent * Slots + slot], 2);
            }
        }

        // Moves a context's states towards the id that came; a new id takes a free place.
        private void Learn(int context, int id)
        {
            int length = lengths[context];
            int slot = context * Slots;
            int last = slot + length;
            for (; slot < last; slot++)
            {
                if (candidates[slot] == id)
                {
                    states[slot] = AdaptiveState.Update(states[slot], 0, AdaptiveState.Limit);
                    return;
                }
                states[slot] = AdaptiveState.Update(states[slot], 1, AdaptiveState.Limit);
            }
            if (length < Slots)
            {
                candidates[slot] = (byte)id;
                states[slot] = AdaptiveState.Update(AdaptiveState.Fresh, 0, AdaptiveState.Limit);
                lengths[context]++;
            }
        }

        // At least 1: a single id still takes one decision.
        private static int BitLength(int value)
        {
            int length = 1;
            while (value >> length != 0)
            {
                length++;
            }
            return length;
        }
    }
}
