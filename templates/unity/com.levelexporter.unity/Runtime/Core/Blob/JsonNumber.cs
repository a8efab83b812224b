using System;
using System.Globalization;

namespace LevelExporter.Blob
{
    /// <summary>
    /// Turns the digits of JSON numbers into numbers. The nearest double is found in integers:
    /// not every runtime's own parser is exact to the last bit.
    /// </summary>
    internal static class JsonNumber
    {
        private const int MostDigits = 18;
        private const int MantissaBits = 53;
        private const int LowestExponent = -1022;
        // The power of five with this exponent is the largest below 2^61.
        private const int LargestFifths = 26;

        // The powers of ten that a double holds exactly.
        private static readonly double[] Powers =
        {
            1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
            1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
        };

        /// <summary>An integer of 64 bits.</summary>
        public static long Integer(string number)
        {
            long value;
            if (!long.TryParse(
                    number, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out value))
            {
                throw new LevelBlobException("broken values: an integer does not fit in 64 bits");
            }
            return value;
        }

        /// <summary>
        /// The double nearest to a number whose exponent, if any, follows at a position.
        /// </summary>
        public static double Decimal(string number, int end)
        {
            long mantissa = 0;
            int digits = 0;
            int exponent = 0;
            bool isFraction = false;
            for (int index = 0; index < end; index++)
            {
                char letter = number[index];
                isFraction |= letter == '.';
                if (letter < '0')
                {
                    continue;
                }
                digits += digits > 0 || letter != '0' ? 1 : 0;
                exponent -= isFraction ? 1 : 0;
                if (digits > MostDigits)
                {
                    throw new LevelBlobException("broken values: a number has too many digits");
                }
                mantissa = mantissa * 10 + (letter - '0');
            }
            exponent += end < number.Length ? Exponent(number.Substring(end + 1)) : 0;
            double value = Nearest(mantissa, exponent);
            if (double.IsInfinity(value))
            {
                throw new LevelBlobException("broken values: a number is too large");
            }
            return number[0] == '-' ? -value : value;
        }

        // Larger exponents make no difference: the number is 0 or infinite.
        private static int Exponent(string text)
        {
            int value = 0;
            foreach (char letter in text)
            {
                value = letter < '0' ? value : Math.Min(value * 10 + (letter - '0'), 9999);
            }
            return text[0] == '-' ? -value : value;
        }

        private static double Nearest(long mantissa, int exponent)
        {
            if (mantissa == 0 || exponent < -400)
            {
                return 0;
            }
            if (exponent > 400)
            {
                return double.PositiveInfinity;
            }
            if (mantissa <= 1L << MantissaBits && Math.Abs(exponent) < Powers.Length)
            {
                return exponent < 0 ? mantissa / Powers[-exponent] : mantissa * Powers[exponent];
            }
            if (exponent <= 0 && exponent >= -LargestFifths)
            {
                return OfFifths(mantissa, -exponent);
            }
            var upper = new WideInteger(mantissa);
            var lower = new WideInteger(1);
            upper.MultiplyByTen(Math.Max(0, exponent));
            lower.MultiplyByTen(Math.Max(0, -exponent));
            return Quotient(upper, lower);
        }

        // The double nearest to upper / 5^fifths / 2^fifths, where 64 bits hold all of it.
        private static double OfFifths(long upper, int fifths)
        {
            long lower = 1;
            for (int index = 0; index < fifths; index++)
            {
                lower *= 5;
            }
            int power = 0;
            for (; lower > upper; power--)
            {
                upper <<= 1;
            }
            for (; lower << 1 <= upper; power++)
            {
                lower <<= 1;
            }
            long mantissa = 0;
            for (int bit = 0; bit < MantissaBits; bit++)
            {
                mantissa <<= 1;
                if (upper >= lower)
                {
                    upper -= lower;
                    mantissa |= 1;
                }
                upper <<= 1;
            }
            // The remainder says on which side of the middle the number is.
            if (upper > lower || (upper == lower && (mantissa & 1) == 1))
            {
                mantissa++;
            }
            return Scaled(mantissa, power - fifths - MantissaBits + 1);
        }

        // The double nearest to upper / lower, halves to even, by long division.
        private static double Quotient(WideInteger upper, WideInteger lower)
        {
            // From here on lower <= upper < 2 * lower, and the quotient is that times 2^power.
            int power = upper.BitLength - lower.BitLength;
            (power > 0 ? lower : upper).ShiftLeft(Math.Abs(power));
            if (upper.CompareTo(lower) < 0)
            {
                upper.ShiftLeft(1);
                power--;
            }
            // Numbers next to 0 have fewer bits.
            int bits = Math.Min(MantissaBits, MantissaBits + power - LowestExponent);
            if (bits < 0)
            {
                return 0;
            }
            long mantissa = 0;
            for (int bit = 0; bit < bits; bit++)
            {
                mantissa = mantissa << 1 | upper.TakeBit(lower);
            }
            bool isHalf = upper.TakeBit(lower) == 1;
            if (isHalf && (!upper.IsZero || (mantissa & 1) == 1))
            {
                mantissa++;
            }
            return Scaled(mantissa, power - bits + 1);
        }

        // In two steps, for the power itself may be no double.
        private static double Scaled(long mantissa, int power)
        {
            return mantissa * PowerOfTwo(power / 2) * PowerOfTwo(power - power / 2);
        }

        private static double PowerOfTwo(int exponent)
        {
            return BitConverter.Int64BitsToDouble((long)(exponent + 1023) << 52);
        }
    }
}
