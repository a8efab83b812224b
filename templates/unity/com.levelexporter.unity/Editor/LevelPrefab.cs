using System.Collections.Generic;
using System.IO;
using LevelExporter.Importing;
using LevelExporter.Scenes;
using UnityEditor;
using UnityEditor.AssetImporters;
using UnityEngine;
using UnityEngine.Tilemaps;

namespace LevelExporter.Editing
{
    /// <summary>Builds the children of a level's prefab.</summary>
    internal sealed class LevelPrefab
    {
        private readonly LevelImporter settings;
        private readonly AssetImportContext context;
        private readonly GameObject root;
        private readonly ExportedLevel component;
        private readonly LevelBlob level;
        private readonly LevelSheet sheet;
        private readonly LevelCollision collision;
        private readonly UniqueNames names = new UniqueNames();
        private int tilemaps;

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
            if (settings.tilemaps)
            {
                AddTilemaps();
            }
            // Where no layer is played on, no cell is walkable, and nothing is in the way.
            if (collision == LevelCollision.Merged && level.PlayLayers.Count > 0)
            {
                MergedCollision.Add(Child(root, names.Next("collision")), level, settings.cellSize);
            }
            if (settings.terrains)
            {
                AddTerrains();
            }
            if (settings.objects && level.Objects.Count > 0)
            {
                AddObjects();
            }
        }

        private void AddTilemaps()
        {
            var grid = root.AddComponent<Grid>();
            grid.cellSize = new Vector3(settings.cellSize, settings.cellSize, 0);
            bool solid = collision != LevelCollision.None;
            var tiles = new LevelTiles(context, level, sheet, settings.cellSize, solid);
            // Layers first, so that their names do not depend on what is drawn beside their cells.
            var layers = new List<KeyValuePair<LevelLayer, string>>();
            foreach (LevelLayer layer in level.SeenLayers)
            {
                layers.Add(new KeyValuePair<LevelLayer, string>(layer, names.Next(layer.Name)));
            }
            foreach (KeyValuePair<LevelLayer, string> layer in layers)
            {
                AddLayer(layer.Key, layer.Value, tiles);
            }
        }

        private void AddLayer(LevelLayer layer, string name, LevelTiles tiles)
        {
            TileSheetLayer picks = tiles.PicksOf(layer) ?? new TileSheetLayer();
            foreach (TileSheetGrid grid in picks.below)
            {
                AddGrid(layer, name, grid, tiles);
            }
            bool blocks;
            TileBase[] cells = tiles.CellsOf(layer, out blocks);
            GameObject child = AddTilemap(name, cells, layer.Width, layer.Height);
            if (collision == LevelCollision.Tiles && blocks && layer.Role == "play")
            {
                AddTileColliders(child);
            }
            foreach (TileSheetGrid grid in picks.above)
            {
                AddGrid(layer, name, grid, tiles);
            }
        }

        // Pictures below or above a layer's cells, which are nothing but seen.
        private void AddGrid(LevelLayer layer, string layerName, TileSheetGrid grid, LevelTiles tiles)
        {
            int more = grid.IsBetweenCells ? 1 : 0;
            GameObject child = AddTilemap(
                names.Next(layerName + "_" + grid.tile),
                tiles.GridOf(layer, grid),
                layer.Width + more,
                layer.Height + more);
            if (grid.IsBetweenCells)
            {
                child.transform.localPosition = tiles.BetweenCells;
            }
        }

        // Each one is drawn over those before it.
        private GameObject AddTilemap(string name, TileBase[] cells, int width, int height)
        {
            GameObject child = Child(root, name);
            var tilemap = child.AddComponent<Tilemap>();
            child.AddComponent<TilemapRenderer>().sortingOrder = tilemaps++;
            tilemap.SetTilesBlock(
                new BoundsInt(0, 0, 0, width, height, 1), BottomUp.Rows(cells, width, height));
            return child;
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

        private void AddObjects()
        {
            GameObject parent = Child(root, names.Next("Objects"));
            var unique = new UniqueNames();
            foreach (LevelObject thing in level.Objects)
            {
                GameObject prefab = PrefabOf(thing.Name);
                string name = unique.Next(thing.Name);
                GameObject child = prefab == null ? Child(parent, name) : Placed(prefab, parent, name);
                child.transform.localPosition = component.CenterOf(thing.Cell);
                child.AddComponent<ExportedObject>().Setup(thing);
            }
        }

        private GameObject PrefabOf(string name)
        {
            foreach (ObjectPrefab entry in settings.prefabs)
            {
                if (entry.name == name && entry.prefab != null)
                {
                    context.DependsOnArtifact(AssetDatabase.GetAssetPath(entry.prefab));
                    return entry.prefab;
                }
            }
            // A name is data, never a path.
            if (settings.prefabFolder.Length == 0 || name.IndexOfAny(new[] { '/', '\\' }) >= 0)
            {
                return null;
            }
            string path = settings.prefabFolder.TrimEnd('/') + "/" + name + ".prefab";
            // Also while it does not exist: the level is imported again when it appears.
            context.DependsOnSourceAsset(path);
            if (!File.Exists(path))
            {
                return null;
            }
            context.DependsOnArtifact(path);
            return AssetDatabase.LoadAssetAtPath<GameObject>(path);
        }

        private static GameObject Placed(GameObject prefab, GameObject parent, string name)
        {
            var child = (GameObject)PrefabUtility.InstantiatePrefab(prefab, parent.transform);
            child.name = name;
            return child;
        }

        private static GameObject Child(GameObject parent, string name)
        {
            var child = new GameObject(name);
            child.transform.SetParent(parent.transform, false);
            return child;
        }
    }
}
