using LevelExporter.Scenes;
using UnityEngine;

namespace LevelExporter.Samples
{
    /// <summary>
    /// Opens when the hero steps on it. The property `gold` of the spec is its content.
    /// </summary>
    public sealed class Chest : MonoBehaviour
    {
        public int gold = 10;

        private void Start() => Sprites.Show(gameObject, "chest");

        private void Update()
        {
            if (gold > 0 && Game.Current.Hero.Cell.Equals(GetComponent<ExportedObject>().Cell))
            {
                Game.Current.Gold += gold;
                gold = 0;
                Sprites.Show(gameObject, "open chest");
            }
        }
    }
}
