extends RefCounted
## Checks what a file says of a layer, before anything is read from it.

const _ROLES: Array[String] = ["play", "picture", "data", "none"]
const _LONGEST_SIDE := 1 << 24


## Whether a value describes a layer: all that the reader relies on is there.
static func is_layer(described: Variant) -> bool:
	if not (described is Dictionary and described.get("name") is String):
		return false
	var sides: Variant = described.get("size")
	if not (sides is Array and sides.size() == 2):
		return false
	var width := whole(sides[0])
	var height := whole(sides[1])
	return (
		_has_rooms_and_masks(described)
		and width >= 0
		and width < _LONGEST_SIDE
		and height >= 0
		and height < _LONGEST_SIDE
		and described.get("kind") in ["tiles", "heights"]
	)


static func _has_rooms_and_masks(described: Dictionary) -> bool:
	var rooms: Variant = described.get("rooms")
	var connections: Variant = described.get("connections")
	var masks: Variant = described.get("masks")
	if not (rooms is Array and connections is Array and masks is Array):
		return false
	for connection: Variant in connections:
		if not (connection is Dictionary and connection.get("kind") in ["door", "opening"]):
			return false
		var pair: Variant = connection.get("rooms")
		if not (pair is Array and pair.size() == 2):
			return false
		for place: Variant in pair + [connection.get("x"), connection.get("y")]:
			if not place is int:
				return false
		if mini(pair[0], pair[1]) < 0 or maxi(pair[0], pair[1]) >= rooms.size():
			return false
	var known := {}
	for mask_name: Variant in masks:
		if not mask_name is String or known.has(mask_name):
			return false
		known[mask_name] = true
	return described.get("role") in _ROLES


## An integer; -1, which no field allows, for what is none.
static func whole(value: Variant) -> int:
	return value if value is int else -1
