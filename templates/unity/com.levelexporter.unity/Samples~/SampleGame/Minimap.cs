using UnityEngine;

namespace LevelExporter.Samples
{
    /// <summary>The exported bitmap as far as the fog is lifted, the hero as a dot, and the gold.</summary>
    public sealed class Minimap : MonoBehaviour
    {
        [SerializeField] private int pixelsPerCell = 3;

        private void OnGUI()
        {
            Texture2D fog = Game.Current.Fog.Texture;
            GridCell hero = Game.Current.Hero.Cell;
            var all = new Rect(8, 8, fog.width * pixelsPerCell, fog.height * pixelsPerCell);
            if (Game.Current.Bitmap != null)
            {
                GUI.DrawTexture(all, Game.Current.Bitmap);
            }
            GUI.DrawTexture(all, fog);
            var dot = new Rect(7 + hero.X * pixelsPerCell, 7 + hero.Y * pixelsPerCell, 5, 5);
            GUI.DrawTexture(dot, Texture2D.whiteTexture);
            var text = new Rect(8, all.height + 12, 300, 24);
            GUI.Label(text, Game.Current.Level.Level.Name + "   " + Game.Current.Gold + " gold");
        }
    }
}
