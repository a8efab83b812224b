using UnityEngine;

namespace LevelExporter.Scenes
{
    /// <summary>
    /// Connects the terrains of a world to their neighbours: Unity then shows no gaps between them.
    /// It does not store the neighbours itself.
    /// </summary>
    [ExecuteAlways]
    public sealed class WorldTerrains : MonoBehaviour
    {
        [SerializeField]
        private int columns = 1;

        [SerializeField]
        private Terrain[] terrains = new Terrain[0];

        /// <summary>The terrains, row after row, the upper row of the level first.</summary>
        public Terrain[] Terrains
        {
            get { return terrains; }
        }

        /// <summary>Filled in by the importer.</summary>
        public void Setup(int columns, Terrain[] terrains)
        {
            this.columns = columns;
            this.terrains = terrains;
            Connect();
        }

        /// <summary>Connects every terrain to its neighbours.</summary>
        public void Connect()
        {
            for (int index = 0; index < terrains.Length; index++)
            {
                int column = index % columns;
                int row = index / columns;
                if (terrains[index] != null)
                {
                    // Rows of a level count downwards, and Unity's top is where z grows.
                    terrains[index].SetNeighbors(
                        At(column - 1, row), At(column, row - 1), At(column + 1, row), At(column, row + 1));
                }
            }
        }

        private void OnEnable()
        {
            Connect();
        }

        private Terrain At(int column, int row)
        {
            bool inside = column >= 0 && column < columns && row >= 0
                && row * columns + column < terrains.Length;
            return inside ? terrains[row * columns + column] : null;
        }
    }
}
