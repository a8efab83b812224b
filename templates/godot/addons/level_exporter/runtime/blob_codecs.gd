extends RefCounted
## Turns a payload into cells: the codecs by their number in the file.
##
## The answer is the cells' little-endian bytes, exactly as many as the cells need, or nothing
## with [member error] set.

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
const CONSTANT := 33

const _SIZES: PackedInt32Array = [1, 1, 2, 4]
const _BOOL := 0
const _INT32 := 3

## Why the last payload could not be decoded; empty when it could.
var error := ""


## Decodes [param width] x [param height] cells of the element type [param element].
## [param side] are the cells, as numbers, of the layer that the chunk says it depends on.
func decode(
	codec: int,
	payload: PackedByteArray,
	width: int,
	height: int,
	element: int,
	side := PackedInt32Array()
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
			cells = Simple.zlib(payload, count, size)
		PACK:
			cells = Simple.pack(payload, count, size)
		CONSTANT:
			cells = Simple.constant(payload, count, size)
		BITMAP:
			cells = Bitmap.decode(payload, width, height, size, element == _BOOL)
		TILES:
			cells = Tiles.decode(payload, width, height, size, element == _INT32, side)
		HEIGHTS:
			cells = Heights.decode(payload, width, height, size, element == _INT32)
		_:
			error = "codec %d is not known here" % codec
			return cells
	if cells.size() != count * size or (element == _BOOL and _exceeds_one(cells)):
		error = "the payload does not hold its cells"
		return PackedByteArray()
	return cells


static func _exceeds_one(cells: PackedByteArray) -> bool:
	return cells.count(0) + cells.count(1) != cells.size()
