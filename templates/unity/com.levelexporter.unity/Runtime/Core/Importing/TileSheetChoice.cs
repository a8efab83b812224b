using System;

namespace LevelExporter.Importing
{
    /// <summary>A tile with several pictures; fields are named as in the file.</summary>
    [Serializable]
    public sealed class TileSheetChoice
    {
        /// <summary>The tile id.</summary>
        public int id = 0;

        /// <summary>
        /// The rule that chooses a class of pictures: joined neighbours (`edges`, `blob`); with
        /// `place` there is one class.
        /// </summary>
        public string by = "";

        /// <summary>
        /// Whether it is for cells with eight joined neighbours alone; cells like that are what
        /// counts as joined then.
        /// </summary>
        public bool inner = false;

        /// <summary>The ids that count as joined; an empty list means the tile's own.</summary>
        public int[] joins = new int[0];

        /// <summary>
        /// How many pictures each class has, to choose from by cell; an empty list means one each.
        /// </summary>
        public int[] counts = new int[0];

        /// <summary>The pictures, class by class.</summary>
        public int[] numbers = new int[0];
    }
}
