@tool
extends EditorImportPlugin
## Imports a `.lvb` file as a scene: a [code]LevelExporterLevel[/code] node with one TileMapLayer
## for each visible tile layer, and a Marker2D for each object.
##
## A file that cannot be read becomes a scene with the reason. The importer never fails, because
## Godot does not repeat a failed import, not even when the file changes.

const SceneBuilder := preload("level_scene.gd")


func _get_importer_name() -> String:
	return "level_exporter.level"


func _get_visible_name() -> String:
	return "Level"


func _get_recognized_extensions() -> PackedStringArray:
	return ["lvb"]


func _get_save_extension() -> String:
	return "scn"


func _get_resource_type() -> String:
	return "PackedScene"


func _get_priority() -> float:
	return 1.0


# After textures (order 0) and models, which are scenes that a level can have instances of.
func _get_import_order() -> int:
	return IMPORT_ORDER_SCENE + 1


# A new number makes Godot import all files again. 2: roles of layers, the metadata `properties`.
# 3: the scene that the exporter described, with instances of scenes. 4: the scripts that read the
# level.
func _get_format_version() -> int:
	return 4


# Threaded imports that build scenes freeze some editor versions.
func _can_import_threaded() -> bool:
	return false


func _get_preset_count() -> int:
	return 1


func _get_preset_name(_preset_index: int) -> String:
	return "Default"


func _get_import_options(_path: String, _preset_index: int) -> Array[Dictionary]:
	var hints := {
		"tile_set": {"property_hint": PROPERTY_HINT_FILE, "hint_string": "*.tres,*.res"},
		"tile_size": {"property_hint": PROPERTY_HINT_RANGE, "hint_string": "1,256,1,suffix:px"},
		"scenes": {
			"property_hint": PROPERTY_HINT_TYPE_STRING,
			"hint_string": "%d/%d:*.tscn,*.scn" % [TYPE_STRING, PROPERTY_HINT_FILE],
		},
		"after_export": {"property_hint": PROPERTY_HINT_FILE, "hint_string": "*.gd"},
	}
	var options: Array[Dictionary] = []
	for key: String in SceneBuilder.DEFAULTS:
		var option := {"name": key, "default_value": SceneBuilder.DEFAULTS[key]}
		option.merge(hints.get(key, {}))
		options.append(option)
	options.append(
		{"name": "scenes", "default_value": PackedStringArray()}.merged(hints["scenes"])
	)
	options.append({"name": "after_export", "default_value": ""}.merged(hints["after_export"]))
	return options


func _get_option_visibility(_path: String, _option: StringName, _options: Dictionary) -> bool:
	return true


func _import(
	source_file: String,
	save_path: String,
	options: Dictionary,
	platform_variants: Array[String],
	gen_files: Array[String]
) -> Error:
	var bytes := FileAccess.get_file_as_bytes(source_file)
	var root := SceneBuilder.build(bytes, source_file, options)
	var scene := PackedScene.new()
	var packed := scene.pack(root)
	root.free()
	if packed != OK:
		return packed
	var saved := ResourceSaver.save(
		scene, "%s.%s" % [save_path, _get_save_extension()], ResourceSaver.FLAG_COMPRESS
	)
	# Godot notes the content of the file after the import: one that was written meanwhile would
	# pass for imported.
	if saved == OK and FileAccess.get_file_as_bytes(source_file) != bytes:
		return _import(source_file, save_path, options, platform_variants, gen_files)
	return saved
