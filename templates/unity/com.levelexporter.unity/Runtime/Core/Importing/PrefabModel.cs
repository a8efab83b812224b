using System;
using System.Collections.Generic;

namespace LevelExporter.Importing
{
    /// <summary>
    /// The prefab that a level becomes, as plain data: the same names, pictures, solid cells and
    /// objects as in the scene that is exported for Godot.
    /// </summary>
    public static class PrefabModel
    {
        // Unity divides each collider into convex shapes when it is loaded, and again when it is
        // changed; so colliders are small.
        private const int BodySide = 64;

        /// <summary>The root of the prefab.</summary>
        /// <param name="level">The level.</param>
        /// <param name="sheet">The appearance of its tiles.</param>
        /// <param name="parts">What to make.</param>
        public static PrefabNode Of(LevelBlob level, TileSheetDescription sheet, PrefabParts parts)
        {
            // Every name is taken, so that a part that is left out changes no other's name.
            var names = new UniqueNames();
            var layerNames = new List<string>();
            foreach (LevelLayer layer in level.SeenLayers)
            {
                layerNames.Add(names.Next(layer.Name));
            }
            string objects = names.Next("objects");
            names.Next("chunks");
            string collision = names.Next("collision");
            names.Next("occlusion");
            names.Next("navigation");
            var children = new List<PrefabNode>();
            for (int index = 0; parts.Tilemaps && index < layerNames.Count; index++)
            {
                AddLayer(children, level, sheet, level.SeenLayers[index], layerNames[index], names);
            }
            // Where no layer is played on, no cell is walkable, and nothing is in the way.
            if (parts.Outlines && level.PlayLayers.Count > 0)
            {
                List<PrefabNode> bodies = Bodies(level);
                if (bodies.Count > 0)
                {
                    children.Add(new PrefabNode(collision) { IsBody = true, Children = bodies });
                }
            }
            if (parts.Objects && level.Objects.Count > 0)
            {
                children.Add(new PrefabNode(objects) { Children = Objects(level) });
            }
            return new PrefabNode(UniqueNames.Plain(level.Name)) { Children = children };
        }

        private static void AddLayer(
            List<PrefabNode> children,
            LevelBlob level,
            TileSheetDescription sheet,
            LevelLayer layer,
            string name,
            UniqueNames names)
        {
            int[] ids = level.Cells(layer.Name);
            TileSheetLayer picks =
                Array.Find(sheet.layers, item => item.name == layer.Name) ?? new TileSheetLayer();
            var below = Array.FindAll(picks.grids, grid => !grid.above);
            children.AddRange(Array.ConvertAll(below, grid => GridOf(layer, grid, name, names)));
            int[] numbers = TilePictures.NumbersOf(ids, layer.Width, layer.Height, picks);
            var cells = new PrefabTiles(layer, "", false, numbers)
            {
                Assets = TilePictures.AssetsOf(ids, layer.Width, picks),
                Blocks = layer.Role == "play" && HasSolid(sheet, numbers),
            };
            children.Add(new PrefabNode(name) { Tiles = cells });
            var above = Array.FindAll(picks.grids, grid => grid.above);
            children.AddRange(Array.ConvertAll(above, grid => GridOf(layer, grid, name, names)));
        }

        private static PrefabNode GridOf(
            LevelLayer layer, TileSheetGrid grid, string name, UniqueNames names)
        {
            int more = grid.between_cells ? 1 : 0;
            int[] numbers = TilePictures.NumbersOf(grid, (layer.Width + more) * (layer.Height + more));
            string unique = names.Next(name + "_" + UniqueNames.Plain(grid.tile));
            return new PrefabNode(unique)
            {
                Tiles = new PrefabTiles(layer, grid.tile, grid.between_cells, numbers),
            };
        }

        private static bool HasSolid(TileSheetDescription sheet, int[] numbers)
        {
            var solid = new HashSet<int>();
            foreach (TileSheetTile tile in sheet.tiles)
            {
                if (tile.Blocks)
                {
                    solid.Add(tile.number);
                }
            }
            return Array.Exists(numbers, solid.Contains);
        }

        private static List<PrefabNode> Bodies(LevelBlob level)
        {
            bool[] solid = Array.ConvertAll(level.Walkable(), walkable => !walkable);
            var bodies = new List<PrefabNode>();
            for (int top = 0; top < level.Height; top += BodySide)
            {
                for (int left = 0; left < level.Width; left += BodySide)
                {
                    var part = new GridView(
                        left,
                        top,
                        Math.Min(BodySide, level.Width - left),
                        Math.Min(BodySide, level.Height - top));
                    var rings = new List<GridCell[]>();
                    MaskOutlines.Of(solid, level.Width, part).ForEach(rings.AddRange);
                    if (rings.Count > 0)
                    {
                        // The names say where, so that they stay when another part becomes empty.
                        string name = "body_" + left / BodySide + "_" + top / BodySide;
                        bodies.Add(new PrefabNode(name) { Outlines = rings });
                    }
                }
            }
            return bodies;
        }

        // Of several objects with one name each gets a number.
        private static List<PrefabNode> Objects(LevelBlob level)
        {
            var counts = new Dictionary<string, int>();
            foreach (LevelObject thing in level.Objects)
            {
                int count;
                counts.TryGetValue(thing.Name, out count);
                counts[thing.Name] = count + 1;
            }
            var seen = new Dictionary<string, int>();
            var names = new UniqueNames();
            var nodes = new List<PrefabNode>();
            foreach (LevelObject thing in level.Objects)
            {
                int number;
                seen.TryGetValue(thing.Name, out number);
                seen[thing.Name] = ++number;
                string expected = UniqueNames.Plain(thing.Name);
                string name = counts[thing.Name] > 1 ? expected + "_" + number : expected;
                nodes.Add(new PrefabNode(names.Next(name)) { Object = thing });
            }
            return nodes;
        }
    }
}
