using System.Collections.Generic;
using LevelExporter.Importing;
using LevelExporter.Scenes;
using UnityEditor.AssetImporters;
using UnityEngine;
using UnityEngine.Tilemaps;

namespace LevelExporter.Editing
{
    /// <summary>
    /// The tiles of a level: assets of the game where the export names them, else cut from the
    /// level's sheet. Cut tiles are sub-assets named by their number in the sheet, which stays when
    /// tiles are added, so references to them stay too.
    /// </summary>
    internal sealed class LevelTiles
    {
        private readonly AssetImportContext context;
        private readonly bool solid;
        private readonly LevelLayout layout;
        private readonly float cellSize;
        private readonly TileSheetDescription sheet;
        private readonly Texture2D picture;
        private readonly Dictionary<int, Tile> byNumber = new Dictionary<int, Tile>();
        private readonly Dictionary<string, TileBase> byPath = new Dictionary<string, TileBase>();
        private readonly Dictionary<int, TileSheetTile> meanings =
            new Dictionary<int, TileSheetTile>();

        /// <param name="context">The import, which gets the tiles.</param>
        /// <param name="sheet">The meaning of the tiles.</param>
        /// <param name="picture">Their picture.</param>
        /// <param name="layout">Where cells lie.</param>
        /// <param name="cellSize">Units of the world that a cell is wide.</param>
        /// <param name="solid">Whether tiles that block walking have a collider's shape.</param>
        public LevelTiles(
            AssetImportContext context,
            TileSheetDescription sheet,
            Texture2D picture,
            LevelLayout layout,
            float cellSize,
            bool solid)
        {
            this.context = context;
            this.sheet = sheet;
            this.picture = picture;
            this.layout = layout;
            this.cellSize = cellSize;
            this.solid = solid;
            foreach (TileSheetTile tile in sheet.tiles)
            {
                meanings[tile.number] = tile;
            }
        }

        /// <summary>
        /// How far a grid between the cells lies from them, in units of the world: half a tile in
        /// whole pixels, left and, because the first row is at the bottom, down.
        /// </summary>
        public Vector3 BetweenCells
        {
            get
            {
                int half = sheet.tile_size / 2;
                float pixel = 1f / sheet.tile_size;
                float x;
                float y;
                layout.Offset(-half * pixel, (half - sheet.tile_size) * pixel, out x, out y);
                return new Vector3(x, y, 0);
            }
        }

        /// <summary>The tile of every cell, row after row from the top.</summary>
        public TileBase[] CellsOf(PrefabTiles source)
        {
            var cells = new TileBase[source.Numbers.Length];
            for (int index = 0; index < cells.Length; index++)
            {
                string path = source.Assets == null ? null : source.Assets[index];
                TileBase tile = path == null ? null : AssetOf(path);
                if (tile == null && source.Numbers[index] >= 0)
                {
                    tile = TileOf(source.Numbers[index]);
                }
                cells[index] = tile;
            }
            return cells;
        }

        // A tile asset of the game; null if it is missing, with one warning.
        private TileBase AssetOf(string path)
        {
            TileBase tile;
            if (byPath.TryGetValue(path, out tile))
            {
                return tile;
            }
            tile = GameAsset.LoadNamed<TileBase>(context, path);
            if (tile == null)
            {
                context.LogImportWarning(
                    context.assetPath + ": " + GameAsset.Problem(path, "tile asset")
                    + ": its cells show the exported tile");
            }
            byPath[path] = tile;
            return tile;
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
            Sprite sprite = SpriteOf(number, meaning == null ? "tile " + number : meaning.name);
            if (meaning != null && meaning.frames.Length > 0)
            {
                var animated = ScriptableObject.CreateInstance<AnimatedLevelTile>();
                animated.Setup(
                    System.Array.ConvertAll(
                        meaning.frames,
                        frame => frame == number ? sprite : SpriteOf(frame, meaning.name)),
                    sheet.frames_per_second);
                tile = animated;
            }
            else
            {
                tile = ScriptableObject.CreateInstance<Tile>();
            }
            tile.name = sprite.name;
            tile.sprite = sprite;
            tile.colliderType = solid && meaning != null && meaning.Blocks
                ? Tile.ColliderType.Grid
                : Tile.ColliderType.None;
            context.AddObjectToAsset("tile:" + number, tile);
            byNumber[number] = tile;
            return tile;
        }

        private Sprite SpriteOf(int number, string name)
        {
            GridView pixels = TileSheet.FromBottom(sheet, number, picture.height);
            // The full rectangle, so that no outline is traced, and the picture fills its cell.
            Sprite sprite = Sprite.Create(
                picture,
                new Rect(pixels.X, pixels.Y, pixels.Width, pixels.Height),
                new Vector2(0.5f, 0.5f),
                sheet.TileWidth / cellSize,
                0,
                SpriteMeshType.FullRect);
            sprite.name = name;
            context.AddObjectToAsset("sprite:" + number, sprite);
            return sprite;
        }
    }
}
