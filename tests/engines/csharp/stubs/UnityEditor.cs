// Stand-ins for the editor's side of Unity, see UnityEngine.cs.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using UnityEngine;
using UnityEngine.Tilemaps;
using Object = UnityEngine.Object;

namespace UnityEditor
{
    public class AssetImporter : Object
    {
        public string assetPath { get; set; }
        public string userData { get; set; } = "";
    }

    public abstract class AssetPostprocessor
    {
        public string assetPath { get; set; }
        public AssetImporter assetImporter { get; set; }

        public virtual uint GetVersion()
        {
            return 0;
        }

        public virtual int GetPostprocessOrder()
        {
            return 0;
        }
    }

    public enum TextureImporterNPOTScale
    {
        None = 0,
        ToNearest = 1,
        ToLarger = 2,
        ToSmaller = 3,
    }

    public enum TextureImporterCompression
    {
        Uncompressed = 0,
        Compressed = 1,
        CompressedHQ = 2,
        CompressedLQ = 3,
    }

    public sealed class TextureImporter : AssetImporter
    {
        public bool sRGBTexture { get; set; } = true;
        public bool mipmapEnabled { get; set; } = true;
        public bool isReadable { get; set; }
        public FilterMode filterMode { get; set; } = FilterMode.Bilinear;
        public TextureImporterNPOTScale npotScale { get; set; } = TextureImporterNPOTScale.ToNearest;
        public TextureImporterCompression textureCompression { get; set; } =
            TextureImporterCompression.Compressed;
        public int maxTextureSize { get; set; } = 2048;
        public bool alphaIsTransparency { get; set; } = true;
        public float spritePixelsPerUnit { get; set; } = 100;
    }

    public static class AssetDatabase
    {
        public static readonly Dictionary<string, GameObject> Prefabs =
            new Dictionary<string, GameObject>();

        public static string[] GetAllAssetPaths()
        {
            return Prefabs.Keys.ToArray();
        }

        public static string GetAssetPath(Object assetObject)
        {
            return assetObject.name;
        }

        public static readonly Dictionary<string, TileBase> Tiles =
            new Dictionary<string, TileBase>();

        public static T LoadAssetAtPath<T>(string assetPath) where T : Object
        {
            if (typeof(T) == typeof(TileBase))
            {
                TileBase tile;
                return Tiles.TryGetValue(assetPath, out tile) ? tile as T : null;
            }
            if (typeof(T) == typeof(GameObject))
            {
                GameObject prefab;
                return Prefabs.TryGetValue(assetPath, out prefab) ? prefab as T : null;
            }
            if (!File.Exists(assetPath))
            {
                return null;
            }
            byte[] png = File.ReadAllBytes(assetPath);
            return new Texture2D(BigEndian(png, 16), BigEndian(png, 20)) as T;
        }

        private static int BigEndian(byte[] bytes, int at)
        {
            return bytes[at] << 24 | bytes[at + 1] << 16 | bytes[at + 2] << 8 | bytes[at + 3];
        }
    }

    public static class PrefabUtility
    {
        public static Object InstantiatePrefab(
            Object assetComponentOrGameObject, Transform parent)
        {
            var child = new GameObject(assetComponentOrGameObject.name + " (prefab)");
            child.transform.SetParent(parent, false);
            child.AddComponent<PrefabInstance>();
            var prefab = (GameObject)assetComponentOrGameObject;
            foreach (MonoBehaviour component in prefab.GetComponents<MonoBehaviour>())
            {
                child.AddComponent(component.GetType());
            }
            return child;
        }

        public static void RecordPrefabInstancePropertyModifications(Object targetObject)
        {
            ((Component)targetObject).gameObject.GetComponent<PrefabInstance>().Recorded++;
        }
    }

    public sealed class PrefabInstance : Component
    {
        public int Recorded;
    }
}

namespace UnityEditor.AssetImporters
{
    [AttributeUsage(AttributeTargets.Class)]
    public sealed class ScriptedImporterAttribute : Attribute
    {
        public ScriptedImporterAttribute(int version, string ext, int importQueueOffset)
        {
        }
    }

    public abstract class ScriptedImporter : AssetImporter
    {
        public abstract void OnImportAsset(AssetImportContext ctx);
    }

    public class AssetImportContext
    {
        public readonly List<string> Identifiers = new List<string>();
        public readonly List<Object> Assets = new List<Object>();
        public readonly List<string> Sources = new List<string>();
        public readonly List<string> Messages = new List<string>();

        public string assetPath { get; set; }

        public Object mainObject { get; private set; }

        public void SetMainObject(Object obj)
        {
            mainObject = obj;
        }

        public void AddObjectToAsset(string identifier, Object obj)
        {
            if (Identifiers.Contains(identifier))
            {
                throw new ArgumentException("identifier " + identifier + " is used twice");
            }
            Identifiers.Add(identifier);
            Assets.Add(obj);
        }

        public void DependsOnSourceAsset(string path)
        {
            Sources.Add(path);
        }

        public void DependsOnArtifact(string path)
        {
            // Of packages Unity knows where they lie.
            if (!File.Exists(path) && !AssetDatabase.Prefabs.ContainsKey(path)
                && !path.StartsWith("Packages/"))
            {
                throw new ArgumentException("there is no asset " + path);
            }
        }

        public void LogImportError(string msg, Object obj = null)
        {
            Messages.Add("error " + msg);
        }

        public void LogImportWarning(string msg, Object obj = null)
        {
            Messages.Add("warning " + msg);
        }
    }
}
