using System.Collections.Generic;
using System.Linq;
using LevelExporter.Scenes;
using UnityEngine;

namespace LevelExporter.Samples
{
    /// <summary>
    /// Opens exported levels one after the other. Put it on an empty object and press Play.
    /// </summary>
    public sealed class Game : MonoBehaviour
    {
        [SerializeField] private ExportedLevel[] levels = new ExportedLevel[0];
        [SerializeField] private Texture2D[] bitmaps = new Texture2D[0];

        private readonly Dictionary<int, ExportedLevel> opened = new Dictionary<int, ExportedLevel>();
        private int number = -1;
        private Vector3 start;

        public static Game Current { get; private set; }
        public ExportedLevel Level { get; private set; }
        public Hero Hero { get; private set; }
        public Fog Fog { get; private set; }
        public int Gold { get; set; }
        public Texture2D Bitmap => number < bitmaps.Length ? bitmaps[number] : null;

        /// <summary>Goes some levels on or back. Those left stay as they are.</summary>
        public void Climb(int further)
        {
            int next = number + further;
            if (next < 0 || next >= levels.Length)
            {
                return;
            }
            if (Level != null)
            {
                Level.gameObject.SetActive(false);
            }
            number = next;
            if (!opened.ContainsKey(next))
            {
                opened[next] = Instantiate(levels[next]);
                opened[next].GetComponentsInChildren<ExportedObject>().ToList().ForEach(Dress);
            }
            Level = opened[next];
            Level.gameObject.SetActive(true);
            string arrival = further > 0 ? "stairs_up" : "stairs_down";
            start = Level.CenterOf(Level.Level.Objects.First(thing => thing.Name == arrival).Cell);
            Fog.Cover(Level);
            SendBack();
        }

        /// <summary>Puts the hero back to the stairs of arrival.</summary>
        public void SendBack() => Hero.transform.position = start;

        private void Awake()
        {
            Current = this;
            Fog = new GameObject("fog").AddComponent<Fog>();
            Hero = new GameObject("hero").AddComponent<Hero>();
            gameObject.AddComponent<Minimap>();
            Climb(1);
        }

        // Markers become things; prefabs of your own, by the option `scenes`, are things already.
        private static void Dress(ExportedObject thing)
        {
            if (thing.Kind == "chest" && thing.GetComponent<Chest>() == null)
            {
                string gold = thing.PropertyText("gold");
                thing.gameObject.AddComponent<Chest>().gold = gold == null ? 10 : int.Parse(gold);
            }
            if (thing.Kind == "guard" && thing.GetComponent<Guard>() == null)
            {
                thing.gameObject.AddComponent<Guard>();
            }
            if (thing.Kind.StartsWith("stairs_") && thing.GetComponent<Stairs>() == null)
            {
                thing.gameObject.AddComponent<Stairs>().levels = thing.Kind == "stairs_up" ? -1 : 1;
            }
        }

#if UNITY_EDITOR
        // When the component is added: all levels with stairs, and the pictures beside them.
        private void Reset()
        {
            string[] paths = UnityEditor.AssetDatabase.GetAllAssetPaths()
                .Where(path => path.EndsWith(".lvb")).OrderBy(path => path).ToArray();
            levels = paths.Select(UnityEditor.AssetDatabase.LoadAssetAtPath<GameObject>)
                .Select(level => level.GetComponent<ExportedLevel>())
                .Where(level => level.Asset != null && level.Level.Objects.Any(item => item.Name == "stairs_up"))
                .ToArray();
            bitmaps = levels.Select(level => UnityEditor.AssetDatabase.LoadAssetAtPath<Texture2D>(
                paths.First(path => path.EndsWith("/" + level.name + ".lvb")).Replace(
                    ".lvb", "." + level.Level.PlayLayers.Last().Name + ".png"))).ToArray();
        }
#endif
    }
}
