namespace LevelExporter.Codecs
{
    /// <summary>What one kind of number in a stream has learned.</summary>
    internal sealed class NumberModel
    {
        public const int Longest = 62;

        public readonly uint[] Lengths = AdaptiveState.FreshStates(64);
        public readonly uint[] Seconds = AdaptiveState.FreshStates(64);
    }
}
