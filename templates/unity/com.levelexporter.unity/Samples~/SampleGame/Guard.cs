using System.Linq;
using UnityEngine;

namespace LevelExporter.Samples
{
    /// <summary>
    /// Patrols where it sees most, by the exported layer `exposure`, and runs after the hero it sees.
    /// </summary>
    public sealed class Guard : MonoBehaviour
    {
        [SerializeField] private float speed = 2;

        private LevelBlob level;
        private int[] exposure;
        private bool[] walkable;
        private int[] visits;
        private GridCell cell;

        private void Start()
        {
            level = Game.Current.Level.Level;
            walkable = level.Walkable();
            visits = new int[walkable.Length];
            exposure = level.Layers.Any(layer => layer.Name == "exposure")
                ? level.Cells("exposure") : new int[walkable.Length];
            cell = Game.Current.Level.CellAt(transform.position);
            Sprites.Show(gameObject, "guard");
        }

        private void Update()
        {
            Vector3 goal = Game.Current.Level.CenterOf(cell);
            bool seesHero = Game.Current.Fog.IsLit(Game.Current.Level.CellAt(transform.position));
            Sprites.RendererOf(gameObject, 20).enabled = seesHero;
            float step = speed * (seesHero ? 2 : 1) * Time.deltaTime;
            transform.position = Vector3.MoveTowards(transform.position, goal, step);
            if (transform.position == goal)
            {
                visits[At(cell)]++;
                cell = seesHero ? Towards(Game.Current.Hero.Cell) : Best();
            }
            if (Game.Current.Hero.Cell.Equals(Game.Current.Level.CellAt(transform.position)))
            {
                Game.Current.SendBack();
            }
        }

        private int At(GridCell tile) => tile.Y * level.Width + tile.X;

        private GridCell Towards(GridCell hero)
        {
            GridCell next = level.Line(cell, hero).Skip(1).DefaultIfEmpty(cell).First();
            return walkable[At(next)] ? next : Best();
        }

        // The neighbour with the highest exposure; a cell counts less each time the guard was there.
        private GridCell Best()
        {
            var around = new[]
            {
                new GridCell(cell.X + 1, cell.Y), new GridCell(cell.X, cell.Y + 1),
                new GridCell(cell.X - 1, cell.Y), new GridCell(cell.X, cell.Y - 1),
            };
            return around
                .Where(tile => new GridView(0, 0, level.Width, level.Height).Contains(tile) && walkable[At(tile)])
                .OrderByDescending(tile => (1f + exposure[At(tile)]) / (1 + visits[At(tile)]))
                .DefaultIfEmpty(cell).First();
        }
    }
}
