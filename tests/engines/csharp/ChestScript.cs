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
            { "hidden", hidden },
        };
    }
}
