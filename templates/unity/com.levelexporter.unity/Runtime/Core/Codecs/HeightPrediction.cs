using System;

namespace LevelExporter.Codecs
{
    /// <summary>
    /// How the samples of a grid are predicted: the lowest sample, the span above it, and the
    /// factors of up to 24 neighbours, out of 2^18.
    /// </summary>
    internal sealed class HeightPrediction
    {
        private const int MostTaps = 24;
        private const int LargestFactor = 1 << 27;

        private int lowest;
        private int span;
        private long[] factors;

        /// <summary>Reads the first part of a payload's head.</summary>
        public static HeightPrediction Read(RangeDecoder head, PartShape shape)
        {
            var model = new NumberModel();
            long lowest = head.Folded(model);
            long span = head.NumberUpTo(model, 65535);
            int taps = head.NumberUpTo(model, MostTaps);
            if (taps < 1 || Math.Abs(lowest) > 1L << 31 || !shape.Holds(lowest, lowest + span))
            {
                throw new LevelBlobException("the prediction is out of range");
            }
            var prediction = new HeightPrediction
            {
                lowest = (int)lowest,
                span = (int)span,
                factors = new long[taps],
            };
            for (int tap = 0; tap < taps; tap++)
            {
                long factor = head.Folded(model);
                if (Math.Abs(factor) > LargestFactor)
                {
                    throw new LevelBlobException("a factor is out of range");
                }
                prediction.factors[tap] = factor;
            }
            return prediction;
        }

        /// <summary>
        /// The samples that have these folded residuals, which are overwritten by them.
        /// </summary>
        public int[] Restore(int[] folded, int width, int height)
        {
            // Three columns to the left and right and three rows above are filled with near
            // samples, so that every sample has all its neighbours.
            int stride = width + 6;
            var work = new int[stride * (height + 3)];
            FirstRow(work, stride, width, folded);
            long[] all = new long[MostTaps];
            Array.Copy(factors, all, factors.Length);
            for (int y = 1; y < height; y++)
            {
                int start = (y + 3) * stride + 3;
                work[start - 1] = work[start - 2] = work[start - 3] = work[start - stride];
                bool good =
                    factors.Length <= 6
                        ? HeightRows.With6(work, start, stride, width, folded, y * width, all, span)
                    : factors.Length <= 10
                        ? HeightRows.With10(work, start, stride, width, folded, y * width, all, span)
                    : factors.Length <= 18
                        ? HeightRows.With18(work, start, stride, width, folded, y * width, all, span)
                        : HeightRows.With24(work, start, stride, width, folded, y * width, all, span);
                if (!good)
                {
                    throw new LevelBlobException("a sample is out of range");
                }
                FinishRow(work, start, width);
            }
            for (int y = 0; y < height; y++)
            {
                int start = (y + 3) * stride + 3;
                for (int x = 0; x < width; x++)
                {
                    folded[y * width + x] = work[start + x] + lowest;
                }
            }
            return folded;
        }

        private void FirstRow(int[] work, int stride, int width, int[] folded)
        {
            int start = 3 * stride + 3;
            int value = (span + 1) >> 1;
            for (int x = 0; x < width; x++)
            {
                value += Unfolded(folded[x]);
                if (value < 0 || value > span)
                {
                    throw new LevelBlobException("a sample is out of range");
                }
                work[start + x] = value;
            }
            FinishRow(work, start, width);
            for (int row = 0; row < 3; row++)
            {
                Array.Copy(work, 3 * stride, work, row * stride, stride);
            }
        }

        private static void FinishRow(int[] work, int start, int width)
        {
            int last = start + width - 1;
            work[start - 1] = work[start - 2] = work[start - 3] = work[start];
            work[last + 1] = work[last + 2] = work[last + 3] = work[last];
        }

        /// <summary>2 n encodes n, 2 n + 1 encodes -n - 1.</summary>
        public static int Unfolded(int folded)
        {
            return folded >> 1 ^ -(folded & 1);
        }
    }
}
