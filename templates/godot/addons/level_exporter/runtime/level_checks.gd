extends RefCounted
## Checks the description of a level in a file, before anything is read from it: every field has the
## type that the description of the file format says.

const _ROLES: Array[String] = ["play", "picture", "data", "none"]
const _COLUMN_TYPES: Array[String] = ["text", "integer", "number", "boolean"]
const _CERTIFICATE: Array[String] = [
	"regions_before", "regions_after", "cells_carved", "floor",
	"cells", "farthest", "dead_ends", "chokes"
]
const _LONGEST_SIDE := 1 << 24
const _MOST_SEED_DIGITS := 4096
# Of a list that is a property.
const _MOST_ENTRIES := 1024
const _LARGEST := (1 << 31) - 1


## Whether the fields of a level but its layers are there and of the right types.
static func is_level(fields: Dictionary) -> bool:
	return (
		fields.get("name") is String
		and is_side(fields.get("width"))
		and is_side(fields.get("height"))
		and _is_seed(fields.get("seed"))
		and fields.get("rng") is String
		and _is_null_or(fields, "visibility_layer", func(value: Variant) -> bool: return value is String)
		and _has_properties(fields.get("properties"))
		and fields.get("layers") is Array
		and (fields.get("mission") == null or _is_mission(fields["mission"]))
	)


## Whether a value describes a layer.
static func is_layer(described: Variant) -> bool:
	if not (described is Dictionary and described.get("name") is String):
		return false
	var sides: Variant = described.get("size")
	var rooms: Variant = described.get("rooms")
	return (
		sides is Array
		and sides.size() == 2
		and is_side(sides[0])
		and is_side(sides[1])
		and described.get("kind") in ["tiles", "heights"]
		and described.get("generator") is String
		and is_integer(described.get("version"))
		and _is_list_of(described.get("tiles"), _is_tile)
		and _is_walkable_rule(described)
		and _is_null_or(described, "heights", _is_heights)
		and described.get("complete") is bool
		and described.get("report") is Dictionary
		and _is_list_of(rooms, _is_room)
		and _is_list_of(described.get("connections"), _is_connection.bind(rooms.size()))
		and _is_null_or(described, "certificate", _is_certificate)
		and described.get("grid_aligned") is bool
		and described.get("role") in _ROLES
		and _has_different_names(described.get("masks"))
	)


## Whether a value is a list of placed objects.
static func is_objects(value: Variant) -> bool:
	return _is_list_of(value, _is_object)


## Whether a value is a list of tables of different names.
static func is_tables(value: Variant) -> bool:
	return _is_list_of(value, _is_table) and _has_different_names(_names_in(value))


## Whether a value is a list of puzzles of different names.
static func is_puzzles(value: Variant) -> bool:
	return _is_list_of(value, _is_puzzle) and _has_different_names(_names_in(value))


## Whether a value is an integer of 32 bits.
static func is_integer(value: Variant) -> bool:
	return value is int and value >= -_LARGEST - 1 and value <= _LARGEST


## Whether a value can be a width or a height.
static func is_side(value: Variant) -> bool:
	return value is int and value >= 0 and value < _LONGEST_SIDE


static func _is_list_of(value: Variant, is_entry: Callable) -> bool:
	if not value is Array:
		return false
	for entry: Variant in value:
		if not is_entry.call(entry):
			return false
	return true


static func _is_null_or(map: Dictionary, key: String, is_value: Callable) -> bool:
	return map.has(key) and (map[key] == null or is_value.call(map[key]))


static func _is_number(value: Variant) -> bool:
	return value is int or value is float


static func _is_pair(value: Variant) -> bool:
	return value is Array and value.size() == 2 and is_integer(value[0]) and is_integer(value[1])


static func _has_integers(map: Dictionary, keys: Array) -> bool:
	for key: String in keys:
		if not is_integer(map.get(key)):
			return false
	return true


static func _is_scalar(value: Variant) -> bool:
	return not (value is Array or value is Dictionary)


static func _has_properties(value: Variant) -> bool:
	return value is Dictionary and _is_list_of(value.values(), _is_property)


# A single value, a list of them, or a mapping with one key: the type of its value.
static func _is_property(value: Variant) -> bool:
	if value is Array:
		return value.size() <= _MOST_ENTRIES and _is_list_of(value, _is_single)
	return _is_single(value)


static func _is_single(value: Variant) -> bool:
	if not value is Dictionary:
		return not value is Array
	if value.size() != 1:
		return false
	var content: Variant = value.values()[0]
	if value.has("vector"):
		return content is Array and content.size() in [2, 3] and _is_list_of(content, _is_number)
	return value.keys()[0] in ["color", "resource", "object"] and content is String


static func _names_in(list: Array) -> Array:
	var names := []
	for entry: Dictionary in list:
		names.append(entry["name"])
	return names


static func _has_different_names(value: Variant) -> bool:
	if not value is Array:
		return false
	var known := {}
	for name: Variant in value:
		if not name is String or known.has(name):
			return false
		known[name] = true
	return true


static func _is_seed(value: Variant) -> bool:
	if not value is Dictionary:
		return value is int or value is String
	if not value.get("integer") is String:
		return false
	var digits: String = value["integer"].trim_prefix("-")
	var others := RegEx.create_from_string("[^0-9]").search(digits)
	return others == null and digits.length() >= 1 and digits.length() <= _MOST_SEED_DIGITS


static func _is_tile(value: Variant) -> bool:
	return (
		value is Dictionary
		and value.get("id") is int
		and value["id"] >= 0
		and value["id"] <= 65535
		and value.get("name") is String
		and value.get("walkable") is bool
		and value.get("opaque") is bool
		and value.get("color") is String
	)


static func _is_walkable_rule(described: Dictionary) -> bool:
	var rule: Variant = described.get("walkable")
	if rule is String:
		return rule == "legend" or rule == "chunk"
	return rule is int or (rule == null and described.has("walkable"))


static func _is_heights(value: Variant) -> bool:
	return (
		value is Dictionary
		and _is_number(value.get("minimum"))
		and _is_number(value.get("maximum"))
		and value.get("units") is String
	)


static func _is_room(value: Variant) -> bool:
	return (
		value is Dictionary
		and value.get("name") is String
		and _has_integers(value, ["x", "y", "width", "height"])
		and _is_pair(value.get("center"))
	)


static func _is_connection(value: Variant, rooms: int) -> bool:
	if not (value is Dictionary and value.get("kind") in ["door", "opening"]):
		return false
	var pair: Variant = value.get("rooms")
	return (
		_is_pair(pair)
		and mini(pair[0], pair[1]) >= 0
		and maxi(pair[0], pair[1]) < rooms
		and _has_integers(value, ["x", "y"])
	)


static func _is_mission(value: Variant) -> bool:
	return (
		value is Dictionary
		and value.get("start") is String
		and value.get("goal") is String
		and _has_integers(value, ["states", "stranded"])
		and _is_list_of(value.get("walkthrough"), func(text: Variant) -> bool: return text is String)
		and _is_list_of(value.get("locks"), _is_lock)
	)


static func _is_lock(value: Variant) -> bool:
	return (
		value is Dictionary
		and value.get("name") is String
		and value.get("kind") in ["key", "small_key", "one_way", "shortcut"]
		and _is_list_of(value.get("cells"), _is_pair)
		and _is_list_of(value.get("opened_from"), _is_pair)
	)


static func _is_certificate(value: Variant) -> bool:
	return (
		value is Dictionary
		and _has_integers(value, _CERTIFICATE)
		and _is_null_or(value, "start", _is_pair)
	)


static func _is_object(value: Variant) -> bool:
	return (
		value is Dictionary
		and _has_integers(value, ["id", "x", "y"])
		and value.get("name") is String
		and _has_properties(value.get("properties"))
	)


static func _is_column(value: Variant) -> bool:
	return (
		value is Dictionary
		and value.get("name") is String
		and value.get("type") in _COLUMN_TYPES
		and value.get("nullable") is bool
	)


static func _is_table(value: Variant) -> bool:
	if not (value is Dictionary and value.get("name") is String):
		return false
	if not (_is_list_of(value.get("columns"), _is_column) and value.get("rows") is Array):
		return false
	var columns: int = value["columns"].size()
	for row: Variant in value["rows"]:
		if not (_is_list_of(row, _is_scalar) and row.size() == columns):
			return false
	return true


static func _is_puzzle(value: Variant) -> bool:
	return (
		value is Dictionary
		and value.get("name") is String
		and value.get("kind") is String
		and value.get("data") is Dictionary
	)
