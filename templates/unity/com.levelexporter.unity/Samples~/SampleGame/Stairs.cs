using LevelExporter.Scenes;
using UnityEngine;

namespace LevelExporter.Samples
{
    /// <summary>Lead to another level when the hero is on them and presses space.</summary>
    public sealed class Stairs : MonoBehaviour
    {
        /// <summary>How many levels further on they lead; negative: back.</summary>
        public int levels = 1;

        private bool heroWasHere;

        private void Start() => Sprites.Show(gameObject, levels > 0 ? "stairs down" : "stairs up");

        private void Update()
        {
            // Who arrives by the same key stays.
            bool climbs = heroWasHere && Keys.Use;
            heroWasHere = !climbs && Game.Current.Hero.Cell.Equals(GetComponent<ExportedObject>().Cell);
            if (climbs)
            {
                Game.Current.Climb(levels);
            }
        }
    }
}
