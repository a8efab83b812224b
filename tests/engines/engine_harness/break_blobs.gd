extends RefCounted
## Reads damaged `.lvb` files with the addon's reader: it must say so, or give the original values.
## Asked with {"blobs": [base64], "whole": base64}; answers, for each, "error", "same" or "other".

const Blob := preload("res://addons/level_exporter/runtime/level_blob.gd")


func query(arguments: Dictionary) -> Dictionary:
	var whole := _everything(Marshalls.base64_to_raw(arguments["whole"]))
	var answers := []
	var slowest := 0
	for text: String in arguments["blobs"]:
		var started := Time.get_ticks_msec()
		var result := _everything(Marshalls.base64_to_raw(text))
		slowest = maxi(slowest, Time.get_ticks_msec() - started)
		if result[0] != "":
			answers.append("error")
		else:
			answers.append("same" if result == whole else "other")
	return {"whole": whole[0], "answers": answers, "slowest": slowest}


func _everything(bytes: PackedByteArray) -> Array:
	var blob := Blob.from_bytes(bytes)
	var result := []
	for layer in blob.layer_names():
		result.append([layer, blob.cell_bytes(layer), blob.walkable(layer), blob.opaque(layer)])
	result.append([blob.objects(), blob.tables(), blob.puzzles(), blob.properties])
	if blob.has_visibility():
		result.append(blob.visible_from(Vector2i(1, 1)))
	return [blob.error, result]
