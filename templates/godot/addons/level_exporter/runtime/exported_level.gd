@icon("../icons/exported_level.svg")
class_name LevelExporterLevel
extends Node2D
## The root of the scene a `.lvb` file is imported as. Its layers are child nodes; [method level]
## gives everything else (heights, visibility, tables, puzzles).
##
## Instance or inherit the scene and put your own nodes beside it: an import replaces it.

const Blob := preload("level_blob.gd")

## The whole `.lvb` file, so that an exported game needs no other.
@export_storage var blob := PackedByteArray():
	set(value):
		blob = value
		_level = null
## Pixels a cell is wide and high in this scene.
@export_storage var tile_size := 16
## Pixels an isometric cell is wide and high in this scene; zero for squares.
@export_storage var diamond := Vector2i.ZERO
## The scripts that read the level. Godot's export does not follow `load` inside scripts, so a game
## that exports only some scenes has these because the scene names them.
@export_storage var readers: Array[Script] = []
## Why the file could not be read; empty if it was read.
@export_storage var problem := ""

var _level: Blob


func _ready() -> void:
	if not problem.is_empty():
		push_error("%s: %s" % [name, problem])


## The level's data, read on first use.
func level() -> Blob:
	if _level == null:
		_level = Blob.from_bytes(blob)
	return _level


## The cell at a point in this node's space.
func cell_at(point: Vector2) -> Vector2i:
	if diamond == Vector2i.ZERO:
		return Vector2i((point / tile_size).floor())
	var along := (point - Vector2(diamond.x / 2.0, 0)) / Vector2(diamond)
	return Vector2i(Vector2(along.y + along.x, along.y - along.x).floor())


## The middle of a cell in this node's space.
func center_of(cell: Vector2i) -> Vector2:
	if diamond == Vector2i.ZERO:
		return (Vector2(cell) + Vector2(0.5, 0.5)) * tile_size
	return Vector2(cell.x - cell.y + 1, cell.x + cell.y + 1) * Vector2(diamond) / 2
