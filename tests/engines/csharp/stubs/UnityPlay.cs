// Stand-ins for the parts of Unity that a running game uses, see UnityEngine.cs.
using System.Collections.Generic;
using System.Linq;
using System.Reflection;

namespace UnityEngine
{
    public static class Application
    {
        public static bool isPlaying { get; set; }

        // Calls a message of a script, which Unity finds by its name.
        internal static void Send(Component component, string message)
        {
            MethodInfo method = component.GetType().GetMethod(
                message, BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.Public);
            if (method != null)
            {
                method.Invoke(component, null);
            }
        }
    }

    public static class Time
    {
        public static float deltaTime { get; set; }
    }

    public enum KeyCode
    {
        Space = 32,
    }

    public static class Input
    {
        public static readonly Dictionary<string, float> Axes = new Dictionary<string, float>();
        public static readonly HashSet<KeyCode> Down = new HashSet<KeyCode>();

        public static float GetAxisRaw(string axisName)
        {
            float value;
            return Axes.TryGetValue(axisName, out value) ? value : 0;
        }

        public static bool GetKeyDown(KeyCode key)
        {
            return Down.Contains(key);
        }
    }

    public sealed class Camera : Behaviour
    {
        private static readonly Camera Main = new GameObject("camera").AddComponent<Camera>();

        public static Camera main
        {
            get { return Main; }
        }

        public bool orthographic { get; set; }
        public float orthographicSize { get; set; }
    }

    public static class GUI
    {
        public static readonly List<object> Drawn = new List<object>();

        public static void DrawTexture(Rect position, Texture image)
        {
            Drawn.Add(image);
        }

        public static void Label(Rect position, string text)
        {
            Drawn.Add(text);
        }
    }
}

namespace UnityEngine.InputSystem
{
    public enum Key
    {
        Space, A, D, S, W, LeftArrow, RightArrow, UpArrow, DownArrow,
    }

    public sealed class KeyControl
    {
        public bool isPressed { get; set; }
        public bool wasPressedThisFrame { get; set; }
    }

    public sealed class Keyboard
    {
        private readonly Dictionary<Key, KeyControl> keys = new Dictionary<Key, KeyControl>();

        public static Keyboard current { get; } = new Keyboard();

        public KeyControl this[Key key]
        {
            get
            {
                if (!keys.ContainsKey(key))
                {
                    keys[key] = new KeyControl();
                }
                return keys[key];
            }
        }

        public KeyControl spaceKey
        {
            get { return this[Key.Space]; }
        }
    }
}
