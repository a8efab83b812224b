using System.Collections.Generic;
using LevelExporter.Importing;
using LevelExporter.Scenes;
using UnityEngine;

namespace LevelExporter.Samples
{
    /// <summary>
    /// Shows the hero's view, by the exported table: unseen is black, remembered dim.
    /// </summary>
    public sealed class Fog : MonoBehaviour
    {
        private readonly Dictionary<ExportedLevel, bool[]> memories = new Dictionary<ExportedLevel, bool[]>();
        private ExportedLevel level;
        private GridCell last;
        private bool[] lit = new bool[0];

        /// <summary>One pixel a cell; the minimap shows it, too.</summary>
        public Texture2D Texture { get; private set; }

        public bool IsLit(GridCell cell) => lit.Length > 0 && lit[cell.Y * level.Level.Width + cell.X];

        /// <summary>Covers a level except for its remembered cells.</summary>
        public void Cover(ExportedLevel covered)
        {
            level = covered;
            last = new GridCell(-1, -1);
            Texture = new Texture2D(level.Level.Width, level.Level.Height, TextureFormat.RGBA32, false);
            Texture.wrapMode = TextureWrapMode.Clamp;
            var all = new Rect(0, 0, Texture.width, Texture.height);
            Sprites.RendererOf(gameObject, 100).sprite = Sprite.Create(
                Texture, all, new Vector2(0, 0), 1 / level.CellSize, 0, SpriteMeshType.FullRect);
            if (!memories.ContainsKey(level))
            {
                memories[level] = new bool[Texture.width * Texture.height];
            }
        }

        /// <summary>Lights the cells seen from a cell.</summary>
        public void LookFrom(GridCell cell)
        {
            if (cell.Equals(last))
            {
                return;
            }
            last = cell;
            lit = level.Level.VisibleFrom(cell.X, cell.Y);
            bool[] known = memories[level];
            var shades = new Color32[lit.Length];
            for (int index = 0; index < lit.Length; index++)
            {
                known[index] |= lit[index];
                shades[index] = new Color32(0, 0, 0, (byte)(lit[index] ? 0 : known[index] ? 150 : 255));
            }
            Texture.SetPixels32(BottomUp.Rows(shades, Texture.width, Texture.height));
            Texture.Apply(false, false);
        }
    }
}
