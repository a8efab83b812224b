using System;
using LevelExporter.Codecs;

namespace LevelExporter.Blob
{
    /// <summary>A whole decoded grid, as little-endian bytes, row after row.</summary>
    internal sealed class CellGrid
    {
        public readonly int Width;
        public readonly int Height;
        public readonly int Element;
        public readonly byte[] Bytes;

        private readonly int size;

        public CellGrid(int width, int height, int element)
        {
            Width = width;
            Height = height;
            Element = element;
            size = PartShape.SizeOf(element);
            Bytes = new byte[(long)width * height * size];
        }

        /// <summary>Puts a part of the grid where it belongs.</summary>
        public void Location(int[] part, int left, int top, int partWidth, int partHeight)
        {
            int at = 0;
            for (int y = 0; y < partHeight; y++)
            {
                int to = ((top + y) * Width + left) * size;
                for (int x = 0; x < partWidth; x++)
                {
                    int value = part[at++];
                    Bytes[to++] = (byte)value;
                    if (size > 1)
                    {
                        Bytes[to++] = (byte)(value >> 8);
                    }
                    if (size > 2)
                    {
                        Bytes[to++] = (byte)(value >> 16);
                        Bytes[to++] = (byte)(value >> 24);
                    }
                }
            }
        }

        /// <summary>The cells as numbers.</summary>
        public int[] ToNumbers()
        {
            var numbers = new int[Width * Height];
            Copy(0, numbers, 0, numbers.Length);
            return numbers;
        }

        /// <summary>The cells of a rectangle as numbers.</summary>
        public int[] ToNumbers(GridView part)
        {
            var numbers = new int[part.Width * part.Height];
            for (int y = 0; y < part.Height; y++)
            {
                Copy((part.Y + y) * Width + part.X, numbers, y * part.Width, part.Width);
            }
            return numbers;
        }

        /// <summary>One truth value a cell: whether it is not 0.</summary>
        public bool[] ToTruth()
        {
            var truth = new bool[Bytes.Length];
            for (int index = 0; index < truth.Length; index++)
            {
                truth[index] = Bytes[index] != 0;
            }
            return truth;
        }

        private void Copy(int from, int[] numbers, int to, int count)
        {
            if (size == 1)
            {
                for (int index = 0; index < count; index++)
                {
                    numbers[to + index] = Bytes[from + index];
                }
                return;
            }
            for (int index = 0; index < count; index++)
            {
                numbers[to + index] =
                    (int)ByteCursor.Little(Bytes, (from + index) * size, size);
            }
        }
    }
}
