extends RefCounted
## Reads `.lvb` files with the addon's reader and tells everything they hold, cells as hashes.
## Asked with {"files": [absolute paths], "viewers": [[x, y], ...]}.

const Blob := preload("res://addons/level_exporter/runtime/level_blob.gd")


func query(arguments: Dictionary) -> Array:
	var answers := []
	for path: String in arguments["files"]:
		var bytes := FileAccess.get_file_as_bytes(path)
		var blob := Blob.from_bytes(bytes)
		var levels := []
		for number in blob.level_count():
			if blob.is_valid() and blob.select(number):
				levels.append(_level(blob, arguments["viewers"]))
		answers.append({"error": blob.error, "levels": levels})
	return answers


func _level(blob: Blob, viewers: Array) -> Dictionary:
	var layers := {}
	for layer in blob.layer_names():
		var described := blob.layer_info(layer)
		layers[layer] = {
			"info": described,
			"size": [blob.layer_size(layer).x, blob.layer_size(layer).y],
			"bytes": _hash(blob.cell_bytes(layer)),
			"cells": _hash(blob.cells(layer).to_byte_array()),
			"walkable": _hash(blob.walkable(layer)),
			"opaque": _hash(blob.opaque(layer)),
		}
		if described["kind"] == "heights":
			layers[layer]["heights"] = _hash(blob.heights(layer).to_byte_array())
	var seen := []
	if blob.has_visibility():
		for viewer: Array in viewers:
			seen.append(_hash(blob.visible_from(Vector2i(int(viewer[0]), int(viewer[1])))))
	return {
		"name": blob.level_name,
		"size": [blob.size.x, blob.size.y],
		"properties": blob.properties,
		"layers": layers,
		"objects": blob.objects(),
		"tables": blob.tables(),
		"puzzles": blob.puzzles(),
		"seen": seen,
	}


func _hash(bytes: PackedByteArray) -> String:
	var context := HashingContext.new()
	context.start(HashingContext.HASH_SHA256)
	if not bytes.is_empty():
		context.update(bytes)
	return context.finish().hex_encode()
