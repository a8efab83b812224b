using System.Collections.Generic;
using LevelExporter.Importing;
using UnityEngine;

namespace LevelExporter.Editing
{
    /// <summary>
    /// Colliders of all cells of a level that cannot be walked on: paths that are stored in the
    /// prefab, so that a game only loads them.
    /// </summary>
    internal static class MergedCollision
    {
        // Unity divides each collider into convex shapes when it is loaded, and again when it is
        // changed; so colliders are small.
        private const int ChunkSide = 64;

        /// <summary>
        /// Makes a static body of an object, with a child for each chunk that has something solid.
        /// </summary>
        public static void Add(GameObject body, LevelBlob level, float cellSize)
        {
            body.AddComponent<Rigidbody2D>().bodyType = RigidbodyType2D.Static;
            bool[] solid = System.Array.ConvertAll(level.Walkable(), walkable => !walkable);
            for (int top = 0; top < level.Height; top += ChunkSide)
            {
                for (int left = 0; left < level.Width; left += ChunkSide)
                {
                    var part = new GridView(
                        left,
                        top,
                        Mathf.Min(ChunkSide, level.Width - left),
                        Mathf.Min(ChunkSide, level.Height - top));
                    AddChunk(body, MaskOutlines.Of(solid, level.Width, part), part, level.Height, cellSize);
                }
            }
        }

        private static void AddChunk(
            GameObject body, List<GridCell[][]> polygons, GridView part, int height, float cellSize)
        {
            if (polygons.Count == 0)
            {
                return;
            }
            // The names say where, so that they stay when another chunk becomes empty.
            var child = new GameObject("chunk_" + part.X / ChunkSide + "_" + part.Y / ChunkSide);
            child.transform.SetParent(body.transform, false);
            var collider = child.AddComponent<PolygonCollider2D>();
            // A new collider has a path of its own, which the first ring replaces.
            int count = 0;
            polygons.ForEach(rings => count += rings.Length);
            collider.pathCount = count;
            int path = 0;
            foreach (GridCell[][] rings in polygons)
            {
                foreach (GridCell[] ring in rings)
                {
                    collider.SetPath(path++, Points(ring, height, cellSize));
                }
            }
        }

        private static Vector2[] Points(GridCell[] ring, int height, float cellSize)
        {
            return System.Array.ConvertAll(
                ring, point => new Vector2(point.X * cellSize, (height - point.Y) * cellSize));
        }
    }
}
