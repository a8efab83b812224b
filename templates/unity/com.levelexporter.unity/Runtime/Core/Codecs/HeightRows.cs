namespace LevelExporter.Codecs
{
    /// <summary>
    /// One row of samples from their residuals, for 6, 10, 18 and 24 neighbours. Neighbours move
    /// along in locals, named by column (l left, m middle, r right) and row (0 is this one, 1 the
    /// one above): twice as fast as a loop over a table of them.
    /// </summary>
    internal static class HeightRows
    {
        private const long Half = 131072;
        private const int Bits = 18;

        public static bool With6(
            int[] work,
            int start,
            int stride,
            int width,
            int[] folded,
            int at,
            long[] f,
            int span)
        {
            int up = start - stride;
            int up2 = up - stride;
            long f0 = f[0], f1 = f[1], f2 = f[2], f3 = f[3], f4 = f[4], f5 = f[5];
            long l2_0 = work[start - 2];
            long l1_0 = work[start - 1];
            long l1_1 = work[up - 1];
            long m_1 = work[up];
            for (int x = 0; x < width; x++)
            {
                long r1_1 = work[up + x + 1];
                long m_2 = work[up2 + x];
                long sum = Half
                    + f0 * l1_0 + f1 * m_1 + f2 * l1_1 + f3 * r1_1
                    + f4 * l2_0 + f5 * m_2;
                int value = HeightPrediction.Unfolded(folded[at + x]);
                if (sum > 0)
                {
                    sum >>= Bits;
                    value += sum > span ? span : (int)sum;
                }
                if (value < 0 || value > span)
                {
                    return false;
                }
                work[start + x] = value;
                l2_0 = l1_0;
                l1_0 = value;
                l1_1 = m_1;
                m_1 = r1_1;
            }
            return true;
        }

        public static bool With10(
            int[] work,
            int start,
            int stride,
            int width,
            int[] folded,
            int at,
            long[] f,
            int span)
        {
            int up = start - stride;
            int up2 = up - stride;
            long f0 = f[0], f1 = f[1], f2 = f[2], f3 = f[3], f4 = f[4], f5 = f[5];
            long f6 = f[6], f7 = f[7], f8 = f[8], f9 = f[9];
            long l2_0 = work[start - 2];
            long l1_0 = work[start - 1];
            long l2_1 = work[up - 2];
            long l1_1 = work[up - 1];
            long m_1 = work[up];
            long r1_1 = work[up + 1];
            long l1_2 = work[up2 - 1];
            long m_2 = work[up2];
            for (int x = 0; x < width; x++)
            {
                long r2_1 = work[up + x + 2];
                long r1_2 = work[up2 + x + 1];
                long sum = Half
                    + f0 * l1_0 + f1 * m_1 + f2 * l1_1 + f3 * r1_1
                    + f4 * l2_0 + f5 * m_2 + f6 * l2_1 + f7 * r2_1
                    + f8 * l1_2 + f9 * r1_2;
                int value = HeightPrediction.Unfolded(folded[at + x]);
                if (sum > 0)
                {
                    sum >>= Bits;
                    value += sum > span ? span : (int)sum;
                }
                if (value < 0 || value > span)
                {
                    return false;
                }
                work[start + x] = value;
                l2_0 = l1_0;
                l1_0 = value;
                l2_1 = l1_1;
                l1_1 = m_1;
                m_1 = r1_1;
                r1_1 = r2_1;
                l1_2 = m_2;
                m_2 = r1_2;
            }
            return true;
        }

        public static bool With18(
            int[] work,
            int start,
            int stride,
            int width,
            int[] folded,
            int at,
            long[] f,
            int span)
        {
            int up = start - stride;
            int up2 = up - stride;
            int up3 = up2 - stride;
            long f0 = f[0], f1 = f[1], f2 = f[2], f3 = f[3], f4 = f[4], f5 = f[5];
            long f6 = f[6], f7 = f[7], f8 = f[8], f9 = f[9], f10 = f[10], f11 = f[11];
            long f12 = f[12], f13 = f[13], f14 = f[14], f15 = f[15], f16 = f[16], f17 = f[17];
            long l3_0 = work[start - 3];
            long l2_0 = work[start - 2];
            long l1_0 = work[start - 1];
            long l3_1 = work[up - 3];
            long l2_1 = work[up - 2];
            long l1_1 = work[up - 1];
            long m_1 = work[up];
            long r1_1 = work[up + 1];
            long r2_1 = work[up + 2];
            long l2_2 = work[up2 - 2];
            long l1_2 = work[up2 - 1];
            long m_2 = work[up2];
            long r1_2 = work[up2 + 1];
            long l1_3 = work[up3 - 1];
            long m_3 = work[up3];
            for (int x = 0; x < width; x++)
            {
                long r3_1 = work[up + x + 3];
                long r2_2 = work[up2 + x + 2];
                long r1_3 = work[up3 + x + 1];
                long sum = Half
                    + f0 * l1_0 + f1 * m_1 + f2 * l1_1 + f3 * r1_1
                    + f4 * l2_0 + f5 * m_2 + f6 * l2_1 + f7 * r2_1
                    + f8 * l1_2 + f9 * r1_2 + f10 * l2_2 + f11 * r2_2
                    + f12 * l3_0 + f13 * m_3 + f14 * l3_1 + f15 * r3_1
                    + f16 * l1_3 + f17 * r1_3;
                int value = HeightPrediction.Unfolded(folded[at + x]);
                if (sum > 0)
                {
                    sum >>= Bits;
                    value += sum > span ? span : (int)sum;
                }
                if (value < 0 || value > span)
                {
                    return false;
                }
                work[start + x] = value;
                l3_0 = l2_0;
                l2_0 = l1_0;
                l1_0 = value;
                l3_1 = l2_1;
                l2_1 = l1_1;
                l1_1 = m_1;
                m_1 = r1_1;
                r1_1 = r2_1;
                r2_1 = r3_1;
                l2_2 = l1_2;
                l1_2 = m_2;
                m_2 = r1_2;
                r1_2 = r2_2;
                l1_3 = m_3;
                m_3 = r1_3;
            }
            return true;
        }

        public static bool With24(
            int[] work,
            int start,
            int stride,
            int width,
            int[] folded,
            int at,
            long[] f,
            int span)
        {
            int up = start - stride;
            int up2 = up - stride;
            int up3 = up2 - stride;
            long f0 = f[0], f1 = f[1], f2 = f[2], f3 = f[3], f4 = f[4], f5 = f[5];
            long f6 = f[6], f7 = f[7], f8 = f[8], f9 = f[9], f10 = f[10], f11 = f[11];
            long f12 = f[12], f13 = f[13], f14 = f[14], f15 = f[15], f16 = f[16], f17 = f[17];
            long f18 = f[18], f19 = f[19], f20 = f[20], f21 = f[21], f22 = f[22], f23 = f[23];
            long l3_0 = work[start - 3];
            long l2_0 = work[start - 2];
            long l1_0 = work[start - 1];
            long l3_1 = work[up - 3];
            long l2_1 = work[up - 2];
            long l1_1 = work[up - 1];
            long m_1 = work[up];
            long r1_1 = work[up + 1];
            long r2_1 = work[up + 2];
            long l3_2 = work[up2 - 3];
            long l2_2 = work[up2 - 2];
            long l1_2 = work[up2 - 1];
            long m_2 = work[up2];
            long r1_2 = work[up2 + 1];
            long r2_2 = work[up2 + 2];
            long l3_3 = work[up3 - 3];
            long l2_3 = work[up3 - 2];
            long l1_3 = work[up3 - 1];
            long m_3 = work[up3];
            long r1_3 = work[up3 + 1];
            long r2_3 = work[up3 + 2];
            for (int x = 0; x < width; x++)
            {
                long r3_1 = work[up + x + 3];
                long r3_2 = work[up2 + x + 3];
                long r3_3 = work[up3 + x + 3];
                long sum = Half
                    + f0 * l1_0 + f1 * m_1 + f2 * l1_1 + f3 * r1_1
                    + f4 * l2_0 + f5 * m_2 + f6 * l2_1 + f7 * r2_1
                    + f8 * l1_2 + f9 * r1_2 + f10 * l2_2 + f11 * r2_2
                    + f12 * l3_0 + f13 * m_3 + f14 * l3_1 + f15 * r3_1
                    + f16 * l1_3 + f17 * r1_3 + f18 * l3_2 + f19 * r3_2
                    + f20 * l2_3 + f21 * r2_3 + f22 * l3_3 + f23 * r3_3;
                int value = HeightPrediction.Unfolded(folded[at + x]);
                if (sum > 0)
                {
                    sum >>= Bits;
                    value += sum > span ? span : (int)sum;
                }
                if (value < 0 || value > span)
                {
                    return false;
                }
                work[start + x] = value;
                l3_0 = l2_0;
                l2_0 = l1_0;
                l1_0 = value;
                l3_1 = l2_1;
                l2_1 = l1_1;
                l1_1 = m_1;
                m_1 = r1_1;
                r1_1 = r2_1;
                r2_1 = r3_1;
                l3_2 = l2_2;
                l2_2 = l1_2;
                l1_2 = m_2;
                m_2 = r1_2;
                r1_2 = r2_2;
                r2_2 = r3_2;
                l3_3 = l2_3;
                l2_3 = l1_3;
                l1_3 = m_3;
                m_3 = r1_3;
                r1_3 = r2_3;
                r2_3 = r3_3;
            }
            return true;
        }
    }
}
