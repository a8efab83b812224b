using System;
using System.IO;
using UnityEditor;
using UnityEditor.AssetImporters;

namespace LevelExporter.Editing
{
    /// <summary>Assets of the game that an import uses, by path.</summary>
    internal static class GameAsset
    {
        /// <summary>
        /// The asset at a path, or null. The import depends on it, also while it does not exist: the
        /// level is imported again when it appears.
        /// </summary>
        public static T Load<T>(AssetImportContext context, string path) where T : UnityEngine.Object
        {
            context.DependsOnSourceAsset(path);
            if (!Exists(path))
            {
                return null;
            }
            context.DependsOnArtifact(path);
            return AssetDatabase.LoadAssetAtPath<T>(path);
        }

        /// <summary>
        /// The asset at a path that a file names: null, too, for a path that leads elsewhere than to
        /// the project's assets and packages.
        /// </summary>
        public static T LoadNamed<T>(AssetImportContext context, string path) where T : UnityEngine.Object
        {
            return IsInside(path) ? Load<T>(context, path) : null;
        }

        /// <summary>Returns why a path gave no asset of the requested type.</summary>
        public static string Problem(string path, string type)
        {
            if (!IsInside(path))
            {
                return path + " is no path below Assets/ or Packages/";
            }
            return Exists(path) ? path + " is no " + type : "there is no " + path;
        }

        private static bool IsInside(string path)
        {
            return (path.StartsWith("Assets/", StringComparison.Ordinal)
                || path.StartsWith("Packages/", StringComparison.Ordinal))
                && Array.IndexOf(path.Split('/', '\\'), "..") < 0;
        }

        // Files of packages need not lie where their paths say.
        private static bool Exists(string path)
        {
            return File.Exists(path) || path.StartsWith("Packages/", StringComparison.Ordinal);
        }
    }
}
