using System.Collections.Generic;

namespace LevelExporter.Importing
{
    /// <summary>Follows corners around the rings of an outline.</summary>
    internal static class OutlineRings
    {
        private const int New = -1;
        private const int Done = -2;

        /// <summary>
        /// The corners of every ring, from its first one. Where a ring comes to the same point twice,
        /// at two corners that are twins, the part between becomes a ring of its own: engines refuse
        /// polygons with a point twice.
        /// </summary>
        public static List<int[]> Trace(OutlineCorners corners)
        {
            // New, done, or the corner's place in the path.
            var places = new int[corners.Count];
            for (int corner = 0; corner < places.Length; corner++)
            {
                places[corner] = New;
            }
            var rings = new List<int[]>();
            var path = new List<int>();
            for (int first = 0; first < places.Length; first++)
            {
                if (places[first] != New)
                {
                    continue;
                }
                int corner = first;
                do
                {
                    int twin = corners.TwinOf(corner);
                    if (twin != corner && places[twin] >= 0)
                    {
                        // This corner replaces its twin in the remaining list.
                        rings.Add(CutOff(path, places[twin], places));
                    }
                    places[corner] = path.Count;
                    path.Add(corner);
                    corner = corners.Following[corner];
                }
                while (corner != first);
                rings.Add(CutOff(path, 0, places));
            }
            return rings;
        }

        // Takes the end of a path as a finished ring, turned so that its first corner comes first.
        private static int[] CutOff(List<int> path, int start, int[] places)
        {
            int count = path.Count - start;
            int first = start;
            for (int position = start; position < path.Count; position++)
            {
                places[path[position]] = Done;
                first = path[position] < path[first] ? position : first;
            }
            var ring = new int[count];
            for (int index = 0; index < count; index++)
            {
                ring[index] = path[start + (first - start + index) % count];
            }
            path.RemoveRange(start, count);
            return ring;
        }
    }
}
