using System;
using System.Collections.Generic;
using UnityEngine;
using UnityEngine.Tilemaps;

/// <summary>A tile class of a game, not one of Unity's own, as a rule tile is.</summary>
public sealed class GameTile : TileBase
{
}

/// <summary>A script that a game's script derives from.</summary>
public class ThingScript : MonoBehaviour
{
    [SerializeField]
    private string note = "prefab";

    protected string Note
    {
        get { return note; }
    }
}

/// <summary>A script of a prefab, with fields of all kinds.</summary>
public sealed class ChestScript : ThingScript
{
    public enum Metal
    {
        Iron,
        Gold,
    }

    public int gold = 1;
    public byte small = 2;
    public float weight = 3;
    public double exact = 4;
    public long large = 5;
    public Metal metal = Metal.Iron;
    public string owner = "nobody";
    public readonly int fixedValue = 6;

    public Color tint;
    public Vector2 push;
    public Vector3Int corner;
    public int[] prices = new int[0];
    public List<Color32> colors = new List<Color32>();

    [NonSerialized]
    public int passing = 7;

    [SerializeField]
    private bool locked = false;

    private int hidden = 8;

    public object Told()
    {
        return new Dictionary<string, object>
        {
            { "note", Note },
            { "gold", gold },
            { "small", (int)small },
            { "weight", (double)weight },
            { "exact", exact },
            { "large", large },
            { "metal", metal.ToString() },
            { "owner", owner },
            { "fixedValue", fixedValue },
            { "passing", passing },
            { "locked", locked },
            { "tint", string.Format("{0} {1} {2} {3}", tint.r, tint.g, tint.b, tint.a) },
            { "push", string.Format("{0} {1}", push.x, push.y) },
            { "corner", string.Format("{0} {1} {2}", corner.x, corner.y, corner.z) },
            { "prices", string.Join(" ", Array.ConvertAll(prices, price => price.ToString())) },
            { "colors", string.Join(" ", colors.ConvertAll(color => color.g + "/" + color.a).ToArray()) },
            { "hidden", hidden },
        };
    }
}
