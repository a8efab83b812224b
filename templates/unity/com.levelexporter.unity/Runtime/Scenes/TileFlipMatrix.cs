using LevelExporter.Importing;
using UnityEngine;

namespace LevelExporter.Scenes
{
    /// <summary>Turned tiles as Tilemap.SetTransformMatrix takes them.</summary>
    public static class TileFlipMatrix
    {
        /// <summary>The matrix of a turn about the tile's centre.</summary>
        public static Matrix4x4 ToMatrix(this TileFlip flip)
        {
            Matrix4x4 matrix = Matrix4x4.identity;
            matrix.m00 = flip.XX;
            matrix.m01 = flip.XY;
            matrix.m10 = flip.YX;
            matrix.m11 = flip.YY;
            return matrix;
        }
    }
}
