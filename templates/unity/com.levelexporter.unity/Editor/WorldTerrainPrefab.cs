using System;
using System.IO;
using LevelExporter.Importing;
using LevelExporter.Scenes;
using LevelExporter.Worlds;
using UnityEditor.AssetImporters;
using UnityEngine;

namespace LevelExporter.Editing
{
    /// <summary>Makes the terrains of a world from the `.raw` files of its parts.</summary>
    internal sealed class WorldTerrainPrefab
    {
        private readonly WorldImporter settings;
        private readonly AssetImportContext context;
        private readonly GameObject root;
        private readonly WorldDescription world;
        private readonly WorldGrid grid;

        public WorldTerrainPrefab(
            WorldImporter settings, AssetImportContext context, GameObject root, WorldDescription world)
        {
            this.settings = settings;
            this.context = context;
            this.root = root;
            this.world = world;
            grid = new WorldGrid(world.size[0], world.size[1], world.chunk);
        }

        /// <summary>Makes the terrains; returns the error, or null.</summary>
        public string Build()
        {
            WorldLayer layer = Array.Find(
                world.layers, item => item.kind == "heights" && item.name == settings.terrain);
            if (layer == null)
            {
                return "there is no layer of heights " + settings.terrain;
            }
            long count = (long)grid.Columns * grid.Rows;
            if (count > settings.mostTerrains)
            {
                return count + " terrains are more than " + settings.mostTerrains
                    + ": choose a larger `chunk`, or raise the limit of the importer";
            }
            var terrains = new Terrain[count];
            string missing = null;
            for (int index = 0; index < terrains.Length; index++)
            {
                var part = new GridCell(index % grid.Columns, index / grid.Columns);
                string path = FileOf(part, layer);
                // Also while it does not exist: the world is imported again when it appears.
                context.DependsOnSourceAsset(path);
                float[,] heights = TerrainTile.Read(path, world.chunk);
                if (heights == null)
                {
                    missing = missing ?? path;
                    continue;
                }
                terrains[index] = Terrain(part, layer, heights);
            }
            root.AddComponent<WorldTerrains>().Setup(grid.Columns, terrains);
            return missing == null
                ? null
                : missing + " is missing, or has not " + (world.chunk + 1) + " samples a side";
        }

        private Terrain Terrain(GridCell part, WorldLayer layer, float[,] heights)
        {
            float side = world.chunk * settings.cellSize;
            double span = layer.heights.maximum - layer.heights.minimum;
            string name = layer.name + " " + part.X + "_" + part.Y;
            TerrainData data = LevelTerrain.Of(
                heights, side, side, (float)(span * settings.unitsPerHeight));
            data.name = name;
            context.AddObjectToAsset("terrain:" + part.X + "_" + part.Y, data);
            GameObject child = UnityEngine.Terrain.CreateTerrainGameObject(data);
            child.name = name;
            child.transform.SetParent(root.transform, false);
            child.transform.localPosition = new Vector3(
                part.X * side,
                (float)(layer.heights.minimum * settings.unitsPerHeight),
                world.size[1] * settings.cellSize - (part.Y + 1) * side);
            return child.GetComponent<Terrain>();
        }

        private string FileOf(GridCell part, WorldLayer layer)
        {
            string folder = Path.GetDirectoryName(context.assetPath).Replace('\\', '/');
            return folder + "/" + world.PathOf(part) + "." + layer.name + ".raw";
        }
    }
}
