// Stand-ins for the parts of Unity that the package calls, with Unity's own signatures (read in its
// reference source) and just enough behaviour to inspect the result. Never shipped.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;

namespace UnityEngine
{
    public class Object
    {
        public virtual string name { get; set; } = "";

        // There is one of each, which is enough to play with.
        public static T Instantiate<T>(T original) where T : Object
        {
            return original;
        }

        // A copy has the scripts of the original with the fields that Unity stores, and nothing
        // else.
        public static T Instantiate<T>(T original, Transform parent) where T : Object
        {
            var from = (GameObject)(Object)original;
            var created = new GameObject(from.name + "(Clone)");
            created.transform.SetParent(parent, false);
            foreach (MonoBehaviour script in from.GetComponents<MonoBehaviour>())
            {
                Component copy = created.AddComponent(script.GetType());
                foreach (FieldInfo field in script.GetType().GetFields(
                    BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic))
                {
                    if (field.IsPublic || field.IsDefined(typeof(SerializeField), false))
                    {
                        field.SetValue(copy, field.GetValue(script));
                    }
                }
            }
            return (T)(Object)created;
        }

        public static void Destroy(Object obj)
        {
            ((GameObject)obj).transform.parent.Children.Remove(((GameObject)obj).transform);
        }
    }

    public class ScriptableObject : Object
    {
        public static T CreateInstance<T>() where T : ScriptableObject
        {
            return Activator.CreateInstance<T>();
        }
    }

    public class Component : Object
    {
        public GameObject gameObject { get; internal set; }

        public override string name
        {
            get { return gameObject.name; }
            set { gameObject.name = value; }
        }

        public Transform transform
        {
            get { return gameObject.transform; }
        }

        public T GetComponent<T>()
        {
            return gameObject.GetComponent<T>();
        }

        public T[] GetComponentsInChildren<T>()
        {
            return gameObject.All().SelectMany(item => item.Components.OfType<T>()).ToArray();
        }
    }

    public class Behaviour : Component
    {
    }

    public class MonoBehaviour : Behaviour
    {
    }

    public class Transform : Component
    {
        internal readonly List<Transform> Children = new List<Transform>();

        public Transform parent { get; private set; }

        public Vector3 localPosition { get; set; }

        public Vector3 position
        {
            get { return localPosition; }
            set { localPosition = value; }
        }

        public void SetParent(Transform parent, bool worldPositionStays)
        {
            parent.Children.Add(this);
            this.parent = parent;
        }

        public Vector3 InverseTransformPoint(Vector3 position)
        {
            return position;
        }
    }

    public sealed class GameObject : Object
    {
        public static readonly List<GameObject> Everything = new List<GameObject>();

        public readonly List<Component> Components = new List<Component>();

        public GameObject(string name)
        {
            this.name = name;
            Everything.Add(this);
            transform = AddComponent<Transform>();
        }

        public Transform transform { get; private set; }

        public bool isStatic { get; set; }

        public bool activeSelf { get; private set; } = true;

        public bool activeInHierarchy
        {
            get
            {
                return activeSelf
                    && (transform.parent == null || transform.parent.gameObject.activeInHierarchy);
            }
        }

        public void SetActive(bool value)
        {
            activeSelf = value;
        }

        public T AddComponent<T>() where T : Component
        {
            return (T)AddComponent(typeof(T));
        }

        public Component AddComponent(Type componentType)
        {
            var component = (Component)Activator.CreateInstance(componentType);
            component.gameObject = this;
            Components.Add(component);
            if (Application.isPlaying)
            {
                Application.Send(component, "Awake");
            }
            return component;
        }

        public T GetComponent<T>()
        {
            return Components.OfType<T>().FirstOrDefault();
        }

        public T[] GetComponents<T>()
        {
            return Components.OfType<T>().ToArray();
        }

        public IEnumerable<GameObject> All()
        {
            return new[] { this }.Concat(
                transform.Children.SelectMany(child => child.gameObject.All()));
        }
    }

    [AttributeUsage(AttributeTargets.Class)]
    public sealed class CreateAssetMenu : Attribute
    {
    }

    [AttributeUsage(AttributeTargets.Field)]
    public sealed class SerializeField : Attribute
    {
    }

    [AttributeUsage(AttributeTargets.Field)]
    public sealed class HideInInspector : Attribute
    {
    }

    [AttributeUsage(AttributeTargets.Class)]
    public sealed class RequireComponent : Attribute
    {
        public RequireComponent(Type requiredComponent)
        {
        }
    }

    public struct Vector2
    {
        public float x;
        public float y;

        public Vector2(float x, float y)
        {
            this.x = x;
            this.y = y;
        }

        public static Vector2 ClampMagnitude(Vector2 vector, float maxLength)
        {
            var length = (float)Math.Sqrt(vector.x * vector.x + vector.y * vector.y);
            return length > maxLength ? vector * (maxLength / length) : vector;
        }

        public static Vector2 operator *(Vector2 a, float d)
        {
            return new Vector2(a.x * d, a.y * d);
        }
    }

    public struct Vector3
    {
        public float x;
        public float y;
        public float z;

        public Vector3(float x, float y, float z)
        {
            this.x = x;
            this.y = y;
            this.z = z;
        }

        public static Vector3 back
        {
            get { return new Vector3(0, 0, -1); }
        }

        public static Vector3 MoveTowards(Vector3 current, Vector3 target, float maxDistanceDelta)
        {
            double x = target.x - current.x;
            double y = target.y - current.y;
            double length = Math.Sqrt(x * x + y * y);
            if (length <= maxDistanceDelta || length == 0)
            {
                return target;
            }
            return new Vector3(
                (float)(current.x + x / length * maxDistanceDelta),
                (float)(current.y + y / length * maxDistanceDelta),
                current.z);
        }

        public static Vector3 operator *(Vector3 a, float d)
        {
            return new Vector3(a.x * d, a.y * d, a.z * d);
        }

        public static Vector3 operator +(Vector3 a, Vector3 b)
        {
            return new Vector3(a.x + b.x, a.y + b.y, a.z + b.z);
        }

        public static bool operator ==(Vector3 a, Vector3 b)
        {
            return a.x == b.x && a.y == b.y && a.z == b.z;
        }

        public static bool operator !=(Vector3 a, Vector3 b)
        {
            return !(a == b);
        }

        public override bool Equals(object other)
        {
            return other is Vector3 && this == (Vector3)other;
        }

        public override int GetHashCode()
        {
            return x.GetHashCode() ^ y.GetHashCode();
        }
    }

    public struct Vector2Int
    {
        public int x { get; set; }
        public int y { get; set; }

        public Vector2Int(int x, int y)
            : this()
        {
            this.x = x;
            this.y = y;
        }
    }

    public struct Vector3Int
    {
        public int x { get; set; }
        public int y { get; set; }
        public int z { get; set; }

        public Vector3Int(int x, int y, int z)
            : this()
        {
            this.x = x;
            this.y = y;
            this.z = z;
        }
    }

    public struct BoundsInt
    {
        public Vector3Int position { get; set; }
        public Vector3Int size { get; set; }

        public BoundsInt(int xMin, int yMin, int zMin, int sizeX, int sizeY, int sizeZ)
            : this()
        {
            position = new Vector3Int(xMin, yMin, zMin);
            size = new Vector3Int(sizeX, sizeY, sizeZ);
        }
    }

    public struct Rect
    {
        public float x { get; set; }
        public float y { get; set; }
        public float width { get; set; }
        public float height { get; set; }

        public Rect(float x, float y, float width, float height)
            : this()
        {
            this.x = x;
            this.y = y;
            this.width = width;
            this.height = height;
        }
    }

    public struct Matrix4x4
    {
        public float m00;
        public float m01;
        public float m10;
        public float m11;
        public float m22;
        public float m33;

        public static Matrix4x4 identity
        {
            get { return new Matrix4x4 { m00 = 1, m11 = 1, m22 = 1, m33 = 1 }; }
        }
    }

    public struct Color
    {
        public float r;
        public float g;
        public float b;
        public float a;

        public Color(float r, float g, float b, float a)
        {
            this.r = r;
            this.g = g;
            this.b = b;
            this.a = a;
        }

        public static implicit operator Color32(Color color)
        {
            return new Color32(
                (byte)(color.r * 255), (byte)(color.g * 255), (byte)(color.b * 255), (byte)(color.a * 255));
        }

        public static Color white
        {
            get { return new Color(1, 1, 1, 1); }
        }
    }

    public struct Color32
    {
        public byte r;
        public byte g;
        public byte b;
        public byte a;

        public Color32(byte r, byte g, byte b, byte a)
        {
            this.r = r;
            this.g = g;
            this.b = b;
            this.a = a;
        }
    }

    public static class Debug
    {
        public static readonly List<string> Errors = new List<string>();

        public static void Log(object message)
        {
        }

        public static void LogError(object message)
        {
            Errors.Add(message.ToString());
        }

        public static void DrawLine(Vector3 start, Vector3 end)
        {
        }
    }

    public sealed class Terrain : Behaviour
    {
        public Terrain[] Neighbours = new Terrain[4];

        public TerrainData terrainData { get; set; }

        public static GameObject CreateTerrainGameObject(TerrainData assignTerrain)
        {
            var created = new GameObject("Terrain");
            created.AddComponent<Terrain>().terrainData = assignTerrain;
            return created;
        }

        public void SetNeighbors(Terrain left, Terrain top, Terrain right, Terrain bottom)
        {
            Neighbours = new[] { left, top, right, bottom };
        }
    }

    [AttributeUsage(AttributeTargets.Class)]
    public sealed class ExecuteAlways : Attribute
    {
    }

    public class AsyncOperation
    {
        public event Action<AsyncOperation> completed;

        internal void End()
        {
            completed(this);
        }
    }

    public sealed class ResourceRequest : AsyncOperation
    {
        public Object asset { get; internal set; }
    }

    public sealed class AssetBundleRequest : AsyncOperation
    {
        public Object asset { get; internal set; }
    }

    public sealed class AssetBundle : Object
    {
        public AssetBundleRequest LoadAssetAsync<T>(string name) where T : Object
        {
            return new AssetBundleRequest();
        }
    }

    public static class Resources
    {
        public static readonly Dictionary<string, GameObject> Prefabs =
            new Dictionary<string, GameObject>();

        private static readonly List<KeyValuePair<string, ResourceRequest>> Pending =
            new List<KeyValuePair<string, ResourceRequest>>();

        public static ResourceRequest LoadAsync<T>(string path) where T : Object
        {
            var request = new ResourceRequest();
            Pending.Add(new KeyValuePair<string, ResourceRequest>(path, request));
            return request;
        }

        // Ends all pending requests, and returns them.
        internal static List<string> Finish()
        {
            var pending = Pending.ToList();
            Pending.Clear();
            foreach (KeyValuePair<string, ResourceRequest> item in pending)
            {
                GameObject prefab;
                item.Value.asset = Prefabs.TryGetValue(item.Key, out prefab) ? prefab : null;
                item.Value.End();
            }
            return pending.ConvertAll(item => item.Key);
        }
    }

    public static class Mathf
    {
        public static int FloorToInt(float f)
        {
            return (int)Math.Floor(f);
        }

        public static int Min(int a, int b)
        {
            return Math.Min(a, b);
        }

        public static int Max(int a, int b)
        {
            return Math.Max(a, b);
        }

        public static float Clamp(float value, float min, float max)
        {
            return value < min ? min : value > max ? max : value;
        }
    }

    public enum TextureFormat
    {
        Alpha8 = 1,
        RGB24 = 3,
        RGBA32 = 4,
        R16 = 9,
        RFloat = 18,
        R8 = 63,
    }

    public enum FilterMode
    {
        Point = 0,
        Bilinear = 1,
        Trilinear = 2,
    }

    public enum TextureWrapMode
    {
        Repeat = 0,
        Clamp = 1,
        Mirror = 2,
        MirrorOnce = 3,
    }

    public enum SpriteMeshType
    {
        FullRect = 0,
        Tight = 1,
    }

    public class Texture : Object
    {
        public FilterMode filterMode { get; set; }
        public TextureWrapMode wrapMode { get; set; }
        public int width { get; protected set; }
        public int height { get; protected set; }
    }

    public sealed class Texture2D : Texture
    {
        public Color32[] Pixels;

        public static Texture2D whiteTexture
        {
            get { return new Texture2D(4, 4); }
        }

        public Texture2D(int width, int height)
            : this(width, height, TextureFormat.RGBA32, true)
        {
        }

        public Texture2D(int width, int height, TextureFormat textureFormat, bool mipChain)
        {
            this.width = width;
            this.height = height;
        }

        public Color GetPixel(int x, int y)
        {
            Color32 color = Pixels[y * width + x];
            return new Color(color.r / 255f, color.g / 255f, color.b / 255f, color.a / 255f);
        }

        public void SetPixels32(Color32[] colors)
        {
            if (colors.Length != width * height)
            {
                throw new ArgumentException("colors");
            }
            Pixels = colors;
        }

        public void Apply(bool updateMipmaps, bool makeNoLongerReadable)
        {
        }
    }

    public sealed class Sprite : Object
    {
        public Texture2D texture { get; private set; }
        public Rect rect { get; private set; }
        public Vector2 pivot { get; private set; }
        public float pixelsPerUnit { get; private set; }

        public static Sprite Create(
            Texture2D texture,
            Rect rect,
            Vector2 pivot,
            float pixelsPerUnit,
            uint extrude,
            SpriteMeshType meshType)
        {
            if (rect.x < 0 || rect.y < 0 || rect.x + rect.width > texture.width
                || rect.y + rect.height > texture.height)
            {
                throw new ArgumentException("the rectangle lies outside the texture");
            }
            return new Sprite
            {
                texture = texture, rect = rect, pivot = pivot, pixelsPerUnit = pixelsPerUnit,
            };
        }
    }

    public class GridLayout : Behaviour
    {
        public enum CellLayout
        {
            Rectangle = 0,
            Hexagon = 1,
            Isometric = 2,
            IsometricZAsY = 3,
        }
    }

    public sealed class Grid : GridLayout
    {
        public Vector3 cellSize { get; set; }
        public CellLayout cellLayout { get; set; }
    }

    public class Renderer : Component
    {
        public bool enabled { get; set; } = true;
        public string sortingLayerName { get; set; } = "Default";
        public int sortingOrder { get; set; }
    }

    public enum RigidbodyType2D
    {
        Dynamic = 0,
        Kinematic = 1,
        Static = 2,
    }

    public sealed class SpriteRenderer : Renderer
    {
        public Sprite sprite { get; set; }
    }

    public sealed class Rigidbody2D : Component
    {
        public float gravityScale { get; set; } = 1;
        public bool freezeRotation { get; set; }
#if UNITY_6000_0_OR_NEWER
        public Vector2 linearVelocity { get; set; }
#else
        public Vector2 velocity { get; set; }
#endif
        public RigidbodyType2D bodyType { get; set; }
    }

    public class Collider2D : Behaviour
    {
        public enum CompositeOperation
        {
            None = 0,
            Merge = 1,
        }

#if UNITY_2023_1_OR_NEWER
        public CompositeOperation compositeOperation { get; set; }
#else
        public bool usedByComposite { get; set; }
#endif
    }

    public sealed class CircleCollider2D : Collider2D
    {
        public float radius { get; set; }
    }

    public sealed class CompositeCollider2D : Collider2D
    {
    }

    public sealed class PolygonCollider2D : Collider2D
    {
        // A new one has a shape already, as in Unity.
        public Vector2[][] Paths =
        {
            new[] { new Vector2(0, 1), new Vector2(-1, 0), new Vector2(1, 0) },
        };

        public int pathCount
        {
            get { return Paths.Length; }
            set { Array.Resize(ref Paths, value); }
        }

        public void SetPath(int index, Vector2[] points)
        {
            if (index < 0 || index >= Paths.Length || points.Length < 3)
            {
                throw new ArgumentException("index or points");
            }
            Paths[index] = points;
        }
    }

    public sealed class TerrainData : Object
    {
        public float[,] Heights;
        private int resolution = 33;

        public Vector3 size { get; set; }

        public int heightmapResolution
        {
            get { return resolution; }
            set
            {
                // Unity scales the size along, so the size has to be set afterwards.
                size = new Vector3(-1, -1, -1);
                resolution = value;
            }
        }

        public void SetHeights(int xBase, int yBase, float[,] heights)
        {
            if (heights.GetLength(0) > resolution || heights.GetLength(1) > resolution)
            {
                throw new ArgumentException("heights");
            }
            Heights = heights;
        }
    }
}

namespace UnityEngine.Tilemaps
{
    public sealed class ITilemap
    {
    }

    public struct TileAnimationData
    {
        public Sprite[] animatedSprites { get; set; }
        public float animationSpeed { get; set; }
        public float animationStartTime { get; set; }
    }

    public abstract class TileBase : ScriptableObject
    {
        public virtual bool GetTileAnimationData(
            Vector3Int position, ITilemap tilemap, ref TileAnimationData tileAnimationData)
        {
            return false;
        }
    }

    public class Tile : TileBase
    {
        public enum ColliderType
        {
            None = 0,
            Sprite = 1,
            Grid = 2,
        }

        public Sprite sprite { get; set; }
        public Color color { get; set; }
        public ColliderType colliderType { get; set; }
    }

    [Flags]
    public enum TileFlags
    {
        None = 0,
        LockColor = 1,
        LockTransform = 2,
        InstantiateGameObjectRuntimeOnly = 4,
        KeepGameObjectRuntimeOnly = 8,
        LockAll = 3,
    }

    public sealed class Tilemap : GridLayout
    {
        public BoundsInt Block;
        public TileBase[] Tiles;

        public void SetTilesBlock(BoundsInt position, TileBase[] tileArray)
        {
            if (position.size.z != 1 || tileArray.Length != position.size.x * position.size.y)
            {
                throw new ArgumentException("tileArray");
            }
            Block = position;
            Tiles = tileArray;
        }

        public void SetTileFlags(Vector3Int position, TileFlags flags)
        {
        }

        public void SetColor(Vector3Int position, Color color)
        {
        }

        public void SetTransformMatrix(Vector3Int position, Matrix4x4 transform)
        {
        }
    }

    public sealed class TilemapRenderer : Renderer
    {
        public enum SortOrder
        {
            BottomLeft = 0,
            BottomRight = 1,
            TopLeft = 2,
            TopRight = 3,
        }

        public SortOrder sortOrder { get; set; }
    }

    public sealed class TilemapCollider2D : Collider2D
    {
    }
}
