using System;
using System.Collections.Generic;
using LevelExporter.Importing;
using UnityEditor;
using UnityEditor.AssetImporters;
using UnityEngine;

namespace LevelExporter.Editing
{
    /// <summary>
    /// The prefabs for objects: from the Inspector's list, else from the names in the export, else
    /// from the folder.
    /// </summary>
    internal sealed class ObjectPrefabs
    {
        private readonly LevelImporter settings;
        private readonly AssetImportContext context;
        private readonly TileSheetScene[] scenes;
        private readonly Dictionary<string, GameObject> prefabsByName = new Dictionary<string, GameObject>();

        public ObjectPrefabs(
            LevelImporter settings, AssetImportContext context, TileSheetScene[] scenes)
        {
            this.settings = settings;
            this.context = context;
            this.scenes = scenes;
        }

        /// <summary>
        /// Puts an instance of an object's prefab below a parent, with the object's properties in
        /// the fields of its components; null if there is no prefab.
        /// </summary>
        public GameObject Location(PrefabNode node, Transform parent)
        {
            GameObject prefab = null;
            object row;
            // Objects `monster` with the property `name: ogre` are `monster/ogre`, too.
            if (node.Object.Properties.TryGetValue("name", out row) && row is string)
            {
                prefab = SearchResult(node.Object.Name + "/" + row);
            }
            if (prefab == null)
            {
                prefab = SearchResult(node.Object.Name);
            }
            if (prefab == null)
            {
                return null;
            }
            var instance = (GameObject)PrefabUtility.InstantiatePrefab(prefab, parent);
            instance.name = node.Name;
            foreach (MonoBehaviour component in instance.GetComponents<MonoBehaviour>())
            {
                // A script that does not compile is a component that is null.
                if (component != null)
                {
                    Fill(component, node);
                }
            }
            return instance;
        }

        private void Fill(MonoBehaviour component, PrefabNode node)
        {
            foreach (string problem in ComponentFields.Fill(component, node.Object.Properties))
            {
                context.LogImportWarning(
                    context.assetPath + ": " + node.Name + ": " + problem
                    + "; it keeps the prefab's value");
            }
            // Differences from the prefab are stored as overrides.
            PrefabUtility.RecordPrefabInstancePropertyModifications(component);
        }

        private GameObject SearchResult(string name)
        {
            GameObject prefab;
            if (!prefabsByName.TryGetValue(name, out prefab))
            {
                prefab = prefabsByName[name] = PrefabOf(name);
            }
            return prefab;
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
            TileSheetScene scene = Array.Find(scenes, item => item.name == name);
            if (scene != null)
            {
                return Exported(scene);
            }
            // A name is data, never a path.
            if (settings.prefabFolder.Length == 0 || name.IndexOfAny(new[] { '/', '\\' }) >= 0)
            {
                return null;
            }
            return GameAsset.Load<GameObject>(
                context, settings.prefabFolder.TrimEnd('/') + "/" + name + ".prefab");
        }

        private GameObject Exported(TileSheetScene scene)
        {
            var prefab = GameAsset.LoadNamed<GameObject>(context, scene.path);
            if (prefab == null)
            {
                context.LogImportWarning(
                    context.assetPath + ": " + GameAsset.Problem(scene.path, "prefab")
                    + ": objects called " + scene.name + " are empty markers");
            }
            return prefab;
        }
    }
}
