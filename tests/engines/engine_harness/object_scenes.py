"""A game with hand-made scenes in its own style, and a level with its objects."""

from __future__ import annotations

from pathlib import Path

INTERACTABLE = """\
class_name Interactable
extends Node2D
## Something to walk up to.

signal touched(by: Node2D)

@export_group("Interaction", "touch_")
@export var touch_label: String = "look at"
@export_range(0.0, 1.0, 0.05) var touch_chance := 1.0


func _ready() -> void:
	add_to_group("interactable")
"""
CHEST = '''\
extends "../interactable.gd"
"""A chest. @export var not_this := 1"""

enum Kind { WOOD, IRON = 4 }

const MOST := 99

@export_category("Chest")
@export var gold := 5
@export
var locked: bool = false:
	set(value):
		locked = value
		queue_redraw()
@export var kind: Kind = Kind.WOOD
@export_multiline var note: String
@export var animation: StringName = &"closed"
@export_node_path("Node2D") var partner: NodePath
@export var tint := Color.GOLDENROD
@export var weight: float = 1
@export var most = MOST
@export_subgroup("Odd")
@export_range(0, 9) var номер: int
@export_storage var kept := 0
@onready var _lid: Polygon2D = $Lid
var secret := 3


func _draw() -> void:
	draw_rect(Rect2(-6, -4, 12, 9), tint if locked else Color.SADDLE_BROWN)
'''
CHEST_SCENE = """\
[gd_scene load_steps=4 format=3 uid="uid://chest5game"]

[ext_resource type="Script" path="res://things/chests/chest.gd" id="1_k2j"]

[sub_resource type="RectangleShape2D" id="RectangleShape2D_x"]
resource_local_to_scene = true
size = Vector2(12, 9)

[node name="Chest" type="Node2D"]
z_index = 2
script = ExtResource("1_k2j")
gold = 12

[node name="Lid" type="Polygon2D" parent="."]
color = Color(1, 0.8, 0.3, 1)
polygon = PackedVector2Array(-6, -4, 6, -4, 5, -7, -5, -7)

[node name="Reach" type="Area2D" parent="." groups=["reach"]]

[node name="Shape" type="CollisionShape2D" parent="Reach"]
shape = SubResource("RectangleShape2D_x")
"""
IRON_SCENE = """\
[gd_scene load_steps=2 format=3 uid="uid://iron5game"]

[ext_resource type="PackedScene" path="res://things/chests/chest.tscn" id="1"]

[node name="IronChest" instance=ExtResource("1")]
modulate = Color(0.7, 0.8, 1, 1)
kind = 4
"""
GUARD = """\
class_name Guard extends Interactable
enum Mood { CALM, ANGRY = 3 }

@export var speed: int = 40
@export var mood: Mood
@export_flags("Fire", "Water", "Earth:16") var fears: int
@export_enum("north", "south") var side: String = "north"
@export var color: Color
@export var offset: Vector2i
@export var lamp_offset: Vector3
@export var post: Node2D
@export var chest: NodePath
@export var route: Array[Node2D]
@export var prices: Array[int]
@export var words: PackedStringArray
@export var anything: Array
@export var item: Texture2D
"""
GUARD_SCENE = """\
[gd_scene load_steps=2 format=3]

[ext_resource type="Script" path="res://things/guards/guard.gd" id="1"]

[node name="Guard" type="CharacterBody2D"]
script = ExtResource("1")

[node name="Body" type="Polygon2D" parent="."]
color = Color(0.2, 0.4, 0.9, 1)
polygon = PackedVector2Array(0, -7, 5, 6, -5, 6)
"""
SIGN_SCENE = """\
[gd_scene load_steps=2 format=3]

[sub_resource type="GDScript" id="GDScript_1"]
script/source = "extends Label

@export var line := \\"hello\\"


func _ready() -> void:
	text = line
"

[node name="Sign" type="Label"]
offset_right = 40.0
offset_bottom = 23.0
script = SubResource("GDScript_1")
"""
LAMP_SCENE = """\
[gd_scene format=3]

[node name="Lamp" type="Node3D"]
"""
FILES = {
    "things/interactable.gd": INTERACTABLE,
    "things/chests/chest.gd": CHEST,
    "things/chests/chest.tscn": CHEST_SCENE,
    "things/chests/iron.tscn": IRON_SCENE,
    "things/guards/guard.gd": GUARD,
    "things/guards/guard.tscn": GUARD_SCENE,
    "things/sign.tscn": SIGN_SCENE,
    "things/lamp.tscn": LAMP_SCENE,
    "things/gem.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>\n',
}
SCENES = {
    "chest": "res://things/chests/chest.tscn",
    "iron": "res://things/chests/iron.tscn",
    "guard": "res://things/guards/guard.tscn",
    "sign": "res://things/sign.tscn",
    "lamp": "res://things/lamp.tscn",
    "ghost": "res://things/ghost.tscn",
}
SPEC = """\
size: [30, 20]
seed: {seed}
layers:
  ground: {{generator: cellular_caves, connect: guaranteed}}
objects:
  - name: chest
    count: 3
    properties:
      {{gold: 7.0, locked: true, note: "a \\"b\\"", animation: open, partner: "../Door:scale",
       touch_chance: 1, touch_label: open, weight: 2, most: 3, номер: 8, secret: 9, kind: 4,
       visible: false, tint: null}}
  - {{name: iron, properties: {{gold: 50, kind: null}}}}
  - name: guard
    count: 2
    properties:
      speed: 60
      touch_label: talk to
      mood: ANGRY
      fears: [Fire, Earth]
      side: south
      color: {{color: "#ff800080"}}
      offset: {{vector: [3, -4]}}
      lamp_offset: {{vector: [1, 2.5, 3]}}
      post: {{object: stairs}}
      chest: {{object: chest}}
      route: [{{object: stairs}}, {{object: iron}}]
      prices: [1, 2.0]
      words: [a, "b c"]
      anything: [1, {{color: "#ffffff"}}, null]
      item: {{resource: "res://things/gem.svg"}}
      free: {{color: "#00ff00"}}
      friend: {{object: guard}}
  - {{name: sign, properties: {{line: Beware}}}}
  - {{name: lamp}}
  - {{name: ghost, properties: {{speed: 3}}}}
  - {{name: stairs}}
"""


def write_things(game: Path) -> None:
    """Write the game's own scenes and scripts."""
    for name, text in FILES.items():
        path = game / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def scenes_option() -> str:
    """Return the target's option, as exporter.yaml has it."""
    return "{" + ", ".join(f"{name}: {path}" for name, path in SCENES.items()) + "}"
