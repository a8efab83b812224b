extends RefCounted
## Decodes the payload of a chunk to cells, by the number of the codec.
##
## Returns exactly the little-endian bytes of the cells, or an empty array with [member error] set.

const Simple := preload("codecs/simple.gd")
const Bitmap := preload("codecs/bitmap.gd")
const Tiles := preload("codecs/tiles.gd")
const Heights := preload("codecs/heights.gd")

const STORED := 0
const ZLIB := 1
const PACK := 2
const BITMAP := 16
const TILES := 17
const HEIGHTS := 18

const _SIZES: PackedInt32Array = [1, 1, 2, 4]
const _BOOL := 0
const _INT32 := 3

## Why the last payload could not be decoded; empty if it was decoded.
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


## Returns the state that a payload with a head leaves to the payloads that continue it; null, with
## [member error] set, when it cannot be continued.
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
	if at < 0:
		return PackedByteArray()
	return Tiles.decode(payload, at, width, height, size, side, model)


static func _exceeds_one(cells: PackedByteArray) -> bool:
	return cells.count(0) + cells.count(1) != cells.size()
