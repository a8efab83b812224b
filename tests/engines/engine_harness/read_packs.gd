extends RefCounted
## Reads packs and answers questions about them, as `tests/vectors/manifest.json` has them.
## Asked with a list of {"path", "find", "daily", "shuffled", "metrics"}.

const Pack := preload("res://addons/level_exporter/runtime/level_pack.gd")


func query(files: Array) -> Array:
	return files.map(_answer)


func _answer(file: Dictionary) -> Dictionary:
	var pack := Pack.open(file["path"])
	var bytes := Pack.from_bytes(FileAccess.get_file_as_bytes(file["path"]))
	var levels := []
	var is_same := true
	for index in pack.count():
		levels.append(_level(pack.blob(index)))
		is_same = is_same and pack.blob_bytes(index) == bytes.blob_bytes(index)
	var answer := {"error": pack.error, "levels": levels, "is_same": is_same}
	if not pack.is_valid():
		return answer
	var metrics := {}
	for measure: String in file["metrics"]:
		var values := PackedFloat64Array(pack.values(measure))
		metrics[measure] = values.to_byte_array().hex_encode()
	answer["name"] = pack.pack_name
	answer["seeds"] = pack.values("seed")
	answer["metrics"] = metrics
	answer["find"] = file["find"].map(func(text: String) -> Array: return Array(pack.find(text)))
	answer["daily"] = file["daily"].map(pack.daily)
	answer["shuffled"] = file["shuffled"].map(
		func(order: float) -> Array: return Array(pack.shuffled(int(order)))
	)
	answer["error"] = pack.error
	return answer


func _level(blob: Pack.Blob) -> Dictionary:
	if not blob.is_valid():
		return {"error": blob.error}
	var context := HashingContext.new()
	context.start(HashingContext.HASH_SHA256)
	context.update(blob.cell_bytes("ground"))
	return {
		"cells": context.finish().hex_encode(),
		"objects":
		blob.objects().map(
			func(o: Dictionary) -> Array: return [o["id"], o["name"], o["x"], o["y"]]
		),
	}
