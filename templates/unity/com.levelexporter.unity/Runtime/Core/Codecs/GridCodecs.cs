namespace LevelExporter.Codecs
{
    /// <summary>The codecs of grids by their number in the file.</summary>
    internal static class GridCodecs
    {
        private const int Stored = 0;
        private const int Zlib = 1;
        private const int Pack = 2;
        private const int Bitmap = 16;
        private const int Tiles = 17;
        private const int Heights = 18;

        /// <summary>
        /// Whether a chunk can continue from the model of another chunk of this codec.
        /// </summary>
        public static bool Continues(int codec)
        {
            return codec == Bitmap || codec == Tiles;
        }

        /// <summary>The cells of a payload, row after row.</summary>
        /// <param name="codec">The number of the codec.</param>
        /// <param name="payload">The stored bytes.</param>
        /// <param name="shape">What they hold.</param>
        /// <param name="side">The cells of the same part of another layer, or null.</param>
        /// <param name="prior">The model to continue from, or null.</param>
        /// <param name="taught">Receives the model of this chunk, or null.</param>
        /// <exception cref="LevelBlobException">The payload is broken.</exception>
        public static int[] Decode(
            int codec, byte[] payload, PartShape shape, int[] side, PartModel prior, PartModel taught)
        {
            if (shape.Count == 0)
            {
                return new int[0];
            }
            switch (codec)
            {
                case Stored:
                    return PlainCodecs.Stored(payload, shape);
                case Zlib:
                    return ZlibCodec.Decode(payload, shape);
                case Pack:
                    return PlainCodecs.Pack(payload, shape);
                case Heights:
                    return HeightsCodec.Decode(payload, shape);
                case Bitmap:
                    BitmapModel bitmap = prior == null ? new BitmapModel() : prior.Bitmap.Copy();
                    if (taught != null)
                    {
                        taught.Bitmap = bitmap;
                    }
                    return BitmapCodec.Decode(payload, shape, bitmap, prior == null);
                case Tiles:
                    TilesModel tiles = prior == null ? new TilesModel() : prior.ContinuedTiles();
                    if (taught != null)
                    {
                        taught.Tiles = tiles;
                    }
                    return TilesCodec.Decode(payload, shape, side, tiles, prior == null);
                default:
                    throw new LevelBlobException("codec " + codec + " is not known here");
            }
        }
    }
}
