extends RefCounted
## Counts down the bytes and steps that a level may use. Every operation has its price, listed in
## the description of the file format, and is charged before it runs.

const BlobContainer := preload("blob_container.gd")
const Limits := preload("blob_limits.gd")

const _GRIDS: PackedStringArray = ["CELL", "WALK", "mask", "OPAQ"]
const _SIZES: PackedInt32Array = [1, 1, 2, 4]
# By the codec; one that is not known is refused when the part is read.
const _STEPS_OF_A_CELL := {0: 1, 1: 2, 2: 4, 16: 6, 18: 16, 17: 24}
const _STEPS_OF_A_PART := 4096
const _STEPS_OF_A_VALUE := 16
const _STEPS_OF_A_POINT := 64
const _STEPS_OF_AN_EXPONENT := 8192
const _BYTES_OF_A_SCALAR := 32
const _BYTES_OF_A_LIST := 128
const _BYTES_OF_A_MAP := 384
const _BYTES_OF_A_TEXT_BYTE := 8

## The limits of single things.
var limits: Limits
## Why the last charge was refused; empty while there was enough.
var error := ""

var _bytes := 0
var _steps := 0


func _init(given: Limits) -> void:
	limits = given
	_bytes = limits.bytes
	_steps = limits.steps


## Charges a price. Returns false, with [member error] set, when it exceeds the budget.
func charge(what: String, bytes: int, steps: int) -> bool:
	_bytes -= bytes
	_steps -= steps
	if _bytes < 0:
		error = "%s is over the limit of %d bytes" % [what, limits.bytes]
	elif _steps < 0:
		error = "%s is over the limit of %d steps" % [what, limits.steps]
	return error.is_empty()


## Charges all parts of all grids of a level, as the directory says.
func charge_grids(container: BlobContainer, level: int) -> bool:
	var learned := {}
	for chunk in container.chunks_of_level(level):
		if not chunk.type in _GRIDS:
			continue
		var steps := _steps_of(chunk)
		# Readers keep the model of a grid's last prior, as most chunks share it.
		var grid := "%s %d" % [chunk.type, chunk.item]
		if chunk.prior != BlobContainer.NONE and learned.get(grid) != chunk.prior:
			learned[grid] = chunk.prior
			var parts := container.chunks_of(chunk.type, level, chunk.item)
			if chunk.prior < parts.size():
				steps += _steps_of(parts[chunk.prior])
		# An unknown element type is refused when the grid is read.
		var size := _SIZES[chunk.element] if chunk.element < _SIZES.size() else 0
		if not charge("the level", chunk.width * chunk.height * size, steps):
			return false
	return true


## Charges walkable cells that follow from the cells of a layer of so many cells.
func charge_walkable(rule: Variant, cells: int) -> bool:
	var is_derived: bool = rule != null and not (rule is String and rule == "chunk")
	return not is_derived or charge("a layer's walkable cells", cells, cells)


## Charges a tree of values whose text is inflated already.
func charge_values(
	text: int, lists: int, maps: int, scalars: int, points: int, exponents: int
) -> bool:
	var size := _BYTES_OF_A_LIST * lists + _BYTES_OF_A_MAP * maps + _BYTES_OF_A_SCALAR * scalars
	size += _BYTES_OF_A_TEXT_BYTE * text
	var steps := _STEPS_OF_A_VALUE * (lists + maps + scalars)
	steps += _STEPS_OF_A_POINT * points + _STEPS_OF_AN_EXPONENT * exponents
	return charge("a chunk of values", size, text + steps)


static func _steps_of(chunk: BlobContainer.Chunk) -> int:
	return _STEPS_OF_A_PART + _STEPS_OF_A_CELL.get(chunk.codec, 0) * chunk.width * chunk.height
