using System;

namespace LevelExporter.Importing
{
    /// <summary>
    /// Which picture of the sheet each cell of a layer gets, the same as in Godot and Tiled:
    /// an id's first picture, or of several the one that place or neighbours choose.
    /// </summary>
    public static class TilePictures
    {
        /// <summary>A cell without a picture.</summary>
        public const int None = -1;

        private const int Ids = 65536;

        // Bits of the neighbours: N 1, NE 2, E 4, SE 8, S 16, SW 32, W 64, NW 128.
        private static readonly int[] StepsX = { 0, 1, 1, 1, 0, -1, -1, -1 };
        private static readonly int[] StepsY = { -1, -1, 0, 1, 1, 1, 0, -1 };
        private const int Sides = 1 | 4 | 16 | 64;

        /// <summary>
        /// The number in the sheet of every cell, row after row from the top; None for none.
        /// </summary>
        public static int[] NumbersOf(int[] cells, int width, int height, TileSheetLayer layer)
        {
            var first = new int[Ids];
            for (int id = 0; id < Ids; id++)
            {
                first[id] = None;
            }
            for (int index = 0; index < layer.ids.Length && index < layer.numbers.Length; index++)
            {
                first[layer.ids[index]] = layer.numbers[index];
            }
            TileSheetAround around = layer.around;
            int[] all = around.With(cells, width, height);
            int wide = around.left + width + around.right;
            int high = around.top + height + around.bottom;
            int[] numbers = Array.ConvertAll(all, id => first[id]);
            var origin = new GridCell(around.x - around.left, around.y - around.top);
            foreach (TileSheetChoice choice in layer.choices)
            {
                Choose(all, wide, high, choice, origin, numbers);
            }
            return around.Without(numbers, width, height);
        }

        /// <summary>
        /// The path of the tile asset that each cell shows, row after row from the top: null for the
        /// picture of the sheet, and null as a whole where no cell has an asset.
        /// </summary>
        public static string[] AssetsOf(int[] cells, int width, TileSheetLayer layer)
        {
            var byId = new string[Ids][];
            foreach (TileSheetAssets entry in layer.assets)
            {
                byId[entry.id] = entry.paths;
            }
            string[] result = null;
            for (int index = 0; index < cells.Length; index++)
            {
                string[] paths = byId[cells[index]];
                if (paths != null && paths.Length > 0)
                {
                    result = result ?? new string[cells.Length];
                    int x = layer.around.x + index % width;
                    int y = layer.around.y + index / width;
                    result[index] = paths[PositionHash(x, y) % (uint)paths.Length];
                }
            }
            return result;
        }

        /// <summary>
        /// The numbers of a grid beside the cells, row after row from the top; None for none, and
        /// where the file says nothing.
        /// </summary>
        /// <param name="grid">The grid.</param>
        /// <param name="count">How many numbers it has.</param>
        public static int[] NumbersOf(TileSheetGrid grid, int count)
        {
            var numbers = new int[count];
            int filled = 0;
            int[] runs = grid.RunNumbers();
            for (int run = 0; run < runs.Length; run += 2)
            {
                for (int left = runs[run]; left > 0 && filled < count; left--)
                {
                    numbers[filled++] = runs[run + 1];
                }
            }
            while (filled < count)
            {
                numbers[filled++] = None;
            }
            return numbers;
        }

        private static void Choose(
            int[] cells, int width, int height, TileSheetChoice choice, GridCell origin, int[] numbers)
        {
            int[] classes = choice.by == "place" ? null : Classes(choice.by == "blob");
            bool[] joined = Joined(cells, choice);
            if (choice.inner)
            {
                joined = Surrounded(joined, width, height);
            }
            int[] counts = Counts(choice, classes == null);
            var firsts = new int[counts.Length];
            for (int which = 1; which < counts.Length; which++)
            {
                firsts[which] = firsts[which - 1] + counts[which - 1];
            }
            for (int index = 0; index < cells.Length; index++)
            {
                if (cells[index] != choice.id || choice.inner && !joined[index])
                {
                    continue;
                }
                int x = index % width;
                int y = index / width;
                int which = classes == null ? 0 : classes[NeighbourMask(joined, width, height, x, y)];
                uint hash = counts[which] == 1 ? 0 : PositionHash(x + origin.X, y + origin.Y);
                int variant = (int)(hash % (uint)counts[which]);
                numbers[index] = choice.numbers[firsts[which] + variant];
            }
        }

        // How many pictures each class has.
        private static int[] Counts(TileSheetChoice choice, bool oneClass)
        {
            if (choice.counts.Length > 0)
            {
                return choice.counts;
            }
            return oneClass ? new[] { choice.numbers.Length } : Array.ConvertAll(choice.numbers, _ => 1);
        }

        // Which cells count as joined for a choice.
        private static bool[] Joined(int[] cells, TileSheetChoice choice)
        {
            var among = new bool[Ids];
            among[choice.id] = choice.joins.Length == 0;
            foreach (int id in choice.joins)
            {
                among[id] = true;
            }
            return Array.ConvertAll(cells, id => among[id]);
        }

        // Which cells have eight joined neighbours, whatever they hold themselves.
        private static bool[] Surrounded(bool[] joined, int width, int height)
        {
            var surrounded = new bool[joined.Length];
            for (int index = 0; index < joined.Length; index++)
            {
                int mask = NeighbourMask(joined, width, height, index % width, index / width);
                surrounded[index] = mask == 255;
            }
            return surrounded;
        }

        /// <summary>A well mixed number for every cell, the same on every machine.</summary>
        public static uint PositionHash(int x, int y)
        {
            unchecked
            {
                uint value = (uint)y * 0x9E3779B1 ^ (uint)x * 0x85EBCA77;
                value ^= value >> 15;
                value *= 0x2C1B3C6D;
                value ^= value >> 12;
                value *= 0x297A2D39;
                return value ^ value >> 15;
            }
        }

        // Beyond the edge everything counts as joined, so that walls do not end there.
        private static int NeighbourMask(bool[] joined, int width, int height, int x, int y)
        {
            int mask = 0;
            for (int bit = 0; bit < 8; bit++)
            {
                int nextX = x + StepsX[bit];
                int nextY = y + StepsY[bit];
                bool outside = nextX < 0 || nextY < 0 || nextX >= width || nextY >= height;
                if (outside || joined[nextY * width + nextX])
                {
                    mask |= 1 << bit;
                }
            }
            return mask;
        }

        // The class of each mask: the rank of its reduced form among all reduced masks.
        private static int[] Classes(bool corners)
        {
            var reduced = new int[256];
            var occurs = new bool[256];
            for (int mask = 0; mask < 256; mask++)
            {
                reduced[mask] = corners ? WithoutLooseCorners(mask) : mask & Sides;
                occurs[reduced[mask]] = true;
            }
            var rank = new int[256];
            for (int mask = 1; mask < 256; mask++)
            {
                rank[mask] = rank[mask - 1] + (occurs[mask - 1] ? 1 : 0);
            }
            return Array.ConvertAll(reduced, mask => rank[mask]);
        }

        // A corner counts only between two sides that are set.
        private static int WithoutLooseCorners(int mask)
        {
            for (int corner = 1; corner < 8; corner += 2)
            {
                int sides = 1 << (corner - 1) | 1 << ((corner + 1) & 7);
                if ((mask & sides) != sides)
                {
                    mask &= ~(1 << corner);
                }
            }
            return mask;
        }
    }
}
