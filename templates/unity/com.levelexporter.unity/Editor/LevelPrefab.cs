using System.Collections.Generic;
using LevelExporter.Importing;
using LevelExporter.Scenes;
using UnityEditor.AssetImporters;
using UnityEngine;
using UnityEngine.Tilemaps;

namespace LevelExporter.Editing
{
    /// <summary>Makes the children of a level's prefab, as the level's model describes them.</summary>
    internal sealed class LevelPrefab
    {
        private readonly LevelImporter settings;
        private readonly AssetImportContext context;
        private readonly GameObject root;
        private readonly ExportedLevel component;
        private readonly LevelBlob level;
        private readonly LevelSheet sheet;
        private readonly LevelCollision collision;

        public LevelPrefab(
            LevelImporter settings,
            AssetImportContext context,
            GameObject root,
            ExportedLevel component,
            LevelBlob level)
        {
            this.settings = settings;
            this.context = context;
            this.root = root;
            this.component = component;
            this.level = level;
            sheet = new LevelSheet(context);
            collision = settings.collision == LevelCollision.AsExported
                ? sheet.Collision
                : settings.collision;
        }

        public void Build()
        {
            TileSheetDescription described = sheet.Description ?? PlainSheet.Describe(level);
            component.SetupDiamonds(described.DiamondRatio);
            var parts = new PrefabParts
            {
                Tilemaps = settings.tilemaps,
                Outlines = collision == LevelCollision.Merged,
                Objects = settings.objects,
            };
            PrefabNode model = PrefabModel.Of(level, described, parts);
            LevelTiles tiles = settings.tilemaps ? Tiles(described) : null;
            var prefabs = new ObjectPrefabs(settings, context, sheet.Scenes);
            int order = settings.sortingOrder;
            foreach (PrefabNode node in model.Children)
            {
                GameObject child = Child(root, node.Name);
                if (node.Tiles != null)
                {
                    AddTilemap(child, node.Tiles, tiles, order++);
                }
                if (node.IsBody)
                {
                    child.AddComponent<Rigidbody2D>().bodyType = RigidbodyType2D.Static;
                }
                foreach (PrefabNode inner in node.Children)
                {
                    AddInner(child, inner, prefabs);
                }
            }
            if (settings.terrains)
            {
                AddTerrains();
            }
        }

        private LevelTiles Tiles(TileSheetDescription described)
        {
            var grid = root.AddComponent<Grid>();
            grid.cellSize = new Vector3(settings.cellSize, component.Layout.CellHeight, 0);
            if (component.Layout.IsIsometric)
            {
                grid.cellLayout = GridLayout.CellLayout.Isometric;
            }
            Texture2D picture = sheet.Picture;
            if (picture == null)
            {
                picture = PlainTiles.Paint(described);
                context.AddObjectToAsset("plain", picture);
            }
            bool solid = collision != LevelCollision.None;
            return new LevelTiles(context, described, picture, component.Layout, settings.cellSize, solid);
        }

        private void AddTilemap(GameObject child, PrefabTiles source, LevelTiles tiles, int order)
        {
            var tilemap = child.AddComponent<Tilemap>();
            var renderer = child.AddComponent<TilemapRenderer>();
            renderer.sortingLayerName = settings.sortingLayer;
            renderer.sortingOrder = order;
            if (component.Layout.IsIsometric)
            {
                // Tiles that are farther up lie behind the ones below.
                renderer.sortOrder = TilemapRenderer.SortOrder.TopRight;
            }
            tilemap.SetTilesBlock(
                new BoundsInt(0, 0, 0, source.Width, source.Height, 1),
                BottomUp.Rows(tiles.CellsOf(source), source.Width, source.Height));
            if (source.BetweenCells)
            {
                child.transform.localPosition = tiles.BetweenCells;
            }
            if (collision == LevelCollision.Tiles && source.Blocks)
            {
                AddTileColliders(child);
            }
        }

        // One outline for each region of blocking tiles instead of a box for each tile.
        private static void AddTileColliders(GameObject child)
        {
            child.AddComponent<Rigidbody2D>().bodyType = RigidbodyType2D.Static;
            child.AddComponent<CompositeCollider2D>();
            var collider = child.AddComponent<TilemapCollider2D>();
#if UNITY_2023_1_OR_NEWER
            collider.compositeOperation = Collider2D.CompositeOperation.Merge;
#else
            collider.usedByComposite = true;
#endif
        }

        private void AddInner(GameObject parent, PrefabNode node, ObjectPrefabs prefabs)
        {
            GameObject child = node.Object == null ? null : prefabs.Location(node, parent.transform);
            if (child == null)
            {
                child = Child(parent, node.Name);
            }
            if (node.Object != null)
            {
                child.transform.localPosition = component.CenterOf(node.Object.Cell);
                child.AddComponent<ExportedObject>().Setup(node.Object);
            }
            if (node.Outlines != null)
            {
                AddPaths(child.AddComponent<PolygonCollider2D>(), node.Outlines);
            }
        }

        private void AddPaths(PolygonCollider2D collider, IReadOnlyList<GridCell[]> rings)
        {
            // A new collider has a path of its own, which the first ring replaces.
            collider.pathCount = rings.Count;
            for (int path = 0; path < rings.Count; path++)
            {
                collider.SetPath(path, System.Array.ConvertAll(rings[path], Corner));
            }
        }

        private Vector2 Corner(GridCell point)
        {
            float x;
            float y;
            component.Layout.Point(point.X, point.Y, out x, out y);
            return new Vector2(x, y);
        }

        private void AddTerrains()
        {
            foreach (LevelLayer layer in level.Layers)
            {
                if (layer.IsHeights && layer.Width > 1 && layer.Height > 1)
                {
                    TerrainData data = LevelTerrain.Make(
                        level,
                        layer.Name,
                        level.Width * settings.cellSize,
                        level.Height * settings.cellSize,
                        settings.unitsPerHeight);
                    data.name = layer.Name;
                    context.AddObjectToAsset("terrain:" + layer.Name, data);
                }
            }
        }

        private static GameObject Child(GameObject parent, string name)
        {
            var child = new GameObject(name);
            child.transform.SetParent(parent.transform, false);
            return child;
        }
    }
}
