namespace LevelExporter.Codecs
{
    /// <summary>The learned state of one kind of number in a stream.</summary>
    internal sealed class NumberModel
    {
        public const int Longest = 62;

        public readonly uint[] Lengths = AdaptiveState.FreshStates(64);
        public readonly uint[] Seconds = AdaptiveState.FreshStates(64);
    }
}
