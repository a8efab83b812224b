@icon("../icons/level_blob.svg")
class_name LevelExporterBlob
extends RefCounted
## Reads a level from a `.lvb` file: layers, heights, visibility, objects, tables, puzzles.
##
## [codeblock]
## var level := LevelExporterBlob.open("res://levels/crypt.lvb")
## if not level.is_valid():
##     push_error(level.error)
## var ids := level.cells("ground")           # ids[y * width + x]
## var lit := level.visible_from(player)      # 1 where the player sees
## [/codeblock]
##
## Values are decoded on first use and cached. Damaged, truncated or hostile data never crashes: the
## result is empty, and [member error] has the reason.

const BlobContainer := preload("blob_container.gd")
const Json := preload("blob_json.gd")
const Budget := preload("blob_budget.gd")
const Limits := preload("blob_limits.gd")
const Checks := preload("level_checks.gd")
const Codecs := preload("blob_codecs.gd")
const Geometry := preload("level_geometry.gd")
const Visibility := preload("level_visibility.gd")

## Layers are stored in parts of this many cells a side, so that a part can be read alone.
const PART := 256

const _ELEMENT_SIZES: PackedInt32Array = [1, 1, 2, 4]
const _KNOWN: PackedStringArray = [
	"LEVL", "CELL", "WALK", "mask", "VISI", "OPAQ", "OBJS", "TABL", "PUZZ"
]
const _DERIVE := 32
const _CODED := 20
const _RULES: PackedStringArray = ["symmetric", "shadowcast", "raycast"]
const _LARGEST_RADIUS := 64
const _LONGEST_SIGHT_SIDE := 8192
# Full scale of a 16-bit height sample.
const _FULL_SCALE := 65535.0
const _IDS := 65536
# The effect of a play layer's tile on its cell; an empty one has none.
const _FLOOR := 1
const _BLOCKED := 2
# Tiles of these names are drawn nowhere and decide nothing.
const _EMPTY_NAMES: PackedStringArray = ["empty", "nothing", "none", "other"]

## Why the last call failed; empty if all calls succeeded.
var error := ""
## The level's name, which its files begin with.
var level_name := ""
## Width and height in cells.
var size := Vector2i.ZERO
## The free values of the level's spec.
var properties := {}
## The mission: "start", "goal", "locks", "walkthrough"; empty in a level without one. See
## [LevelMission].
var mission := {}

var _container := BlobContainer.new()
var _limits := Limits.new()
var _budget := Budget.new(_limits)
var _level := 0
var _layers: Array[Dictionary] = []
# The places of the layers by their names, and how many masks the layers before each have.
var _items := {}
var _first_masks := PackedInt32Array()
var _cells := {}
var _values := {}
var _visibility := {}
var _seen_from := Vector2i(-1, -1)
var _seen := PackedByteArray()


## Reads a file; [method is_valid] returns whether that worked. An exported game has only the scene
## that the addon made of an imported `.lvb` file, which holds the file's bytes: both are read.
static func open(path: String) -> LevelExporterBlob:
	var is_file := FileAccess.file_exists(path)
	var bytes := FileAccess.get_file_as_bytes(path) if is_file else _imported(path)
	if bytes.is_empty():
		var blob := new()
		blob.error = "cannot read %s" % path
		return blob
	return from_bytes(bytes)


static func _imported(path: String) -> PackedByteArray:
	var scene := load(path) as PackedScene if ResourceLoader.exists(path) else null
	if scene == null:
		return PackedByteArray()
	var root := scene.instantiate()
	var blob: Variant = root.get("blob")
	root.free()
	return blob if blob is PackedByteArray else PackedByteArray()


## Reads bytes; data that exceeds [param limits] is refused. Without limits, the largest
## levels that the exporter makes are read. [method LevelExporterBlobLimits.for_strangers] is for
## files of players.
static func from_bytes(bytes: PackedByteArray, limits: Limits = null) -> LevelExporterBlob:
	var blob := new()
	blob._limits = limits if limits != null else Limits.new()
	if not blob._container.read(bytes, blob._limits.chunks):
		blob.error = blob._container.error
		return blob
	for chunk in blob._container.chunks:
		if not chunk.is_ancillary() and not chunk.type in _KNOWN:
			blob.error = "chunk %s is not known here: the blob is too new" % chunk.type
			return blob
	blob.select(0)
	return blob


## Whether no call has failed so far.
func is_valid() -> bool:
	return error.is_empty()


## How many levels the file has: 1, or more in a pack.
func level_count() -> int:
	var count := 0
	for chunk in _container.chunks:
		count = maxi(count, chunk.level + 1)
	return count


## Selects another level of a pack. Returns false, with [member error] set, when it does not exist.
func select(level: int) -> bool:
	_level = level
	_cells.clear()
	_values.clear()
	_visibility.clear()
	_layers.clear()
	_items.clear()
	_first_masks.clear()
	_budget = Budget.new(_limits)
	if not _budget.charge_grids(_container, level):
		return _fail(_budget.error)
	_seen_from = Vector2i(-1, -1)
	var fields: Variant = _read_values("LEVL")
	if not fields is Dictionary:
		return _fail("the blob has no level %d" % level)
	if not Checks.is_level(fields):
		return _fail("broken level data: a field of the level is missing or of another type")
	level_name = fields["name"]
	size = Vector2i(fields["width"], fields["height"])
	properties = fields["properties"]
	mission = fields["mission"] if fields.get("mission") != null else {}
	var masks := 0
	for described: Variant in fields["layers"]:
		if not Checks.is_layer(described):
			return _fail("broken level data: layer %d is not described" % _layers.size())
		if _items.has(described["name"]):
			return _fail("broken level data: there are two layers %s" % described["name"])
		var map := _size_of(described)
		if not _budget.charge_walkable(described["walkable"], map.x * map.y):
			return _fail(_budget.error)
		_items[described["name"]] = _layers.size()
		_first_masks.append(masks)
		masks += described["masks"].size()
		_layers.append(described)
	return true


## The names of the layers, in the order of the level's spec.
func layer_names() -> PackedStringArray:
	var names := PackedStringArray()
	for described in _layers:
		names.append(described["name"])
	return names


## Returns the names of the layers a game is played on: tile layers of the role "play" with a cell
## for each cell of the level. They decide what can be walked on.
func play_layers() -> PackedStringArray:
	return _of_roles(["play"])


## The names of the layers that players see: like [method play_layers], of the role "picture", too.
func seen_layers() -> PackedStringArray:
	return _of_roles(["play", "picture"])


## Returns the role of a layer: "play" (seen and walked on), "picture" (only seen), "data" (for
## programs) or "none" (for other layers alone). Empty if the layer does not exist.
func role(layer: String) -> String:
	return layer_info(layer).get("role", "")


## Whether a tile of a layer's legend is empty: it is never drawn and blocks nothing.
static func is_empty_tile(tile: Dictionary) -> bool:
	return tile["name"] in _EMPTY_NAMES


## Describes a layer without its cells: "kind" ("tiles" or "heights"), "size" [width,
## height], "generator", "tiles" (id, name, walkable, opaque, color), "heights" (minimum, maximum,
## units), "role" ("play", "picture", "data" or "none"), "rooms", "connections" (rooms: two indexes
## in "rooms", x, y, kind: "door" or "opening"), "masks" (names), "certificate" and more. Empty if
## the layer does not exist.
func layer_info(layer: String) -> Dictionary:
	var item := _item(layer)
	return _layers[item] if item >= 0 else {}


## Width and height of a layer in cells.
func layer_size(layer: String) -> Vector2i:
	var item := _item(layer)
	return _size_of(_layers[item]) if item >= 0 else Vector2i.ZERO


## The cells of a layer, row after row: tile ids, or height samples from 0 to 65535.
func cells(layer: String) -> PackedInt32Array:
	var map := layer_size(layer)
	return _numbers(cell_bytes(layer), map.x * map.y, _element_size(layer))


## The cells of a layer as stored: one, two or four little-endian bytes each.
func cell_bytes(layer: String) -> PackedByteArray:
	var item := _item(layer)
	if item < 0:
		return PackedByteArray()
	return _read_grid("CELL", item, _size_of(_layers[item]))


## One byte a cell, 1 where things can walk; empty for a layer without such cells.
##
## Without a layer, of the whole level: 1 where some play layer has a walkable tile and none has one
## that is neither walkable nor empty. Collision, navigation and the placement of objects follow it.
func walkable(layer := "") -> PackedByteArray:
	if layer.is_empty() and not _items.has(layer):
		return _walkable_cells()
	var item := _item(layer)
	if item < 0:
		return PackedByteArray()
	var rule: Variant = _layers[item].get("walkable")
	if rule is String and rule == "legend":
		return _by_legend(item, "walkable")
	if rule is String and rule == "chunk":
		return _read_grid("WALK", item, _size_of(_layers[item]))
	if rule is int:
		var passable := PackedByteArray()
		for value in cells(layer):
			passable.append(1 if value >= rule else 0)
		return passable
	if rule != null:
		_fail("the rule %s for walkable cells is not known here" % rule)
	return PackedByteArray()


## One byte a cell, 1 where a mask of the layer has it; [method layer_info] names the masks.
func mask(layer: String, mask_name: String) -> PackedByteArray:
	var item := _item(layer)
	if item < 0:
		return PackedByteArray()
	var position: int = _layers[item]["masks"].find(mask_name)
	if position < 0:
		_fail("layer %s has no mask %s" % [layer, mask_name])
		return PackedByteArray()
	return _read_grid("mask", _first_masks[item] + position, _size_of(_layers[item]))


## How many parts a layer is stored in; large worlds are read part by part.
func part_count(layer: String) -> int:
	var map := layer_size(layer)
	@warning_ignore("integer_division")
	return _parts(map.x).size() / 2 * (_parts(map.y).size() / 2) if _item(layer) >= 0 else 0


## The cells that a part of a layer has; parts are numbered row by row from 0.
func part_bounds(layer: String, part: int) -> Rect2i:
	if part < 0 or part >= part_count(layer):
		_fail("layer %s has no part %d" % [layer, part])
		return Rect2i()
	var map := layer_size(layer)
	var columns := _parts(map.x)
	var rows := _parts(map.y)
	@warning_ignore("integer_division")
	var row := part / (columns.size() / 2) * 2
	@warning_ignore("integer_division")
	var column := part % (columns.size() / 2) * 2
	return Rect2i(columns[column], rows[row], columns[column + 1], rows[row + 1])


## The cells of one part of a layer, row after row. Only that part is decoded, with at most one
## other part and the layer it depends on, and the result is not cached.
func part_cells(layer: String, part: int) -> PackedInt32Array:
	var bounds := part_bounds(layer, part)
	if not is_valid():
		return PackedInt32Array()
	var map := layer_size(layer)
	var result := _parts_of("CELL", _item(layer), map)
	if not is_valid():
		return PackedInt32Array()
	var cells_of_part := _decode(result[part], result, Taught.new())
	return _numbers(cells_of_part, bounds.get_area(), _element_size(layer))


## One byte a cell, 1 where sight is blocked.
func opaque(layer: String) -> PackedByteArray:
	var item := _item(layer)
	if item < 0:
		return PackedByteArray()
	if _layers[item]["kind"] == "tiles":
		return _by_legend(item, "opaque")
	var blocked := walkable(layer)
	for i in blocked.size():
		blocked[i] ^= 1
	if blocked.is_empty():
		blocked.resize(_size_of(_layers[item]).x * _size_of(_layers[item]).y)
	return blocked


## The real heights of a layer of heights, row after row, in the layer's units; what
## [code]HeightMapShape3D.map_data[/code] takes.
func heights(layer: String) -> PackedFloat32Array:
	var reals := PackedFloat32Array()
	var described := layer_info(layer)
	if described.is_empty():
		return reals
	var samples := cells(layer)
	var range_of: Variant = described.get("heights")
	var minimum := 0.0
	var span := 1.0
	if range_of is Dictionary:
		minimum = _number(range_of.get("minimum"))
		span = _number(range_of.get("maximum")) - minimum
	reals.resize(samples.size())
	for i in samples.size():
		reals[i] = minimum + samples[i] * span / _FULL_SCALE
	return reals


## Whether the level has a visibility.
func has_visibility() -> bool:
	return _find("VISI") != null


## Returns the cells seen from a cell: one byte for each cell of the map, 1 if it is seen. The last
## result is cached, so another call for the same cell is free.
##
## [param changed] is for doors and walls that the game opens and closes: the result of
## [method opaque] with other values in some cells, one byte for each cell of the map. Such results
## are not cached, and are empty if the size differs.
func visible_from(at: Vector2i, changed := PackedByteArray()) -> PackedByteArray:
	if at == _seen_from and changed.is_empty():
		return _seen
	if _visibility.is_empty() and not _read_visibility():
		return PackedByteArray()
	if changed.is_empty():
		_seen_from = at
		_seen = _see(at, _visibility["opaque"])
		return _seen
	var map: Vector2i = _visibility["size"]
	return _see(at, changed) if changed.size() == map.x * map.y else PackedByteArray()


## Whether [param target] is seen from [param at].
func can_see(at: Vector2i, target: Vector2i) -> bool:
	var seen := visible_from(at)
	var map: Vector2i = _visibility.get("size", Vector2i.ZERO)
	return (
		not seen.is_empty()
		and Rect2i(Vector2i.ZERO, map).has_point(target)
		and seen[target.y * map.x + target.x] == 1
	)


## The placed objects, in order: "id", "name", "x", "y" (cells) and "properties".
func objects() -> Array:
	return _read_list("OBJS", Checks.is_objects)


## The tables by name: "columns" (name, type, nullable) and "rows".
func tables() -> Dictionary:
	return _by_name(_read_list("TABL", Checks.is_tables))


## The puzzles by name: "kind" and "data".
func puzzles() -> Dictionary:
	return _by_name(_read_list("PUZZ", Checks.is_puzzles))


## The part of the level a camera of [param view] cells shows around the player.
func game_view(player: Vector2i, view: Vector2i) -> Rect2i:
	return Geometry.game_view(player, view, size)


## Every cell of the line between two cells, both included.
func line(a: Vector2i, b: Vector2i) -> Array[Vector2i]:
	return Geometry.line(a, b)


## The cells of the line before the first that blocks sight or lies outside the level.
func line_until(a: Vector2i, b: Vector2i) -> Array[Vector2i]:
	if _visibility.is_empty() and not _read_visibility():
		return []
	var map: Vector2i = _visibility["size"]
	var blocked: PackedByteArray = _visibility["opaque"]
	return Geometry.line_until(
		a,
		b,
		func(cell: Vector2i) -> bool:
			var inside := Rect2i(Vector2i.ZERO, map).has_point(cell)
			return not inside or blocked[cell.y * map.x + cell.x] != 0
	)


## Decodes the whole level. Returns false, with [member error] set, if something is damaged.
func verify() -> bool:
	for item in _layers.size():
		cell_bytes(_layers[item]["name"])
		if is_valid():
			walkable(_layers[item]["name"])
		for position: int in _layers[item]["masks"].size():
			if is_valid():
				_read_grid("mask", _first_masks[item] + position, _size_of(_layers[item]))
		if not is_valid():
			return false
	for read: Callable in [objects, tables, puzzles]:
		if is_valid():
			read.call()
	if has_visibility() and is_valid():
		_read_visibility()
	return is_valid()


func _see(at: Vector2i, blocked: PackedByteArray) -> PackedByteArray:
	return Visibility.visible_from(
		blocked,
		_visibility["size"],
		at,
		_visibility["radius"],
		_visibility["rule"],
		_visibility["see_walls"]
	)


func _fail(message: String) -> bool:
	if error.is_empty():
		error = message
	return false


func _item(layer: String) -> int:
	if not _items.has(layer):
		_fail("there is no layer %s" % layer)
	return _items.get(layer, -1)


func _of_roles(roles: Array[String]) -> PackedStringArray:
	var names := PackedStringArray()
	for described in _layers:
		if (
			described["role"] in roles
			and described["kind"] == "tiles"
			and described["grid_aligned"]
			and _size_of(described) == size
		):
			names.append(described["name"])
	return names


# The level's one mask of cells that can be walked on.
func _walkable_cells() -> PackedByteArray:
	if size.x * size.y > _limits.cells:
		_fail("a level of %d x %d cells is over the limit" % [size.x, size.y])
		return PackedByteArray()
	var merged := PackedByteArray()
	merged.resize(size.x * size.y)
	for layer in play_layers():
		var item := _item(layer)
		var table := PackedByteArray()
		table.resize(_IDS)
		for tile: Dictionary in _layers[item]["tiles"]:
			if tile["walkable"]:
				table[tile["id"]] = _FLOOR
			else:
				table[tile["id"]] = 0 if is_empty_tile(tile) else _BLOCKED
		var kinds := _by_table(item, table)
		if kinds.size() != merged.size():
			return PackedByteArray()
		for i in merged.size():
			merged[i] |= kinds[i]
	for i in merged.size():
		merged[i] = 1 if merged[i] == _FLOOR else 0
	return merged


func _find(type: String, item := 0) -> BlobContainer.Chunk:
	var result := _container.chunks_of(type, _level, item)
	return result[0] if not result.is_empty() else null


# The list of a chunk, checked by a function; empty where there is no such chunk, or it is broken.
func _read_list(type: String, is_right: Callable) -> Array:
	var listed: Variant = _read_values(type)
	if listed == null and _find(type) == null:
		return []
	if not is_right.call(listed):
		_fail("broken level data in %s" % type)
		return []
	return listed


func _read_values(type: String) -> Variant:
	if _values.has(type):
		return _values[type]
	var chunk := _find(type)
	if chunk == null:
		return null
	var payload := _container.load_payload(chunk)
	if not _container.error.is_empty():
		_fail(_container.error)
		return null
	var json := Json.new()
	var value: Variant = json.decode(chunk.codec, payload, _budget)
	if not json.error.is_empty():
		_fail("broken level data in %s: %s" % [type, json.error])
		return null
	_values[type] = value
	return value


func _size_of(described: Dictionary) -> Vector2i:
	return Vector2i(described["size"][0], described["size"][1])


func _element_size(layer: String) -> int:
	var chunk := _find("CELL", maxi(_item(layer), 0))
	return _ELEMENT_SIZES[chunk.element] if chunk != null and chunk.element < 4 else 0


# The (start, length) pairs, flat, of the chunks of a row or column; the last chunk has the rest.
func _parts(length: int) -> PackedInt32Array:
	@warning_ignore("integer_division")
	var count := maxi(1, (length + PART / 2) / PART)
	var parts := PackedInt32Array()
	for index in count:
		var start := index * PART
		parts.append(start)
		parts.append((length if index == count - 1 else start + PART) - start)
	return parts


static func _numbers(bytes: PackedByteArray, count: int, element: int) -> PackedInt32Array:
	var numbers := PackedInt32Array()
	if bytes.is_empty() or bytes.size() != count * element:
		return numbers
	if element == 4:
		return bytes.to_int32_array()
	numbers.resize(count)
	for i in count:
		numbers[i] = bytes[i] if element == 1 else bytes.decode_u16(i * 2)
	return numbers


# The chunks of a grid, checked to fit together; none, with the error set, when they do not.
func _parts_of(type: String, item: int, map: Vector2i) -> Array[BlobContainer.Chunk]:
	var nothing: Array[BlobContainer.Chunk] = []
	if map.x * map.y > _limits.cells:
		_fail("a layer of %d x %d cells is over the limit" % [map.x, map.y])
		return nothing
	var result := _container.chunks_of(type, _level, item)
	var columns := _parts(map.x)
	var rows := _parts(map.y)
	@warning_ignore("integer_division")
	if result.size() != columns.size() / 2 * (rows.size() / 2):
		_fail("parts of %s %d are missing" % [type, item])
		return nothing
	var allowed: PackedInt32Array = [1, 2] if type == "CELL" else [0]
	if not result[0].element in allowed:
		_fail("chunk %s has cells of another type" % type)
		return nothing
	var number := 0
	for row in range(0, rows.size(), 2):
		for column in range(0, columns.size(), 2):
			var chunk := result[number]
			if (
				chunk.cell != number
				or chunk.width != columns[column + 1]
				or chunk.height != rows[row + 1]
				or chunk.element != result[0].element
			):
				_fail("the parts of %s %d do not fit together" % [type, item])
				return nothing
			if chunk.width * chunk.height == 0 and not chunk.is_nothing():
				_fail("a part of %s %d holds something and has no cells" % [type, item])
				return nothing
			number += 1
	return result


func _read_grid(type: String, item: int, map: Vector2i) -> PackedByteArray:
	var key := "%s%d" % [type, item]
	if _cells.has(key):
		return _cells[key]
	var nothing := PackedByteArray()
	var result := _parts_of(type, item, map)
	if result.is_empty():
		return nothing
	var columns := _parts(map.x)
	var rows := _parts(map.y)
	var grid := PackedByteArray()
	var taught := Taught.new()
	var number := 0
	for row in range(0, rows.size(), 2):
		var band: Array[PackedByteArray] = []
		for column in range(0, columns.size(), 2):
			var chunk := result[number]
			var part := _decode(chunk, result, taught)
			if part.is_empty() and chunk.width * chunk.height > 0:
				return nothing
			band.append(part)
			number += 1
		_append_band(grid, band, columns, rows[row + 1], _ELEMENT_SIZES[result[0].element])
	_cells[key] = grid
	return grid


# Parts side by side become rows.
func _append_band(
	grid: PackedByteArray,
	band: Array[PackedByteArray],
	columns: PackedInt32Array,
	height: int,
	element: int
) -> void:
	if band.size() == 1:
		grid.append_array(band[0])
		return
	for y in height:
		for part in band.size():
			var length := columns[part * 2 + 1] * element
			grid.append_array(band[part].slice(y * length, (y + 1) * length))


# The model of the last prior, as many chunks share one. Others are dropped: a hostile file has
# many, and each takes megabytes.
class Taught:
	extends RefCounted
	var part := BlobContainer.NONE
	var model: RefCounted


# The cells of a chunk. The model of its prior is kept in `known`.
func _decode(
	chunk: BlobContainer.Chunk, result: Array[BlobContainer.Chunk], known: Taught
) -> PackedByteArray:
	var nothing := PackedByteArray()
	var codecs := Codecs.new()
	if chunk.prior != BlobContainer.NONE and chunk.prior != known.part:
		known.part = BlobContainer.NONE
		known.model = null
	if chunk.prior != BlobContainer.NONE and known.model == null:
		if chunk.prior >= result.size() or chunk.prior == chunk.cell:
			_fail("chunk %s goes on from a part that does not exist" % chunk.type)
			return nothing
		var first := result[chunk.prior]
		if (
			first.prior != BlobContainer.NONE
			or first.side != BlobContainer.NONE
			or first.codec != chunk.codec
		):
			_fail("chunk %s goes on from a part it cannot go on from" % chunk.type)
			return nothing
		var taught := _load(first)
		if is_valid():
			known.model = codecs.learn(
				first.codec, taught, first.width, first.height, first.element
			)
			known.part = chunk.prior
	var side := _side_of(chunk)
	var payload := _load(chunk)
	if not is_valid():
		return nothing
	var part := PackedByteArray()
	if codecs.error.is_empty():
		part = codecs.decode(
			chunk.codec,
			payload,
			chunk.width,
			chunk.height,
			chunk.element,
			side,
			known.model if chunk.prior != BlobContainer.NONE else null
		)
	if not codecs.error.is_empty():
		_fail("damaged chunk %s: %s" % [chunk.type, codecs.error])
		return nothing
	return part


# The cells, as numbers, of the same part of the layer that a chunk depends on.
func _side_of(chunk: BlobContainer.Chunk) -> PackedInt32Array:
	var part := PackedInt32Array()
	if chunk.side == BlobContainer.NONE:
		return part
	# Only a layer before this one can be depended on, so this ends.
	if (
		chunk.type != "CELL"
		or chunk.item >= _layers.size()
		or chunk.side >= chunk.item
		or _size_of(_layers[chunk.side]) != _size_of(_layers[chunk.item])
	):
		_fail("chunk %s depends on a layer it cannot depend on" % chunk.type)
		return part
	var map := _size_of(_layers[chunk.side])
	var whole := cells(_layers[chunk.side]["name"])
	if whole.size() != map.x * map.y:
		return part
	@warning_ignore("integer_division")
	var columns := _parts(map.x).size() / 2
	@warning_ignore("integer_division")
	var first := (chunk.cell / columns * map.x + chunk.cell % columns) * PART
	for y in chunk.height:
		part.append_array(whole.slice(first + y * map.x, first + y * map.x + chunk.width))
	return part


func _load(chunk: BlobContainer.Chunk) -> PackedByteArray:
	var payload := _container.load_payload(chunk)
	if not _container.error.is_empty():
		_fail(_container.error)
	return payload


# The legend's value for every cell of a layer; ids without an entry count as no.
func _by_legend(item: int, property: String) -> PackedByteArray:
	var table := PackedByteArray()
	table.resize(_IDS)
	for tile: Dictionary in _layers[item]["tiles"]:
		table[tile["id"]] = 1 if tile[property] else 0
	return _by_table(item, table)


# The entry of a table with one byte for each tile id, for every cell of a layer.
func _by_table(item: int, table: PackedByteArray) -> PackedByteArray:
	var bytes := cell_bytes(_layers[item]["name"])
	var chunk := _find("CELL", item)
	var wide := chunk != null and chunk.element == 2
	var flags := PackedByteArray()
	flags.resize(bytes.size() >> 1 if wide else bytes.size())
	for i in flags.size():
		flags[i] = table[bytes.decode_u16(i * 2) if wide else bytes[i]]
	return flags


func _read_visibility() -> bool:
	var chunk := _find("VISI")
	if chunk == null:
		return _fail("the level has no visibility")
	if chunk.codec != _DERIVE and chunk.codec != _CODED:
		return _fail("visibility codec %d is not known here" % chunk.codec)
	var payload := _container.load_payload(chunk)
	if not _container.error.is_empty():
		return _fail(_container.error)
	# Coded planes equal the result of the rule, and one viewer's view is computed faster than they are
	# read: the rule is enough.
	if payload.size() < 4 or (chunk.codec == _DERIVE and payload.size() != 4):
		return _fail("broken visibility rule")
	if payload[0] >= _RULES.size() or payload[1] > (1 if _RULES[payload[0]] == "raycast" else 0):
		return _fail("broken visibility rule")
	var radius := payload.decode_u16(2)
	if radius < 1 or radius > _LARGEST_RADIUS:
		return _fail("a radius of %d is out of range (allowed: 1 to %d)" % [radius, _LARGEST_RADIUS])
	var map := Vector2i(chunk.width, chunk.height)
	if mini(map.x, map.y) < 1 or maxi(map.x, map.y) > _LONGEST_SIGHT_SIDE:
		return _fail("a map of %d x %d cells has no visibility" % [map.x, map.y])
	var blocked := PackedByteArray()
	if chunk.side == BlobContainer.NONE:
		blocked = _read_grid("OPAQ", 0, map)
	elif chunk.side < _layers.size() and _size_of(_layers[chunk.side]) == map:
		blocked = opaque(_layers[chunk.side]["name"])
	if blocked.size() != map.x * map.y:
		return _fail("the visibility's layer is missing or of another size")
	_visibility = {
		"opaque": blocked,
		"size": map,
		"rule": _RULES[payload[0]],
		"see_walls": payload[1] == 1,
		"radius": radius,
	}
	return true


func _by_name(listed: Array) -> Dictionary:
	var named := {}
	for entry: Dictionary in listed:
		named[entry["name"]] = entry
	return named


static func _number(value: Variant) -> float:
	return float(value) if value is int or value is float else 0.0
