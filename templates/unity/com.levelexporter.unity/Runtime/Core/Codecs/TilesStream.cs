using System;

namespace LevelExporter.Codecs
{
    /// <summary>
    /// The loop over the cells of a tile grid. A context (a set of neighbours, and the classes of
    /// the nine cells around where a class layer is known) keeps up to six candidates; a decision
    /// each says which of them comes, and a tree of decisions tells an id that is not among them.
    /// </summary>
    internal static class TilesStream
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

        /// <summary>The ids of all cells as places in the model's table, or beyond it if broken.</summary>
        public static int[] Read(
            RangeDecoder stream, int width, int height, byte[] classes, TilesModel model)
        {
            bool masked = classes != null;
            byte[] candidates = model.Candidates;
            uint[] states = model.States;
            byte[] lengths = model.Lengths;
            byte[] seen = model.Seen;
            uint[] rates = AdaptiveState.Rates;
            byte[] data = stream.Data;
            int end = stream.End;
            int coarse = model.Levels[0];
            int fine = model.Levels.Length - 1;
            int shift = 32 - model.IndexBits;
            int second = model.Coarsest;
            int third = second + (1 << model.IndexBits);
            int depth = BitLength(model.Ids.Length - 1);
            var kept = new uint[Slots];
            var cells = new int[width * height];
            // Ids + 1 of the two rows above and this one, framed by two zeros on either side.
            var above2 = new int[width + 4];
            var above = new int[width + 4];
            var here = new int[width + 4];
            byte[] columns = masked ? FirstColumns(classes, width, model.Layer.Edge) : null;
            int at = 0;
            for (int y = 0; y < height; y++)
            {
                int mask = 0;
                int own = 0;
                if (masked)
                {
                    NextColumns(columns, classes, width, height, y, model.Layer.Edge);
                    mask = columns[0] << 1 | columns[1];
                }
                int farWest;
                int west = 0;
                int northWest;
                int north = 0;
                int northEast = above[2];
                farWest = 0;
                for (int x = 0; x < width; x++)
                {
                    northWest = north;
                    north = northEast;
                    northEast = above[x + 3];
                    int parent = 0;
                    bool told = false;
                    bool forever = false;
                    if (masked)
                    {
                        mask = (mask << 1 & 0x1B6) | columns[x + 2];
                        own = mask >> 4 & 1;
                        parent = mask;
                        if (lengths[mask] == TilesModel.Once)
                        {
                            // The prior had one id for good: does that go on?
                            bool goesOn = stream.Decide(model.FlagStates, own) != 0;
                            lengths[mask] = goesOn ? TilesModel.Forever : (byte)1;
                            states[mask * Slots] = AdaptiveState.Update(
                                AdaptiveState.Fresh, 0, AdaptiveState.Limit);
                        }
                        if (lengths[mask] == TilesModel.Forever)
                        {
                            int only = candidates[mask * Slots];
                            cells[at++] = only;
                            farWest = west;
                            west = only + 1;
                            here[x + 2] = west;
                            continue;
                        }
                        if (lengths[mask] == 0)
                        {
                            told = true;
                            forever = stream.Decide(model.FlagStates, own) != 0;
                        }
                    }
                    int context = parent;
                    int middle = -1;
                    if (fine > 0 || coarse > 0)
                    {
                        uint key = unchecked(
                            (uint)mask * MaskFactor + (uint)west * WestFactor
                            + (uint)north * NorthFactor);
                        if (coarse == 2)
                        {
                            parent = (int)(key >> shift);
                            key = unchecked(
                                key + (uint)northWest * NorthWestFactor
                                + (uint)northEast * NorthEastFactor);
                        }
                        context = second + (int)(key >> shift);
                        if (lengths[context] == 0)
                        {
                            Inherit(context, parent, candidates, states, lengths);
                        }
                        if (fine > 1)
                        {
                            middle = context;
                            key = coarse == 2
                                ? unchecked(
                                    key + (uint)farWest * FarWestFactor
                                    + (uint)above2[x + 2] * FarNorthFactor)
                                : unchecked(
                                    key + (uint)northWest * NorthWestFactor
                                    + (uint)northEast * NorthEastFactor);
                            context = third + (int)(key >> shift);
                            if (lengths[context] == 0)
                            {
                                Inherit(context, middle, candidates, states, lengths);
                            }
                        }
                    }
                    int id = -1;
                    int first = context * Slots;
                    int length = lengths[context];
                    // The registers are kept in locals here, where nearly all decisions are made.
                    uint range = stream.Range;
                    uint code = stream.Code;
                    for (int slot = 0; slot < length && !told; slot++)
                    {
                        uint state = states[first + slot];
                        uint bound = (range >> 16) * (state >> 16 | 1);
                        uint count = state & 1023;
                        uint probability = state >> 10;
                        uint met = count < AdaptiveState.Limit ? count + 1 : count;
                        bool hit = code < bound;
                        if (hit)
                        {
                            range = bound;
                            probability += (uint)(
                                (ulong)(4194304 - probability) * rates[count] >> 16);
                        }
                        else
                        {
                            kept[slot] = state;
                            code -= bound;
                            range -= bound;
                            probability -= (uint)((ulong)probability * rates[count] >> 16);
                        }
                        states[first + slot] = probability << 10 | met;
                        while (range < 0x1000000)
                        {
                            range <<= 8;
                            int position = stream.Position++;
                            code = code << 8 | (position < end ? data[position] : (uint)0);
                        }
                        if (hit)
                        {
                            id = candidates[first + slot];
                            break;
                        }
                    }
                    stream.Range = range;
                    stream.Code = code;
                    bool found = id >= 0;
                    if (!found)
                    {
                        id = Literal(stream, model.Literals, own << 8, depth);
                    }
                    cells[at++] = id;
                    farWest = west;
                    west = id + 1;
                    here[x + 2] = west;
                    if (forever)
                    {
                        candidates[mask * Slots] = (byte)id;
                        lengths[mask] = TilesModel.Forever;
                        continue;
                    }
                    if (!found)
                    {
                        if (!told)
                        {
                            Array.Copy(kept, 0, states, first, length);
                        }
                        Learn(context, id, candidates, states, lengths);
                    }
                    if (seen[context] >= Grown)
                    {
                        continue;
                    }
                    seen[context]++;
                    if (fine > 1)
                    {
                        Learn(middle, id, candidates, states, lengths);
                        if (seen[middle] >= Grown)
                        {
                            continue;
                        }
                        seen[middle]++;
                    }
                    if (fine > 0)
                    {
                        Learn(parent, id, candidates, states, lengths);
                        if (seen[parent] < Grown)
                        {
                            seen[parent]++;
                        }
                    }
                }
                int[] spare = above2;
                above2 = above;
                above = here;
                here = spare;
            }
            return cells;
        }

        // An id told bit by bit.
        private static int Literal(RangeDecoder stream, uint[] literals, int tree, int depth)
        {
            int node = 1;
            for (int bit = 0; bit < depth; bit++)
            {
                node = node << 1 | stream.Decide(literals, tree + node);
            }
            return node - (1 << depth);
        }

        // A context never met starts with its parent's candidates, as if met at most twice.
        private static void Inherit(
            int child, int parent, byte[] candidates, uint[] states, byte[] lengths)
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
        private static void Learn(
            int context, int id, byte[] candidates, uint[] states, byte[] lengths)
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

        // The classes of three cells one above the other, in bits 6, 3 and 0 of a number a column.
        private static byte[] FirstColumns(byte[] classes, int width, int edge)
        {
            var columns = new byte[width + 2];
            columns[0] = columns[width + 1] = (byte)(73 * edge);
            for (int x = 0; x < width; x++)
            {
                columns[x + 1] = (byte)(edge << 3 | classes[x]);
            }
            return columns;
        }

        private static void NextColumns(
            byte[] columns, byte[] classes, int width, int height, int y, int edge)
        {
            int below = (y + 1) * width;
            bool isLast = y + 1 == height;
            for (int x = 0; x < width; x++)
            {
                int next = isLast ? edge : classes[below + x];
                columns[x + 1] = (byte)((columns[x + 1] & 9) << 3 | next);
            }
        }

        // At least 1: a single id is still told by one decision.
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
