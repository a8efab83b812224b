"""Reading scenes and scripts of a game, and properties that become variables."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import each_case
from exporter.formats.godot.csharp_exports import csharp_outline
from exporter.formats.godot.exported_variables import Variable, fitting, snake_case
from exporter.formats.godot.gdscript_exports import gdscript_outline
from exporter.formats.godot.object_scenes import ObjectScene, read_object_scene
from exporter.formats.godot.scene_headings import (
    SceneHead,
    ScriptPosition,
    absolute_path,
    scene_head,
)
from exporter.formats.godot.text import value_text
from exporter.formats.godot.values import (
    Color,
    ExternalResource,
    NodePath,
    NodeReference,
    StringName,
    TypedArray,
    Vector2,
    Vector2i,
    Vector3,
)
from exporter.model.errors import ParameterError

PATH = "res://things/chest.tscn"
SCENE = """\
; a comment [node name="no" type="Window"]
[gd_scene load_steps=3 format=3 uid="uid://abc"]

[ext_resource type="Script" path="res://x/chest.gd" id="1_a"]
[ext_resource type="PackedScene" path="base.tscn" id="2"]

[sub_resource type="Theme" id="t"]
text = "[node name=\\"no\\" type=\\"Window\\"]
[node name='no']"
list = [{
"a": Vector2(1, 2)
}]

[node name="Chest" type="Area2D" groups=["type=\\"Window\\"", "b"]]
position = Vector2(1,
2)
script = ExtResource("1_a")

[node name="Child" type="Sprite2D" parent="."]
script = ExtResource("2")
"""


def test_the_head_of_a_scene_is_read_past_texts_and_comments() -> None:
    expected = SceneHead("uid://abc", "Area2D", "", True, ScriptPosition("res://x/chest.gd"))
    assert scene_head(SCENE, PATH) == expected


def test_a_scene_that_inherits_names_its_base_beside_it() -> None:
    text = SCENE.replace('type="Area2D" groups', 'instance=ExtResource("2") groups')
    text = text.replace('script = ExtResource("1_a")\n', "")
    base = "res://things/base.tscn"
    assert scene_head(text, PATH) == SceneHead("uid://abc", "", base, scenes=(base,))


@pytest.mark.parametrize(
    ("line", "script"),
    [
        ("script = null", None),
        ('script = SubResource("s")', ScriptPosition(PATH, 'extends Node\nvar a = "[node]"\n')),
        ("script = ExtResource( 1_a )", ScriptPosition("res://x/chest.gd")),
    ],
)
def test_the_script_of_a_root_can_be_none_or_in_the_scene(
    line: str, script: ScriptPosition | None
) -> None:
    source = 'extends Node\nvar a = \\"[node]\\"\n'
    inside = f'[sub_resource type="GDScript" id="s"]\nscript/source = "{source}"\n\n'
    text = SCENE.replace('script = ExtResource("1_a")', line).replace(
        '[node name="Ch', inside + '[node name="Ch', 1
    )
    head = scene_head(text, PATH)
    assert head.has_script_entry
    assert head.script == script


@each_case("text", ["", "what is this?", "[gd_resource]\n[node]", "[gd_scene format=3]"])
def test_other_files_are_no_scenes(text: str) -> None:
    with pytest.raises(ValueError, match="the "):
        scene_head(text, PATH)


@given(st.text(alphabet='[]{}()"\\;=\nnode gd_scn', max_size=60))
def test_no_text_breaks_the_reader(text: str) -> None:
    try:
        head = scene_head("[gd_scene]\n" + text, PATH)
    except ValueError:
        return
    assert "[" in text
    assert isinstance(head, SceneHead)


@each_case(
    ("name", "outcome"),
    [
        ("res://a/b.gd", "res://a/b.gd"),
        ("b.gd", "res://things/b.gd"),
        ("../b.gd", "res://b.gd"),
        ("uid://x", "uid://x"),
        ("", ""),
    ],
)
def test_paths_may_be_relative_to_the_file_that_says_them(name: str, outcome: str) -> None:
    assert absolute_path(name, PATH) == outcome


@each_case(
    ("line", "variables"),
    [
        ("@export var a: int", {"a": "int"}),
        ("@export var a: int = 3", {"a": "int"}),
        ("@export var a:=3", {"a": "int"}),
        ("@export var a = -0x1F", {"a": "int"}),
        ("@export var a = 1_000.5e-3:\n\tset(v): a = v", {"a": "float"}),
        ("@export var a := .5", {"a": "float"}),
        ("@export var a: float: set = _set_a", {"a": "float"}),
        ("@export var a := true", {"a": "bool"}),
        ("@export var a := 'x # y'", {"a": "String"}),
        ('@export var a := """x\n@export var b: int\n"""', {"a": "String"}),
        ('@export var a := &"x"', {"a": "StringName"}),
        ('@export var a := ^"x/y"', {"a": "NodePath"}),
        ("@export var a := [1, 2]", {"a": "Array"}),
        ("@export var a: Array[int] = []", {"a": "Array[int]"}),
        ("@export var a := {1: 2}", {"a": "Dictionary"}),
        ("@export var a := Vector2(1, 2)", {"a": "Vector2"}),
        ("@export var a := Vector2.ZERO", {"a": "Vector2"}),
        ("@export var a := Vector2(1, 2).x", {"a": ""}),
        ("@export var a := Color.RED.r", {"a": ""}),
        ("@export var a := 3 * 4", {"a": ""}),
        ("@export var a := MOST", {"a": ""}),
        ("@export_enum('A', 'B') var a", {"a": ""}),
        ("@export var a: Chest.Kind", {"a": "Chest.Kind"}),
        ("@export_range(0, f(1, (2)), 1, 'or_greater') var a: int", {"a": "int"}),
        ("@export\nvar a: int", {"a": "int"}),
        ("@export_multiline # text\n\n@warning_ignore('x')\nvar a: String", {"a": "String"}),
        ("@export var имя: String", {"имя": "String"}),
        ("@export var a \\\n\t: int", {"a": "int"}),
        ("@export_flags(\n'a',\n'b'\n)\nvar a := 0", {"a": "int"}),
        ("@export var a: int\r\n@export var b: bool\r", {"a": "int", "b": "bool"}),
        ("@export_group('x')\nvar a: int", {}),
        ("@export_category('x') @export_subgroup('y') var a: int", {}),
        ("@export_tool_button('x') var a = f", {}),
        ("@export_group('x')\n@export var a: int\nvar b: int", {"a": "int"}),
        ("@onready var a: int", {}),
        ("var a: int", {}),
        ("static var a: int", {}),
        ("# @export var a: int", {}),
        ("class Inner:\n\t@export var a: int", {}),
        ("func f():\n\tvar a = [\n1]\n\tvar b: int", {}),
        ("func f(a = [\n@export,\n]): pass", {}),
    ],
)
def test_exported_variables_of_scripts(line: str, variables: dict[str, str]) -> None:
    for text in (f"extends Node\n{line}\n", line):
        read_variables = gdscript_outline(text).variables
        assert {name: variable.type for name, variable in read_variables.items()} == variables


@each_case(
    ("line", "names", "limits"),
    [
        ("@export_enum('A', 'B') var a: String", {"A": 0, "B": 1}, (None, None)),
        ("@export_enum('A:5', 'B') var a: int", {"A": 5, "B": 6}, (None, None)),
        ("@export_flags('A', 'B', 'C:16') var a: int", {"A": 1, "B": 2, "C": 16}, (None, None)),
        (
            "enum Kind { A, B = 0x10, C, }\n@export var a: Kind",
            {"A": 0, "B": 16, "C": 17},
            (None, None),
        ),
        ("enum Kind { A = f(1, 2) }\n@export var a: Kind", {}, (None, None)),
        ("@export_range(-1, 20, 0.5) var a: float", {}, (-1, 20)),
        ("@export_range(0, 20, 1, 'or_greater') var a: int", {}, (0, None)),
        ("@export_range(0, f(1)) var a: int", {}, (0, None)),
    ],
)
def test_names_and_limits_of_variables(
    line: str, names: dict[str, int], limits: tuple[float | None, float | None]
) -> None:
    variable = gdscript_outline(line).variables["a"]
    assert (variable.names, variable.range) == (names, limits)
    assert variable.flags is line.startswith("@export_flags")


@each_case(
    ("text", "outcome"),
    [
        ("extends Node2D", ("", "Node2D", False)),
        ("@tool\nclass_name Chest extends Thing", ("Chest", "Thing", False)),
        (
            '@icon("res://a.svg")\nclass_name Chest\nextends "res://a b.gd"',
            ("Chest", "res://a b.gd", True),
        ),
        ("class_name Chest", ("Chest", "", False)),
        ('extends "a.gd".Inner', ("", "a.gd", True)),
        ("extends Outer.Inner", ("", "Outer.Inner", False)),
        ("", ("", "", False)),
    ],
)
def test_the_class_and_the_base_of_a_script(text: str, outcome: tuple[str, str, bool]) -> None:
    outline = gdscript_outline(text)
    assert (outline.class_name, outline.base, outline.base_is_path) == outcome


@given(st.text(alphabet="@exportvar: =()[]{}\"'\\\n\t#&^.1_", max_size=80))
def test_no_script_breaks_the_reader(text: str) -> None:
    assert isinstance(gdscript_outline(text).variables, dict)
    assert isinstance(csharp_outline(f"class A : B {{ {text}", "A").variables, Mapping)


CSHARP = """
using Godot;
// [Export] public int Commented;
namespace Things;

public partial class Other : Node { [Export] public int Foreign; }

[GlobalClass, Icon("res://[Export].svg")]
public partial class Chest : Godot.Node2D
{
    public enum Kinds { Wood, Iron = 4 }
    [Export] public int Gold { get; set; } = 5;
    [Export(PropertyHint.Range, "0,100"), ExportGroup("x")]
    private float _weight = 1f;
    [ExportGroup("Texts")]
    [Export] public string Note = "[Export] public int Inside;";
    [Export] public StringName Animation { get; set; }
    [Export] public Godot.NodePath Partner;
    [Export] public Kinds Kind;
    [Export] public bool? Maybe;
    [Export] public int[] Numbers;
    [Export] public Godot.Collections.Array<int> List;
    [Export] public Color Tint = new(1, 0, 0);
    [ExportSubgroup("y")] public int Hidden;
    [Signal] public delegate void Opened();
    public int Secret;
}
"""


def test_exported_members_of_a_csharp_class() -> None:
    outline = csharp_outline(CSHARP, "Chest")
    assert (outline.class_name, outline.base) == ("Chest", "Node2D")
    assert outline.variables["Kind"].names == {"Wood": 0, "Iron": 4}
    assert outline.variables["_weight"].range == (0, 100)
    assert {name: variable.type for name, variable in outline.variables.items()} == {
        "Gold": "int",
        "_weight": "float",
        "Note": "String",
        "Animation": "StringName",
        "Partner": "NodePath",
        "Kind": "Kinds",
        "Maybe": "bool",
        "Numbers": "Array",
        "List": "Array",
        "Tint": "Color",
    }
    assert csharp_outline(CSHARP, "Chests").variables == {}


@each_case(
    ("value", "type_name", "outcome"),
    [
        (3, "int", 3),
        (3.0, "int", 3),
        (3, "float", 3.0),
        (3, "Kind", 3),
        (True, "bool", True),
        ("a", "String", "a"),
        ("a", "StringName", StringName("a")),
        ("a", "NodePath", NodePath("a")),
        ("a", "", "a"),
        (3.5, "Variant", 3.5),
        ([1, True], "Array", (1, True)),
        ([1, 2.0], "Array[int]", TypedArray("int", (1, 2))),
        (["a"], "PackedStringArray", ("a",)),
        ({"color": "#ff0000"}, "Color", Color(1, 0, 0)),
        ({"color": "#ff000000"}, "", Color(1, 0, 0, 0)),
        ({"vector": [1, 2]}, "Vector2", Vector2(1, 2)),
        ({"vector": [1, 2.0]}, "Vector2i", Vector2i(1, 2)),
        ({"vector": [1, 2, 3]}, "Vector3", Vector3(1, 2, 3)),
        ({"resource": "res://a.tres"}, "Item", ExternalResource("Resource", "res://a.tres", "")),
        ({"object": "door"}, "NodePath", NodePath("../door_1")),
        ({"object": "door"}, "Node2D", NodeReference("../door_1")),
        ({"object": "gone"}, "Node2D", None),
    ],
)
def test_values_become_those_of_variables(value: Any, type_name: str, outcome: Any) -> None:
    result = fitting(value, Variable(type_name), {"door": "../door_1"})
    assert result == outcome
    assert type(result) is type(outcome)


@each_case(
    ("value", "type_name", "kind"),
    [
        (3.5, "int", "a number"),
        (1e300, "int", "a number"),
        (True, "int", "true or false"),
        (True, "float", "true or false"),
        (1, "bool", "a whole number"),
        ("3", "int", "text"),
        (3, "String", "a whole number"),
        (3.5, "StringName", "a number"),
        ("a", "Kind", "text"),
        (1.5, "Kind", "a number"),
        (1, "Vector2", "a whole number"),
        ("#ff0000", "Color", "text"),
        ([1, "a"], "Array[int]", "text"),
        ([1], "int", "a list"),
        ({"color": "#ff0000"}, "int", "a color"),
        ({"vector": [1, 2]}, "Vector3", "a vector"),
        ({"vector": [1, 2.5]}, "Vector2i", "a vector"),
        ({"resource": "res://a.tres"}, "String", "a resource"),
        ({"object": "door"}, "Color", "an object"),
    ],
)
def test_values_of_another_type_are_refused(value: Any, type_name: str, kind: str) -> None:
    variable = Variable(type_name, script="res://a.gd")
    message = f"is {kind}, but the variable of this name in res://a.gd is of the type {type_name}"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        fitting(value, variable, {"door": "../door_1"})


KINDS = {"Goblin": 0, "Ogre": 4}


@each_case(
    ("value", "variable", "outcome"),
    [
        ("Ogre", Variable("Kind", KINDS), 4),
        (4, Variable("Kind", KINDS), 4),
        ("Ogre", Variable("String", KINDS), "Ogre"),
        (["Fire", "Water"], Variable("int", {"Fire": 1, "Water": 4}, flags=True), 5),
        (7, Variable("int", range=(0, 7)), 7),
    ],
)
def test_names_and_numbers_that_a_variable_takes(
    value: Any, variable: Variable, outcome: Any
) -> None:
    assert fitting(value, variable, {}) == outcome


@each_case(
    ("value", "variable", "message"),
    [
        ("Ogr", Variable("Kind", KINDS), r"is 'Ogr', .* takes Goblin, Ogre \(did you mean 'Ogre'"),
        (3, Variable("Kind", KINDS), "is 3, .* takes Goblin, Ogre"),
        (4, Variable("String", KINDS), "is 4, .* takes Goblin, Ogre"),
        (["Ogre"], Variable("Kind", KINDS), "is a list, .* takes Goblin, Ogre"),
        (8, Variable("int", {"Fire": 1, "Water": 4}, flags=True), "is 8, .* takes Fire, Water"),
        (8, Variable("int", range=(0, 7)), "is 8, .* takes 0 to 7"),
        (-0.5, Variable("float", range=(0, None)), "is -0.5, .* takes at least 0"),
    ],
)
def test_names_and_numbers_that_a_variable_refuses(
    value: Any, variable: Variable, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        fitting(value, variable, {})


def test_texts_are_written_by_their_types() -> None:
    assert value_text(StringName('a"b')) == '&"a\\"b"'
    assert value_text(NodePath("../a:b")) == 'NodePath("../a:b")'
    assert value_text(NodeReference("../a")) == 'NodePath("../a")'


@pytest.mark.parametrize(
    ("name", "file"),
    [("Chest", "chest"), ("TreasureChest", "treasure_chest"), ("HTTPDoor2D", "http_door_2d")],
)
def test_files_are_called_like_classes(name: str, file: str) -> None:
    assert snake_case(name) == file


def read(files: dict[str, str], path: str = PATH) -> ObjectScene:
    def content(name: str) -> bytes:
        if name not in files:
            raise ParameterError(f"{name!r} cannot be read")
        return files[name].encode()

    return read_object_scene(path, content(path.removeprefix("res://")), content)


def scene(script: str = "", *, base: str = "", more: str = "") -> str:
    root = 'instance=ExtResource("2")' if base else 'type="Node2D"'
    return (
        "[gd_scene format=3]\n"
        f'[ext_resource type="Script" path="{script}" id="1"]\n'
        f'[ext_resource type="PackedScene" path="{base}" id="2"]\n'
        f'[node name="A" {root}]\n' + ('script = ExtResource("1")\n' if script else "") + more
    )


def test_variables_come_from_all_scripts_that_are_extended() -> None:
    result = read(
        {
            "things/chest.tscn": scene("chest.gd"),
            "things/chest.gd": 'extends "../base.gd"\n@export var gold: int\n@export var note: int',
            "base.gd": "extends Thing\n@export var note: String",
            "thing.gd": "class_name Thing extends Node2D\n@export var label: String",
        }
    )
    assert {name: (item.type, item.script) for name, item in result.variables.items()} == {
        "gold": ("int", "res://things/chest.gd"),
        "note": ("int", "res://things/chest.gd"),
        "label": ("String", "res://thing.gd"),
    }
    assert result.unknown_base == ""
    assert result.root_class == "Node2D"


def test_a_class_of_another_name_is_not_accepted_for_the_base() -> None:
    files = {
        "things/chest.tscn": scene("chest.gd"),
        "things/chest.gd": "extends Thing",
        "things/thing.gd": "class_name Other\n@export var a: int",
    }
    result = read(files)
    assert (result.variables, result.unknown_base) == ({}, "Thing")
    files["Thing.gd"] = "class_name Thing\n@export var b: int"
    assert list(read(files).variables) == ["b"]


def test_a_csharp_base_is_detected_by_its_file() -> None:
    result = read(
        {
            "things/chest.tscn": scene("Chest.cs"),
            "things/Chest.cs": "class Chest : Thing { [Export] public int Gold; }",
            "Thing.cs": "class Thing : Node2D { [Export] public string Label { get; set; } }",
        }
    )
    assert {name: item.type for name, item in result.variables.items()} == {
        "Gold": "int",
        "Label": "String",
    }


def test_an_inheriting_scene_has_the_script_of_its_base_unless_it_says_another() -> None:
    files = {
        "base.tscn": scene("base.gd").replace("Node2D", "Area2D"),
        "base.gd": "@export var a: int",
        "other.gd": "@export var b: int",
        "things/chest.tscn": scene(base="res://base.tscn"),
    }
    result = read(files)
    assert (result.root_class, list(result.variables)) == ("Area2D", ["a"])
    files["things/chest.tscn"] = scene("res://other.gd", base="res://base.tscn")
    assert list(read(files).variables) == ["b"]
    files["things/chest.tscn"] = scene(base="res://base.tscn", more="script = null\n")
    assert list(read(files).variables) == []


def test_circles_and_missing_files_end() -> None:
    files = {
        "things/chest.tscn": scene("a.gd", base="res://things/chest.tscn"),
        "things/a.gd": 'extends "b.gd"\n@export var a: int',
        "things/b.gd": 'extends "a.gd"\n@export var b: int',
    }
    assert list(read(files).variables) == ["a", "b"]
    files["things/b.gd"] = 'extends "missing.gd"\n@export var b: int'
    assert list(read(files).variables) == ["a", "b"]
    files["things/chest.tscn"] = scene(base="uid://gone")
    assert read(files).root_class == ""


def test_models_and_binary_scenes_are_not_looked_into() -> None:
    model = read({"a.glb": "glTF"}, "res://a.glb")
    assert (model.root_class, model.placed, model.variables) == ("Node3D", False, {})
    binary = read({"a.scn": "RSRC"}, "res://a.scn")
    assert binary.placed
    assert binary.resource.uid == ""


@each_case(
    ("root", "placed"),
    [
        ("Node2D", True),
        ("Label", True),
        ("SomeExtension", True),
        ("Node3D", False),
        ("Node", False),
        ("CanvasLayer", False),
        ("NavigationAgent2D", False),
    ],
)
def test_whether_a_root_has_a_position(root: str, placed: bool) -> None:
    result = read({"things/chest.tscn": scene().replace("Node2D", root)})
    assert result.placed == placed


@each_case(
    "text",
    [
        "a" * 4,
        " ",
        "[",
        '["a"',
        "(",
        "a=b(",
        "a=[ ",
        '\\"',
        '"',
        '"""\\',
        "'",
        "@a ",
        "@a(",
        "[a]",
        "[Export] ",
        "/*",
        "class A<",
        "public ",
        "\n",
        "@export var a = [\n",
    ],
)
def test_reading_takes_no_longer_than_the_text_is(text: str) -> None:
    # With work that grew with the square of the length, each of these would take many minutes.
    long = text * (60_000 // len(text))
    with pytest.raises(ValueError, match="the scene has no node"):
        scene_head(f"[gd_scene]\n[ext_resource {long}", PATH)
    assert gdscript_outline(f"{long}").base == ""
    assert csharp_outline(f"class A : B {{ {long}", "A").base == "B"


def test_files_that_are_too_large_are_refused() -> None:
    files = {"things/chest.tscn": scene("chest.gd"), "things/chest.gd": "#" * ((1 << 20) + 1)}
    with pytest.raises(ValueError, match=r"its script res://things/chest\.gd has 1048577 bytes"):
        read(files)
    files["things/chest.tscn"] += "#" * (16 << 20)
    with pytest.raises(ValueError, match="the scene has 167"):
        read(files)
