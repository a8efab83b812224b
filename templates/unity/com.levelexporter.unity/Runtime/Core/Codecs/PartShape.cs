namespace LevelExporter.Codecs
{
    /// <summary>The size and element type of the cells a payload holds.</summary>
    internal sealed class PartShape
    {
        public const int Truth = 0;
        public const int Byte = 1;
        public const int Word = 2;
        public const int Signed = 3;

        public readonly int Width;
        public readonly int Height;
        public readonly int Element;

        public PartShape(int width, int height, int element)
        {
            if (element < Truth || element > Signed)
            {
                throw new LevelBlobException("element type " + element + " is not known here");
            }
            Width = width;
            Height = height;
            Element = element;
        }

        public int Count
        {
            get { return Width * Height; }
        }

        /// <summary>Bytes of a cell.</summary>
        public int Size
        {
            get { return SizeOf(Element); }
        }

        public static int SizeOf(int element)
        {
            return element == Signed ? 4 : element == Word ? 2 : 1;
        }

        /// <summary>A cell from its little-endian bytes.</summary>
        public int FromBits(uint bits)
        {
            if (Element == Truth && bits > 1)
            {
                throw new LevelBlobException("a truth value is neither 0 nor 1");
            }
            return (int)bits;
        }

        /// <summary>Whether all cells from one value to another are of the element type.</summary>
        public bool Holds(long lowest, long highest)
        {
            long least = Element == Signed ? int.MinValue : 0;
            long most = Element == Signed ? int.MaxValue
                : Element == Word ? ushort.MaxValue
                : Element == Byte ? byte.MaxValue
                : 1;
            return lowest >= least && highest <= most;
        }
    }
}
