using LevelExporter.Codecs;

namespace LevelExporter.Values
{
    /// <summary>
    /// What choosing among known things has learned, in the order they became known.
    /// </summary>
    internal sealed class ValueChoice
    {
        /// <summary>Choices told one by one; later ones are told by number.</summary>
        public const int Single = 24;

        public readonly uint[] States = AdaptiveState.FreshStates(Single);

        private NumberModel later;

        public NumberModel Later
        {
            get { return later ?? (later = new NumberModel()); }
        }
    }
}
