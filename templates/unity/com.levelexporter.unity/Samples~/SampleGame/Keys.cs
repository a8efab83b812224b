using UnityEngine;
#if ENABLE_INPUT_SYSTEM && !ENABLE_LEGACY_INPUT_MANAGER
using UnityEngine.InputSystem;
#endif

namespace LevelExporter.Samples
{
    /// <summary>The keyboard, by the input manager that the project has.</summary>
    internal static class Keys
    {
#if ENABLE_INPUT_SYSTEM && !ENABLE_LEGACY_INPUT_MANAGER
        public static Vector2 Direction => Vector2.ClampMagnitude(new Vector2(
            Pressed(Key.D, Key.RightArrow) - Pressed(Key.A, Key.LeftArrow),
            Pressed(Key.W, Key.UpArrow) - Pressed(Key.S, Key.DownArrow)), 1);

        public static bool Use => Keyboard.current.spaceKey.wasPressedThisFrame;

        private static int Pressed(Key first, Key second) =>
            Keyboard.current[first].isPressed || Keyboard.current[second].isPressed ? 1 : 0;
#else
        public static Vector2 Direction => Vector2.ClampMagnitude(
            new Vector2(Input.GetAxisRaw("Horizontal"), Input.GetAxisRaw("Vertical")), 1);

        public static bool Use => Input.GetKeyDown(KeyCode.Space);
#endif
    }
}
