extends Node
## Swaps levels in a game that runs from the editor as soon as they are exported, in place: nodes
## stay the same, and so do the player and everything else the game added.
##
## The plugin makes this script an autoload. Exported games contain neither.

## A level was updated. A game that has data made from the level's cells, such as a grid for paths,
## must make it again.
signal level_swapped(level: Node)

const StatusReader := preload("status_reader.gd")
const LevelSwap := preload("level_swap.gd")
const PictureSwap := preload("picture_swap.gd")

const _MILLISECONDS := 50
const _SCENE_BUILDER := "../editor/level_scene.gd"

var _reader := StatusReader.new()
var _pictures := PictureSwap.new()
# When to look again. By the clock, because games slow down or stop what `delta` counts.
var _next := 0
# Scenes of levels and scenes that inherit them, as the game has loaded them, by path.
var _scenes := {}
# The levels, by number, with the paths of their scenes: a game may keep one outside of the tree.
var _levels := {}
# The TileSets that changed, by path: whatever is loaded from now on finds them in memory.
var _tile_sets := {}


func _ready() -> void:
	if not OS.has_feature("editor"):
		queue_free()
		return
	process_mode = Node.PROCESS_MODE_ALWAYS
	_reader.poll()
	get_tree().node_added.connect(_note)
	for node in get_tree().root.find_children("*", "", true, false):
		_note(node)


func _process(_delta: float) -> void:
	if Time.get_ticks_msec() < _next:
		return
	_next = Time.get_ticks_msec() + _MILLISECONDS
	if _reader.poll():
		_swap(_reader.written())


# Keep the scene from which the node was made.
func _note(node: Node) -> void:
	var path := node.scene_file_path
	if path.is_empty() or not _is_level(node):
		return
	_levels[node.get_instance_id()] = path
	if not _scenes.has(path):
		_scenes[path] = load(path)


static func _is_level(node: Node) -> bool:
	return node.has_meta("level") or "blob" in node


func _swap(written: PackedStringArray) -> void:
	var scenes := _changed_scenes(written)
	var levels := _levels_from(scenes)
	var old_scenes := {}
	for level in levels:
		if not old_scenes.has(level.scene_file_path):
			old_scenes[level.scene_file_path] = _scenes[level.scene_file_path].instantiate()
	_pictures.load_pictures(written)
	for path in written:
		if path.get_extension() == "tres" and ResourceLoader.has_cached(path):
			_replace_tile_set(path)
	for path: String in scenes:
		_load_again(scenes[path], path)
	_pictures.show_in_tile_maps(get_tree().root)
	for level in levels:
		var latter: Node = _scenes[level.scene_file_path].instantiate()
		LevelSwap.apply(level, old_scenes[level.scene_file_path], latter)
		latter.free()
		level_swapped.emit(level)
	for node: Node in old_scenes.values():
		node.free()


# The scenes in memory that were written, or whose TileSet was written, by path.
func _changed_scenes(written: PackedStringArray) -> Dictionary:
	var scenes := {}
	for path in written:
		if path.get_extension() in ["tscn", "lvb"] and ResourceLoader.has_cached(path):
			scenes[path] = load(path)
	for path: String in _scenes:
		if not FileAccess.file_exists(path):
			continue
		for dependency in ResourceLoader.get_dependencies(path):
			var target := dependency.get_slice("::", dependency.get_slice_count("::") - 1)
			if not target.is_absolute_path():
				target = path.get_base_dir().path_join(target)
			if target.get_extension() == "tres" and written.has(target):
				scenes[path] = _scenes[path]
	return scenes


# Layers that draw a TileSet while it is loaded again into the same object report errors, so it
# becomes another object.
func _replace_tile_set(path: String) -> void:
	var old := load(path) as TileSet
	var fresh := ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE) as TileSet
	if old == null or fresh == null:
		return
	fresh.resource_path = ""  # it has the path already, but is not found by it
	fresh.take_over_path(path)
	_tile_sets[path] = fresh
	for node in get_tree().root.find_children("*", "TileMapLayer", true, false):
		if (node as TileMapLayer).tile_set == old:
			(node as TileMapLayer).tile_set = fresh


# The levels that are made from one of these scenes or from one that inherits it.
func _levels_from(scenes: Dictionary) -> Array[Node]:
	var nodes: Array[Node] = []
	if scenes.is_empty():
		return nodes
	var affected := {}
	for path: String in _scenes:
		affected[path] = _inherits(_scenes[path], scenes)
	for number: int in _levels.keys():
		if not is_instance_id_valid(number):
			_levels.erase(number)
		elif affected.get(_levels[number], false):
			nodes.append(instance_from_id(number) as Node)
	return nodes


static func _inherits(scene: PackedScene, scenes: Dictionary) -> bool:
	while scene != null:
		if scenes.has(scene.resource_path):
			return true
		var state := scene.get_state()
		scene = state.get_node_instance(0) if state.get_node_count() > 0 else null
	return false


# Changes a scene that is in memory, so that whatever preloaded or inherits it has the new one.
func _load_again(scene: PackedScene, path: String) -> void:
	var fresh: PackedScene = null
	if path.get_extension() == "lvb":
		fresh = _import(path)
	else:
		fresh = ResourceLoader.load(path, "PackedScene", ResourceLoader.CACHE_MODE_IGNORE)
	if fresh != null:
		scene.set("_bundled", fresh.get("_bundled"))


# Imports a blob as the editor does, without waiting for the editor.
func _import(path: String) -> PackedScene:
	var options := {}
	var settings := ConfigFile.new()
	if settings.load(path + ".import") == OK and settings.has_section("params"):
		for key in settings.get_section_keys("params"):
			options[key] = settings.get_value("params", key)
	# Loaded here, because exported games do not have it, and only a few games need it.
	var folder := (get_script() as Script).resource_path.get_base_dir()
	var builder: GDScript = load(folder.path_join(_SCENE_BUILDER).simplify_path())
	var bytes := FileAccess.get_file_as_bytes(path)
	var root: Node = builder.call("build", bytes, path, options)
	var scene := PackedScene.new()
	var packed := scene.pack(root)
	root.free()
	return scene if packed == OK else null
