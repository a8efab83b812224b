using UnityEngine;

namespace LevelExporter.Scenes
{
    /// <summary>
    /// The root of the prefab a `.lvb` file is imported as: layers and objects are its children,
    /// <see cref="Level"/> gives everything else. Make a prefab variant, or put the prefab
    /// into a scene, and add your own objects there: an import replaces the prefab itself.
    /// </summary>
    public sealed class ExportedLevel : MonoBehaviour
    {
        [SerializeField]
        private LevelAsset asset;

        [SerializeField]
        private float cellSize = 1;

        [SerializeField]
        private int height = 0;

        [SerializeField]
        private float diamondRatio = 0;

        [SerializeField]
        private string problem = "";

        /// <summary>The file as an asset; null if it could not be read.</summary>
        public LevelAsset Asset
        {
            get { return asset; }
        }

        /// <summary>The level's data.</summary>
        public LevelBlob Level
        {
            get { return asset.Level; }
        }

        /// <summary>Why the file could not be read; empty if it was read.</summary>
        public string Problem
        {
            get { return problem; }
        }

        /// <summary>Units of the world that a cell is wide; a square is as high.</summary>
        public float CellSize
        {
            get { return cellSize; }
        }

        /// <summary>Where cells lie: squares or diamonds.</summary>
        public LevelLayout Layout
        {
            get { return new LevelLayout(height, cellSize, diamondRatio); }
        }

        /// <summary>Filled in by the importer.</summary>
        public void Setup(LevelAsset asset, int height, float cellSize, string problem)
        {
            this.asset = asset;
            this.height = height;
            this.cellSize = cellSize;
            this.problem = problem;
        }

        /// <summary>Filled in by the importer.</summary>
        public void SetupDiamonds(float diamondRatio)
        {
            this.diamondRatio = diamondRatio;
        }

        /// <summary>
        /// The cell at a point in this object's space. The level's y points down.
        /// </summary>
        public GridCell CellAt(Vector3 point)
        {
            return Layout.CellAt(point.x, point.y);
        }

        /// <summary>The middle of a cell in this object's space.</summary>
        public Vector3 CenterOf(GridCell cell)
        {
            float x;
            float y;
            Layout.Point(cell.X + 0.5f, cell.Y + 0.5f, out x, out y);
            return new Vector3(x, y, 0);
        }
    }
}
