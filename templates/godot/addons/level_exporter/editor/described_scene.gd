@tool
extends RefCounted
## Builds the scene that the exporter describes in a blob: the same tree as the `.tscn` beside it.
##
## The description is data: every class and property is checked against a list before it is used.
## After [method build] either the nodes exist, or [member error] has the reason.

const BlobContainer := preload("../runtime/blob_container.gd")
const Limits := preload("../runtime/blob_limits.gd")
const Whitelist := preload("scene_whitelist.gd")

const Chunks := preload("../runtime/level_chunks.gd")

const _TYPE := "gdsc"
const _PACKED_SCENE := "PackedScene"
# 2: with instances of scenes. 3: isometric.
const _FORMATS: Array[int] = [1, 2, 3]
const _ISOMETRIC := 3
# parent, class, name, groups, properties, resources, metadata
const _ENTRY: Array[int] = [
	TYPE_INT, TYPE_STRING, TYPE_STRING, TYPE_ARRAY, TYPE_DICTIONARY, TYPE_DICTIONARY, TYPE_DICTIONARY
]

## Why the scene could not be built; empty if it was built.
var error := ""
## The side of a cell in pixels.
var tile_size := 0
## Width and height of an isometric cell in pixels; zero for squares.
var diamond := Vector2i.ZERO
## The parts left out of the scene.
var warnings := PackedStringArray()

var _scenes := PackedStringArray()
var _folder := ""
var _limits: Limits
var _script_digest := ""
var _nodes: Array[Node] = []
var _depths := PackedInt32Array()
var _resources: Array[Resource] = []
var _types := PackedStringArray()
# Node, name of the variable, value, and type of the variable.
var _variables: Array[Array] = []


## The description in a blob; empty if it has none, or if it is damaged, with [member error] set.
func find(bytes: PackedByteArray, limits: Limits) -> PackedByteArray:
	_limits = limits
	var container := BlobContainer.new()
	if not container.read(bytes, limits.chunks):
		error = container.error
		return PackedByteArray()
	var result := container.chunks_of(_TYPE, 0, 0)
	if result.is_empty():
		return PackedByteArray()
	var payload := container.load_payload(result[0])
	error = container.error
	if error.is_empty() and payload.size() < 4:
		error = "the description of the scene is empty"
	return payload


## Adds everything below [param root], and gives it its name, groups and metadata.
## [param folder] has the files that the scene refers to, and [param scenes] are the paths of the
## scenes that it may instance. Call [method find] before.
func build(
	payload: PackedByteArray, root: Node2D, folder: String, scenes: PackedStringArray
) -> void:
	_folder = folder
	_scenes = scenes
	_nodes = [root]
	_depths = [0]
	var scene := _read(payload)
	if not error.is_empty():
		return
	for entry: Variant in scene["resources"]:
		_add_resource(entry)
		if not error.is_empty():
			return
	var listed: Array = scene["nodes"]
	if listed.is_empty() or listed.size() > Whitelist.MOST_NODES:
		error = "the scene has %d nodes" % listed.size()
		return
	for number: int in listed.size():
		_add_node(number, listed[number])
		if not error.is_empty():
			error = "node %d of the scene: %s" % [number, error]
			if _nodes[-1] != root and _nodes[-1].get_parent() == null:
				_nodes[-1].free()
			return
	_set_variables()


func _read(payload: PackedByteArray) -> Dictionary:
	var scene: Variant = null
	var size := payload.decode_u32(0)
	if size > _limits.bytes:
		error = "the description of the scene has %d bytes, more than %d" % [size, _limits.bytes]
		return {}
	var value := payload.slice(4).decompress(size, FileAccess.COMPRESSION_DEFLATE)
	if value.size() == size and size > 0:
		# Without objects: nothing in it becomes a script or an instance of a class.
		scene = bytes_to_var(value)
	if not scene is Dictionary:
		error = "the description of the scene is broken"
		return {}
	if not _is_integer(scene.get("format")) or not scene["format"] in _FORMATS:
		error = "the scene needs another version of the addon: run `exporter init --plugin`"
		return {}
	var types := {
		"script": TYPE_STRING,
		"tile_size": TYPE_INT,
		"resources": TYPE_ARRAY,
		"nodes": TYPE_ARRAY,
	}
	for key: String in types:
		if typeof(scene.get(key)) != types[key]:
			error = "the description of the scene has no proper `%s`" % key
			return {}
	_script_digest = scene["script"]
	tile_size = scene["tile_size"]
	if tile_size < 1 or tile_size > Whitelist.LARGEST_TILE:
		error = "the scene has tiles of %d pixels" % tile_size
	if scene["format"] == _ISOMETRIC:
		_read_diamond(scene.get("diamond"))
	return scene


func _read_diamond(value: Variant) -> void:
	if not value is Vector2i or value.x < 1 or value.y < 1 or value.x > Whitelist.LARGEST_TILE \
			or value.y > Whitelist.LARGEST_TILE:
		error = "the isometric scene has no proper size of cells"
		return
	diamond = value


func _add_resource(entry: Variant) -> void:
	if not (entry is Array and entry.size() == 2 and entry[0] is String):
		error = "the scene has a resource without a class"
		return
	var type: String = entry[0]
	var resource: Resource = null
	if Whitelist.FILES.has(type) and entry[1] is String:
		resource = _file(type, entry[1])
	elif type == _PACKED_SCENE and entry[1] is String and entry[1].begins_with("res://"):
		resource = _scene(entry[1])
	elif Whitelist.RESOURCES.has(type) and entry[1] is Dictionary:
		resource = ClassDB.instantiate(type)
		_set_properties(resource, Whitelist.RESOURCES[type], entry[1])
	else:
		error = "the scene has a resource of the class %s" % type
	_resources.append(resource)
	_types.append(type)


# A file beside the blob, of the one kind that the class has, or a TileSet of the game.
func _file(type: String, name: String) -> Resource:
	if type == "TileSet" and name.begins_with(Whitelist.GAME_TILE_SET[0]):
		return _tile_set_of_game(name)
	if not name.is_valid_filename() or not name.ends_with(Whitelist.FILES[type]):
		error = "the scene refers to %s, which is no %s of a level" % [name, type]
		return null
	var path := _folder.path_join(name)
	if not ResourceLoader.exists(path):
		error = "%s is missing: put it there, and import the level again" % path
		return null
	var resource := load(path)
	if resource == null or not resource.is_class(type):
		error = "%s is no %s" % [path, type]
		return null
	return resource


# A scene of the game. A blob may be a stranger's, and scenes have scripts: only those are loaded
# that the game's own settings name.
func _scene(path: String) -> PackedScene:
	var scene: PackedScene = null
	if not _scenes.has(path):
		warnings.append(
			"%s is not among the scenes of the import settings: there are markers instead" % path
		)
	elif not ResourceLoader.exists(path):
		warnings.append("%s is missing: there are markers instead" % path)
	else:
		scene = load(path) as PackedScene
		if scene == null or not scene.can_instantiate():
			scene = null
			warnings.append("%s is no scene: there are markers instead" % path)
	return scene


# The text gives the file's type before it is loaded: any other file that a blob names stays closed,
# and so does a TileSet with a script.
func _tile_set_of_game(path: String) -> Resource:
	var inside := path.trim_prefix(Whitelist.GAME_TILE_SET[0])
	var plain := path == path.simplify_path() and not inside.begins_with("/")
	for part: String in inside.split("/"):
		plain = plain and part.is_valid_filename() and not part in [".", ".."]
	if not plain or not path.ends_with(Whitelist.GAME_TILE_SET[1]):
		error = "the scene refers to %s, which is no TileSet of this game" % path
		return null
	var file := FileAccess.open(path, FileAccess.READ)
	if file == null:
		error = "%s is missing: put it there, and import the level again" % path
		return null
	var text := file.get_buffer(Whitelist.LARGEST_TILE_SET).get_string_from_utf8()
	file.close()
	var tile_set: Resource = null
	if RegEx.create_from_string(Whitelist.SCRIPTS).search(text) != null:
		error = "%s has a script" % path
		return null
	if text.begins_with(Whitelist.GAME_TILE_SET[2]):
		tile_set = load(path)
	if not tile_set is TileSet:
		error = "%s is no TileSet" % path
		return null
	return tile_set


func _add_node(number: int, entry: Variant) -> void:
	if not _is_entry(entry):
		error = "it is no proper description"
		return
	var type: String = entry[1]
	if type == Whitelist.INSTANCE:
		_add_instance(entry)
		return
	var node := _node_of(number, type)
	if node == null:
		return
	var steps: Array[Callable] = [
		_set_properties.bind(node, Whitelist.NODES[type], entry[4]),
		_set_resources.bind(node, Whitelist.RESOURCES_OF_NODES.get(type, {}), entry[5]),
		_set_metadata.bind(node, entry[6]),
		_set_groups.bind(node, entry[3]),
		_place.bind(node, entry[0], entry[2]),
	]
	if type == Whitelist.CHUNKS:
		steps.insert(1, _check_chunks.bind(entry[4]))
	for step: Callable in steps:
		step.call()
		if not error.is_empty():
			return


func _add_instance(entry: Array) -> void:
	var position: Variant = entry[5].get("scene")
	if not _is_integer(position) or position < 0 or position >= _resources.size():
		error = "an instance has no scene"
		return
	if _types[position] != _PACKED_SCENE:
		error = "an instance has a %s" % _types[position]
		return
	var node: Node = null
	if _resources[position] != null:
		# So that it is packed as an instance, and not as a copy.
		node = (_resources[position] as PackedScene).instantiate(PackedScene.GEN_EDIT_STATE_INSTANCE)
	if node == null:
		node = Marker2D.new()
	_nodes.append(node)
	var properties: Dictionary = entry[4].duplicate()
	var variables: Variant = properties.get("variables", {})
	properties.erase("variables")
	if not variables is Dictionary:
		error = "the property variables has no proper value"
		return
	var steps: Array[Callable] = [
		_set_properties.bind(node, Whitelist.NODES[Whitelist.INSTANCE], properties),
		_collect_variables.bind(node, variables),
		_set_metadata.bind(node, entry[6]),
		_set_groups.bind(node, entry[3]),
		_place.bind(node, entry[0], entry[2]),
	]
	for step: Callable in steps:
		step.call()
		if not error.is_empty():
			return


# Exported variables of the script, and nothing else of the node.
func _collect_variables(node: Node, variables: Dictionary) -> void:
	var exported := {}
	var script: Script = node.get_script()
	for property: Dictionary in [] if script == null else script.get_script_property_list():
		if property["usage"] & PROPERTY_USAGE_STORAGE:
			exported[property["name"]] = property["type"]
	for key: Variant in variables:
		if not (key is String and _is_variable(variables[key], true)):
			error = "the variable %s has no proper value" % var_to_str(key)
		elif exported.has(key) and _holds(exported[key], variables[key][0]):
			# All nodes have to be there: a value may refer to one of them.
			_variables.append([node, key, variables[key], exported[key]])


func _is_variable(entry: Variant, may_be_list: bool) -> bool:
	if not (entry is Array and entry.size() == 2 and Whitelist.VARIABLES.has(entry[0])):
		return false
	if entry[0] == TYPE_ARRAY:
		var are_proper := may_be_list and entry[1] is Array
		for inner: Variant in entry[1] if are_proper else []:
			are_proper = are_proper and _is_variable(inner, false)
		return are_proper
	return entry[1] is String if entry[0] == TYPE_OBJECT else Whitelist.PLAIN.has(typeof(entry[1]))


func _set_variables() -> void:
	for place: Array in _variables:
		var node: Node = place[0]
		var value: Variant = _value_of(node, place[2])
		if place[3] >= TYPE_PACKED_BYTE_ARRAY:
			value = type_convert(value, place[3])
		elif value is Array and node.get(place[1]) is Array:
			# The array of the script knows the type of its entries.
			var entries: Array = node.get(place[1]).duplicate()
			entries.assign(value)
			value = entries
		node.set(place[1], value)


# The value of a variable: a node or a resource by its path, or a plain value.
func _value_of(node: Node, entry: Array) -> Variant:
	if entry[0] == TYPE_ARRAY:
		return entry[1].map(func(inner: Array) -> Variant: return _value_of(node, inner))
	if entry[0] != TYPE_OBJECT:
		return type_convert(entry[1], entry[0])
	var path: String = entry[1]
	if not path.contains("://"):
		return node.get_node_or_null(path)
	# As for scenes: a blob may be a stranger's.
	if _scenes.has(path) and ResourceLoader.exists(path):
		return load(path)
	warnings.append("%s is missing, or not among the files of the import settings" % path)
	return null


func _is_entry(entry: Variant) -> bool:
	if not (entry is Array and entry.size() == _ENTRY.size()):
		return false
	for position: int in _ENTRY.size():
		if typeof(entry[position]) != _ENTRY[position]:
			return false
	return true


func _node_of(number: int, type: String) -> Node:
	if number == 0:
		if type != "Node2D":
			error = "the root is a %s" % type
			return null
		return _nodes[0]
	if not Whitelist.NODES.has(type):
		error = "the class %s is not allowed" % type
		return null
	if type != Whitelist.CHUNKS:
		_nodes.append(ClassDB.instantiate(type))
		return _nodes[-1]
	var script: GDScript = Chunks
	if script.source_code.replace("\r", "").sha256_text() != _script_digest:
		error = "it needs another version of the addon: run `exporter init --plugin`"
		return null
	_nodes.append(Node2D.new())
	_nodes[-1].set_script(script)
	return _nodes[-1]


# Parents come before their children, so there is no ring.
func _place(node: Node, parent: int, name: String) -> void:
	if name.is_empty() or name != name.validate_node_name():
		error = "%s is no name of a node" % var_to_str(name)
		return
	var root := _nodes[0]
	if node == root:
		if parent != -1:
			error = "the root has a parent"
		root.name = name
		return
	if parent < 0 or parent >= _depths.size() or _depths[parent] >= Whitelist.DEEPEST:
		error = "its parent is no node before it"
		return
	node.name = name
	_nodes[parent].add_child(node)
	_depths.append(_depths[parent] + 1)
	node.owner = root
	if node.name != name:
		error = "two nodes have the path %s" % _nodes[parent].get_path_to(node)


func _set_properties(target: Object, allowed: Dictionary, values: Dictionary) -> void:
	for key: Variant in values:
		if not (key is String and allowed.has(key)):
			error = "the property %s is not allowed" % var_to_str(key)
		elif typeof(values[key]) != allowed[key] or not _is_finite(values[key]):
			error = "the property %s has no proper value" % key
		elif target is TileMapLayer and key == "tile_map_data":
			target.set(key, _cells(values[key]))
		elif target is NavigationPolygon and key == "polygons":
			target.set(key, _polygons(values[key], values.get("vertices")))
		else:
			target.set(key, values[key])
		if not error.is_empty():
			return


func _set_resources(node: Node, allowed: Dictionary, links: Dictionary) -> void:
	for key: Variant in links:
		var index: Variant = links[key]
		if not (key is String and allowed.has(key)):
			error = "the property %s is not allowed" % var_to_str(key)
		elif not _is_integer(index) or index < 0 or index >= _resources.size():
			error = "the property %s has no resource" % key
		elif _types[index] != _allowed_class(allowed[key]):
			error = "the property %s has a %s" % [key, _types[index]]
		else:
			node.set(key, _resources[index])
		if not error.is_empty():
			return


func _allowed_class(type: String) -> String:
	var is_box := type == "RectangleShape2D"
	return Whitelist.ISOMETRIC_SHAPE if is_box and diamond != Vector2i.ZERO else type


func _set_metadata(node: Node, metadata: Dictionary) -> void:
	for key: Variant in metadata:
		if not (key is String and key.is_valid_identifier()):
			error = "%s is no name of metadata" % var_to_str(key)
		elif Whitelist.REFUSED_METADATA.has(key) or not _is_plain(metadata[key], 0):
			error = "the metadata %s is not allowed" % key
		else:
			node.set_meta(key, metadata[key])
		if not error.is_empty():
			return


func _set_groups(node: Node, groups: Array) -> void:
	for group: Variant in groups:
		if not group is String or group.is_empty():
			error = "a group has no name"
			return
		node.add_to_group(group, true)


# Cells as TileMapLayer stores them: a number of 16 bits, then 12 bytes for each.
func _cells(columns: Array) -> PackedByteArray:
	for column: Variant in columns:
		if not (column is PackedInt32Array and column.size() == columns[0].size()):
			error = "the cells have no proper columns"
			return PackedByteArray()
	if columns.size() != 3:
		error = "the cells have %d columns" % columns.size()
		return PackedByteArray()
	var steps: PackedInt32Array = columns[0]
	var sources: PackedInt32Array = columns[1]
	var tiles: PackedInt32Array = columns[2]
	var cells := PackedInt32Array()
	cells.resize(3 * steps.size())
	var position := 0
	var at := 0
	for index: int in steps.size():
		# Only the low 32 bits are kept.
		position += steps[index]
		cells[at] = position
		cells[at + 1] = sources[index]
		cells[at + 2] = tiles[index]
		at += 3
	var data := PackedByteArray([0, 0])
	data.append_array(cells.to_byte_array())
	return data


# Polygons are indices of vertices: those of each, one after the other, and where every one begins.
func _polygons(parts: Array, vertices: Variant) -> Array[PackedInt32Array]:
	var polygons: Array[PackedInt32Array] = []
	error = "the polygons have no proper corners"
	if not (
		vertices is PackedVector2Array
		and parts.size() == 2
		and parts[0] is PackedInt32Array
		and parts[1] is PackedInt32Array
	):
		return polygons
	var corners: PackedInt32Array = parts[0]
	var starts: PackedInt32Array = parts[1]
	var count: int = vertices.size()
	for corner: int in corners:
		if corner < 0 or corner >= count:
			return polygons
	polygons.resize(maxi(starts.size() - 1, 0))
	for index: int in polygons.size():
		var end := starts[index + 1]
		if starts[index] < 0 or end < starts[index] + 3 or end > corners.size():
			return polygons
		polygons[index] = corners.slice(starts[index], starts[index + 1])
	error = ""
	return polygons


# The properties that the script of large levels needs when the game runs.
func _check_chunks(values: Dictionary) -> void:
	for key: String in Whitelist.NODES[Whitelist.CHUNKS]:
		if not values.has(key) and not Whitelist.OPTIONAL.has(key):
			error = "the property %s is missing" % key
			return
	var size: Vector2i = values["size"]
	var sides := mini(size.x, size.y) > 0 and maxi(size.x, size.y) <= Whitelist.LONGEST_SIDE
	if not sides or values["chunk_side"] != Whitelist.CHUNK_SIDE:
		error = "a large level of %s cells has no chunks" % size
		return
	var places: PackedByteArray = values.get("tile_places", PackedByteArray())
	var numbered: bool = values["columns"] > 0 and values["columns"] <= 0xffff
	var listed: bool = values["columns"] == 0 and places.size() > 0
	listed = listed and places.size() % Whitelist.POSITION_BYTES == 0
	if values["tile_size"] != tile_size or not (numbered or listed):
		error = "the tiles of the chunks have no proper size"
		return
	@warning_ignore("integer_division")
	var counts := (size + Vector2i.ONE * (Whitelist.CHUNK_SIDE - 1)) / Whitelist.CHUNK_SIDE
	var count := counts.x * counts.y
	if values["chunks"].size() != count or not values["solids"].size() in [0, count]:
		error = "the level has %d chunks" % count
		return
	_check_packed(values["chunks"] + values["solids"] + values["regions"])


# How much the game unpacks is charged to the limits here.
func _check_packed(parts: Array) -> void:
	var sum := 0
	for part: Variant in parts:
		if not (part is PackedByteArray and part.size() > 4):
			error = "a chunk is empty"
			return
		sum += part.decode_u32(0)
	if sum > _limits.bytes:
		error = "its chunks have %d bytes, more than %d" % [sum, _limits.bytes]


# Whether a variable of a type takes a value of another: texts are texts, and numbers numbers.
static func _holds(type: int, other: int) -> bool:
	if type == TYPE_NIL:
		return true
	if other == TYPE_ARRAY:
		return type >= TYPE_ARRAY
	if type > TYPE_STRING or other > TYPE_STRING:
		var texts: Array[int] = [TYPE_STRING, TYPE_STRING_NAME, TYPE_NODE_PATH]
		return type == other or (texts.has(type) and texts.has(other))
	return Whitelist.VARIABLES.has(type) and (type < TYPE_STRING) == (other < TYPE_STRING)


static func _is_integer(value: Variant) -> bool:
	return value is int


static func _is_plain(value: Variant, depth: int) -> bool:
	if depth > Whitelist.DEEPEST_VALUE:
		return false
	if value is Array:
		for entry: Variant in value:
			if not _is_plain(entry, depth + 1):
				return false
		return true
	if value is Dictionary:
		for key: Variant in value:
			if not key is String or not _is_plain(value[key], depth + 1):
				return false
		return true
	return Whitelist.PLAIN.has(typeof(value))


static func _is_finite(value: Variant) -> bool:
	if value is PackedVector2Array:
		for point: Vector2 in value:
			if not point.is_finite():
				return false
	return value.is_finite() if value is Vector2 else true
