@tool
extends Node
## Keeps Godot from saving unedited TileSets of levels.
##
## Godot marks the sources of a TileSet that it has just loaded as edited, and saves the TileSet
## with the next scene, in its own format. The exporter would take that for a change by the user,
## and keep the file. In Godot 4.6 and later an addon can remove the mark.

const _ENDING := ".tileset.tres"

# The numbers of the open scenes' roots that were looked through.
var _roots := {}
# TileSets of levels, by number, as WeakRef.
var _tile_sets := {}
# The numbers of their sources.
var _sources := {}


func _ready() -> void:
	set_process(EditorInterface.has_method("set_object_edited"))


func _process(_delta: float) -> void:
	var roots := {}
	for root: Node in EditorInterface.call("get_open_scene_roots"):
		if root == null:
			continue
		roots[root.get_instance_id()] = true
		if not _roots.has(root.get_instance_id()):
			_look_through(root)
	_roots = roots
	var sources := {}
	for id: int in _tile_sets.keys():
		var tile_set: TileSet = _tile_sets[id].get_ref()
		if tile_set == null:
			_tile_sets.erase(id)
		else:
			_take(tile_set, sources)
	_sources = sources


func _look_through(root: Node) -> void:
	for node: Node in [root] + root.find_children("*", "", true, false):
		var tile_set: Variant = node.get("tile_set")
		if tile_set is TileSet and tile_set.resource_path.ends_with(_ENDING):
			_tile_sets[tile_set.get_instance_id()] = weakref(tile_set)


# A TileSet of which no source is known was loaded just now, maybe again. One that the user adds a
# source to is edited.
func _take(tile_set: TileSet, sources: Dictionary) -> void:
	var changed: Array[Object] = []
	var is_new := true
	for index in tile_set.get_source_count():
		var source := tile_set.get_source(tile_set.get_source_id(index))
		changed.append(source)
		sources[source.get_instance_id()] = true
		is_new = is_new and not _sources.has(source.get_instance_id())
	if is_new and not changed.is_empty():
		for object: Object in changed + [tile_set]:
			EditorInterface.call("set_object_edited", object, false)
