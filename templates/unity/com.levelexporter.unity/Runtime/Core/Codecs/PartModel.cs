namespace LevelExporter.Codecs
{
    /// <summary>The learned state of a chunk, for the chunks that continue from it.</summary>
    internal sealed class PartModel
    {
        public BitmapModel Bitmap;
        public TilesModel Tiles;
        private TilesModel last;

        /// <summary>
        /// A copy of the tile model to go on with. Its tables are those of the copy before, which
        /// is not used any more.
        /// </summary>
        public TilesModel ContinuedTiles()
        {
            last = Tiles.Continued(last);
            return last;
        }
    }
}
