using System;
using System.Collections.Generic;
using LevelExporter.Worlds;
using UnityEngine;

namespace LevelExporter.Scenes
{
    /// <summary>
    /// The root of the prefab a `.lvworld` file is imported as: it keeps the prefabs of the world's
    /// parts around an object, one below the other as in the whole level. By default they are loaded from
    /// a folder `Resources`; for Addressables or asset bundles override <see cref="Load"/> and
    /// <see cref="Release"/>.
    /// </summary>
    public class WorldLoader : MonoBehaviour
    {
        /// <summary>The object around which parts are kept; by default the main camera.</summary>
        public Transform target;

        /// <summary>How far around that object parts are loaded, in cells.</summary>
        public float radius = 64;

        /// <summary>How much farther away parts stay, in cells.</summary>
        public float margin = 32;

        /// <summary>How many parts are loaded at a time.</summary>
        public int atOnce = 1;

        [SerializeField]
        private int width = 1;

        [SerializeField]
        private int height = 1;

        [SerializeField]
        private int chunk = 1;

        [SerializeField]
        private float cellSize = 1;

        [SerializeField]
        private string parts = "";

        [SerializeField]
        private WorldSightRule visibility = new WorldSightRule();

        private readonly Dictionary<GridCell, GameObject> displayed =
            new Dictionary<GridCell, GameObject>();

        private WorldGrid grid;
        private WorldPlan plan;
        private WorldSight sight;
        private double x;
        private double y;

        /// <summary>Cells in a row of the world.</summary>
        public int Width
        {
            get { return width; }
        }

        /// <summary>Rows of the world.</summary>
        public int Height
        {
            get { return height; }
        }

        /// <summary>The pattern of the parts' names; empty if they are not in a folder `Resources`.</summary>
        public string Parts
        {
            get { return parts; }
        }

        /// <summary>The parts in the scene, by column and row.</summary>
        public IReadOnlyDictionary<GridCell, GameObject> LoadedParts
        {
            get { return displayed; }
        }

        /// <summary>Filled in by the importer.</summary>
        public void Setup(
            int width, int height, int chunk, float cellSize, string parts, WorldSightRule visibility)
        {
            this.width = width;
            this.height = height;
            this.chunk = chunk;
            this.cellSize = cellSize;
            this.parts = parts;
            this.visibility = visibility;
            sight = null;
        }

        /// <summary>Whether the world has visibility, by a rule that this package knows.</summary>
        public bool HasVisibility
        {
            get { return visibility.IsKnown; }
        }

        /// <summary>How far sight goes, in cells.</summary>
        public int SightRadius
        {
            get { return visibility.radius; }
        }

        /// <summary>
        /// Returns the cells seen from a cell of the world: one truth value for each cell of a
        /// square around it, row after row. The square has 2 * <see cref="SightRadius"/> + 1 cells
        /// a side. Cells of parts that are not loaded block sight. The last answer is kept until
        /// parts are added or removed.
        /// </summary>
        /// <exception cref="ArgumentException">The world has no visibility.</exception>
        /// <exception cref="LevelBlobException">A part is damaged.</exception>
        public bool[] VisibleFrom(int x, int y)
        {
            return Sight().VisibleFrom(x, y);
        }

        /// <summary>Whether one cell of the world is seen from another.</summary>
        /// <exception cref="ArgumentException">The world has no visibility.</exception>
        /// <exception cref="LevelBlobException">A part is damaged.</exception>
        public bool CanSee(int x, int y, int targetX, int targetY)
        {
            return Sight().CanSee(x, y, targetX, targetY);
        }

        /// <summary>
        /// Returns the cells that block sight in the square of <see cref="VisibleFrom"/>, for
        /// <see cref="FieldOfView.Compute"/> with other doors open.
        /// </summary>
        /// <exception cref="ArgumentException">The world has no visibility.</exception>
        /// <exception cref="LevelBlobException">A part is damaged.</exception>
        public bool[] OpaqueAround(int x, int y)
        {
            return Sight().OpaqueAround(x, y);
        }

        /// <summary>The cell of the world at a point in this object's space.</summary>
        public GridCell CellAt(Vector3 point)
        {
            return new GridCell(
                Mathf.FloorToInt(point.x / cellSize),
                height - 1 - Mathf.FloorToInt(point.y / cellSize));
        }

        /// <summary>The part that a cell of the world lies in; null while it is not loaded.</summary>
        public ExportedLevel PartAt(GridCell cell)
        {
            GameObject child_object;
            var part = new GridCell(cell.X / chunk, cell.Y / chunk);
            bool outside = cell.X < 0 || cell.Y < 0;
            return !outside && displayed.TryGetValue(part, out child_object)
                ? child_object.GetComponent<ExportedLevel>()
                : null;
        }

        /// <summary>
        /// Loads the prefab of a part and passes it to a callback, at once or later; null if it is
        /// missing.
        /// </summary>
        /// <param name="name">Its name in `Resources`.</param>
        /// <param name="loaded">To be called with it.</param>
        protected virtual void Load(string name, Action<GameObject> loaded)
        {
            ResourceRequest request = Resources.LoadAsync<GameObject>(name);
            request.completed += done => loaded(request.asset as GameObject);
        }

        /// <summary>Called when a part has been left and its object destroyed.</summary>
        /// <param name="name">Its name, as of <see cref="Load"/>.</param>
        protected virtual void Release(string name)
        {
        }

        private WorldSight Sight()
        {
            if (sight == null)
            {
                sight = new WorldSight(width, height, chunk, visibility, LevelOf);
            }
            return sight;
        }

        // A part that could not be imported counts as not loaded: the import has reported why.
        private LevelBlob LevelOf(GridCell part)
        {
            GameObject child_object;
            ExportedLevel level = displayed.TryGetValue(part, out child_object)
                ? child_object.GetComponent<ExportedLevel>()
                : null;
            return level == null || level.Asset == null ? null : level.Level;
        }

        private void ForgetSight(GridCell part)
        {
            if (sight != null)
            {
                sight.Forget(part);
            }
        }

        private void Awake()
        {
            grid = new WorldGrid(width, height, chunk);
            plan = new WorldPlan(grid);
            if (parts.Length == 0)
            {
                Debug.LogError(
                    name + ": the world is not in a folder Resources, so that its parts cannot be "
                    + "loaded. Move the folder of the export into one, or load them by a class "
                    + "derived from WorldLoader.");
            }
        }

        private void Update()
        {
            Transform around = target;
            if (around == null && Camera.main != null)
            {
                around = Camera.main.transform;
            }
            if (around == null || parts.Length == 0)
            {
                return;
            }
            Vector3 point = transform.InverseTransformPoint(around.position);
            x = point.x / cellSize;
            y = height - point.y / cellSize;
            plan.Radius = radius;
            plan.Margin = margin;
            plan.AtOnce = atOnce;
            foreach (GridCell part in plan.Leave(x, y))
            {
                Leave(part);
            }
            foreach (GridCell part in plan.Begin(x, y))
            {
                Load(WorldDescription.PathOf(parts, part), prefab => Show(part, prefab));
            }
        }

        // Loading may end after this object has been destroyed, or after its part has been left.
        private void Show(GridCell part, GameObject prefab)
        {
            if (this == null || !plan.End(part, x, y))
            {
                return;
            }
            if (prefab == null)
            {
                // It counts as loaded, so that it is not looked for again in every frame.
                Debug.LogError(name + ": there is no prefab " + WorldDescription.PathOf(parts, part));
                return;
            }
            GameObject child = Instantiate(prefab, transform);
            child.name = prefab.name;
            child.transform.localPosition = new Vector3(
                part.X * chunk * cellSize, (height - grid.Bottom(part)) * cellSize, 0);
            displayed[part] = child;
            ForgetSight(part);
        }

        private void Leave(GridCell part)
        {
            GameObject child;
            if (displayed.TryGetValue(part, out child))
            {
                displayed.Remove(part);
                ForgetSight(part);
                Destroy(child);
                Release(WorldDescription.PathOf(parts, part));
            }
        }
    }
}
