using System;

namespace LevelExporter.Importing
{
    /// <summary>
    /// A layer of heights as Unity's terrains want it: a square of 2^n + 1 samples from 0 to 1,
    /// [z, x], the bottom row of the level first.
    /// </summary>
    public static class TerrainHeights
    {
        private const int Smallest = 33;
        private const int Largest = 4097;
        private const float FullScale = 65535;

        /// <summary>The samples a terrain needs along a side to hold so many.</summary>
        public static int Resolution(int width, int height)
        {
            int resolution = Smallest;
            while (resolution < Math.Max(width, height) && resolution < Largest)
            {
                resolution = 2 * resolution - 1;
            }
            return resolution;
        }

        /// <summary>
        /// Samples of 16 bits, row after row from the top, as a terrain's heights. Where the size
        /// is no terrain's, heights are taken from between the samples; the corners stay.
        /// </summary>
        public static float[,] Of(int[] samples, int width, int height)
        {
            int resolution = Resolution(width, height);
            var heights = new float[resolution, resolution];
            for (int z = 0; z < resolution; z++)
            {
                float y = (float)BottomUp.Row(z, resolution) * (height - 1) / (resolution - 1);
                for (int x = 0; x < resolution; x++)
                {
                    heights[z, x] = Between(
                        samples, width, height, (float)x * (width - 1) / (resolution - 1), y);
                }
            }
            return heights;
        }

        /// <summary>Whether a terrain can have so many samples along a side.</summary>
        public static bool IsResolution(int side)
        {
            return side <= Largest && Resolution(side, side) == side;
        }

        /// <summary>
        /// The heights of a `.raw` file: a terrain's samples of 16 bits, little-endian, the bottom row
        /// first.
        /// </summary>
        public static float[,] OfRaw(byte[] samples, int resolution)
        {
            if (samples.LongLength != 2L * resolution * resolution)
            {
                throw new ArgumentException("not so many samples", "samples");
            }
            var heights = new float[resolution, resolution];
            int at = 0;
            for (int z = 0; z < resolution; z++)
            {
                for (int x = 0; x < resolution; x++)
                {
                    heights[z, x] = (samples[at] | samples[at + 1] << 8) / FullScale;
                    at += 2;
                }
            }
            return heights;
        }

        private static float Between(int[] samples, int width, int height, float x, float y)
        {
            int left = Math.Min((int)x, width - 1);
            int top = Math.Min((int)y, height - 1);
            int right = Math.Min(left + 1, width - 1);
            int bottom = Math.Min(top + 1, height - 1);
            float across = x - left;
            float down = y - top;
            float upper = samples[top * width + left] * (1 - across)
                + samples[top * width + right] * across;
            float lower = samples[bottom * width + left] * (1 - across)
                + samples[bottom * width + right] * across;
            return (upper * (1 - down) + lower * down) / FullScale;
        }
    }
}
