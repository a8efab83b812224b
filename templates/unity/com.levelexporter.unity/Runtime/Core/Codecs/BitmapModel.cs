namespace LevelExporter.Codecs
{
    /// <summary>
    /// The learned state of a bitmap's stream; a payload with a prior continues from it.
    /// </summary>
    internal sealed class BitmapModel
    {
        public int Edge;
        public int Zero;
        public int Ink = 1;
        public uint[] Small = AdaptiveState.FreshStates(16);
        public uint[] Large = new uint[4096];

        public BitmapModel Copy()
        {
            return new BitmapModel
            {
                Edge = Edge,
                Zero = Zero,
                Ink = Ink,
                Small = (uint[])Small.Clone(),
                Large = (uint[])Large.Clone(),
            };
        }
    }
}
