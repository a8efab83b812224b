@icon("../icons/level_blob.svg")
class_name LevelPack
extends RefCounted
## Reads a pack: thousands of levels in one `.lvp` file, each decoded when it is asked for.
##
## [codeblock]
## var pack := LevelPack.open("res://levels/crypt.lvp")
## if not pack.is_valid():
##     push_error(pack.error)
## var today := Time.get_date_string_from_system()
## add_child(pack.level(pack.daily(today)))
## var far := pack.find("farthest >= 60")             # indexes of levels
## var order := pack.shuffled(run_seed)               # each level once
## [/codeblock]
##
## Only requested levels are read from the file. Damaged or hostile data never crashes: the answer
## is empty and [member error] says why.

const Blob := preload("level_blob.gd")
const BlobContainer := preload("blob_container.gd")
const Budget := preload("blob_budget.gd")
const Condition := preload("pack_condition.gd")
const Json := preload("blob_json.gd")
const Limits := preload("blob_limits.gd")
const Nodes := preload("level_nodes.gd")
const Palette := preload("level_palette.gd")

const _SIGNATURE: PackedByteArray = [0x8f, 0x4c, 0x56, 0x50, 0x0d, 0x0a, 0x1a, 0x0a]
const _MAJOR := 1
const _HEADER := 32
const _MOST_LEVELS := 1 << 20
const _WIDEST := 32
const _MOST_INTEGER := 1 << 53
const _MASK := 0xffffffff
const _SECONDS_OF_A_DAY := 86400
# A TileMapLayer takes some 3 microseconds for each new cell, in the frame after.
const _CELLS_OF_A_FRAME := 1024
# A node of a shape or an occluder takes some 6.
const _NODES_OF_A_FRAME := 256

## Why the last call failed; empty while all went well.
var error := ""
## The name of the level whose spec the pack was made from.
var pack_name := ""
## The TileSet that levels are shown with. Without one it is that of the exported level, beside the
## pack, or plain squares.
var tile_set := ""
## Scenes for objects, by their names.
var scenes := {}
## How far ways keep from walls, in pixels.
var agent_radius := 6.0

var _path := ""
var _file: FileAccess
var _bytes := PackedByteArray()
var _limits: Limits
var _count := 0
var _length := 0
var _columns_at := 0
var _table_at := 0
var _directory: Variant
var _shapes := {}
var _columns: Array[Dictionary] = []
# The TileSet for the levels, and which one was chosen.
var _palette: Palette
var _palette_of := ""
# The columns that were read, by their numbers.
var _read := {}
# The bits of the level that is read, where the next one is, and how many shapes there were.
var _body := PackedByteArray()
var _at := 0
var _visited := 0
var _text := PackedByteArray()


## Opens a file; [method is_valid] returns whether that worked. In an exported game a pack needs
## `*.lvp` among the filters of files to export.
static func open(path: String, limits: Limits = null) -> LevelPack:
	var pack := new()
	pack._limits = limits if limits != null else Limits.new()
	pack._path = path
	pack._file = FileAccess.open(path, FileAccess.READ)
	if pack._file == null:
		pack.error = "cannot read %s" % path
	else:
		pack._length = pack._file.get_length()
		pack._begin()
	return pack


## Reads bytes, as [method open] reads a file.
static func from_bytes(bytes: PackedByteArray, limits: Limits = null) -> LevelPack:
	var pack := new()
	pack._limits = limits if limits != null else Limits.new()
	pack._bytes = bytes
	pack._length = bytes.size()
	pack._begin()
	return pack


## Whether nothing has failed so far.
func is_valid() -> bool:
	return error.is_empty()


## How many levels the pack has.
func count() -> int:
	return _count


## A level of the pack, from 0; nothing of other levels is read. An invalid one, with [member
## error] set, when there is no such level or it is damaged.
func blob(index: int) -> Blob:
	return Blob.from_bytes(blob_bytes(index), _limits)


## A level of the pack as a node: its layers, the nodes `collision`, `occlusion` and `objects`, and
## the metadata of an exported scene. A thread bakes the node `navigation`, which comes some frames
## later. Null, with [member error] set, when there is no such level or it is damaged.
func level(index: int) -> Node2D:
	var parts := _read_parts(index)
	if not is_valid():
		return null
	var root := _root(parts)
	for layer: TileMapLayer in parts["layers"]:
		Nodes.put_all(layer, parts["blob"], parts["layers"][layer], parts["palette"])
	_add_navigation(root, parts)
	for kind: Array in _kinds(root, parts):
		kind[0].call(kind[1], kind[2], _palette.tile_size)
	return root


## Adds a level to a node without holding up the game: a thread reads it, and each frame gets a part
## of its nodes. [code]await pack.add_level(7, self)[/code] returns the level once it is whole; null
## as [method level] does, or when the node was freed or left the tree. The pack does nothing else
## meanwhile.
func add_level(index: int, parent: Node) -> Node2D:
	var tree := parent.get_tree()
	var parts := {}
	await _in_thread(tree, func() -> void: parts.merge(_read_parts(index)))
	if not is_valid() or not is_instance_valid(parent) or not parent.is_inside_tree():
		return null
	var root := _root(parts)
	var steps: Array[Callable] = [parent.add_child.bind(root), _add_navigation.bind(root, parts)]
	for kind: Array in _kinds(root, parts):
		for part in _slices(kind[2].size(), _NODES_OF_A_FRAME):
			var cells: Array[Rect2i] = kind[2].slice(part.x, part.y)
			steps.append(kind[0].bind(kind[1], cells, _palette.tile_size))
	var pictures := {}
	for layer: TileMapLayer in parts["layers"]:
		var title: String = parts["layers"][layer]
		pictures[layer] = PackedInt64Array()
		await _in_thread(
			tree,
			func() -> void: pictures[layer] = Nodes.pictures(parts["blob"], title, parts["palette"])
		)
		for part in _slices(pictures[layer].size(), _CELLS_OF_A_FRAME):
			steps.append(Nodes.put_cells.bind(layer, pictures[layer], parts["blob"].size.x, part))
	for step in steps:
		var is_there := is_instance_valid(parent) and parent.is_inside_tree()
		if not is_instance_valid(root) or not is_there:
			if is_instance_valid(root):
				root.free()
			return null
		step.call()
		await tree.process_frame
	return root if is_instance_valid(root) else null


# What a thread can make of a level: all but nodes and what a TileSet needs.
func _read_parts(index: int) -> Dictionary:
	var data := blob(index)
	if not (data.is_valid() and data.verify()):
		_fail(data.error)
		return {}
	return {
		"index": index,
		"seed": values("seed")[index],
		"blob": data,
		"solid": Nodes.rectangles(data.walkable(), data.size, 0),
		"opaque": Nodes.rectangles(_opaque(data), data.size, 1),
	}


# The node of a level with its objects, and with layers that have no tiles and nodes that have no
# shapes yet.
func _root(parts: Dictionary) -> Node2D:
	var data: Blob = parts["blob"]
	if _palette == null or _palette_of != tile_set or not _palette.fits(data):
		_palette = Palette.new()
		_palette_of = tile_set
		_palette.prepare(data, _path, tile_set, 16)
	var root := Node2D.new()
	root.name = data.level_name.validate_node_name()
	var facts := {
		"level": data.level_name,
		"seed": parts["seed"],
		"size": data.size,
		"index": parts["index"],
	}
	if not data.mission.is_empty():
		facts["mission"] = data.mission
	for key: String in facts:
		root.set_meta(key, facts[key])
	Nodes.set_properties(root, data.properties)
	parts["palette"] = _palette
	parts["layers"] = {}
	for layer in data.seen_layers():
		var tiles := Nodes.empty_layer(data, layer, _palette)
		Nodes.switch_off(tiles)
		root.add_child(tiles)
		parts["layers"][tiles] = layer
	var objects := Node2D.new()
	objects.name = "objects"
	for node in Nodes.objects(data, _palette.tile_size, scenes):
		objects.add_child(node, true)
		node.add_to_group(str(node.get_meta("object")))
	root.add_child(objects)
	for node: Node2D in [StaticBody2D.new(), Node2D.new()]:
		node.name = "collision" if node is StaticBody2D else "occlusion"
		root.add_child(node)
	return root


func _add_navigation(root: Node2D, parts: Dictionary) -> void:
	var size: int = parts["palette"].tile_size
	Nodes.add_navigation(root, parts["blob"].size, parts["solid"], size, agent_radius)


# What adds nodes for rectangles of cells, the node that gets them, and the rectangles.
static func _kinds(root: Node2D, parts: Dictionary) -> Array[Array]:
	return [
		[Nodes.add_shapes, root.get_node("collision"), parts["solid"]],
		[Nodes.add_occluders, root.get_node("occlusion"), parts["opaque"]],
	]


static func _in_thread(tree: SceneTree, work: Callable) -> void:
	var task := WorkerThreadPool.add_task(work)
	while not WorkerThreadPool.is_task_completed(task):
		await tree.process_frame
	WorkerThreadPool.wait_for_task_completion(task)


# The first and the end of each part of a list.
static func _slices(count: int, most: int) -> Array[Vector2i]:
	var slices: Array[Vector2i] = []
	for first in range(0, count, most):
		slices.append(Vector2i(first, mini(first + most, count)))
	return slices


# Cells that block light in some layer that counts.
static func _opaque(data: Blob) -> PackedByteArray:
	var opaque := PackedByteArray()
	opaque.resize(data.size.x * data.size.y)
	for layer in data.play_layers():
		var own := data.opaque(layer)
		for i in opaque.size() if own.size() == opaque.size() else 0:
			opaque[i] |= own[i]
	return opaque


## The bytes of a level's blob, as in a `.lvb` file.
func blob_bytes(index: int) -> PackedByteArray:
	if index < 0 or index >= _count:
		return _nothing("there is no level %d (the pack has %d)" % [index, _count])
	var ends := _slice(_table_at + 4 * index, 8)
	var first := ends.decode_u32(0)
	var end := ends.decode_u32(4)
	if first < _table_at + 4 * (_count + 1) or end > _length or first > end - 4:
		return _nothing("level %d lies outside the pack" % index)
	if end - first > _limits.bytes:
		return _nothing("level %d is over the limit of %d bytes" % [index, _limits.bytes])
	var record := _slice(first, end - first)
	var numbered := PackedByteArray([0, 0, 0, 0])
	numbered.encode_u32(0, index)
	_body = record.slice(4)
	numbered.append_array(_body)
	if record.size() != end - first or not BlobContainer.crc_matches(numbered, record.decode_u32(0)):
		return _nothing("damaged level %d: the checksum does not match" % index)
	_at = 0
	var entries: Variant = _values(_shaped(_directory))
	if not entries is Array or entries.size() > _limits.chunks:
		return _nothing("broken level data: the directory")
	return _joined(entries)


## The names of the measures that [method find] knows.
func measures() -> PackedStringArray:
	var names := PackedStringArray()
	for column in _columns:
		if column["group"] == "metrics":
			names.append(column["name"])
	return names


## The values of all levels: "seed", a varied parameter such as "ground.wall_percent", or a measure.
func values(column_name: String) -> Array:
	for number in _columns.size():
		if _columns[number]["name"] == column_name:
			if not _read.has(number):
				_read[number] = _column(number)
			return _read[number]
	_fail("the pack has no values %s" % column_name)
	return []


## The levels that meet a condition over their measures, in order. A level for which it has no
## value, as it divides by zero, does not meet it. Empty, with [member error] set, for a text that
## is no condition or names a measure that the pack does not have.
func find(expression: String) -> PackedInt32Array:
	var found := PackedInt32Array()
	var condition := Condition.new()
	if not condition.read(expression):
		_fail(condition.error)
		return found
	var columns := {}
	for measure in condition.names:
		if not measure in measures():
			_fail("the pack has no measure %s (known: %s)" % [measure, ", ".join(measures())])
			return found
		columns[measure] = values(measure)
	if not is_valid():
		return found
	var row := {}
	for index in _count:
		for measure: String in columns:
			row[measure] = float(columns[measure][index])
		if condition.holds(row):
			found.append(index)
	return found


## All levels in an order that follows from a seed, each once; the lowest 32 bits of it decide.
func shuffled(order_seed: int) -> PackedInt32Array:
	var order := PackedInt32Array(range(_count))
	var start := _mixed(order_seed)
	for place in range(_count - 1, 0, -1):
		var target := _mixed(start + place * 0x9e3779b9) * (place + 1) >> 32
		var kept := order[place]
		order[place] = order[target]
		order[target] = kept
	return order


## The level of a day, written as "2026-12-24": each comes once before any comes again. -1, with
## [member error] set, for a text that is no date or in a pack without levels.
func daily(date: String) -> int:
	var seconds := Time.get_unix_time_from_datetime_string(date)
	if not _is_date(date) or Time.get_date_string_from_unix_time(seconds) != date:
		_fail("%s is no date (write it as 2026-12-24)" % date)
		return -1
	if _count == 0:
		_fail("the pack is empty")
		return -1
	# Days before 1970 are negative, and division rounds towards zero.
	@warning_ignore("integer_division")
	var day := (seconds - posmod(seconds, _SECONDS_OF_A_DAY)) / _SECONDS_OF_A_DAY
	var place := posmod(day, _count)
	@warning_ignore("integer_division")
	return shuffled((day - place) / _count)[place]


static func _is_date(date: String) -> bool:
	return RegEx.create_from_string("^[0-9]{4}-[0-9]{2}-[0-9]{2}$").search(date) != null


func _begin() -> void:
	var header := _slice(0, _HEADER)
	if header.size() < _HEADER or header.slice(0, 8) != _SIGNATURE:
		return _fail("not a level pack")
	if header[8] != _MAJOR:
		return _fail("pack version %d is not known here (known: %d)" % [header[8], _MAJOR])
	if header[10] != 0:
		return _fail("the pack needs features that are not known here")
	if not BlobContainer.crc_matches(header.slice(0, 28), header.decode_u32(28)):
		return _fail("damaged header: the checksum does not match")
	_count = header.decode_u32(12)
	_columns_at = _HEADER + header.decode_u32(16)
	_table_at = _columns_at + header.decode_u32(20)
	var is_cut := header.decode_u32(24) != _length
	if is_cut or _count > _MOST_LEVELS or _table_at + 4 * (_count + 1) > _length:
		_fail("the pack says it has %d levels, more than fit" % _count)
		_count = 0
		return
	var payload := _payload(_HEADER, _columns_at - _HEADER, "PACK", 0)
	var shared: Variant = _values_of(payload) if is_valid() else null
	if not is_valid() or not _is_shared(shared):
		_fail("broken pack: its shared part")
		_count = 0
		return
	pack_name = shared["name"]
	_directory = shared["directory"]
	_shapes = shared["shapes"]
	_columns.assign(shared["columns"])


static func _is_shared(shared: Variant) -> bool:
	if not shared is Dictionary or not shared.get("name") is String:
		return false
	if not shared.get("shapes") is Dictionary or not shared.get("columns") is Array:
		return false
	for column: Variant in shared["columns"]:
		if not column is Dictionary or not column.get("bytes") is int:
			return false
		for key: String in ["group", "name", "kind"]:
			if not column.get(key) is String:
				return false
	return true


func _slice(offset: int, size: int) -> PackedByteArray:
	if _file == null:
		return _bytes.slice(offset, offset + size)
	_file.seek(offset)
	return _file.get_buffer(size)


func _fail(message: String) -> void:
	if error.is_empty():
		error = message


func _nothing(message: String) -> PackedByteArray:
	_fail(message)
	return PackedByteArray()


# The payload of a chunk in a container that is a part of the file.
func _payload(offset: int, size: int, type: String, item: int) -> PackedByteArray:
	var container := BlobContainer.new()
	if not container.read(_slice(offset, size), _limits.chunks):
		return _nothing(container.error)
	var found := container.chunks_of(type, 0, item)
	if found.is_empty():
		return _nothing("the pack has no chunk %s %d" % [type, item])
	var payload := container.load_payload(found[0])
	_fail(container.error)
	return payload


func _values(text: PackedByteArray) -> Variant:
	return _values_of(text.compress(FileAccess.COMPRESSION_DEFLATE)) if is_valid() else null


func _values_of(payload: PackedByteArray) -> Variant:
	var json := Json.new()
	var value: Variant = json.decode(Json.CODEC, payload, Budget.new(_limits))
	_fail(json.error)
	return value


# The texts of a level come first, then the payloads of its grids.
func _joined(entries: Array) -> PackedByteArray:
	var texts: Array[PackedByteArray] = []
	for entry: Variant in entries:
		if not _is_entry(entry):
			return _nothing("broken level data: an entry of the directory")
		if entry[1] == Json.CODEC:
			var text := _shaped(_shapes.get(entry[0]))
			texts.append(text.compress(FileAccess.COMPRESSION_DEFLATE))
	if not is_valid():
		return PackedByteArray()
	var at := (_at + 7) >> 3
	var payloads: Array[PackedByteArray] = []
	for entry: Array in entries:
		if entry[1] == Json.CODEC:
			payloads.append(texts.pop_front())
			continue
		payloads.append(_body.slice(at, at + entry[9]))
		at += entry[9]
	if at != _body.size():
		return _nothing("broken level data: the payloads have another length")
	return BlobContainer.write(entries, payloads)


static func _is_entry(entry: Variant) -> bool:
	if not entry is Array or entry.size() != 10 or not entry[0] is String or entry[0].length() != 4:
		return false
	for place in range(1, 10):
		if not entry[place] is int or entry[place] < 0 or entry[place] > _MASK:
			return false
	return true


func _take(bits: Variant) -> int:
	if not bits is int or bits < 0 or bits > _WIDEST:
		_fail("broken shape: bits")
		return 0
	if _at + bits > 8 * _body.size():
		_fail("the level is cut short")
		return 0
	var number := 0
	var left: int = bits
	while left > 0:
		var held := mini(left, 8 - (_at & 7))
		var byte := _body[_at >> 3] >> (8 - (_at & 7) - held)
		number = number << held | (byte & ((1 << held) - 1))
		_at += held
		left -= held
	return number


# The text of a shape and the bits of the level.
func _shaped(shape: Variant) -> PackedByteArray:
	_text = PackedByteArray()
	_visited = 0
	_add_shape(shape)
	return _text


func _add(text: PackedByteArray) -> void:
	_text.append_array(text)
	if _text.size() > _limits.text:
		_fail("the values are over the limit of %d bytes" % _limits.text)


func _add_shape(shape: Variant) -> void:
	_visited += 1
	if _visited > _limits.values:
		_fail("the values are over the limit of %d" % _limits.values)
	if not is_valid():
		return
	if shape is String:
		_add(shape.to_utf8_buffer())
	elif not shape is Dictionary:
		_fail("broken shape")
	elif shape.get("all") is Array:
		for part: Variant in shape["all"]:
			_add_shape(part)
	elif shape.get("integer") is int and absi(shape["integer"]) <= _MOST_INTEGER:
		_add(str(shape["integer"] + _take(shape.get("bits"))).to_utf8_buffer())
	elif shape.get("one_of") is Array:
		_add_shape(_choice(shape["one_of"]))
	elif shape.get("either") is Array:
		_add_shape(_choice(shape["either"]))
	elif shape.has("list"):
		_add_list(shape["list"], _take(shape.get("bits")))
	else:
		var length := _take(shape.get("length"))
		if is_valid() and 8 * length > 8 * _body.size() - _at:
			_fail("the level is cut short")
		for place in length if is_valid() else 0:
			_text.append(_take(8))
		_add(PackedByteArray())


func _add_list(element: Variant, length: int) -> void:
	_add("[".to_utf8_buffer())
	for place in length:
		if place > 0:
			_add(",".to_utf8_buffer())
		_add_shape(element)
		if not is_valid():
			return
	_add("]".to_utf8_buffer())


func _choice(choices: Array) -> Variant:
	var bits := 0
	while 1 << bits < choices.size():
		bits += 1
	var number := _take(bits)
	if number < choices.size():
		return choices[number]
	_fail("a choice is out of range")
	return ""


func _column(number: int) -> Array:
	var column := _columns[number]
	var width: int = column["bytes"]
	var kind: String = column["kind"]
	var is_float := width == 8 and kind == "number"
	if not (is_float or width in [1, 2, 4]):
		_fail("broken pack: a column of %d bytes" % width)
		return []
	var payload := _payload(_columns_at, _table_at - _columns_at, "colm", number)
	var raw := payload.decompress(_count * width, FileAccess.COMPRESSION_DEFLATE)
	if not is_valid() or raw.size() != _count * width:
		_fail("broken pack: a column of another length")
		return []
	if is_float:
		return Array(raw.to_float64_array())
	var numbers := []
	numbers.resize(_count)
	for index in _count:
		match width:
			1:
				numbers[index] = raw[index]
			2:
				numbers[index] = raw.decode_u16(2 * index)
			4:
				numbers[index] = raw.decode_u32(4 * index)
	return _meant(column, numbers)


# The values of the stored numbers.
func _meant(column: Dictionary, numbers: Array) -> Array:
	var choices: Variant = column.get("values")
	var minimum: Variant = column.get("minimum")
	var divisor: Variant = column.get("divisor")
	var is_choice: bool = column["kind"] == "choice"
	var is_known: bool = choices is Array if is_choice else minimum is int and divisor is int
	if not is_known or not is_choice and divisor < 1:
		_fail("broken pack: a column")
		return []
	for index in numbers.size():
		if not is_choice:
			var value: int = numbers[index] + minimum
			numbers[index] = value if column["kind"] == "integer" else float(value) / divisor
		elif numbers[index] < choices.size():
			numbers[index] = choices[numbers[index]]
		else:
			_fail("broken pack: a column")
			return []
	return numbers


# The lowest 32 bits, mixed (Wellons, "Prospecting for hash functions", 2018).
static func _mixed(value: int) -> int:
	value &= _MASK
	value = ((value ^ value >> 16) * 0x7feb352d) & _MASK
	value = ((value ^ value >> 15) * 0x846ca68b) & _MASK
	return value ^ value >> 16
