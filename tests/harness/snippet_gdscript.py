"""The surroundings of GDScript on the pages: its game, and its checks.

Scripts run in the project of `GAME`: a level `crypt` and a world `wilds`, which are exported for
Godot with the addon in place.
"""

from __future__ import annotations

import numpy as np

from hand_tiled import drawn, layer, things, tileset
from snippet_runners import GDScript

# A map with a named area that is no rectangle, which would be a room.
MARKET = [{"x": x, "y": y} for x, y in ((0, 0), (96, 0), (0, 96))]
TOWN = drawn(
    layer("Walls", np.ones((60, 80), np.uint32)),
    things("Areas", {"id": 1, "name": "market", "x": 64, "y": 64, "polygon": MARKET}),
    tilesets=[tileset({0: {"type": "floor"}})],
)

GAME = {
    "levels/crypt.level.yaml": """
size: [80, 60]
seed: 12
layers:
  rooms: {generator: bsp_rooms, role: none}
  ground: {generator: doors, of: rooms}
  town: {generator: from_tiled, file: town.tmj, layer: Walls, role: data}
  relief: {generator: heightmap, size: [65, 65], maximum: 40}
visibility: {layer: ground, radius: 8}
objects:
  - {name: start, in_rooms: true}
  - {name: exit, far_from: start}
  - {name: chest, count: 5, reachable_from: start}
tables:
  monsters: {columns: {name: text, hp: integer}, rows: [[rat, 3]]}
puzzles:
  vault: {kind: sudoku, clues: 40}
""",
    "levels/town.tmj": TOWN.decode(),
    "levels/wilds.level.yaml": """
size: [160, 96]
chunk: 64
seed: 7
layers:
  ground: {generator: cellular_caves}
visibility: {radius: 4}
""",
    "exporter.yaml": "targets:\n  godot: {path: levels}\n",
    "chest.tscn": '[gd_scene format=3]\n\n[node name="OurChest" type="Node2D"]\n',
}

LEVEL = """\
var level: Node2D = load("res://levels/crypt.tscn").instantiate()
root.add_child(level)
"""
GROUND = LEVEL + 'var ground: TileMapLayer = level.get_node("ground")\n'
ENDS = """\
var player: Node2D = level.get_tree().get_first_node_in_group("start")
var chest: Node2D = level.get_tree().get_first_node_in_group("exit")
"""
# Godot builds the map for paths in the background.
MAP_IS_BUILT = "for frame in 90:\n\tawait root.get_tree().physics_frame\n"
BLOB = 'LevelExporterBlob.open("res://levels/crypt.lvb")'

GDSCRIPT: dict[str, dict[str, GDScript]] = {
    "exporter/docs/how-to/godot.md": {
        "var map": GDScript(
            inside=True,
            before=LEVEL + ENDS + MAP_IS_BUILT,
            after="return path.size() > 2 and path[-1].distance_to(chest.position) < 1.0\n",
        ),
        "func path_between": GDScript(
            after="""
func test(root: Node) -> bool:
{inside}
	root.add_child(self)
	var path := path_between(player.position, chest.position)
	return path.size() > 2 and path[-1].distance_to(chest.position) < 1.0
""",
            before=LEVEL + ENDS + MAP_IS_BUILT,
        ),
        "var grid := AStarGrid2D": GDScript(
            inside=True,
            before=GROUND
            + ENDS
            + 'var from: Vector2i = player.get_meta("cell")\n'
            + 'var to: Vector2i = chest.get_meta("cell")\n',
            after="return cells.size() > 2 and cells[0] == from and cells[-1] == to\n",
        ),
        "@onready var world": GDScript(
            members="""
var player := Node2D.new()
var parts := 0
var chunks := 0

func _on_part_opened(_part: Node) -> void:
	parts += 1

func _on_part_closing(_part: Node) -> void:
	pass

func _on_chunk_opened(_chunk: Node) -> void:
	chunks += 1
""",
            before="""\
var wilds: Node2D = load("res://levels/wilds.tscn").instantiate()
wilds.name = "Wilds"
add_child(wilds)
add_child(player)
root.add_child(self)
for frame in 600:
	await root.get_tree().process_frame
	if parts > 0 and chunks > 0:
		break
""",
            after="""
func test(root: Node) -> bool:
{inside}
	return parts > 0 and chunks > 0 and world.part_at(Vector2i(3, 3)) != null
""",
        ),
        "var tile := ground": GDScript(
            inside=True,
            before=GROUND
            + ENDS
            + 'var cell: Vector2i = player.get_meta("cell")\n'
            + "var cell_under_player := Vector2i(-1, -1)\n",
            after="return cell_under_player == cell\n",
        ),
        "extends Node2D": GDScript(
            before=LEVEL.replace("root.add", "level.set_script(get_script())\nroot.add"),
            after="""
func test(root: Node) -> bool:
{inside}
	var chests := 0
	for child in level.get_children():
		chests += 1 if child.scene_file_path == "res://chest.tscn" else 0
	return chests == level.get_tree().get_nodes_in_group("chest").size() and chests == 5
""",
        ),
        "func terrain": GDScript(
            before=LEVEL,
            after="""
func test(root: Node) -> bool:
{inside}
	var body := terrain(level, "relief")
	root.add_child(body)
	var shape: HeightMapShape3D = body.get_child(0).shape
	var heights := {blob}.heights("relief")
	return shape.map_width == 65 and shape.map_data == heights
""".replace("{blob}", BLOB),
        ),
        "func _ready": GDScript(
            members="""
class Live:
	extends Node
	signal level_swapped(level: Node)

var made := 0

func make_grid() -> void:
	made += 1
""",
            after="""
func test(root: Node) -> bool:
	var live := Live.new()
	live.name = "LevelExporterLive"
	root.add_child(live)
	root.add_child(self)
	live.level_swapped.emit(self)
	return made == 2
""",
        ),
    },
    "exporter/docs/how-to/rooms-and-doors.md": {
        "for room": GDScript(
            inside=True,
            members="""
var doors := []

func shut(door: Vector2i) -> void:
	doors.append(door)
""",
            before=LEVEL
            + """\
var wanted: Dictionary
for one: Dictionary in level.get_meta("rooms"):
	if not one["doors"].is_empty():
		wanted = one
var player_cell: Vector2i = wanted["center"]
""",
            after='return doors == Array(wanted["doors"])\n',
        )
    },
    "exporter/docs/explanation/visibility.md": {
        "var opaque": GDScript(
            members=f"""
var level := {BLOB}
var player_cell: Vector2i
var seen: PackedByteArray
""",
            after="""
func test(_root: Node) -> bool:
	for way: Dictionary in level.layer_info("ground")["connections"]:
		var door := Vector2i(way["x"], way["y"])
		for step: Vector2i in [Vector2i.LEFT, Vector2i.UP]:
			player_cell = door + step
			var before := level.visible_from(player_cell).count(1)
			open_door(door)
			if seen.count(1) > before:
				return true
	return false
""",
        )
    },
    "templates/godot/addons/level_exporter/README.md": {
        "var level := LevelExporterBlob.open": GDScript(
            inside=True,
            before=f"var opened := {BLOB}\n"
            + """\
var opaque := opened.opaque("ground")
var start: Dictionary = opened.objects()[0]
var cell := Vector2i(start["x"], start["y"])
var x := cell.x
var y := cell.y
var guard := cell
var player := cell
var archer := cell
var target := cell + Vector2i(3, 1)
""",
            after="print(level.error)\nreturn level.is_valid()\n",
            instead={
                'part_cells("ground", 3)': 'part_cells("ground", 0)',
                'mask("ground"': 'mask("town"',
            },
        ),
        "var level := LevelExporterBlob.from_bytes": GDScript(
            inside=True,
            before='var bytes := FileAccess.get_file_as_bytes("res://levels/crypt.lvb")\n',
            after="return level.is_valid() and level.layer_names().size() == 3\n",
        ),
    },
}


def script_of(snippet: str, rule: GDScript) -> str:
    """Return the whole script: the snippet, and the code that its rule adds."""
    for old, new in rule.instead.items():
        assert old in snippet
        snippet = snippet.replace(old, new)
    if rule.inside:
        body = _indented(rule.before + snippet + rule.after)
        return f"extends Node2D\n{rule.members}\nfunc test(root: Node) -> bool:\n{body}"
    head = "" if snippet.startswith("extends ") else f"extends Node2D\n{rule.members}\n"
    before = _indented(rule.before).rstrip("\n")
    return f"{head}{snippet}{rule.after.replace('{inside}', before)}"


def _indented(text: str) -> str:
    return "".join(f"\t{line}" if line.strip() else line for line in text.splitlines(True))
