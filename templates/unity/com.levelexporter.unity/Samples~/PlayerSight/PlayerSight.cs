using LevelExporter;
using LevelExporter.Scenes;
using UnityEngine;
using UnityEngine.Tilemaps;

/// <summary>
/// Darkens the cells of a level that the player does not see. Put it on the level's object and
/// say who the player is.
/// </summary>
[RequireComponent(typeof(ExportedLevel))]
public sealed class PlayerSight : MonoBehaviour
{
    [SerializeField]
    private Transform player;

    [SerializeField]
    private Color unseen = new Color(0.25f, 0.25f, 0.3f, 1);

    private ExportedLevel level;
    private Tilemap[] tilemaps;
    private GridCell last = new GridCell(-1, -1);

    private void Start()
    {
        level = GetComponent<ExportedLevel>();
        tilemaps = GetComponentsInChildren<Tilemap>();
    }

    private void Update()
    {
        GridCell cell = level.CellAt(transform.InverseTransformPoint(player.position));
        if (cell.Equals(last))
        {
            return;
        }
        last = cell;
        bool[] seen = level.Level.VisibleFrom(cell.X, cell.Y);
        for (int y = 0; y < level.Level.Height; y++)
        {
            for (int x = 0; x < level.Level.Width; x++)
            {
                Tint(x, y, seen[y * level.Level.Width + x] ? Color.white : unseen);
            }
        }
    }

    private void Tint(int x, int y, Color color)
    {
        var point = new Vector3Int(x, level.Level.Height - 1 - y, 0);
        foreach (Tilemap tilemap in tilemaps)
        {
            // Tiles lock their colour by default.
            tilemap.SetTileFlags(point, TileFlags.None);
            tilemap.SetColor(point, color);
        }
    }
}
