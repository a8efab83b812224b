@tool
extends RefCounted
## Builds the scene of a level, as the exporter described it in the blob. For a blob without a
## description, the scene is built from cells and objects. No engine file is written.

const Described := preload("described_scene.gd")
const Limits := preload("../runtime/blob_limits.gd")
const Blob := preload("../runtime/level_blob.gd")
const LevelNode := preload("../runtime/exported_level.gd")
const Nodes := preload("../runtime/level_nodes.gd")
const Palette := preload("../runtime/level_palette.gd")

## The default options of an import.
const DEFAULTS := {
	"tile_set": "", "tile_size": 16, "create_tile_layers": true, "create_objects": true
}

# TileMapLayer keeps cell coordinates in 16 bits.
const _FARTHEST := 32767


## Builds the scene of a `.lvb` file; for an unreadable file, a scene with the reason.
##
## The options are those of an import; [constant DEFAULTS] fills in missing ones. With any other
## value the scene is built from the cells, not from the exporter's description. Besides,
## [code]scenes[/code] lists the scenes that the description may instance, and
## [code]after_export[/code] is the game's script that receives the finished scene.
static func build(bytes: PackedByteArray, path: String, given: Dictionary) -> Node2D:
	var root := _built(bytes, path, given)
	var hook: String = given.get("after_export", "")
	if hook.is_empty() or not (root.get("problem") as String).is_empty():
		return root
	var script := load(hook) as GDScript if ResourceLoader.exists(hook) else null
	if script == null or not script.can_instantiate():
		push_error("%s: %s is no script that can run" % [path, hook])
		return root
	script.new().call("after_export", root)
	_own(root, root)
	return root


# A scene keeps the nodes that its root owns: also nodes that the game's script added.
static func _own(root: Node, parent: Node) -> void:
	for child in parent.get_children():
		if child.owner == null:
			child.owner = root
		if child.owner == root and child.scene_file_path.is_empty():
			_own(root, child)


static func _built(bytes: PackedByteArray, path: String, given: Dictionary) -> Node2D:
	var options := {}
	for key: String in DEFAULTS:
		options[key] = given.get(key, DEFAULTS[key])
	var level := Blob.from_bytes(bytes)
	if not level.verify():
		return _problem_scene(level.error, path)
	if options == DEFAULTS:
		var described := Described.new()
		var description := described.find(bytes, Limits.new())
		if not description.is_empty():
			var root: Node2D = LevelNode.new()
			described.build(description, root, path.get_base_dir(), _allowed(given.get("scenes")))
			if described.error.is_empty():
				for message in described.warnings:
					push_warning("%s: %s" % [path, message])
				root.set("blob", bytes)
				root.set("tile_size", described.tile_size)
				root.set("diamond", described.diamond)
				root.set("readers", _readers())
				return root
			root.free()
		if not described.error.is_empty():
			return _problem_scene(described.error, path)
	return _scene_of_cells(level, bytes, path, options)


static func _allowed(scenes: Variant) -> PackedStringArray:
	return scenes if scenes is PackedStringArray else PackedStringArray()


static func _scene_of_cells(
	level: Blob, bytes: PackedByteArray, path: String, options: Dictionary
) -> Node2D:
	if level.size.x > _FARTHEST or level.size.y > _FARTHEST:
		return _problem_scene("a map of %s cells is too large for TileMapLayer" % level.size, path)
	var root: Node2D = LevelNode.new()
	root.name = level.level_name.validate_node_name()
	root.set("blob", bytes)
	var palette := Palette.new()
	palette.prepare(level, path, str(options["tile_set"]), int(options["tile_size"]))
	root.set("tile_size", palette.tile_size)
	root.set("readers", _readers())
	Nodes.set_properties(root, level.properties)
	if options["create_tile_layers"]:
		for layer in level.seen_layers():
			_add(root, root, Nodes.tile_layer(level, layer, palette))
	if options["create_objects"]:
		_add_objects(root, level, palette.tile_size)
	return root


# All scripts in the folder of the blob's script and in its folder `codecs`.
static func _readers() -> Array[Script]:
	var scripts: Array[Script] = []
	var folder := (Blob as Script).resource_path.get_base_dir()
	for location: String in [folder, folder.path_join("codecs")]:
		for name in DirAccess.get_files_at(location):
			if name.get_extension() == "gd":
				scripts.append(load(location.path_join(name)))
	return scripts


static func _problem_scene(message: String, path: String) -> Node2D:
	var root: Node2D = LevelNode.new()
	root.name = path.get_file().get_basename().validate_node_name()
	root.set("problem", message)
	var label := Label.new()
	label.name = "Problem"
	label.text = "%s\n%s" % [path, message]
	_add(root, root, label)
	push_warning("%s: %s" % [path, message])
	return root


static func _add(root: Node, parent: Node, child: Node) -> void:
	parent.add_child(child, true)
	child.owner = root


static func _add_objects(root: Node2D, level: Blob, tile_size: int) -> void:
	var nodes := Nodes.objects(level, tile_size, {})
	if nodes.is_empty():
		return
	var parent := Node2D.new()
	parent.name = "Objects"
	_add(root, root, parent)
	for node in nodes:
		_add(root, parent, node)
