extends RefCounted
## Reads `.lvb` files with the addon's reader and prints all values, cells as hashes.
## Asked with a list of {"path": absolute path, "viewers": for each level [[x, y], ...]}.
##
## Numbers in values are printed exactly, as text: JSON would round them.

const Blob := preload("res://addons/level_exporter/runtime/level_blob.gd")


func query(files: Array) -> Array:
	var answers := []
	for file: Dictionary in files:
		var blob := Blob.from_bytes(FileAccess.get_file_as_bytes(file["path"]))
		var levels := []
		for number in blob.level_count():
			if not (blob.is_valid() and blob.select(number)):
				break
			var viewers: Array = file["viewers"]
			levels.append(_level(blob, viewers[number] if number < viewers.size() else []))
			blob.verify()
		answers.append({"error": blob.error, "levels": levels})
	return answers


func _level(blob: Blob, viewers: Array) -> Dictionary:
	var layers := []
	for layer in blob.layer_names():
		layers.append(_layer(blob, layer))
	var seen := []
	if blob.has_visibility():
		for viewer: Array in viewers:
			seen.append(_hash(blob.visible_from(Vector2i(int(viewer[0]), int(viewer[1])))))
	return {
		"name": blob.level_name,
		"size": [blob.size.x, blob.size.y],
		"properties": _exact(blob.properties),
		"layers": layers,
		"play_layers": blob.play_layers(),
		"seen_layers": blob.seen_layers(),
		"walkable": _hash(blob.walkable()),
		"objects": _exact(blob.objects()),
		"tables": _exact(blob.tables().values()),
		"puzzles": _exact(blob.puzzles().values()),
		"visibility": blob.has_visibility(),
		"seen": seen,
	}


func _layer(blob: Blob, layer: String) -> Dictionary:
	var described := blob.layer_info(layer)
	var masks := {}
	for mask_name: String in described["masks"]:
		masks[mask_name] = _hash(blob.mask(layer, mask_name))
	var connections := []
	for entry: Dictionary in described["connections"]:
		connections.append(entry["rooms"] + [entry["x"], entry["y"], entry["kind"]])
	var reported := {
		"name": layer,
		"kind": described["kind"],
		"size": [blob.layer_size(layer).x, blob.layer_size(layer).y],
		"role": blob.role(layer),
		"connections": connections,
		"masks": masks,
		"tiles": _exact(described["tiles"]),
		"range": _exact(described["heights"]),
		"bytes": _hash(blob.cell_bytes(layer)),
		"cells": _hash(blob.cells(layer).to_byte_array()),
		"walkable": _hash(blob.walkable(layer)),
		"opaque": _hash(blob.opaque(layer)),
	}
	reported["parts"] = []
	for part in blob.part_count(layer):
		var bounds := blob.part_bounds(layer, part)
		var bytes := blob.part_cells(layer, part).to_byte_array()
		var corner := [bounds.position.x, bounds.position.y, bounds.size.x, bounds.size.y]
		reported["parts"].append(corner + [_hash(bytes)])
	if described["kind"] == "heights":
		reported["heights"] = _hash(blob.heights(layer).to_byte_array())
	return reported


func _hash(bytes: PackedByteArray) -> String:
	var context := HashingContext.new()
	context.start(HashingContext.HASH_SHA256)
	if not bytes.is_empty():
		context.update(bytes)
	return context.finish().hex_encode()


func _exact(value: Variant) -> Variant:
	if value is int:
		return "int %d" % value
	if value is float:
		var bytes := PackedByteArray()
		bytes.resize(8)
		bytes.encode_double(0, value)
		return "float %s" % bytes.hex_encode()
	if value is Array:
		return value.map(_exact)
	if value is Dictionary:
		var reported := {}
		for key: Variant in value:
			reported[key] = _exact(value[key])
		return reported
	return value
