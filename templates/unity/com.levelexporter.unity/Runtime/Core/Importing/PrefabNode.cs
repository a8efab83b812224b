using System.Collections.Generic;

namespace LevelExporter.Importing
{
    /// <summary>
    /// A node of the prefab that a level becomes, without anything of Unity: the importer makes a
    /// GameObject of each. The names are those of the nodes in the scene for Godot.
    /// </summary>
    public sealed class PrefabNode
    {
        private static readonly PrefabNode[] Nothing = new PrefabNode[0];

        internal PrefabNode(string name)
        {
            Name = name;
            Children = Nothing;
        }

        /// <summary>Its name, which no sibling has.</summary>
        public string Name { get; private set; }

        /// <summary>The nodes below it, in order.</summary>
        public IReadOnlyList<PrefabNode> Children { get; internal set; }

        /// <summary>The tiles it shows; null for none.</summary>
        public PrefabTiles Tiles { get; internal set; }

        /// <summary>Whether it is a body that does not move: outlines below it are solid.</summary>
        public bool IsBody { get; internal set; }

        /// <summary>
        /// The rings of a collider, outer ones and holes: a point is named by the cell whose upper
        /// left corner it is. Null for none.
        /// </summary>
        public IReadOnlyList<GridCell[]> Outlines { get; internal set; }

        /// <summary>The object of this node, in the middle of its cell; null for none.</summary>
        public LevelObject Object { get; internal set; }
    }
}
