@tool
extends Node
## Stores cells that a user painted in an exported level, in its own scene or in one that inherits
## from it, as hand edits of the level.
##
## The cells go into a file in the folder of the exporter's state. `exporter watch` imports it by
## itself, and so does `exporter edits take`: this moves the cells to the edits file beside the
## level's spec. Only then are the painted layers of an inheriting scene reset to those of the
## exported one, so that nothing is lost on the way.

## The message to show, in one line.
signal reported(text: String)

const StatusReader := preload("../live/status_reader.gd")

const VERSION := 1
## The folder of painted cells, in the folder of the exporter's state.
const FOLDER := "painted"
const SUFFIX := ".json"
# The name of a tile in TileSets that the exporter writes.
const _NAME := "name"
const _SECONDS := 0.5
const _WAITING := (
	"Level Exporter: the painted cells of %s wait in %s for the exporter"
	+ " (it takes them when `exporter watch` runs, or with `exporter edits take`)"
)
const _UNNAMED := (
	"Level Exporter: not kept: the tile %s is no tile of the level (name it under `tiles:`"
	+ " of the target's `tileset` in exporter.yaml, or give it a text in a custom data layer `name`)"
)
const _REFUSED := "Level Exporter: the painted cells of %s are not kept: %s"
# Beside the painted cells: why the exporter did not take them.
const _ANSWER := ".refused"
const _HIDING := (
	"Level Exporter: %s has cells of its own in the layer %s, and does not show those of later"
	+ " exports (Keep Painted Cells takes them into the level; or revert `tile_map_data` of the layer)"
)
const _USED := "Level Exporter: the painted cells of %s are hand edits now"

var _wait := 0.0
# Files that the exporter has not taken yet, and the paths of their scenes.
var _waiting := {}
# The message about each scene that has cells of its own, by path.
var _told := {}
# When the scenes were saved whose cells the exporter has taken, by path: set back, but not saved.
var _taken := {}


## Stores the painted cells of a scene.
func keep(root: Node) -> void:
	var level := level_in(root)
	if level == null:
		reported.emit("Level Exporter: the edited scene shows no exported level (open one, and paint)")
		return
	var folder := state_folder()
	if folder.is_empty():
		reported.emit("Level Exporter: there is no `.exporter` folder (run `exporter export` once)")
		return
	var cells := painted(level)
	var strange := unnamed(cells)
	if not strange.is_empty():
		reported.emit(_UNNAMED % strange)
		return
	var file := write(cells, folder)
	if file.is_empty():
		reported.emit("Level Exporter: %s cannot be written" % folder)
		return
	_waiting[file] = root.scene_file_path
	reported.emit(_WAITING % [cells["level"], file])


## Warns which layers of a scene do not show later exports; only once, unless requested again.
func warn(root: Node, again := false) -> void:
	var path := "" if root == null else root.scene_file_path
	if path.is_empty() or _waiting.values().has(path):
		return
	if FileAccess.get_modified_time(path) == _taken.get(path, -1):
		return
	var layers := overridden(root)
	var text := "" if layers.is_empty() else _HIDING % [path.get_file(), ", ".join(layers)]
	if not text.is_empty() and (again or _told.get(path, "") != text):
		reported.emit(text)
	_told[path] = text


func _process(delta: float) -> void:
	_wait -= delta
	if _wait > 0.0 or _waiting.is_empty():
		return
	_wait = _SECONDS
	for file: String in _waiting.keys():
		var path: String = _waiting[file]
		if FileAccess.file_exists(file + _ANSWER):
			_waiting.erase(file)
			var reason := FileAccess.get_file_as_string(file + _ANSWER)
			reported.emit(_REFUSED % [path.get_file(), reason.strip_edges()])
			continue
		if FileAccess.file_exists(file):
			continue
		_waiting.erase(file)
		_taken[path] = FileAccess.get_modified_time(path)
		reported.emit(_USED % path.get_file())
		var root := EditorInterface.get_edited_scene_root()
		if root != null and root.scene_file_path == path:
			set_back(root)


## The root of the exported level in a scene: the scene's own or the one it inherits from.
static func level_in(root: Node) -> Node:
	if root != null and root.has_meta("level") and root.get_meta("size", null) is Vector2i:
		return root
	return null


## The exported layers whose cells the file of a scene sets for itself, where it inherits a level or
## has an instance of one.
static func overridden(root: Node) -> PackedStringArray:
	var layers := PackedStringArray()
	if not _is_on_top(root.scene_file_path):
		return layers
	# The editor may have another one in memory than the file that was saved.
	var packed: PackedScene = ResourceLoader.load(
		root.scene_file_path, "PackedScene", ResourceLoader.CACHE_MODE_IGNORE
	)
	if packed == null:
		return layers
	var state := packed.get_state()
	for index in state.get_node_count():
		var node := root.get_node_or_null(state.get_node_path(index))
		# Only what comes from another scene has no type here.
		if not node is TileMapLayer or not state.get_node_type(index).is_empty():
			continue
		if not node.has_meta("generator") and not node.get_parent().has_meta("generator"):
			continue
		for property in state.get_node_property_count(index):
			if state.get_node_property_name(index, property) == &"tile_map_data":
				layers.append(str(node.name))
	return layers


# Whether a scene that can be loaded sets cells beside those of a scene that it shows. An exported
# one, which may be large, is not read to its end.
static func _is_on_top(path: String) -> bool:
	var file := FileAccess.open(path, FileAccess.READ)
	if file == null:
		return false
	var is_inherited := false
	while not file.eof_reached():
		var line := file.get_line()
		if line.begins_with("[node "):
			is_inherited = not line.contains(" type=") and not line.contains(" instance=")
		elif is_inherited and line.begins_with("tile_map_data = "):
			break
		elif line.begins_with("tile_map_data = "):
			return false
	if file.eof_reached():
		return false
	for dependency in ResourceLoader.get_dependencies(path):
		if not FileAccess.file_exists(dependency.get_slice("::", dependency.get_slice_count("::") - 1)):
			return false
	return true


## The folder of the exporter's state; empty if the exporter has not run.
static func state_folder() -> String:
	var reader := StatusReader.new()
	reader.poll()
	return reader.path.get_base_dir()


## Returns the first tile that has no name, and the cell it was painted in; empty if all have one.
static func unnamed(cells: Dictionary) -> String:
	for layer: String in cells["layers"]:
		var tiles: Array = cells["layers"][layer]["tiles"]
		for place in tiles.size():
			var tile: Array = tiles[place]
			if not tile[4].is_empty():
				continue
			var numbers := Marshalls.base64_to_raw(cells["layers"][layer]["cells"])
			var width: int = cells["size"][0]
			@warning_ignore("integer_division")
			for at in numbers.size() / 2:
				if numbers.decode_u16(2 * at) == place + 1:
					@warning_ignore("integer_division")
					var cell := Vector2i(at % width, at / width)
					return (
						"%s of source %d in the cell %s of the layer %s"
						% [Vector2i(tile[1], tile[2]), tile[0], cell, layer]
					)
	return ""


## Returns the tiles in the cells of a level's layers.
##
## Each layer has a list of tiles, as source, column, row, alternative and name, and for each of its
## cells, row by row, the position in that list from 1 on; 0 is no tile. Two bytes a cell, in
## base64.
static func painted(level: Node) -> Dictionary:
	var size: Vector2i = level.get_meta("size")
	var layers := {}
	for node in level.get_children():
		if not node.has_meta("generator"):
			continue
		var parts: Array = [node] if node is TileMapLayer else node.get_children()
		var cells := PackedByteArray()
		cells.resize(size.x * size.y * 2)
		var tiles := {}
		var names := _names_in(node.get_meta("tiles", {}))
		for part: Node in parts:
			if part is TileMapLayer:
				_read(part, part.get_meta("cell", Vector2i.ZERO), size, tiles, cells, names)
		_read_scenes(level, str(node.name), size, tiles, cells)
		layers[str(node.name)] = {
			"tiles": tiles.keys(), "cells": Marshalls.raw_to_base64(cells)
		}
	return {
		"version": VERSION,
		"level": str(level.get_meta("level")),
		"size": [size.x, size.y],
		"layers": layers,
	}


# The names of tiles, by source, column, row and alternative.
static func _names_in(places: Variant) -> Dictionary:
	var names := {}
	for tile: String in places if places is Dictionary else {}:
		for place: Array in places[tile]:
			names[place] = names.get(place, tile)
	return names


static func _read(
	layer: TileMapLayer,
	first: Vector2i,
	size: Vector2i,
	tiles: Dictionary,
	cells: PackedByteArray,
	names: Dictionary
) -> void:
	var has_names := layer.tile_set.get_custom_data_layer_by_name(_NAME) >= 0
	for cell in layer.get_used_cells():
		var at := cell + first
		if at.x < 0 or at.y < 0 or at.x >= size.x or at.y >= size.y:
			continue
		var coords := layer.get_cell_atlas_coords(cell)
		var data := layer.get_cell_tile_data(cell)
		var position: Array = [
			layer.get_cell_source_id(cell),
			coords.x,
			coords.y,
			layer.get_cell_alternative_tile(cell),
		]
		var tile_name: String = names.get(position, "")
		if tile_name.is_empty() and data != null and has_names:
			tile_name = str(data.get_custom_data(_NAME))
		var tile: Array = position + [tile_name]
		if not tiles.has(tile):
			tiles[tile] = tiles.size() + 1
		cells.encode_u16((at.y * size.x + at.x) * 2, tiles[tile])


# Scenes that represent tiles of a layer: their cells are empty unless they were painted.
static func _read_scenes(
	level: Node, layer: String, size: Vector2i, tiles: Dictionary, cells: PackedByteArray
) -> void:
	for thing in level.find_children("*", "", true, false):
		var layers: Variant = thing.get_meta("layers", false)
		var at: Variant = thing.get_meta("cell", false)
		# Objects have a number, and may have a property of any name.
		if thing.has_meta("id") or not layers is Array or not at is Vector2i:
			continue
		if not layers.has(layer) or not Rect2i(Vector2i.ZERO, size).has_point(at):
			continue
		var offset: int = (at.y * size.x + at.x) * 2
		if cells.decode_u16(offset) == 0:
			var tile: Array = [-1, -1, -1, 0, str(thing.get_meta("object"))]
			if not tiles.has(tile):
				tiles[tile] = tiles.size() + 1
			cells.encode_u16(offset, tiles[tile])


## Writes painted cells where the exporter finds them; returns the file, or an empty text.
static func write(cells: Dictionary, state: String) -> String:
	var folder := state.path_join(FOLDER)
	DirAccess.make_dir_recursive_absolute(folder)
	var file := folder.path_join(str(cells["level"]).validate_filename() + SUFFIX)
	var fresh := file + ".new"
	var stream := FileAccess.open(fresh, FileAccess.WRITE)
	if stream == null:
		return ""
	stream.store_string(JSON.stringify(cells))
	stream.close()
	DirAccess.remove_absolute(file + _ANSWER)
	return file if DirAccess.rename_absolute(fresh, file) == OK else ""


## Resets the layers of an inheriting scene to those of the scene it inherits from, so that they
## follow later exports.
static func set_back(root: Node) -> void:
	var state: SceneState = null
	if not root.scene_file_path.is_empty():
		var packed := ResourceLoader.load(root.scene_file_path, "PackedScene") as PackedScene
		state = packed.get_state().get_base_scene_state() if packed != null else null
	if state == null:
		return
	var base := ResourceLoader.load(state.get_path(), "PackedScene") as PackedScene
	if base == null:
		return
	var fresh := base.instantiate()
	for node in fresh.get_children():
		var own := root.get_node_or_null(NodePath(node.name))
		if own is TileMapLayer and node is TileMapLayer:
			own.tile_map_data = node.tile_map_data
	fresh.free()
	EditorInterface.mark_scene_as_unsaved()
