using System.Collections.Generic;

namespace LevelExporter.Importing
{
    /// <summary>Which cells of a part of a mask hang together, by edges.</summary>
    internal sealed class MaskRegions
    {
        private readonly bool[] mask;
        private readonly int width;
        private readonly GridView part;
        private readonly int[] regions;
        private readonly Stack<int> open = new Stack<int>();

        private MaskRegions(bool[] mask, int width, GridView part)
        {
            this.mask = mask;
            this.width = width;
            this.part = part;
            regions = new int[part.Width * part.Height];
        }

        /// <summary>
        /// The region of every cell of a part, row after row: 0 outside the mask, else a number from 1
        /// in the row-major order of the regions' first cells.
        /// </summary>
        public static int[] Of(bool[] mask, int width, GridView part)
        {
            var result = new MaskRegions(mask, width, part);
            int count = 0;
            for (int cell = 0; cell < result.regions.Length; cell++)
            {
                if (result.IsNew(cell))
                {
                    result.Fill(cell, ++count);
                }
            }
            return result.regions;
        }

        private void Fill(int first, int region)
        {
            Enter(first, region);
            while (open.Count > 0)
            {
                int cell = open.Pop();
                int x = cell % part.Width;
                EnterIf(x > 0, cell - 1, region);
                EnterIf(x < part.Width - 1, cell + 1, region);
                EnterIf(cell >= part.Width, cell - part.Width, region);
                EnterIf(cell < regions.Length - part.Width, cell + part.Width, region);
            }
        }

        private void EnterIf(bool isInside, int cell, int region)
        {
            if (isInside && IsNew(cell))
            {
                Enter(cell, region);
            }
        }

        private void Enter(int cell, int region)
        {
            regions[cell] = region;
            open.Push(cell);
        }

        private bool IsNew(int cell)
        {
            int x = part.X + cell % part.Width;
            int y = part.Y + cell / part.Width;
            return regions[cell] == 0 && mask[y * width + x];
        }
    }
}
