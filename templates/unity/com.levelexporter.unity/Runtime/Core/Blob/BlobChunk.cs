namespace LevelExporter.Blob
{
    /// <summary>One entry of a blob's directory.</summary>
    internal sealed class BlobChunk
    {
        /// <summary>The number in a chunk that uses no other layer or chunk.</summary>
        public const int None = 0xFFFF;

        /// <summary>
        /// Four letters; a lower-case first one marks a chunk that readers may skip.
        /// </summary>
        public string Type;
        public int Codec;
        public int Element;

        /// <summary>Which level of a pack, which layer of it, which part of that layer.</summary>
        public int Level;
        public int Item;
        public int Part;

        public int Offset;
        public int Length;
        public uint Check;
        public int Width;
        public int Height;
        public int Side;
        public int Prior;

        /// <summary>Whether a reader that does not know the type may skip it.</summary>
        public bool IsAncillary
        {
            get { return Type[0] >= 'a'; }
        }
    }
}
