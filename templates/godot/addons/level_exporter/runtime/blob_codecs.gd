extends RefCounted
## Turns a payload into cells: the codecs by their number in the file.
##
## The answer is the cells' little-endian bytes, exactly as many as the cells need, or nothing
## with [member error] set.

const Stream := preload("codecs/stream.gd")
const Simple := preload("codecs/simple.gd")
const Bitmap := preload("codecs/bitmap.gd")
const Tiles := preload("codecs/tiles.gd")
const Heights := preload("codecs/heights.gd")

const STORED := 0
const ZLIB := 1
const PACK := 2
const PLANES := 3
const BITMAP := 16
const TILES := 17
const HEIGHTS := 18
const CONSTANT := 33

const _SIZES: PackedInt32Array = [1, 1, 2, 4]
const _BOOL := 0
const _BYTE := 1
const _INT32 := 3

## Why the last payload could not be decoded; empty when it could.
var error := ""


## Decodes [param width] x [param height] cells of the element type [param element].
##
## [param side] are the cells, as numbers, of the layer that the chunk says it depends on. A
## payload that goes on from another one is given what [method learn] made of that.
func decode(
	codec: int,
	payload: PackedByteArray,
	width: int,
	height: int,
	element: int,
	side := PackedInt32Array(),
	prior: RefCounted = null
) -> PackedByteArray:
	error = ""
	var count := width * height
	var size := _SIZES[element]
	var cells := PackedByteArray()
	if count == 0:
		return cells
	match codec:
		STORED:
			cells = Simple.stored(payload, count, size)
		ZLIB:
			cells = Simple.zlib(payload, width, height, size)
		PACK:
			cells = Simple.pack(payload, count, size)
		CONSTANT:
			cells = Simple.constant(payload, count, size)
		PLANES:
			cells = _planes(payload, width, height, size)
		BITMAP:
			cells = _bitmap(payload, width, height, element, prior as Bitmap.Model)
		TILES:
			cells = _tiles(payload, width, height, element, side, prior as Tiles.Model)
		HEIGHTS:
			cells = Heights.decode(payload, width, height, size, element == _INT32)
		_:
			error = "codec %d is not known here" % codec
			return cells
	if cells.size() != count * size or (element == _BOOL and _exceeds_one(cells)):
		error = "the payload does not hold its cells"
		return PackedByteArray()
	return cells


## What a payload with a head teaches those that go on from it; null, with [member error] set,
## when it cannot be gone on from.
func learn(
	codec: int, payload: PackedByteArray, width: int, height: int, element: int
) -> RefCounted:
	error = ""
	var size := _SIZES[element]
	if codec == BITMAP:
		var model := Bitmap.Model.new()
		var at := Bitmap.read_head(payload, size, element == _BOOL, model)
		if at >= 0:
			Bitmap.decode(payload, at, width, height, model)
			return model
	elif codec == TILES:
		var model := Tiles.Model.new()
		var nothing := PackedInt32Array()
		var at := Tiles.read_head(payload, width * height, size, element == _INT32, nothing, model)
		if at >= 0:
			var cells := Tiles.decode(payload, at, width, height, size, nothing, model)
			if cells.size() == width * height * size:
				return model
	error = "it goes on from a payload that teaches nothing"
	return null


func _bitmap(
	payload: PackedByteArray, width: int, height: int, element: int, prior: Bitmap.Model
) -> PackedByteArray:
	var model := prior.copy() if prior != null else Bitmap.Model.new()
	var at := 0
	if prior == null:
		at = Bitmap.read_head(payload, _SIZES[element], element == _BOOL, model)
	return Bitmap.decode(payload, at, width, height, model) if at >= 0 else PackedByteArray()


func _tiles(
	payload: PackedByteArray,
	width: int,
	height: int,
	element: int,
	side: PackedInt32Array,
	prior: Tiles.Model
) -> PackedByteArray:
	var size := _SIZES[element]
	var model := prior.copy() if prior != null else Tiles.Model.new()
	var at := 0
	if prior == null:
		at = Tiles.read_head(payload, width * height, size, element == _INT32, side, model)
	return Tiles.decode(payload, at, width, height, size, side, model) if at >= 0 else PackedByteArray()


# The bytes of each significance as a grid of their own; bit 0 of the first byte: cells are folded
# steps from the cell before them in their row.
func _planes(payload: PackedByteArray, width: int, height: int, size: int) -> PackedByteArray:
	var nothing := PackedByteArray()
	if payload.is_empty() or payload[0] > 1 or size == 1:
		return nothing
	var cells := PackedByteArray()
	cells.resize(width * height * size)
	var at := 1
	for place in size:
		var length := Stream.number(payload, at + 1)
		if at >= payload.size() or length[1] < 0 or length[0] > payload.size() - length[1]:
			return nothing
		var codec := payload[at]
		if not codec in [STORED, PACK, BITMAP, TILES, CONSTANT]:
			return nothing
		at = length[1] + length[0]
		var plane := decode(codec, payload.slice(length[1], at), width, height, _BYTE)
		if plane.is_empty():
			return nothing
		for i in plane.size():
			cells[i * size + place] = plane[i]
	if at != payload.size():
		return nothing
	if payload[0] & 1:
		_add_steps(cells, width, size)
	return cells


static func _add_steps(cells: PackedByteArray, width: int, size: int) -> void:
	for i in range(0, cells.size(), size):
		var step := cells.decode_u16(i) if size == 2 else cells.decode_u32(i)
		var value := (step >> 1) ^ -(step & 1)
		@warning_ignore("integer_division")
		if i / size % width > 0:
			value += cells.decode_u16(i - 2) if size == 2 else cells.decode_u32(i - 4)
		if size == 2:
			cells.encode_u16(i, value & 0xffff)
		else:
			cells.encode_u32(i, value & 0xffffffff)


static func _exceeds_one(cells: PackedByteArray) -> bool:
	return cells.count(0) + cells.count(1) != cells.size()
