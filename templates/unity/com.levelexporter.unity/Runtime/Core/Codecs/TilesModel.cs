using System;

namespace LevelExporter.Codecs
{
    /// <summary>
    /// The head and the learned state of a tile grid's stream; a payload with a prior continues
    /// from both. Contexts of all levels lie one after the other, coarse to fine.
    /// </summary>
    internal sealed class TilesModel
    {
        /// <summary>Ids a context keeps.</summary>
        public const int Slots = 6;

        /// <summary>The length of a context with one id for good.</summary>
        public const byte Forever = 255;

        /// <summary>The length of a context that had one id for good in the prior.</summary>
        public const byte Once = 254;

        public const int Own = 4;
        public const int FromSide = 8;

        // How many neighbours are in the key of each level, coarse to fine: W and N, then NW and
        // NE, then WW and NN. 0: no neighbour, or the mask alone.
        private static readonly int[][] Menus =
        {
            new[] { 0 }, new[] { 2, 4 }, new[] { 2, 4, 6 }, new[] { 0, 2 },
        };

        private static readonly int[][] MaskedMenus =
        {
            new[] { 0 }, new[] { 0, 2 }, new[] { 0, 2, 4 },
        };

        public int Flags;
        public int[] Ids;

        /// <summary>The class of each id, or of each distinct value of the side layer.</summary>
        public byte[] Classes;
        public BitmapModel Layer = new BitmapModel();
        public int[] Levels;

        /// <summary>Bits of the index of a context that is found by its key.</summary>
        public int IndexBits;
        public byte[] Candidates;
        public uint[] States;
        public byte[] Lengths;
        public byte[] Seen;
        public uint[] Literals = AdaptiveState.FreshStates(512);
        public uint[] FlagStates = AdaptiveState.FreshStates(2);

        public bool IsMasked
        {
            get { return (Flags & (Own | FromSide)) != 0; }
        }

        /// <summary>Contexts of the coarsest level, after which those of the next begin.</summary>
        public int Coarsest
        {
            get { return Levels[0] != 0 ? 1 << IndexBits : IsMasked ? 512 : 1; }
        }

        /// <summary>
        /// Makes the contexts that the flags ask for, for a grid of so many cells.
        /// </summary>
        public void MakeContexts(int cells)
        {
            int menu = Flags & 3;
            if (IsMasked && menu >= MaskedMenus.Length)
            {
                throw new LevelBlobException("tiles with unknown flags");
            }
            Levels = IsMasked ? MaskedMenus[menu] : Menus[menu];
            Layer.Edge = Flags >> 4 & 1;
            IndexBits = 8;
            while (IndexBits < 16 && 1 << IndexBits <= cells - 1)
            {
                IndexBits++;
            }
            int contexts = Coarsest + (Levels.Length - 1 << IndexBits);
            Candidates = new byte[contexts * Slots];
            States = new uint[contexts * Slots];
            Lengths = new byte[contexts];
            Seen = new byte[contexts];
        }

        /// <summary>
        /// The model as others go on from it, in the tables of <paramref name="spare"/> if
        /// those fit.
        /// </summary>
        public TilesModel Continued(TilesModel spare)
        {
            var other = new TilesModel
            {
                Flags = Flags,
                Ids = Ids,
                Classes = Classes,
                Layer = Layer.Copy(),
                Levels = Levels,
                IndexBits = IndexBits,
                Literals = (uint[])Literals.Clone(),
                FlagStates = (uint[])FlagStates.Clone(),
                Lengths = (byte[])Lengths.Clone(),
                Seen = (byte[])Seen.Clone(),
            };
            bool fits = spare != null && spare.States.Length == States.Length;
            other.Candidates = fits ? spare.Candidates : new byte[Candidates.Length];
            other.States = fits ? spare.States : new uint[States.Length];
            for (int context = 0; context < Lengths.Length; context++)
            {
                int length = Lengths[context];
                if (length == 0)
                {
                    continue;
                }
                if (length == Forever)
                {
                    other.Lengths[context] = Once;
                }
                int slot = context * Slots;
                int last = slot + Math.Min(length, Slots);
                for (; slot < last; slot++)
                {
                    other.Candidates[slot] = Candidates[slot];
                    other.States[slot] = States[slot];
                }
            }
            return other;
        }
    }
}
