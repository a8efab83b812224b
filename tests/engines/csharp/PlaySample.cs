using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using LevelExporter;
using LevelExporter.Editing;
using LevelExporter.Samples;
using LevelExporter.Scenes;
using UnityEditor;
using UnityEditor.AssetImporters;
using UnityEngine;

/// <summary>
/// Plays the sample game with stand-ins for Unity, which know no physics. Arguments: the levels'
/// paths. Then the hero walks from chest to chest and to the stairs; the events are printed as
/// JSON.
/// </summary>
public static class PlaySample
{
    private static readonly HashSet<Component> Started = new HashSet<Component>();

    public static void Main(string[] paths)
    {
        foreach (string path in paths)
        {
            var context = new AssetImportContext { assetPath = path };
            new LevelImporter { assetPath = path }.OnImportAsset(context);
            AssetDatabase.Prefabs[path] = (GameObject)context.mainObject;
        }
        var game = new GameObject("game");
        var component = game.AddComponent<Game>();
        Application.Send(component, "Reset");
        Application.isPlaying = true;
        Application.Send(component, "Awake");
        Console.WriteLine(JsonText.Of(Play(component).ToList()));
    }

    private static IEnumerable<object> Play(Game game)
    {
        foreach (int further in new[] { 1, -1 })
        {
            Frame();
            yield return Told(game, "arrived");
            foreach (Component thing in Things(game, typeof(Chest)))
            {
                Put(game, thing);
                yield return Told(game, "chest");
            }
            foreach (Component thing in Things(game, typeof(Guard)))
            {
                // A guard may be just going to the next cell.
                GridCell met;
                do
                {
                    met = game.Level.CellAt(thing.transform.position);
                    Put(game, thing);
                }
                while (game.Hero.Cell.Equals(met));
                yield return Told(game, "caught");
            }
            Walk(game);
            yield return Told(game, "walked");
            Component stairs = Things(game, typeof(Stairs)).First(item => ((Stairs)item).levels == further);
            Put(game, stairs);
            yield return Told(game, "stairs");
            Input.Down.Add(KeyCode.Space);
            Frame();
            Input.Down.Clear();
        }
        Frame();
        yield return Told(game, "back");
    }

    private static List<Component> Things(Game game, Type type)
    {
        return game.Level.GetComponentsInChildren<MonoBehaviour>()
            .Where(item => item.GetType() == type).Cast<Component>().ToList();
    }

    private static void Put(Game game, Component thing)
    {
        game.Hero.transform.position = thing.transform.position;
        Frame();
    }

    // Holds two keys for twenty frames.
    private static void Walk(Game game)
    {
        Input.Axes["Horizontal"] = 1;
        Input.Axes["Vertical"] = -1;
        for (int frame = 0; frame < 20; frame++)
        {
            Frame();
            var body = game.Hero.GetComponent<Rigidbody2D>();
#if UNITY_6000_0_OR_NEWER
            Vector2 velocity = body.linearVelocity;
#else
            Vector2 velocity = body.velocity;
#endif
            game.Hero.transform.position += new Vector3(velocity.x, velocity.y, 0) * Time.deltaTime;
        }
        Input.Axes.Clear();
        Frame();
    }

    private static void Frame()
    {
        Time.deltaTime = 0.05f;
        GUI.Drawn.Clear();
        foreach (string message in new[] { "Start", "FixedUpdate", "Update", "LateUpdate", "OnGUI" })
        {
            foreach (GameObject thing in GameObject.Everything.ToList())
            {
                foreach (Component script in thing.Components.Where(item => item is MonoBehaviour).ToList())
                {
                    bool begins = message == "Start";
                    if (thing.activeInHierarchy
                        && (begins ? Started.Add(script) : Started.Contains(script)))
                    {
                        Application.Send(script, message);
                    }
                }
            }
        }
    }

    private static object Told(Game game, string what)
    {
        GridCell hero = game.Hero.Cell;
        Color32[] fog = game.Fog.Texture.Pixels;
        return new Dictionary<string, object>
        {
            { "what", what },
            { "level", game.Level.Level.Name },
            { "hero", new List<object> { hero.X, hero.Y } },
            { "gold", game.Gold },
            { "fog", fog.Select(pixel => (object)(int)pixel.a).ToList() },
            { "guards", Things(game, typeof(Guard)).Select(item => Guard(game, item)).ToList() },
            { "drawn", GUI.Drawn.OfType<string>().ToList() },
            { "bitmap", GUI.Drawn[0] == (object)game.Bitmap && game.Bitmap != null },
            { "camera", (double)Camera.main.transform.position.x - game.Hero.transform.position.x },
        };
    }

    private static object Guard(Game game, Component guard)
    {
        GridCell cell = game.Level.CellAt(guard.transform.position);
        return new List<object> { cell.X, cell.Y, guard.GetComponent<SpriteRenderer>().enabled };
    }
}
