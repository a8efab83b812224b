using UnityEngine;
using UnityEngine.Tilemaps;

namespace LevelExporter.Scenes
{
    /// <summary>A tile of a level's sheet with several pictures in turn.</summary>
    public sealed class AnimatedLevelTile : Tile
    {
        [SerializeField]
        private Sprite[] frames = new Sprite[0];

        [SerializeField]
        private float framesPerSecond = 0;

        /// <summary>The pictures, in order.</summary>
        public Sprite[] Frames
        {
            get { return frames; }
        }

        /// <summary>Filled in by the importer.</summary>
        public void Setup(Sprite[] frames, float framesPerSecond)
        {
            this.frames = frames;
            this.framesPerSecond = framesPerSecond;
        }

        /// <inheritdoc/>
        public override bool GetTileAnimationData(
            Vector3Int position, ITilemap tilemap, ref TileAnimationData tileAnimationData)
        {
            tileAnimationData.animatedSprites = frames;
            tileAnimationData.animationSpeed = framesPerSecond;
            tileAnimationData.animationStartTime = 0;
            return frames.Length > 0;
        }
    }
}
