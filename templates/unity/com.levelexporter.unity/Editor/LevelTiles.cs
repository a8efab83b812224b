using System;
using System.Collections.Generic;
using LevelExporter.Importing;
using UnityEditor.AssetImporters;
using UnityEngine;
using UnityEngine.Tilemaps;

namespace LevelExporter.Editing
{
    /// <summary>
    /// The tiles of a level: cut from the tileset that was exported beside it, or, without one,
    /// plain squares in the colours of the legends. Tiles are sub-assets named by their number in
    /// the sheet, which stays when tiles are added, so references to them stay too.
    /// </summary>
    internal sealed class LevelTiles
    {
        private readonly AssetImportContext context;
        private readonly LevelBlob level;
        private readonly bool solid;
        private readonly float cellSize;
        private readonly TileSheetDescription sheet;
        private readonly Texture2D picture;
        private readonly Dictionary<int, Tile> byNumber = new Dictionary<int, Tile>();
        private readonly Dictionary<int, TileSheetTile> meanings =
            new Dictionary<int, TileSheetTile>();

        /// <param name="context">The import, which gets the tiles.</param>
        /// <param name="level">The level.</param>
        /// <param name="exported">The tileset beside it.</param>
        /// <param name="cellSize">Units of the world that a cell is wide and high.</param>
        /// <param name="solid">Whether tiles that nobody can walk on have a collider's shape.</param>
        public LevelTiles(
            AssetImportContext context,
            LevelBlob level,
            LevelSheet exported,
            float cellSize,
            bool solid)
        {
            this.context = context;
            this.level = level;
            this.cellSize = cellSize;
            this.solid = solid;
            sheet = exported.Description;
            picture = exported.Picture;
            if (sheet == null)
            {
                sheet = PlainTiles.Describe(level);
                picture = PlainTiles.Paint(sheet);
                context.AddObjectToAsset("plain", picture);
            }
            foreach (TileSheetTile tile in sheet.tiles)
            {
                meanings[tile.number] = tile;
            }
        }

        /// <summary>How a layer's ids become pictures; null for a layer that has none.</summary>
        public TileSheetLayer PicksOf(LevelLayer layer)
        {
            return Array.Find(sheet.layers, one => one.name == layer.Name);
        }

        /// <summary>
        /// The tile of every cell, row after row from the top, and whether any blocks the way.
        /// </summary>
        public TileBase[] CellsOf(LevelLayer layer, out bool blocks)
        {
            blocks = false;
            TileSheetLayer picks = PicksOf(layer);
            if (picks == null)
            {
                return new TileBase[layer.Width * layer.Height];
            }
            Tile[] cells = TilesOf(TilePictures.NumbersOf(
                level.Cells(layer.Name), layer.Width, layer.Height, picks));
            blocks = Array.Exists(
                cells, tile => tile != null && tile.colliderType != Tile.ColliderType.None);
            return cells;
        }

        /// <summary>
        /// The tiles of a grid below or above a layer's cells, row after row from the top.
        /// </summary>
        public TileBase[] GridOf(LevelLayer layer, TileSheetGrid grid)
        {
            int[] cells = level.Cells(layer.Name);
            return TilesOf(
                grid.IsBetweenCells
                    ? TilePictures.CornersOf(cells, layer.Width, layer.Height, grid)
                    : TilePictures.NumbersOf(cells, layer.Width, layer.Height, grid));
        }

        /// <summary>
        /// How far a grid between the cells lies from them, in units of the world: half a tile left
        /// and, because the first row is at the bottom, down.
        /// </summary>
        public Vector3 BetweenCells
        {
            get
            {
                int half = sheet.tile_size / 2;
                float pixel = cellSize / sheet.tile_size;
                return new Vector3(-half * pixel, (half - sheet.tile_size) * pixel, 0);
            }
        }

        private Tile[] TilesOf(int[] numbers)
        {
            return Array.ConvertAll(numbers, number => number < 0 ? null : TileOf(number));
        }

        private Tile TileOf(int number)
        {
            Tile tile;
            if (byNumber.TryGetValue(number, out tile))
            {
                return tile;
            }
            TileSheetTile meaning;
            meanings.TryGetValue(number, out meaning);
            GridView pixels = TileSheet.FromBottom(sheet, number, picture.height);
            // The full rectangle, so that no outline is traced, and the picture fills its cell.
            Sprite sprite = Sprite.Create(
                picture,
                new Rect(pixels.X, pixels.Y, pixels.Width, pixels.Height),
                new Vector2(0.5f, 0.5f),
                sheet.tile_size / cellSize,
                0,
                SpriteMeshType.FullRect);
            sprite.name = meaning == null ? "tile " + number : meaning.name;
            tile = ScriptableObject.CreateInstance<Tile>();
            tile.name = sprite.name;
            tile.sprite = sprite;
            tile.colliderType = solid && Blocks(meaning)
                ? Tile.ColliderType.Grid
                : Tile.ColliderType.None;
            context.AddObjectToAsset("sprite:" + number, sprite);
            context.AddObjectToAsset("tile:" + number, tile);
            byNumber[number] = tile;
            return tile;
        }

        private static bool Blocks(TileSheetTile tile)
        {
            return tile != null && !tile.walkable && !LevelTile.IsEmptyName(tile.name);
        }
    }
}
