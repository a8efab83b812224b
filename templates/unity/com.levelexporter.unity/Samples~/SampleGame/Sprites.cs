using System.Collections.Generic;
using UnityEngine;

namespace LevelExporter.Samples
{
    /// <summary>Small pictures, a letter a pixel; rows end with a slash.</summary>
    internal static class Sprites
    {
        private const string Letters = ".kwrbgsy";
        private static readonly uint[] Colors =
        {
            0, 0x1b1420ff, 0xf2e3c6ff, 0xb03a48ff, 0x7a4a2eff, 0x4f8a5bff, 0x8b8f9cff, 0xf0b541ff,
        };

        private static readonly Dictionary<string, string> Pictures = new Dictionary<string, string>
        {
            { "hero", "..yyyy../.ywwwwy./.wkwwkw./..wwww../.gggggg./w.gggg.w/..gggg../..b..b.." },
            { "guard", "..ssss../.ssssss./.skrrks./..wwww../.rrrrrr./w.rrrr.w/..rrrr../..k..k.." },
            { "chest", "......../.bbbbbb./bybbbbyb/kkkyykkk/bybyybyb/bybbbbyb/bybbbbyb/kkkkkkkk" },
            { "open chest", ".bbbbbb./byyyyyyb/bkkkkkkb/kkkkkkkk/bybyybyb/bybbbbyb/bybbbbyb/kkkkkkkk" },
            { "stairs up", "......ss/......sw/....sssw/....swww/..ssswww/..swwwww/sssswwww/swwwwwww" },
            { "stairs down", "kkkkkkkk/kkkkkkss/kkkkkkss/kkkkssss/kkkkssss/kkssssss/kkssssss/ssssssss" },
        };

        /// <summary>Shows a picture at an object.</summary>
        public static void Show(GameObject thing, string name)
        {
            string[] rows = Pictures[name].Split('/');
            var texture = new Texture2D(8, 8, TextureFormat.RGBA32, false) { filterMode = FilterMode.Point };
            var pixels = new Color32[64];
            for (int index = 0; index < 64; index++)
            {
                uint color = Colors[Letters.IndexOf(rows[7 - index / 8][index % 8])];
                pixels[index] = new Color32(
                    (byte)(color >> 24), (byte)(color >> 16), (byte)(color >> 8), (byte)color);
            }
            texture.SetPixels32(pixels);
            texture.Apply(false, true);
            RendererOf(thing, 20).sprite = Sprite.Create(
                texture, new Rect(0, 0, 8, 8), new Vector2(0.5f, 0.5f), 10, 0, SpriteMeshType.FullRect);
        }

        /// <summary>Returns the renderer of an object, above the level.</summary>
        public static SpriteRenderer RendererOf(GameObject thing, int order)
        {
            var renderer = thing.GetComponent<SpriteRenderer>();
            if (renderer == null)
            {
                renderer = thing.AddComponent<SpriteRenderer>();
                renderer.sortingOrder = order;
            }
            return renderer;
        }
    }
}
